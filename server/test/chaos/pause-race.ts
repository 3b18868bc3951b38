import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { reserveOnly } from '../harness/reserve-only.ts'
import { workerWithoutLoop } from '../harness/worker-without-loop.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import { judgeContacts } from './crash-contacts.ts'
import { judgeStops, speaksOf, stopsOf } from './crash-stops.ts'
import type { CustomerAction } from './customer-actions.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import { type Customer, postUntilAnswered } from './post-until-answered.ts'
import { type Random, randomFrom } from './random.ts'

const leaseMs = 10_000
const drainMs = 60_000
const leadMs = 700
const stillnessMs = 5_000
const anHour = 3_600_000

const subjects = ['invoice', 'debtor'] as const
/** What is paused: one invoice, or its debtor with everything. */
type Subject = (typeof subjects)[number]

interface Racer {
  id: string
  debtorId: string
  number: string
  /** Not paused itself; the other invoice of its debtor is. */
  isCompanion: boolean
  actions: CustomerAction[]
}

/** Many recoveries are due at one moment, and a pause races each: once it is answered, no message is sent. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      recoveries: { type: 'string', default: '200' },
      subject: { type: 'string', multiple: true, default: [...subjects] },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  for (const subject of subjects)
    if (values.subject.includes(subject))
      await race(findings, subject, Number(values.recoveries), Number(values.seed))
}

async function race(findings: Findings, subject: Subject, count: number, seed: number): Promise<void> {
  console.log(`pause of the ${subject}: ${count} recoveries, seed ${seed}`)
  const random = randomFrom(seed)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    apis: 2,
    workers: 2,
    leaseMs,
    smtpDelayMs: () => random.between(40, 200),
    isStarted: false,
  })
  try {
    await Promise.all(installation.apis.map(api => api.start()))
    const customer = {
      apiUrls: installation.apiUrls,
      apiKey: installation.company.productionKey,
      lockRetryMs: 30_000,
    }
    const racers = await importRacers(installation, customer, subject, count)
    const reserved = await reserveHalf(installation)
    await Promise.all(installation.workers.map(worker => worker.start()))
    await pauseEach(installation, customer, { subject, racers, reserved }, random)
    const remaining = await drain(installation, performance.now() + drainMs)
    findings.check('everything else was done within 60 s', remaining === null, remaining ?? undefined)
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
    await judgeRace(findings, installation, subject, racers, count)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

/**
 * Every fifth has a companion: a second invoice of the same debtor, due at the same moment, that is not paused. The one that
 * was imported first leads the message, so both orders are tried. Where the debtor is paused, there is none.
 */
