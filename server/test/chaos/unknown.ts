import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { shiftClock } from '../../dev/installation.ts'
import { type Carrier, casts } from '../harness/carriers.ts'
import { linesIn } from './crash.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import { insist } from './insist.ts'
import { type Random, randomFrom } from './random.ts'
import { startSlowDoor } from './slow-door.ts'
import { mondayMorning, type Stage, setStage } from './stage.ts'

interface Size {
  sends: number
  kills: number
  seed: number
  leaseMs: number
}

const drainSeconds = 120
/** Sunday: whoever is created now is written to by nobody yet. */
const sunday = Date.parse('2026-11-15T10:00:00+01:00')

/**
 * Messages by every HTTP provider, and the worker killed while several of each are on their way. In the end each has left once
 * or never, and it is known which: by asking the provider, never by sending again.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sends: { type: 'string', default: '100' },
      kills: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      'lease-ms': { type: 'string', default: '4000' },
    },
  })
  const size = {
    sends: Number(values.sends),
    kills: Number(values.kills),
    seed: Number(values.seed),
    leaseMs: Number(values['lease-ms']),
  }
  // One provider of text messages at a time: an installation has one.
  for (const cast of casts) await interrupt(findings, cast, size)
}

type Line = Carrier & { door: Awaited<ReturnType<typeof startSlowDoor>> }

async function interrupt(findings: Findings, cast: (typeof casts)[number], size: Size): Promise<void> {
  const { sends, kills, seed, leaseMs } = size
  const random = randomFrom(seed)
  const before = findings.counts().failed
  const lines: Line[] = []
  let stage: Stage | null = null
  try {
    for (const start of cast) {
      const carrier = await start()
      lines.push({
        ...carrier,
        door: await startSlowDoor(carrier.url, () => random.between(...carrier.pace)),
      })
    }
    const names = lines.map(({ name }) => name).join(', ')
    console.log(`unknown: ${names}; ${sends} sends each, ${kills} kills, seed ${seed}`)
    const env = Object.assign({}, ...lines.map(({ env: of, door }) => of(door.url)))
    stage = await setStage({ dispatcher: 'in-process', apis: 1, workers: 1, leaseMs, env })
    const debtors = await importAll(stage, lines, sends)
    const met = await killAtWaves(stage, lines, debtors, size, random)
    const healedAt = performance.now()
    const left = await drain(stage, healedAt + drainSeconds * 1_000)
    findings.check(`everything settled within ${drainSeconds} s`, left === null, left ?? undefined)
    findings.check('no process of ours ended by itself', stage.ownEnds.length === 0, stage.ownEnds)
    for (const words of ['task failed', 'defect']) {
      const logged = await linesIn(stage, words)
      findings.check(`nobody logged "${words}"`, logged.length === 0, logged)
    }
    for (const line of lines) {
      findings.figure(`${line.name}: in flight at each kill`, met[line.name])
      await judge(findings, stage, line, sends)
    }
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed && stage) console.log(`logs are kept in ${stage.logDir}`)
    await stage?.close(isRed)
    for (const { door, stop } of lines) {
      await door.stop()
      await stop()
    }
  }
}

/** Who is to be written to by whom, in the order of the waves: none of them is due yet. */
async function importAll(
  stage: Stage,
  lines: readonly Line[],
  sends: number,
): Promise<Map<string, string[]>> {
  await shiftClock(stage.database, sunday)
  // Nobody prints a letter without a sender.
  await stage.ask(
    `insert into company_settings (tenant_id, address, postal_code, city, updated_at) values ($1, '4 rue du Port', '44000', 'Nantes', now())`,
    [stage.company.tenants.production],
  )
  const customer = { apiUrls: stage.apiUrls, apiKey: stage.company.productionKey, patienceMs: 30_000 }
  const debtors = new Map<string, string[]>()
  for (const [row, { name, step }] of lines.entries()) {
    const told = []
    for (let from = 0; from < sends; from += 100)
      told.push(
        await insist<{ results: { id: string }[] }>(customer, {
          key: `${name}-${from}`,
          path: '/api/v1/invoices/bulk',
          body: {
            invoices: Array.from({ length: Math.min(100, sends - from) }, (_, n) => invoiceOf(row, from + n)),
          },
        }),
      )
    const ids = told.flatMap(({ data, refusal }) => {
      if (!data) throw new Error(`nothing was imported: ${refusal}`)
      return data.results.map(({ id }) => id)
    })
    const found = await stage.ask<{ debtor_id: string }>(
      `update recoveries set step = $2, due_at = '2026-11-20T10:00:00+01:00' where invoice_id = any ($1::uuid[]) returning debtor_id`,
      [ids, step],
    )
    debtors.set(
      name,
      found.map(({ debtor_id }) => debtor_id),
    )
  }
  await stage.ask(`update agendas set wake_at = '2027-01-01', wake_gen = wake_gen + 1`)
  await shiftClock(stage.database, mondayMorning)
  return debtors
}

