import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '@redis/client'
import { eraseFunctions } from '../../src/features/integrations/tasks/erase/personal-data.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { type MadePerson, makeOld, makePerson, placesOf, type Story } from '../harness/person-story.ts'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import { call, type Endpoint, openEndpoints } from './deliveries-receivers.ts'
import type { Findings } from './findings.ts'
import { killAtRandom } from './killer.ts'
import { type Random, randomFrom } from './random.ts'
import { postTask, type Task, untilStatus } from './task-client.ts'
import { until } from './until.ts'
import { toolsDir } from './weather-copies.ts'

/** Two persons are erased: one whom nothing obliges to keep, one with invoices under accounting law. Then they are looked for. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'boolean', default: false },
      // To see it red: a table whose rows are forgotten.
      'leave-out': { type: 'string' },
      persons: { type: 'string', default: '10' },
      /** While each two are erased. */
      kills: { type: 'string', default: '6' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const pairs = values.small ? 1 : Math.ceil(Number(values.persons) / 2)
  const kills = values.small ? 3 : Number(values.kills)
  const random = randomFrom(Number(values.seed))
  console.log(`erase: ${2 * pairs} persons, ${kills} kills while each two are erased, seed ${values.seed}`)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    harmsPostgres: true,
    apis: 1,
    workers: 1,
    leaseMs: 10_000,
    env: { EGRESS_TEST_ALLOW: '127.0.0.1:*' },
  })
  let endpoints: Endpoint[] = []
  try {
    endpoints = await openEndpoints(installation, 1, randomFrom(1))
    if (values['leave-out']) await forget(installation, values['leave-out'])
    for (let pair = 0; pair < pairs; pair++) await eraseTwo(findings, installation, pair, kills, random)
    findings.check(
      'no process ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    for (const endpoint of endpoints) await endpoint.stop()
    await installation.close(findings.counts().failed > before)
  }
}

/** The functions of the database without one table. */
async function forget(installation: KillableInstallation, table: string): Promise<void> {
  for (const { name, body } of eraseFunctions())
    await installation.query(
      `create or replace function ${name}(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
       language sql security definer set search_path = public, pg_temp as $$${body.replace(new RegExp(`^  (update|delete from) ${table}\\b[^;]*;`, 'm'), '')} select $$`,
    )
}

