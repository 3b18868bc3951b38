import { domainToUnicode } from 'node:url'
import type { ChannelAdapter, ListedMessage, Message } from '../../../../adapters/channel.ts'
import { type Channel, channels } from '../../../../domain/contact/channel.ts'
import { leftStates } from '../../../../domain/contact/message-state.ts'
import { type Instant, MINUTE } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { pagesOf, queryOn } from '../../../../kit/db/query.ts'
import { type Statement, sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../../kit/each-tenant.ts'
import { lowestId } from '../../../../kit/uuid.ts'
import { codeOf } from '../compose/message-code.ts'
import { settleMessage } from '../settle/settle-message.ts'
import type { WorkerContext } from '../worker-context.ts'
import { assumeAllContacted, type DueDebtor } from './assume-contacted.ts'
import { recordLostContact } from './lost-contact.ts'
import { batchSize, type LeftOut, type Reconciliation, type Reconciling } from './reconciliation.ts'

/*
 * A database restored from a backup, or a promoted standby, may not know the latest messages that were sent. The providers do.
 * If a provider cannot be asked, every debtor who was due counts as contacted.
 */

interface Asking extends Reconciling {
  /** The messages between reservation and outcome, by their code. */
  pending: ReadonlyMap<string, Place>
}

interface Place {
  tenant_id: string
  debtor_id: string
  communication_id: string
}

type Listed = ListedMessage & { channel: Channel; provider: string }

/** How far the clocks of a provider and ours may differ. Messages that the database knows are recognised by their code. */
const clocksMs = 2 * MINUTE

/** Asks every provider what it accepted between the two moments, and records the messages that the database does not know. */
export async function reconcileSends(
  worker: WorkerContext,
  { since, until }: { since: Instant; until: Instant },
  leaveOut: (left: LeftOut) => void,
): Promise<Reconciliation> {
  const report = { listed: 0, known: 0, settled: 0, recorded: 0, suspected: 0 }
  const pending = await readPending(worker)
  const reconciling: Asking = { worker, since, until, report, leaveOut, pending }
  const adapters = worker.channelsFor({ id: '', environment: 'production' })
  const blind = new Map<Channel, string>()
  for (const channel of channels) {
    const adapter: ChannelAdapter<Message> | null = adapters[channel]
    if (adapter?.sentBetween) await askProvider(reconciling, channel, adapter)
    else if (adapter) blind.set(channel, adapter.name)
  }
  if (blind.size > 0) await assumeDueContacted(reconciling, blind)
  return report
}

const selectPending = sql(
  'messages.list-pending',
  `select tenant_id, debtor_id, communication_id from pending_sends
    where (tenant_id, communication_id) > ($1, $2) order by tenant_id, communication_id limit ${batchSize}`,
).as<Place>()

async function readPending(worker: WorkerContext): Promise<Map<string, Place>> {
  const found = new Map<string, Place>()
  const first = { tenant_id: lowestId, communication_id: lowestId }
  const pages = pagesOf(first, after =>
    queryOn(worker.pool)(selectPending, [after.tenant_id, after.communication_id]),
  )
  for await (const rows of pages) for (const row of rows) found.set(codeOf(worker, row.communication_id), row)
  return found
}

async function askProvider(
  reconciling: Asking,
  channel: Channel,
  adapter: ChannelAdapter<Message>,
): Promise<void> {
  const { since, until } = reconciling
  let batch: Listed[] = []
  for await (const message of adapter.sentBetween!(since - clocksMs, until + clocksMs)) {
    batch.push({ ...message, channel, provider: adapter.name })
    if (batch.length < batchSize) continue
    await handleListed(reconciling, batch)
    batch = []
  }
  if (batch.length > 0) await handleListed(reconciling, batch)
}

const selectCodes = sql(
  'messages.find-codes',
  'select code, tenant_id, debtor_id, communication_id from message_codes where code = any ($1::text[])',
).as<Place & { code: string }>()

async function handleListed(reconciling: Asking, batch: readonly Listed[]): Promise<void> {
  const { worker, report, pending } = reconciling
  report.listed += batch.length
  const codes = batch.flatMap(({ code }) => code ?? [])
  const places = new Map<string, Place>(
    (await queryOn(worker.pool)(selectCodes, [codes])).map(row => [row.code, row]),
  )
  const placeOf = ({ code }: Listed) => (code === null ? undefined : (places.get(code) ?? pending.get(code)))
  const placed = batch.flatMap(message => {
    const place = placeOf(message)
    return place ? { message, place } : []
  })
  await handleByTenant(reconciling, placed)
  const others = batch.filter(message => !placeOf(message))
  if (others.length > 0) await findByRecipient(reconciling, others)
}

interface PlacedMessage {
  message: Listed
  place: Place
}

const leftOutOf = (
  { channel, provider, at, to, reference, providerId }: Listed,
  because: LeftOut['because'],
  place?: Place,
): LeftOut => ({
  because,
  channel,
  provider,
  at,
  tenantId: place?.tenant_id ?? null,
  debtorId: place?.debtor_id ?? null,
  recipient: to ?? reference,
  providerId,
})

const selectStates = sql(
  'messages.list-states',
  'select id, state from communications where id = any ($1::uuid[])',
)
const markLeft = sql(
  'messages.mark-left',
  `update communications set state = 'sending', provider = $2, committing_at = coalesce(committing_at, $3)
    where id = $1 and state in ('reserved', 'sending') returning id`,
)

/** Handles the messages that have a row in the database. */
async function handleByTenant(reconciling: Asking, placed: readonly PlacedMessage[]): Promise<void> {
  const { worker } = reconciling
  const tenants = [...Map.groupBy(placed, ({ place }) => place.tenant_id)]
  const loop = {
    idsOf: ([tenantId]: [string, PlacedMessage[]]) => ({ tenantId }),
    failure: 'the messages of a tenant could not be reconciled',
  }
  const { failed } = await forEachTenant(worker.log, tenants, loop, async ([tenantId, messages]) => {
    const ids = messages.map(({ place }) => place.communication_id)
    const [rows] = await transact(
      worker.pool,
      asWorker(tenantId),
      [[selectStates, [ids]]],
      async opened => opened.openingRows,
    )
    const states = new Map(rows.map(({ id, state }) => [id, state]))
    for (const one of messages) await handlePlaced(reconciling, one, states.get(one.place.communication_id))
  })
  for (const [, messages] of failed)
    for (const { message, place } of messages) reconciling.leaveOut(leftOutOf(message, 'failed', place))
}

async function handlePlaced(
  { worker, report }: Asking,
  { message, place }: PlacedMessage,
  state: string | undefined,
): Promise<void> {
  const { tenant_id: tenantId, debtor_id: debtorId, communication_id: communicationId } = place
  if (state !== undefined && leftStates.includes(state)) {
    report.known++
    return
  }
  if (state === 'reserved' || state === 'sending') {
    const isLeft = await transact(worker.pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
      const left = await tx.rows(markLeft, [communicationId, message.provider, iso(message.at + offsetMs)])
      return left.length > 0
    })
    if (isLeft) {
      const ids = { tenantId, debtorId, communicationId, token: null }
      await settleMessage(worker, ids, { outcome: 'accepted', providerId: message.providerId })
      report.settled++
      return
    }
  }
  // It lapsed in this database, but the lost one sent it.
  if (await recordLostContact(worker, { tenantId, debtorId }, lostContactOf(message))) report.recorded++
  else report.known++
}