function invoiceOf(row: number, n: number) {
  const serial = `${row}${String(n).padStart(5, '0')}`
  return {
    invoiceNumber: `U-${serial}`,
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: {
      name: `Durand ${serial} SARL`,
      email: `compta${serial}@durand.example`,
      phone: `+3361${row}${String(n + 1_111_11).padStart(6, '0')}`,
      address: `${n + 1} rue Haute`,
      postalCode: '69002',
      city: 'Lyon',
    },
  }
}

/** Lets a wave of each provider begin, waits until several of each are on their way, kills, and starts again. */
async function killAtWaves(
  stage: Stage,
  lines: readonly Line[],
  debtors: ReadonlyMap<string, readonly string[]>,
  { sends, kills }: Size,
  random: Random,
): Promise<Record<string, number[]>> {
  const met: Record<string, number[]> = Object.fromEntries(lines.map(({ name }) => [name, []]))
  const worker = stage.workers[0]!
  const perWave = Math.ceil(sends / kills)
  for (let wave = 0; wave < kills; wave++) {
    const due = lines.flatMap(({ name }) => debtors.get(name)!.slice(wave * perWave, (wave + 1) * perWave))
    await stage.ask(
      `with n as (select clock_timestamp() as wall, clock_timestamp() + clock_offset_ms * interval '1 millisecond' as at from installation),
       r as (update recoveries set due_at = n.at from n where debtor_id = any ($1::uuid[]))
       update agendas set wake_at = n.wall, wake_gen = wake_gen + 1 from n where debtor_id = any ($1::uuid[])`,
      [due],
    )
    const several = Math.min(2, perWave)
    const giveUpAt = performance.now() + 5_000
    while (lines.some(({ door }) => door.inFlight() < several) && performance.now() < giveUpAt)
      await pause(10)
    await pause(random.between(0, Math.min(...lines.map(({ lastsMs }) => lastsMs))))
    for (const { name, door } of lines) met[name]!.push(door.inFlight())
    await worker.kill()
    await pause(random.between(100, 400))
    await worker.start()
  }
  return met
}

async function judge(findings: Findings, stage: Stage, line: Line, sends: number): Promise<void> {
  const { name, channel } = line
  const rows = await stage.ask<{ code: string; state: string; debtor_id: string }>(
    `select m.code, c.state, c.debtor_id from communications c
       left join message_codes m on m.tenant_id = c.tenant_id and m.communication_id = c.id
      where c.channel = $1 and c.step = $2`,
    [channel, line.stepName],
  )
  const effects = line.effects()
  const timesOf = new Map<string, number>()
  for (const code of effects) timesOf.set(code, (timesOf.get(code) ?? 0) + 1)
  const twice = [...timesOf].filter(([, times]) => times > 1)
  findings.check(`${name}: no message left twice`, twice.length === 0, twice)
  const known = new Set(rows.map(({ code }) => code))
  const strange = effects.filter(code => !known.has(code))
  findings.check(`${name}: whatever left is one of our messages`, strange.length === 0, strange)
  const left = (code: string) => (timesOf.get(code) ?? 0) > 0
  const wrong = rows.filter(({ code, state }) => left(code) !== ['sent', 'delivered'].includes(state))
  findings.check(`${name}: what is said to be sent was sent, and nothing else was`, wrong.length === 0, wrong)
  const open = rows.filter(({ state }) => ['unknown', 'sending', 'reserved'].includes(state))
  findings.check(`${name}: of no message the fate is unknown`, open.length === 0, open)
  const written = new Set(rows.filter(({ code }) => left(code)).map(({ debtor_id }) => debtor_id))
  const unsent = new Set(rows.map(({ debtor_id }) => debtor_id).filter(id => !written.has(id)))
  findings.check(
    `${name}: all ${sends} were reached once, or are known not to have been`,
    written.size === effects.length && written.size + unsent.size === sends && unsent.size < sends / 4,
    `${effects.length} messages to ${written.size} people, ${unsent.size} to be tried again`,
  )
  const [asked] = await stage.ask<{ n: number }>(
    `select count(*)::int as n from communications where channel = $1 and looked_up_at is not null`,
    [channel],
  )
  findings.figure(`${name}: settled by asking`, asked!.n)
  const why = await stage.ask<{ reason: string; n: number }>(
    `select reason, count(*)::int as n from communications where channel = $1 and step = $2 and reason is not null group by 1`,
    [channel, line.stepName],
  )
  if (why.length > 0)
    findings.figure(`${name}: reasons`, Object.fromEntries(why.map(({ reason, n }) => [reason, n])))
}