async function importRacers(
  installation: ChaosInstallation,
  customer: Customer,
  subject: Subject,
  count: number,
): Promise<Racer[]> {
  const invoiceNumbers = Array.from({ length: count }, (_, i) => {
    const own = `P-${i}-paused`
    const companion = `C-${i}-goes-on`
    return i % 5 > 0 || subject === 'debtor' ? [own] : i % 10 === 0 ? [own, companion] : [companion, own]
  }).flat()
  const racers: Racer[] = []
  for (let from = 0; from < invoiceNumbers.length; from += 100) {
    const numbers = invoiceNumbers.slice(from, from + 100)
    const outcome = await postUntilAnswered<{ results: { id: string }[] }>(customer, {
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
    const ids = outcome.data!.results.map(({ id }) => id)
    const debtors = await installation.query<{ id: string; debtor_id: string }>(
      'select id, debtor_id from invoices where id = any ($1)',
      [ids],
    )
    racers.push(
      ...numbers.map((number, i) => ({
        id: ids[i]!,
        debtorId: debtors.find(({ id }) => id === ids[i])!.debtor_id,
        number,
        isCompanion: number.startsWith('C-'),
        actions: [],
      })),
    )
  }
  return racers
}

/**
 * Half of the debtors still have to wake; for the others a message is already reserved, as if its worker had died. Their
 * pause falls between reservation and claim, which hardly ever happens by chance on a fast machine.
 */
async function reserveHalf(installation: ChaosInstallation): Promise<Set<string>> {
  const tenantId = installation.company.tenants.production
  const agendas = await installation.query<{ debtor_id: string }>(
    'select debtor_id from agendas where tenant_id = $1 order by debtor_id',
    [tenantId],
  )
  const worker = workerWithoutLoop(installation.database, { connections: 8, reclaimAfterMs: anHour })
  const reserved = agendas.filter((_, i) => i % 2 === 0)
  // A few at a time: on a busy machine a long queue for a connection would run out of time.
  for (let from = 0; from < reserved.length; from += 4)
    await Promise.all(
      reserved
        .slice(from, from + 4)
        .map(agenda => reserveOnly(installation.query, worker, { tenantId, debtorId: agenda.debtor_id })),
    )
  await worker.stop()
  await installation.query('update agendas set wake_at = $1 where wake_at is not null', [
    new Date(Date.now() + anHour).toISOString(),
  ])
  const rows = await installation.query<{ invoice_id: string }>(
    'select invoice_id from recoveries where communication_id is not null',
  )
  return new Set(rows.map(row => row.invoice_id))
}

const makeDue = async (installation: ChaosInstallation, at: number): Promise<void> => {
  const moment = [new Date(at).toISOString()]
  await installation.query(
    `with woken as (update agendas set wake_at = $1 where wake_at is not null)
     update pending_sends set reclaim_at = $1`,
    moment,
  )
}

/**
 * One pause is answered before the due moment, with a message reserved, and one follows its own mail: on any machine the two
 * meet different moments. A quarter is sent at the due moment, with a message reserved. The others follow the mails, one for
 * each that arrives, so that some come before their message, some after it, and some while it is being sent.
 */
async function pauseEach(
  installation: ChaosInstallation,
  customer: Customer,
  { subject, racers, reserved }: { subject: Subject; racers: readonly Racer[]; reserved: Set<string> },
  random: Random,
): Promise<void> {
  const shuffled = random.shuffled(racers.filter(racer => !racer.isCompanion))
  const isReserved = (racer: Racer) => reserved.has(racer.id)
  const [first, ...early] = shuffled.filter(isReserved).slice(0, Math.max(2, shuffled.length / 4))
  const order = shuffled.filter(racer => racer !== first && !early.includes(racer))
  const last = order.pop()
  if (!first || !last) throw new Error('too few recoveries for a race: use --recoveries 8 or more')
  const pauseOne = async (racer: Racer, waitMs = 0) => {
    await pause(waitMs)
    const outcome = await postUntilAnswered<CustomerAction['data']>(customer, {
      key: `pause-${racer.number}`,
      ...(subject === 'debtor'
        ? { path: `/api/v1/debtors/${racer.debtorId}/pause`, body: {} }
        : { path: `/api/v1/workflow/invoice/${racer.id}/trigger`, body: { action: 'pause' } }),
    })
    racer.actions = [{ kind: 'pause', cents: 0, ...outcome }]
  }
  await pauseOne(first)
  const startsAt = Date.now() + leadMs
  await makeDue(installation, startsAt)
  const wait = startsAt - Date.now()
  const racing = early.map(racer => pauseOne(racer, Math.max(0, wait + random.between(-300, 200))))
  await pause(wait)
  let seen = 0
  let changedAt = performance.now()
  while (order.length > 0) {
    await pause(5)
    const arrived = installation.mailbox.messages().length
    if (arrived > seen) changedAt = performance.now()
    const isOver = performance.now() - changedAt > stillnessMs
    racing.push(...order.splice(0, isOver ? order.length : arrived - seen).map(racer => pauseOne(racer)))
    seen = arrived
  }
  const until = performance.now() + drainMs
  const isWrittenAbout = () => installation.mailbox.messages().some(mail => speaksOf(mail, last.number))
  while (!isWrittenAbout() && performance.now() < until) await pause(20)
  await Promise.all([...racing, pauseOne(last)])
}

interface Row {
  number: string
  status: string
  holds: string[]
}

async function judgeRace(
  findings: Findings,
  installation: ChaosInstallation,
  subject: Subject,
  racers: readonly Racer[],
  count: number,
): Promise<void> {
  const hold = subject === 'debtor' ? 'debtor' : 'asked'
  const paused = racers.filter(racer => !racer.isCompanion)
  const refused = paused.flatMap(racer => racer.actions).filter(action => action.data === null)
  findings.check(`all ${count} pauses were answered`, refused.length === 0, refused)
  await judgeStops(findings, installation, paused.flatMap(stopsOf), leaseMs)
  const mails = installation.mailbox.messages()
  const about = (racer: Racer) => mails.filter(mail => speaksOf(mail, racer.number))
  const inFlight = paused.filter(racer => (racer.actions[0]?.data?.inFlight?.length ?? 0) > 0)
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
  const cancelled = await installation.query(`select id from communications where state = 'cancelled'`)
  findings.figure('reserved messages that were cancelled', cancelled.length)
  findings.check('some pauses met a message that was reserved', cancelled.length > 0)
  const rows = await installation.query<Row>(
    'select i.number, r.status, r.holds from recoveries r join invoices i on i.id = r.invoice_id',
  )
  const numbers = new Set(paused.map(racer => racer.number))
  const running = rows.filter(
    row => numbers.has(row.number) && (row.status !== 'paused' || row.holds.join() !== hold),
  )
  findings.check('every recovery is paused', running.length === 0, running)
  const companions = racers.filter(racer => racer.isCompanion)
  const forgotten = companions.filter(racer => about(racer).length !== 1).map(racer => racer.number)
  findings.check(
    'the invoices beside them that nobody paused were each written about, once',
    forgotten.length === 0,
    forgotten,
  )
  await judgeContacts(findings, installation)
}
