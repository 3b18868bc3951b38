import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { wake } from '../../src/features/recovery/wake/wake.ts'
import { loneWorker } from '../harness/lone-worker.ts'
import { judgeContacts } from './crash-contacts.ts'
import { judgeStops, speaksOf, stopsOf } from './crash-stops.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import { type Customer, insist } from './insist.ts'
import { type Random, randomFrom } from './random.ts'
import { type Dispatching, type Stage, setStage } from './stage.ts'
import type { Deed } from './stories.ts'

const leaseMs = 10_000
const drainMs = 60_000
const leadMs = 700
const stillnessMs = 5_000
const anHour = 3_600_000

interface Racer {
  id: string
  number: string
  /** Nobody pauses it; its debtor's other invoice is. */
  isCompanion: boolean
  deeds: Deed[]
}

/** Recoveries that all come due at one moment, and a pause racing each: when it is answered, nothing leaves any more. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      recoveries: { type: 'string', default: '200' },
      dispatcher: { type: 'string', default: 'both' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const wanted = values.dispatcher === 'both' ? (['engine', 'in-process'] as const) : [values.dispatcher]
  for (const dispatcher of wanted) {
    if (dispatcher !== 'engine' && dispatcher !== 'in-process')
      throw new Error('--dispatcher is engine, in-process or both')
    await race(findings, dispatcher, Number(values.recoveries), Number(values.seed))
  }
}

async function race(findings: Findings, dispatcher: Dispatching, count: number, seed: number): Promise<void> {
  console.log(`pause: dispatcher ${dispatcher}, ${count} recoveries, seed ${seed}`)
  const random = randomFrom(seed)
  const before = findings.counts().failed
  const stage = await setStage({
    dispatcher,
    apis: 2,
    workers: 2,
    leaseMs,
    smtpDelayMs: () => random.between(40, 200),
    isPlaying: false,
  })
  try {
    await Promise.all([stage.engine, ...stage.apis].map(part => part?.start()))
    const customer = { apiUrls: stage.apiUrls, apiKey: stage.company.productionKey, patienceMs: 30_000 }
    const racers = await importRacers(customer, count)
    const reserved = await makeReady(stage)
    await Promise.all(stage.workers.map(worker => worker.start()))
    const startsAt = Date.now() + leadMs
    await letGo(stage, startsAt)
    await pauseEach(stage, customer, { racers, reserved, startsAt }, random)
    const left = await drain(stage, performance.now() + drainMs)
    findings.check('everything else was done within 60 s', left === null, left ?? undefined)
    findings.check('no process of ours ended by itself', stage.ownEnds.length === 0, stage.ownEnds)
    await judge(findings, stage, racers, count)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${stage.logDir}`)
    await stage.close(isRed)
  }
}

/**
 * Every fifth has a companion: a second invoice of the same debtor, due at the same moment, that goes on. Whichever was
 * imported first leads the message of the two, so each is once the one that is paused.
 */
async function importRacers(customer: Customer, count: number): Promise<Racer[]> {
  const wishes = Array.from({ length: count }, (_, i) => {
    const own = `P-${i}-paused`
    const companion = `C-${i}-goes-on`
    return i % 5 > 0 ? [own] : i % 10 === 0 ? [own, companion] : [companion, own]
  }).flat()
  const racers: Racer[] = []
  for (let from = 0; from < wishes.length; from += 100) {
    const numbers = wishes.slice(from, from + 100)
    const told = await insist<{ results: { id: string }[] }>(customer, {
      key: `import-${from}`,
      path: '/api/v1/invoices/bulk',
      body: {
        invoices: numbers.map(number => ({
          invoiceNumber: number,
          amountCents: 120_000,
          issueDate: '2026-09-15',
          dueDate: '2026-10-15',
          debtor: {
            name: `Durand ${number.split('-')[1]}`,
            email: `compta${number.split('-')[1]}@durand.example`,
            postalCode: '69002',
            city: 'Lyon',
          },
        })),
      },
    })
    racers.push(
      ...numbers.map((number, i) => ({
        id: told.data!.results[i]!.id,
        number,
        isCompanion: number.startsWith('C-'),
        deeds: [],
      })),
    )
  }
  return racers
}

/**
 * Half of the debtors are at the start of their wake-up; of the others a message is reserved already, as if its worker had
 * died: those meet the pause between the reservation and the claim, where on a quick machine a wake-up hardly ever is.
 */
