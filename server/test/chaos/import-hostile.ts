import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { hostileFiles } from './hostile-files.ts'
import { postUntilAnswered } from './post-until-answered.ts'
import { postTask, untilStatus } from './task-client.ts'

const stretchMaxMs = 50
const fileMaxMs = 60_000

interface Second {
  at: number
  worstMs: number
}

/**
 * Files that are made to cost more than their size are imported, one after the other and many at once from five companies. The
 * main thread of the worker is never busy for long, and other companies' messages leave as before.
 */
export async function proveHostile(findings: Findings, isSmall: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'relance-probe-'))
  const probe = join(folder, 'seconds')
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 1,
    leaseMs: 10_000,
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'main-thread-probe.ts'))}`,
      MAIN_THREAD_PROBE: probe,
    },
  })
  const longestSince = async (since: number) => {
    // What is measured now is written within a second.
    await pause(1_200)
    const worker = installation.workers[0]!.pid()
    const seconds = (await readFile(probe, 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Second & { pid: number })
      .filter(({ pid, at }) => pid === worker && at >= since)
    return Math.max(...seconds.map(({ worstMs }) => worstMs))
  }
  try {
    await importOrdinary(installation)
    const files = (await hostileFiles()).filter((_, at) => !isSmall || at % 4 === 0)
    await oneAfterTheOther(findings, installation, files, longestSince)
    await manyAtOnce(findings, installation, files, isSmall ? 10 : 50, longestSince)
    findings.check(
      'no process ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    await installation.close(false)
    await rm(folder, { recursive: true, force: true })
  }
}

const importPath = '/api/v1/tasks/import'
const isOver = (status: string) => status === 'review' || status === 'failed'

/** Code that runs for the first time is slower. */
async function importOrdinary(installation: ChaosInstallation): Promise<void> {
  const lines = Array.from(
    { length: 500 },
    (_, n) => `W-${n};Durand ${n};a${n}@b.fr;01/09/2026;01/10/2026;${n + 1},00`,
  )
  const file = Buffer.from(`N° facture;Client;E-mail;Date facture;Échéance;Montant TTC\n${lines.join('\n')}`)
  const { id } = await postTask(installation, { key: 'ordinary', path: importPath, file })
  await untilStatus(installation, id, 'review', fileMaxMs)
}

async function oneAfterTheOther(
  findings: Findings,
  installation: ChaosInstallation,
  files: readonly { name: string; bytes: Buffer }[],
  longestSince: (since: number) => Promise<number>,
): Promise<void> {
  const seen: { name: string; kB: number; seconds: string; stretchMs: string; status: string }[] = []
  const [slow, long]: [string[], string[]] = [[], []]
  for (const { name, bytes } of files) {
    const [since, startedAt] = [Date.now(), performance.now()]
    const { id } = await postTask(installation, {
      key: name.replaceAll(' ', '-'),
      path: importPath,
      file: bytes,
    })
    const { task } = await untilStatus(installation, id, 'review', fileMaxMs + 10_000)
    const ms = performance.now() - startedAt
    const stretchMs = await longestSince(since)
    const status = task?.status ?? 'unknown'
    const [seconds, kB] = [(ms / 1_000).toFixed(1), Math.round(bytes.length / 1_000)]
    seen.push({ name, kB, seconds, stretchMs: stretchMs.toFixed(0), status })
    console.log(`     ${name}: ${kB} kB, ${seconds} s, ${stretchMs.toFixed(0)} ms, ${status}`)
    if (!isOver(status) || ms > fileMaxMs) slow.push(`${name}: ${seconds} s, ${status}`)
    if (stretchMs > stretchMaxMs) long.push(`${name}: ${stretchMs.toFixed(0)} ms`)
  }
  findings.check('every file is over within a minute', slow.length === 0, slow)
  findings.check(`the main thread is never busy for more than ${stretchMaxMs} ms`, long.length === 0, long)
}

const paceMs = 200
const calmMs = 15_000

/** How many messages of a company leave in a second that creates five invoices a second, for as long as `work` runs. */
async function sendRate(
  installation: ChaosInstallation,
  apiKey: string,
  name: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  const creating: Promise<unknown>[] = []
  for (let n = 0; !isOver || performance.now() - startedAt < calmMs; n++) {
    const body = {
      invoiceNumber: `${name}-${n}`,
      amountCents: 120_000 + n,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: {
        name: `Durand ${name} ${n} SARL`,
        email: `${name}${n}@durand.example`,
        postalCode: '69002',
        city: 'Lyon',
      },
    }
    const customer = { apiUrls: installation.apiUrls, apiKey, lockRetryMs: 60_000 }
    creating.push(postUntilAnswered(customer, { key: `create-${name}-${n}`, path: '/api/v1/invoices', body }))
    await pause(paceMs * (n + 1) - (performance.now() - startedAt))
  }
  const [row] = await installation.query<{ n: number }>(
    `select count(*)::int as n from communications c join debtors d on d.tenant_id = c.tenant_id and d.id = c.debtor_id
      where d.email like $1 and c.sent_at is not null`,
    [`${name}%`],
  )
  const seconds = (performance.now() - startedAt) / 1_000
  await Promise.all([working, ...creating])
  return row!.n / seconds
}

async function manyAtOnce(
  findings: Findings,
  installation: ChaosInstallation,
  files: readonly { name: string; bytes: Buffer }[],
  count: number,
  longestSince: (since: number) => Promise<number>,
): Promise<void> {
  const companies: string[] = []
  for (let n = 0; n < 5; n++) companies.push((await installation.newCompany(`Maison ${n}`)).productionKey)
  const { productionKey: other } = installation.company
  const calm = [await sendRate(installation, other, 'calma', async () => {})]
  const since = Date.now()
  const startedAt = performance.now()
  let lastMs = 0
  const during = await sendRate(installation, other, 'during', async () => {
    await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const [key, file] = [companies[n % 5]!, files[n % files.length]!]
        const made = await postTask(
          installation,
          { key: `many-${n}`, path: importPath, file: file.bytes },
          key,
        )
        const { task } = await untilStatus(installation, made.id, 'review', 15 * fileMaxMs, key)
        if (!isOver(task?.status ?? '')) findings.check(`file ${n} is over`, false, { ...file, bytes: 0 })
        lastMs = Math.max(lastMs, performance.now() - startedAt)
      }),
    )
  })
  const stretchMs = await longestSince(since)
  calm.push(await sendRate(installation, other, 'calmb', async () => {}))
  const mean = (calm[0]! + calm[1]!) / 2
  findings.figure(`${count} files of five companies were over after`, `${(lastMs / 1_000).toFixed(1)} s`)
  findings.check(
    `with ${count} files at once the main thread is never busy for more than ${stretchMaxMs} ms`,
    stretchMs <= stretchMaxMs,
    `${stretchMs.toFixed(0)} ms`,
  )
  const ratio = during / mean
  const rates = {
    before: calm[0]!.toFixed(1),
    during: during.toFixed(1),
    after: calm[1]!.toFixed(1),
    ratio: ratio.toFixed(2),
  }
  const least = count >= 50 ? 0.9 : 0.7
  findings.check(`messages of another company leave at ${least} of their rate or more`, ratio >= least, rates)
}
