import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { reserveOnly } from '../harness/reserve-only.ts'
import { workerWithoutLoop } from '../harness/worker-without-loop.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import { judgeContacts } from './crash-contacts.ts'
import { judgeStops, speaksOf, stopsOf } from './crash-stops.ts'
import type { ActionKind, CustomerAction } from './customer-actions.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import { type Customer, postUntilAnswered } from './post-until-answered.ts'
import { type Random, randomFrom } from './random.ts'

const leaseMs = 10_000
const drainMs = 60_000
const leadMs = 700
const stillnessMs = 5_000
const anHour = 3_600_000
const amountCents = 120_000

/** What stops the messages, and what a recovery is afterwards. */
const stops = {
  invoice: {
    kind: 'pause',
    after: 'paused asked',
    request: ({ id }: Racer) => ({ path: `/workflow/invoice/${id}/trigger`, body: { action: 'pause' } }),
  },
  debtor: {
    kind: 'pause',
    after: 'paused debtor',
    request: ({ debtorId }: Racer) => ({ path: `/debtors/${debtorId}/pause`, body: {} }),
  },
  'opt-out': {
    kind: 'pause',
    after: 'in_recovery ',
    request: ({ debtorId }: Racer) => ({ path: `/debtors/${debtorId}/opt-out`, body: { channel: 'email' } }),
  },
  cancel: {
    kind: 'cancel',
    after: 'cancelled ',
    request: ({ id }: Racer) => ({ path: `/invoices/${id}/cancel`, body: { reason: 'Invoiced twice' } }),
  },
  payment: {
    kind: 'rest',
    after: 'completed ',
    request: ({ id }: Racer) => ({
      path: '/payments',
      body: { invoiceId: id, amountCents, method: 'bank_transfer' },
    }),
  },
} as const satisfies Record<
  string,
  { kind: ActionKind; after: string; request(racer: Racer): { path: string; body: unknown } }
>
type Subject = keyof typeof stops
const subjects = Object.keys(stops) as Subject[]
/** They stop everything for a debtor. */
const ofDebtors: readonly Subject[] = ['debtor', 'opt-out']

interface Racer {
  id: string
  debtorId: string
  number: string
  /** Not stopped itself; the other invoice of its debtor is. */
  isCompanion: boolean
  actions: CustomerAction[]
}

/** Many recoveries are due at one moment, and a stop races each: once it is answered, no message is sent. */
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
  console.log(`${subject}: ${count} recoveries, seed ${seed}`)
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
    await stopEach(installation, customer, { subject, racers, reserved }, random)
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
 * Every fifth has a companion: a second invoice of the same debtor, due at the same moment, that is not stopped. The one that
 * was imported first leads the message, so both orders are tried. Where the debtor is stopped, there is none.
 */