const lostContactOf = ({ channel, provider, providerId, at }: Listed) => ({
  key: `${provider} ${providerId}`,
  channel,
  at,
  provider,
  providerId,
})

interface Match {
  debtor_id: string
  recipient: string
}
const selectByEmail = sql(
  'messages.find-debtors-by-email',
  'select id as debtor_id, email_key as recipient from debtors where email_key = any ($1::text[])',
).as<Match>()
const selectByPhone = sql(
  'messages.find-debtors-by-phone',
  'select id as debtor_id, phone as recipient from debtors where phone = any ($1::text[])',
).as<Match>()
const selectByReference = sql(
  'messages.find-debtors-by-reference',
  'select debtor_id, number as recipient from invoices where number = any ($1::text[])',
).as<Match>()
const recipientStatements: Record<Channel, Statement<Match>> = {
  email: selectByEmail,
  sms: selectByPhone,
  voice: selectByPhone,
  lrar: selectByReference,
}

/** As the database compares addresses. Providers show domains in ASCII. */
function recipientKey({ channel, to, reference }: Listed): string | null {
  if (channel === 'lrar') return reference
  if (to === null || channel !== 'email') return to
  const at = to.lastIndexOf('@')
  return `${to.slice(0, at)}@${domainToUnicode(to.slice(at + 1)) || to.slice(at + 1)}`
    .normalize('NFKC')
    .toLowerCase()
}

