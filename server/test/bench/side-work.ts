import { setTimeout as pause } from 'node:timers/promises'
import { asAdmin } from '../../dev/database.ts'
import { shiftClock } from '../../dev/installation.ts'
import type { Size } from './http.ts'
import { invoiceBody } from './http-tape.ts'
import { load } from './load.ts'
import type { MailSink } from './mail-sink.ts'
import { type Process, processCpuMs } from './processes.ts'
import type { Side, SideInstallation } from './side.ts'

/** What one round of one side showed. A unit is a request, an invoice or a message. */
export interface Sample {
  perSecond: number
  processUs: number
  postgresUs: number
  /** Of the database: everything that was committed meanwhile. */
  commits: number
}

/** Work that one side is ready to do, again and again. */
export interface Work {
  warmUp(): Promise<void>
  round(): Promise<Sample>
}

interface Surroundings {
  side: Side
  size: Size
  mails: MailSink
  cleanup: AsyncDisposableStack
}

/** Every name that can be compared. */
export const works: Record<string, { unit: string; prepare(around: Surroundings): Promise<Work> }> = {
  get: { unit: 'request', prepare: around => prepareRequests('GET', around) },
  post: { unit: 'request', prepare: around => prepareRequests('POST', around) },
  bulk: { unit: 'invoice', prepare: prepareBulk },
  pay: { unit: 'payment', prepare: preparePayments },
  send: { unit: 'message', prepare: prepareSends },
}

const connections = 32
/** The compiler has seen enough by then; the first thousands of requests cost several times as much. */
const warmUpRequests = 10_000
/** GET reads these; as an argument of a process they must stay below 128 kB. */
const readIdsMax = 1_000

async function prepareRequests(verb: 'GET' | 'POST', { side, size, cleanup }: Surroundings): Promise<Work> {
  const installation = await side.newInstallation(cleanup)
  const api = await installation.startApi()
  const ids = await importInvoices(installation, api.port, size.small ? 1_000 : 10_000)
  const every = Math.ceil(ids.length / readIdsMax)
  const loaded = { ids: ids.filter((_, i) => i % every === 0) }
  const run = (seconds: number) =>
    load({ port: api.port, verb, apiKey: installation.apiKey, loaded, connections, seconds })
  await installation.vacuum()
  return {
    async warmUp() {
      const enough = size.small ? 1 : warmUpRequests
      for (let done = 0; done < enough; ) done += (await run(1)).requests
    },
    async round() {
      if (verb === 'POST') await installation.vacuum()
      return cpuPerUnit(side, installation, api.process, async () => {
        const { requests, perSecond } = await run(size.seconds)
        return { units: requests, perSecond }
      })
    },
  }
}

/** A round of so many seconds' worth. */
const invoicesPerSecond = 400

/** A hundred invoices a request, one request after the other. */
async function prepareBulk({ side, size, cleanup }: Surroundings): Promise<Work> {
  const installation = await side.newInstallation(cleanup)
  const api = await installation.startApi()
  let imported = 0
  const importMore = async (count: number) => {
    await importInvoices(installation, api.port, count, imported)
    imported += count
  }
  return {
    async warmUp() {
      await importMore(size.small ? 500 : 10_000)
    },
    async round() {
      await installation.vacuum()
      return cpuPerUnit(side, installation, api.process, async () => {
        const units = size.seconds * invoicesPerSecond
        const startedAt = performance.now()
        await importMore(units)
        return { units, perSecond: (units * 1_000) / (performance.now() - startedAt) }
      })
    },
  }
}

/** Nobody may be written to on this day. */
const sunday = Date.parse('2026-11-15T12:00:00+01:00')
/** A round of so many seconds' worth. */
const paymentsPerSecond = 200

