import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asAdmin } from '../../dev/database.ts'
import { shiftClock } from '../../dev/installation.ts'
import { relanceArgs } from '../../dev/relance-args.ts'
import { type InvoiceTemplate, insertInvoices, makeInvoiceTemplate, numbered } from './data.ts'
import type { BenchEnvironment, BenchInstallation } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import type { Size } from './http.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { cpuMs, sessionsCpuMs, spentBetween, startProcess } from './processes.ts'
import { untilScored } from './side-work.ts'

/** A morning on which anybody may be written to. */
const morning = Date.parse('2026-11-16T09:00:00+01:00')

export const kinds = ['bare', 'product'] as const
export type Kind = (typeof kinds)[number]

export interface Sender {
  kind: Kind
  installation: BenchInstallation
  template: InvoiceTemplate
  pids: number[]
  mails: MailSink
  waves: number
}

interface Wave {
  perSecond: number
  workerMs: number
  postgresMs: number
}

const bare = fileURLToPath(import.meta.resolve('./bare-sends.ts'))

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Agendas are not due until a wave sets their wake time. */
const notYetDue = () => Date.now() + 86_400_000

/** Makes a wave of agendas due and waits until the last of its messages is settled. */
export async function runWave(
  sender: Sender,
  count: number,
  whileDraining: (isOver: () => boolean) => Promise<void> = async () => {},
): Promise<Wave> {
  const first = ++sender.waves * 1_000_000
  const wave = await insertInvoices(sender.installation, sender.template, {
    first,
    count,
    wakeAt: notYetDue(),
  })
  return asAdmin(sender.installation.database.adminUrl, async admin => {
    const queryOne = async (text: string, values: unknown[] = []) =>
      (await admin.query(text, values)).rows[0]!
    const look = async () => ({
      worker: sum(await Promise.all(sender.pids.map(async pid => (await cpuMs(pid)) ?? Number.NaN))),
      sessions: await sessionsCpuMs(sender.installation.database),
    })
    const before = await look()
    const arrivedBefore = sender.mails.received()
    const releasedAt = Date.now()
    const released = [new Date(releasedAt).toISOString()]
    await admin.query(
      'update agendas set wake_at = $1 where tenant_id = $2 and debtor_id between $3 and $4',
      [
        ...released,
        sender.template.tenantId,
        numbered(wave.debtorIdPrefix, first),
        numbered(wave.debtorIdPrefix, first + count - 1),
      ],
    )
    let isOver = false
    const concurrent = whileDraining(() => isOver)
    const giveUpAt = performance.now() + 600_000
    const settled = (): Promise<{ sent: number; last: string }> =>
      queryOne(
        `select count(*)::integer as sent, extract(epoch from max(recorded_at)) * 1000 as last
           from events where type = 'debtor.contacted' and recorded_at > $1`,
        released,
      )
    // Until the last mail has arrived, without a query that would be measured.
    while (sender.mails.received() - arrivedBefore < count || (await settled()).sent < count) {
      if (performance.now() > giveUpAt) throw new Error(`${sender.kind}: not all were sent in ten minutes`)
      await pause(50)
    }
    isOver = true
    await concurrent
    const after = await look()
    const { sent, last } = await settled()
    if (sent !== count) throw new Error(`${sender.kind}: ${sent} of ${count} were sent`)
    return {
      perSecond: (count * 1000) / (Number(last) - releasedAt),
      workerMs: (after.worker - before.worker) / count,
      postgresMs: spentBetween(before.sessions, after.sessions) / count,
    }
  })
}

/** The bare loop sends one message by the product, to record it. */
const untilRecorded = ({ database }: BenchInstallation) =>
  asAdmin(database.adminUrl, async admin => {
    const giveUpAt = performance.now() + 60_000
    while ((await admin.query('select from contact_ledger limit 1')).rows.length === 0) {
      if (performance.now() > giveUpAt) throw new Error('nothing was recorded')
      await pause(100)
    }
  })

/** `others` agendas are never due: PostgreSQL plans differently for an empty database. */
export async function startSender(
  environment: BenchEnvironment,
  kind: Kind,
  others: number,
  workers = 1,
): Promise<Sender> {
  const installation = await environment.newInstallation()
  await shiftClock(installation.database, morning)
  const template = await makeInvoiceTemplate(installation, 'production')
  const mails = await startMailSink()
  environment.onStop(() => mails.stop())
  await insertInvoices(installation, template, { first: 1, count: others, wakeAt: notYetDue() })
  const env: Record<string, string> = {
    ...installation.env,
    SMTP_URL: mails.smtpUrl,
  }
  if (kind === 'bare') {
    const first = 900_000_009
    const one = await insertInvoices(installation, template, { first, count: 1, wakeAt: notYetDue() })
    Object.assign(env, {
      TENANT_ID: template.tenantId,
      DEBTOR_ID: numbered(one.debtorIdPrefix, first),
      INVOICE_ID: numbered(one.invoiceIdPrefix, first),
    })
  }
  const pids: number[] = []
  for (let i = 0; i < workers; i++) {
    const child =
      kind === 'bare'
        ? await startProcess([bare], env)
        : await startProcess([...relanceArgs(), 'worker'], env)
    environment.onStop(() => child.stop())
    pids.push(child.pid)
  }
  if (kind === 'bare') await untilRecorded(installation)
  else await untilScored(installation)
  return { kind, installation, template, pids, mails, waves: 0 }
}

/** Messages taken through wake, claim, provider and settlement, by a worker and by a loop with nothing around it. */
export async function benchSends(environment: BenchEnvironment, { rounds, small }: Size): Promise<Figure[]> {
  const count = small ? 200 : 3_000
  console.log(`sends: ${count} due agendas a round, by SMTP, ${environment.postgres}`)
  const senders: Sender[] = []
  for (const kind of kinds) senders.push(await startSender(environment, kind, small ? 2_000 : 50_000))
  for (const sender of senders) await runWave(sender, count)
  const seen: Record<Kind, Wave[]> = { bare: [], product: [] }
  for (let round = 0; round < rounds; round++)
    for (const sender of senders) seen[sender.kind].push(await runWave(sender, count))
  const valuesOf = (kind: Kind, field: keyof Wave) => seen[kind].map(wave => wave[field])
  const totals = (kind: Kind) => seen[kind].map(wave => wave.workerMs + wave.postgresMs)
  const ratio = ratios(valuesOf('product', 'perSecond'), valuesOf('bare', 'perSecond'))
  return [
    ...kinds.map(kind => ({ name: `${kind}`, unit: 'sends/s', values: valuesOf(kind, 'perSecond') })),
    { name: 'product / bare', unit: '', values: ratio, target: { least: 0.9 } },
    ...kinds.flatMap(kind => [
      { name: `${kind}, all`, unit: 'ms CPU/send', values: totals(kind) },
      { name: `${kind}, its process`, unit: 'ms CPU/send', values: valuesOf(kind, 'workerMs') },
      { name: `${kind}, Postgres`, unit: 'ms CPU/send', values: valuesOf(kind, 'postgresMs') },
    ]),
  ]
}