const selectTenants = sql(
  'messages.list-production-tenants',
  `select id from tenants where environment = 'production' and id > $1 order by id limit ${batchSize}`,
)

/**
 * Handles the messages without a row in the database: every debtor with their address counts as contacted, in every company,
 * because it is not known which one sent them.
 */
async function findByRecipient(reconciling: Asking, messages: readonly Listed[]): Promise<void> {
  const { worker, leaveOut } = reconciling
  const found = new Set<Listed>()
  const loop = {
    idsOf: ({ id }: { id: string }) => ({ tenantId: id }),
    failure: 'the debtors of a tenant could not be searched',
  }
  const pages = pagesOf({ id: lowestId }, after => queryOn(worker.pool)(selectTenants, [after.id]))
  for await (const tenants of pages) {
    const { failed } = await forEachTenant(worker.log, tenants, loop, ({ id }) =>
      findInTenant(reconciling, id, messages, found),
    )
    for (const { id } of failed)
      for (const message of messages) leaveOut({ ...leftOutOf(message, 'failed'), tenantId: id })
  }
  for (const message of messages) if (!found.has(message)) leaveOut(leftOutOf(message, 'no_debtor'))
}

async function findInTenant(
  { worker, report }: Asking,
  tenantId: string,
  messages: readonly Listed[],
  found: Set<Listed>,
): Promise<void> {
  const { channel } = messages[0]!
  const byRecipient = Map.groupBy(messages, recipientKey)
  const keys = [...byRecipient.keys()].filter(key => key !== null)
  const [matches] = await transact(
    worker.pool,
    asWorker(tenantId),
    [[recipientStatements[channel], [keys]]],
    async opened => opened.openingRows,
  )
  for (const { debtor_id: debtorId, recipient } of matches)
    for (const message of byRecipient.get(recipient) ?? []) {
      found.add(message)
      if (await recordLostContact(worker, { tenantId, debtorId }, lostContactOf(message))) report.recorded++
      else report.known++
    }
}

type OverdueDebtor = DueDebtor & { wake_at: number }

const selectStopped = sql(
  'messages.list-stopped-debtors',
  `select tenant_id, debtor_id from agendas
    where wake_because = 'sending_stopped' and not is_sandbox and (tenant_id, debtor_id) > ($1, $2)
    order by tenant_id, debtor_id limit ${batchSize}`,
).as<DueDebtor>()
const selectOverdue = sql(
  'messages.list-overdue-debtors',
  `select tenant_id, debtor_id, wake_at from agendas
    where taken_generation <> wake_generation and wake_at is not null and is_sandbox = false and wake_at <= $1
      and (wake_at, tenant_id, debtor_id) > ($2, $3, $4)
    order by wake_at, tenant_id, debtor_id limit ${batchSize}`,
).as<OverdueDebtor>()

/** Every debtor who was due by then, on a channel whose provider cannot be asked, counts as contacted. */
async function assumeDueContacted(
  reconciling: Reconciling,
  blind: ReadonlyMap<Channel, string>,
): Promise<void> {
  const { worker, until } = reconciling
  const query = queryOn(worker.pool)
  const first = { tenant_id: lowestId, debtor_id: lowestId }
  const overdue = pagesOf<OverdueDebtor, OverdueDebtor>({ ...first, wake_at: 0 }, after =>
    query(selectOverdue, [iso(until), iso(after.wake_at), after.tenant_id, after.debtor_id]),
  )
  const stopped = pagesOf<DueDebtor, DueDebtor>(first, after =>
    query(selectStopped, [after.tenant_id, after.debtor_id]),
  )
  // A worker that wakes a debtor now makes it wait for the end of the stop, so the stopped debtors are read last.
  for await (const debtors of overdue) await assumeAllContacted(reconciling, blind, debtors)
  for await (const debtors of stopped) await assumeAllContacted(reconciling, blind, debtors)
}