async function importRacers(
  installation: ChaosInstallation,
  customer: Customer,
  subject: Subject,
  count: number,
): Promise<Racer[]> {
  const invoiceNumbers = Array.from({ length: count }, (_, i) => {
    const own = `P-${i}-stopped`
    const companion = `C-${i}-goes-on`
    return i % 5 > 0 || ofDebtors.includes(subject)
      ? [own]
      : i % 10 === 0
        ? [own, companion]
        : [companion, own]
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
          amountCents,
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
 * stop falls between reservation and claim, which hardly ever happens by chance on a fast machine.
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
 * One stop is answered before the due moment, with a message reserved, and one follows its own mail: on any machine the two
 * meet different moments. A quarter is sent at the due moment, with a message reserved. Of the others, half are sent as soon as
 * their message is seen claimed, while the slow mail server holds its fence apart. The rest follow the mails, one for each that
 * arrives, so that some come before their message, some after it, and some while it is being sent.
 */
async function stopEach(
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
  const { kind, request } = stops[subject]
  const stopOne = async (racer: Racer, waitMs = 0) => {
    await pause(waitMs)
    const { path, body } = request(racer)
    const key = `stop-${racer.number}`
    const asked = { key, path: `/api/v1${path}`, body }
    const outcome = await postUntilAnswered<CustomerAction['data']>(customer, asked)
    racer.actions = [{ kind, cents: 0, ...outcome }]
  }
  await stopOne(first)
  const startsAt = Date.now() + leadMs
  await makeDue(installation, startsAt)
  const wait = startsAt - Date.now()
  const racing = early.map(racer => stopOne(racer, Math.max(0, wait + random.between(-300, 200))))
  await pause(wait)
  let seen = 0
  let changedAt = performance.now()
  const atTheClaim = new Set(order.filter((_, i) => i % 2 === 0).map(racer => racer.id))
  while (order.length > 0) {
    await pause(5)
    const claimed = await claimedInvoices(installation)
    const met = order.filter(({ id }) => atTheClaim.has(id) && claimed.has(id))
    for (const racer of met) order.splice(order.indexOf(racer), 1)
    racing.push(...met.map(racer => stopOne(racer)))
    const arrived = installation.mailbox.messages().length
    if (arrived > seen) changedAt = performance.now()
    const isOver = performance.now() - changedAt > stillnessMs
    racing.push(...order.splice(0, isOver ? order.length : arrived - seen).map(racer => stopOne(racer)))
    seen = arrived
  }
  const until = performance.now() + drainMs
  const isWrittenAbout = () => installation.mailbox.messages().some(mail => speaksOf(mail, last.number))
  while (!isWrittenAbout() && performance.now() < until) await pause(20)
  await Promise.all([...racing, stopOne(last)])
}

/** The invoices whose message is claimed and has not passed its fence. */
async function claimedInvoices(installation: ChaosInstallation): Promise<Set<string>> {
  const rows = await installation.query<{ invoice_id: string }>(
    `select l.invoice_id from pending_sends p
       join communications c on c.tenant_id = p.tenant_id and c.id = p.communication_id and c.state = 'sending' and c.committing_at is null
       join communication_invoices l on l.tenant_id = c.tenant_id and l.communication_id = c.id`,
  )
  return new Set(rows.map(row => row.invoice_id))
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
  const stopped = racers.filter(racer => !racer.isCompanion)
  const refused = stopped.flatMap(racer => racer.actions).filter(action => action.data === null)
  findings.check(`all ${count} stops were answered`, refused.length === 0, refused)
  await judgeStops(findings, installation, stopped.flatMap(stopsOf), leaseMs)
  const mails = installation.mailbox.messages()
  const about = (racer: Racer) => mails.filter(mail => speaksOf(mail, racer.number))
  const inFlight = stopped.filter(racer => (racer.actions[0]?.data?.inFlight?.length ?? 0) > 0)
  const after = stopped.filter(racer => !inFlight.includes(racer) && about(racer).length > 0)
  const met = {
    stoppedBeforeItsMessage: stopped.length - inFlight.length - after.length,
    whileItWasOnItsWay: inFlight.length,
    afterIt: after.length,
  }
  findings.figure('met', met)
  // A few may all fall on one side; the proof in its full size must have seen every kind.
  const kinds = Object.values(met).filter(n => n > 0).length
  findings.check('the stops met their wake-ups', kinds >= (count >= 100 ? 3 : 2))
  const cancelled = await installation.query<{ is_claimed: boolean }>(
    `select lease_until is not null as is_claimed from communications where state = 'cancelled'`,
  )
  const claimed = cancelled.filter(row => row.is_claimed).length
  findings.figure('cancelled messages', { reserved: cancelled.length - claimed, claimed })
  findings.check('some stops met a message that was reserved', cancelled.length > claimed)
  findings.check('some stops met a message that was claimed', claimed > 0 || count < 100)
  const rows = await installation.query<Row>(
    'select i.number, r.status, r.holds from recoveries r join invoices i on i.id = r.invoice_id',
  )
  const numbers = new Set(stopped.map(racer => racer.number))
  const { after: expected } = stops[subject]
  const others = rows.filter(
    row => numbers.has(row.number) && `${row.status} ${row.holds.join()}` !== expected,
  )
  findings.check(`every recovery is ${expected.trim()}`, others.length === 0, others)
  const companions = racers.filter(racer => racer.isCompanion)
  const forgotten = companions.filter(racer => about(racer).length !== 1).map(racer => racer.number)
  findings.check(
    'the invoices beside them that nobody stopped were each written about, once',
    forgotten.length === 0,
    forgotten,
  )
  await judgeContacts(findings, installation)
}