const storyOf = (installation: KillableInstallation): Story => ({
  tenantId: installation.company.tenants.production,
  sql: installation.query,
  async call(method, path, body, headers = {}) {
    const response = await fetch(installation.apiUrls[0] + path, {
      method,
      headers: {
        'x-api-key': installation.company.productionKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: never }).data
  },
  async importFile(text) {
    const file = Buffer.from(text)
    const made = await postTask(installation, {
      key: `file-${randomUUID()}`,
      path: '/api/v1/tasks/import',
      file,
    })
    const { task } = await untilStatus(installation, made.id, 'review', 60_000)
    if (task?.status !== 'review') throw new Error(`the file is ${task?.status}`)
    return made.id
  },
  untilMailed: address =>
    until(
      async () =>
        (
          await installation.query(
            `select from communications c join debtors d on d.id = c.debtor_id where d.email = $1 and c.state = 'sent'`,
            [address],
          )
        ).length > 0,
      60_000,
    ),
})

const totals = (installation: KillableInstallation) =>
  Promise.all(
    ['/api/v1/invoices/stats/summary', '/api/v1/payments/stats/summary', '/api/v1/workflow/stats'].map(path =>
      call<unknown>(installation, 'GET', path),
    ),
  )

async function eraseTwo(
  findings: Findings,
  installation: KillableInstallation,
  pair: number,
  kills: number,
  random: Random,
): Promise<void> {
  const story = storyOf(installation)
  const letters = String.fromCharCode(97 + pair)
  const free = await makePerson(story, `quorzyx${letters}`, `+3369876${1000 + pair}`)
  const bound = await makePerson(story, `vrombilu${letters}`, `+3368765${1000 + pair}`)
  await makeOld(installation.query, free.invoiceIds)
  await untilEnded(installation)
  findings.check(
    'before, both stand in many places',
    (await placesOf(installation.query, free.marks)).length > 15 &&
      (await placesOf(installation.query, bound.marks)).length > 15,
  )
  const before = await totals(installation)
  const killing = killAtRandom(installation, kills, random, () => {})
  const [erasedFree, erasedBound] = await Promise.all(
    [free, bound].map(person => erase(installation, person)),
  )
  findings.figure('killed', (await killing).by)
  findings.check('both are erased', erasedFree?.status === 'finished' && erasedBound?.status === 'finished', {
    erasedFree,
    erasedBound,
  })
  await installation.query('vacuum (analyze)')
  const left = await placesOf(installation.query, free.marks)
  findings.check('of the one nothing is left in any table', left.length === 0, left)
  const kept = await placesOf(installation.query, bound.marks)
  findings.check(
    'of the other only the blocked invoices',
    kept.length === 2 && kept.every(place => place.startsWith('blocked_records:')),
    kept,
  )
  findings.check(
    'the answer says until when',
    erasedBound?.report?.kept.some(
      ({ what, count, lastEnd }) => what === 'invoices' && count === 2 && lastEnd === '2036-12-31',
    ) === true && erasedFree?.report?.kept.every(({ what }) => what === 'opt_outs') === true,
    [erasedFree?.report, erasedBound?.report],
  )
  const readers = await installation.query(
    `select rolname from pg_roles where rolname like 'relance%' and has_any_column_privilege(rolname, 'blocked_records', 'select')
        and not rolsuper and pg_get_userbyid((select relowner from pg_class where relname = 'blocked_records')) <> rolname`,
  )
  findings.check('no role of a process may read them', readers.length === 0, readers)
  await lookElsewhere(findings, installation, free, bound)
  await checkRest(findings, installation, before, [free, bound])
}

const untilEnded = (installation: KillableInstallation) =>
  until(async () => (await installation.query('select from pending_tasks')).length === 0, 60_000)

async function erase(
  installation: KillableInstallation,
  { debtorId, marks }: MadePerson,
): Promise<Task | null> {
  const body = { debtorId, reason: `Asked by ${marks[0]}` }
  const request = { key: `erase-${debtorId}`, path: '/api/v1/tasks/erase', body }
  // A request that was cut off is repeated, and by then the person may be erased, with the stored answer.
  const { id } = await postTask(installation, request).catch((error: Error) => {
    if (!error.message.includes('RES_001')) throw error
    return erasureOf(installation, debtorId)
  })
  return (await untilStatus(installation, id, 'finished', 240_000)).task
}

async function erasureOf({ query }: KillableInstallation, debtorId: string): Promise<{ id: string }> {
  const [task] = await query<{ id: string }>(
    `select id from tasks where kind = 'erase' and input ->> 'debtorId' = $1`,
    [debtorId],
  )
  if (!task) throw new Error('no task to erase was made')
  return task
}

/** What an operator would carry away: the dump of the whole database, without the blocked records. */
async function dumpOf({ database }: KillableInstallation, tools: string): Promise<string> {
  const args = ['--inserts', '--exclude-table-data=blocked_records', database.adminUrl]
  const { stdout } = await runChild(join(tools, 'pg_dump'), args, {
    env: process.env,
    maxBuffer: 1_000_000_000,
  })
  return stdout
}

/** A dump, statistics of the database, Redis, and what the processes logged. */
async function lookElsewhere(
  findings: Findings,
  installation: KillableInstallation,
  free: MadePerson,
  bound: MadePerson,
): Promise<void> {
  const find = (text: string, marks: readonly string[]) =>
    marks.filter(mark => text.toLowerCase().includes(mark.toLowerCase()))
  const tools = await toolsDir(findings, 'a dump')
  if (tools) {
    const dump = await dumpOf(installation, tools)
    const everybody = [...free.marks, ...bound.marks]
    const found = find(dump, [...everybody, ...everybody.map(mark => Buffer.from(mark).toString('hex'))])
    findings.check('a dump knows neither', dump.includes('INSERT') && found.length === 0, found)
  }
  const stats = await installation.query<{ row: string }>(
    `select s::text as row from pg_stats s where schemaname = 'public' and tablename <> 'blocked_records'`,
  )
  const inStats = find(stats.map(({ row }) => row).join('\n'), [...free.marks, ...bound.marks])
  findings.check('pg_stats knows neither', stats.length > 0 && inStats.length === 0, inStats)
  const redis = installation.env.REDIS_URL
  if (redis) {
    const found = find(await everythingIn(redis), [...free.marks, ...bound.marks])
    findings.check('Redis knows neither', found.length === 0, found)
  }
  const inFiles: string[] = []
  let files = 0
  for (const entry of await readdir(installation.logDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    files++
    const text = (await readFile(join(entry.parentPath, entry.name))).toString('latin1')
    if (find(text, [...free.marks, ...bound.marks]).length > 0) inFiles.push(entry.name)
  }
  findings.check('the logs know neither', files > 1 && inFiles.length === 0, inFiles)
}

async function everythingIn(url: string): Promise<string> {
  const client = createClient({ url })
  await client.connect()
  try {
    const texts: string[] = []
    for (const key of await client.keys('*')) {
      const type = await client.type(key)
      const value =
        type === 'string'
          ? await client.get(key)
          : type === 'hash'
            ? await client.hGetAll(key)
            : type === 'zset'
              ? await client.zRange(key, 0, -1)
              : type === 'set'
                ? await client.sMembers(key)
                : await client.lRange(key, 0, -1)
      texts.push(key, JSON.stringify(value))
    }
    return texts.join('\n')
  } finally {
    client.destroy()
  }
}

async function checkRest(
  findings: Findings,
  installation: KillableInstallation,
  before: unknown[],
  persons: readonly MadePerson[],
): Promise<void> {
  const after = await totals(installation)
  findings.check('totals are unchanged', JSON.stringify(after) === JSON.stringify(before), { before, after })
  for (const { debtorId, email } of persons) {
    const { chain } = await call<{ chain: { valid: boolean } }>(
      installation,
      'GET',
      `/api/v1/debtors/${debtorId}/contacts`,
    )
    findings.check('the chain of contacts verifies', chain.valid, chain)
    const mails = () => installation.mailbox.messages().filter(mail => mail.to === email).length
    const sent = mails()
    const made = await call<{ id: string; debtor: { id: string } }>(
      installation,
      'POST',
      '/api/v1/invoices',
      {
        invoiceNumber: `AGAIN-${debtorId.slice(-12)}`,
        amountCents: 50_000,
        issueDate: '2026-09-15',
        dueDate: '2026-10-15',
        debtor: { name: 'Somebody else', email },
      },
    )
    await until(
      async () =>
        (
          await installation.query(
            `select from agendas where debtor_id = $1 and (wake_at is null or wake_at > now() + interval '1 minute')`,
            [made.debtor.id],
          )
        ).length > 0,
      20_000,
    )
    await pause(300)
    const reserved = await installation.query('select from communications where debtor_id = $1', [
      made.debtor.id,
    ])
    findings.check('the address that said stop stays closed', mails() === sent && reserved.length === 0, {
      sent,
      now: mails(),
      reserved: reserved.length,
    })
    // The next look finds them only by what was just written.
    await call(installation, 'POST', `/api/v1/invoices/${made.id}/cancel`, { reason: 'Done' })
  }
}