async function makeReady(stage: Stage): Promise<Set<string>> {
  const tenantId = stage.company.tenants.production
  const agendas = await stage.ask<{ debtor_id: string; wake_gen: string }>(
    'select debtor_id, wake_gen from agendas where tenant_id = $1 order by debtor_id',
    [tenantId],
  )
  const worker = loneWorker(stage.database, { connections: 8, redriveMs: anHour })
  const reserved = agendas.filter((_, i) => i % 2 === 0)
  await Promise.all(
    reserved.map(agenda =>
      wake(worker, { tenantId, debtorId: agenda.debtor_id, gen: Number(agenda.wake_gen) }),
    ),
  )
  await worker.stop()
  await stage.ask('update agendas set wake_at = $1 where wake_at is not null', [
    new Date(Date.now() + anHour).toISOString(),
  ])
  const rows = await stage.ask<{ invoice_id: string }>(
    'select invoice_id from recoveries where communication_id is not null',
  )
  return new Set(rows.map(row => row.invoice_id))
}

const letGo = async (stage: Stage, at: number): Promise<void> => {
  const moment = [new Date(at).toISOString()]
  await stage.ask(
    `with woken as (update agendas set wake_at = $1 where wake_at is not null)
     update pending_sends set redrive_at = $1`,
    moment,
  )
}

/**
 * A quarter of the pauses meets the moment itself, with a message reserved; the others keep step with the messages, one for each that arrives, so that
 * on a quick machine as on a slow one some come before their message, some after it, and some while it is on its way.
 */
async function pauseEach(
  stage: Stage,
  customer: Customer,
  { racers, reserved, startsAt }: { racers: readonly Racer[]; reserved: Set<string>; startsAt: number },
  random: Random,
): Promise<void> {
  const shuffled = random.shuffled(racers.filter(racer => !racer.isCompanion))
  const isEarly = new Set(shuffled.filter(racer => reserved.has(racer.id)).slice(0, shuffled.length / 4))
  const pauseOne = async (racer: Racer, waitMs: number) => {
    await pause(waitMs)
    const told = await insist<Deed['data']>(customer, {
      key: `pause-${racer.number}`,
      path: `/api/v1/workflow/invoice/${racer.id}/trigger`,
      body: { action: 'pause' },
    })
    racer.deeds = [{ wish: 'pause', cents: 0, ...told }]
  }
  const wait = startsAt - Date.now()
  const racing = [...isEarly].map(racer => pauseOne(racer, Math.max(0, wait + random.between(-300, 200))))
  const order = shuffled.filter(racer => !isEarly.has(racer))
  await pause(wait)
  let seen = 0
  let movedAt = performance.now()
  while (order.length > 0) {
    await pause(5)
    const arrived = stage.mailbox.messages().length
    if (arrived > seen) movedAt = performance.now()
    const isOver = performance.now() - movedAt > stillnessMs
    racing.push(...order.splice(0, isOver ? order.length : arrived - seen).map(racer => pauseOne(racer, 0)))
    seen = arrived
  }
  await Promise.all(racing)
}

interface Row {
  number: string
  status: string
  holds: string[]
}

async function judge(
  findings: Findings,
  stage: Stage,
  racers: readonly Racer[],
  count: number,
): Promise<void> {
  const paused = racers.filter(racer => !racer.isCompanion)
  const refused = paused.flatMap(racer => racer.deeds).filter(deed => deed.data === null)
  findings.check(`all ${count} pauses were answered`, refused.length === 0, refused)
  await judgeStops(findings, stage, paused.flatMap(stopsOf), leaseMs)
  const mails = stage.mailbox.messages()
  const about = (racer: Racer) => mails.filter(mail => speaksOf(mail, racer.number))
  const inFlight = paused.filter(racer => (racer.deeds[0]?.data?.inFlight?.length ?? 0) > 0)
  const after = paused.filter(racer => !inFlight.includes(racer) && about(racer).length > 0)
  const met = {
    pausedBeforeItsMessage: paused.length - inFlight.length - after.length,
    whileItWasOnItsWay: inFlight.length,
    afterIt: after.length,
  }
  findings.figure('met', met)
  // A few may all fall on one side; the proof in its full size must have seen every kind.
  const kinds = Object.values(met).filter(n => n > 0).length
  findings.check('the pauses met their wake-ups', kinds >= (count >= 100 ? 3 : 2))
  const cancelled = await stage.ask(`select id from communications where state = 'cancelled'`)
  findings.figure('reserved messages that were cancelled', cancelled.length)
  findings.check('some pauses met a message that was reserved', cancelled.length > 0)
  const rows = await stage.ask<Row>(
    'select i.number, r.status, r.holds from recoveries r join invoices i on i.id = r.invoice_id',
  )
  const numbers = new Set(paused.map(racer => racer.number))
  const running = rows.filter(
    row => numbers.has(row.number) && (row.status !== 'paused' || row.holds.join() !== 'asked'),
  )
  findings.check('every recovery is paused', running.length === 0, running)
  const companions = racers.filter(racer => racer.isCompanion)
  const forgotten = companions.filter(racer => about(racer).length !== 1).map(racer => racer.number)
  findings.check(
    'the invoices beside them that nobody paused were each written about, once',
    forgotten.length === 0,
    forgotten,
  )
  await judgeContacts(findings, stage)
}