/** Each debtor has two invoices, and the first one is paid in full: what is planned for the other one is planned anew. */
async function preparePayments({ side, size, mails, cleanup }: Surroundings): Promise<Work> {
  const installation = await side.newInstallation(cleanup)
  await shiftClock(installation.database, sunday)
  const api = await installation.startApi()
  const perRound = size.seconds * paymentsPerSecond
  const warmUpCount = size.small ? 100 : 3_000
  const count = warmUpCount + size.rounds * perRound
  const unpaid = await importInvoices(installation, api.port, count)
  await importInvoices(installation, api.port, count, 0, serial => ({
    ...bodyOf(serial),
    invoiceNumber: `C-${serial}`,
  }))
  const worker = await installation.startWorker({ SMTP_URL: mails.smtpUrl })
  await untilScored(installation)
  await untilPlanned(installation)
  await worker.stop()
  const payMore = async (units: number): Promise<Done> => {
    const waiting = unpaid.splice(0, units)
    const payer = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await pay(installation, api.port, id)
    }
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: connections }, payer))
    return { units, perSecond: (units * 1_000) / (performance.now() - startedAt) }
  }
  return {
    warmUp: async () => void (await payMore(warmUpCount)),
    async round() {
      await installation.vacuum()
      return cpuPerUnit(side, installation, api.process, () => payMore(perRound))
    },
  }
}

async function pay({ apiKey }: SideInstallation, port: number, invoiceId: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/payments`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ invoiceId, amountCents: 120_000, method: 'bank_transfer' }),
  })
  const answer = await response.text()
  if (response.status !== 201) throw new Error(`a payment was answered ${response.status}: ${answer}`)
}

/** A morning on which anybody may be written to. */
const morning = Date.parse('2026-11-16T09:00:00+01:00')
/** Their agendas wake at this moment until their round releases them. */
const asleep = '2100-01-01T00:00:00Z'
/** A round of so many seconds' worth: fewer than a slow machine sends, so that a round ends in time there too. */
const messagesPerSecond = 100

async function prepareSends({ side, size, mails, cleanup }: Surroundings): Promise<Work> {
  const installation = await side.newInstallation(cleanup)
  await shiftClock(installation.database, morning)
  const perRound = size.seconds * messagesPerSecond
  const warmUpCount = size.small ? 100 : 1_000
  // An empty database is planned for differently: others sleep through it all.
  const others = size.small ? 500 : 5_000
  const api = await installation.startApi()
  await importInvoices(installation, api.port, others + warmUpCount + size.rounds * perRound)
  await api.process.stop()
  await asAdmin(installation.database.adminUrl, admin =>
    admin.query('update agendas set wake_at = $1', [asleep]),
  )
  await installation.vacuum()
  const worker = await installation.startWorker({ SMTP_URL: mails.smtpUrl })
  await untilScored(installation)
  return {
    warmUp: async () => void (await sendMessages(installation, mails, warmUpCount)),
    async round() {
      await installation.vacuum()
      return cpuPerUnit(side, installation, worker, () => sendMessages(installation, mails, perRound))
    },
  }
}

interface Done {
  units: number
  perSecond: number
}

/** Sessions report what they committed about once a second. */
const reportMs = 1_500

const commitsOf = ({ database }: SideInstallation): Promise<number> =>
  asAdmin(database.adminUrl, async admin => {
    const { rows } = await admin.query<{ n: string }>(
      'select xact_commit as n from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0]!.n)
  })

async function cpuPerUnit(
  side: Side,
  installation: SideInstallation,
  server: Process,
  work: () => Promise<Done>,
): Promise<Sample> {
  const look = async () => ({
    process: await processCpuMs(server.pid),
    postgres: await side.postgresMs(),
  })
  await pause(reportMs)
  const commitsBefore = await commitsOf(installation)
  const before = await look()
  const { units, perSecond } = await work()
  const after = await look()
  await pause(reportMs)
  const commits = (await commitsOf(installation)) - commitsBefore
  return {
    perSecond,
    commits: commits / units,
    processUs: ((after.process - before.process) * 1_000) / units,
    postgresUs: ((after.postgres - before.postgres) * 1_000) / units,
  }
}

const bodyOf = (serial: string): object => JSON.parse(invoiceBody(serial))

/** Invoices through the API, each of a debtor of its own; answers their ids. */
async function importInvoices(
  { apiKey, vacuum }: SideInstallation,
  port: number,
  count: number,
  known = 0,
  invoiceOf = bodyOf,
): Promise<string[]> {
  const importFrom = async (first: number) => {
    const serials = Array.from({ length: Math.min(100, count - first) }, (_, i) => `F${known + first + i}`)
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/invoices/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ invoices: serials.map(invoiceOf) }),
    })
    const { data } = (await response.json()) as { data?: { results: { id?: string }[] } }
    const imported = data?.results.flatMap(({ id }) => (id === undefined ? [] : [id])) ?? []
    if (imported.length !== serials.length) throw new Error(`the import answered ${response.status}`)
    return imported
  }
  const ids: string[] = []
  for (let first = 0; first < count; first += 100) {
    // Without statistics PostgreSQL plans for empty tables, and each hundred would take longer than the one before.
    if (known + first === 200 || known + first === 1_000) await vacuum()
    ids.push(...(await importFrom(first)))
  }
  return ids
}

const sendTimeoutMs = 300_000

/** A worker computes the scores of debtors that were just imported. That is no part of what a message costs. */
export async function untilScored({ database }: Pick<SideInstallation, 'database'>): Promise<void> {
  await asAdmin(database.adminUrl, async admin => {
    const giveUpAt = Date.now() + sendTimeoutMs
    while ((await admin.query('select from score_marks limit 1')).rows.length > 0) {
      if (Date.now() > giveUpAt) throw new Error('the scores take too long')
      await pause(500)
    }
  })
}

/** A worker stores the plans of debtors with several invoices, where the commit stores them. */
const untilPlanned = ({ database }: SideInstallation) =>
  asAdmin(database.adminUrl, async admin => {
    const { rows } = await admin.query(
      `select from information_schema.columns where table_name = 'agendas' and column_name = 'plan_generation'`,
    )
    if (rows.length === 0) return
    const giveUpAt = Date.now() + sendTimeoutMs
    while (
      (await admin.query('select from agendas where plan_generation <> wake_generation limit 1')).rows
        .length > 0
    ) {
      if (Date.now() > giveUpAt) throw new Error('the plans take too long')
      await pause(500)
    }
  })

/** Wakes so many debtors and waits until the last of their messages is settled; until the last has arrived, without a query. */
async function sendMessages({ database }: SideInstallation, mails: MailSink, count: number): Promise<Done> {
  return asAdmin(database.adminUrl, async admin => {
    const arrivedBefore = mails.received()
    const releasedAt = Date.now()
    const released = new Date(releasedAt).toISOString()
    await admin.query(
      `update agendas a set wake_at = $1
         from (select tenant_id, debtor_id from agendas where wake_at = $2 order by tenant_id, debtor_id limit $3) next
        where a.tenant_id = next.tenant_id and a.debtor_id = next.debtor_id`,
      [released, asleep, count],
    )
    const isOpen = async () => (await admin.query('select from pending_sends limit 1')).rows.length > 0
    while (mails.received() - arrivedBefore < count || (await isOpen())) {
      if (Date.now() > releasedAt + sendTimeoutMs) throw new Error(`${count} messages take too long`)
      await pause(50)
    }
    const { rows } = await admin.query<{ sent: number; last: string }>(
      `select count(*)::integer as sent, extract(epoch from max(recorded_at)) * 1000 as last
         from events where type = 'debtor.contacted' and recorded_at > $1`,
      [released],
    )
    const { sent, last } = rows[0]!
    if (sent !== count) throw new Error(`${sent} of ${count} messages were sent`)
    return { units: count, perSecond: (count * 1_000) / (Number(last) - releasedAt) }
  })
}
