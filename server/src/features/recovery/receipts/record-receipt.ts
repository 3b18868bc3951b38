import { leftStates } from '../../../domain/contact/message-state.ts'
import {
  type ReceiptOutcome,
  receiptOutcomes,
  stateAfterReceipt,
  weighReceipt,
} from '../../../domain/contact/receipt.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { lockAgenda, refreshAgenda } from '../case/agenda-store.ts'
import { bounceReasons, messageBounced } from '../case/debtor-events.ts'
import { contactFile } from '../case/debtor-file.ts'
import { type DebtorFile, selectDebtorFile } from '../case/debtor-file-store.ts'
import { receiptText } from '../case/history-english.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import { pointOf, refuseAddress } from '../holds/closed-channels.ts'
import { freeSlots } from '../messages/communication-store.ts'
import {
  appendToLedger,
  digestOf,
  type LedgerRow,
  parseEntry,
  recipientOf,
} from '../messages/settle/ledger.ts'
import { readSalts } from '../messages/settle/salt-store.ts'
import { applyReceipt, type SentMessage } from './apply-receipt.ts'

/** What a provider reports about a sent message: by a callback, or in the sandbox through the API. */
interface Receipt {
  communicationId: string
  outcome: ReceiptOutcome
  /** When it happened, according to the provider. */
  at: number
}

export type RecordResult =
  | { recorded: true; debtorId: string }
  | {
      recorded: false
      /** `not_yet`: the message is not settled yet, try again in a moment. `not_sent`: it was never sent. */
      because: 'unknown_message' | 'not_yet' | 'not_sent' | 'not_for_channel' | 'known' | 'weaker'
    }

const findDebtor = sql('receipts.find-debtor', 'select debtor_id from communications where id = $1')
const selectMessage = sql(
  'receipts.get-message',
  `select c.id, c.debtor_id, c.channel, c.step, c.state, c.provider_id, c.reserved_at, c.recipient_point,
          (select count(*) from communication_invoices l where l.communication_id = c.id) as invoices,
          exists (select from communication_invoices l join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id
                   where l.communication_id = c.id and r.communication_id = c.id) as has_unsettled_recoveries
     from communications c where c.id = $1`,
).as<SentMessage>()
const readLedger = sql(
  'receipts.list-ledger',
  'select position, entry, hash from contact_ledger where debtor_id = $1 order by position',
).as<LedgerRow>()
const updateCommunication = sql(
  'receipts.update-message',
  'update communications set state = $2, delivered_at = $3 where id = $1',
)
const updateActions = sql(
  'receipts.update-actions',
  `update actions
      set status = $2, details = details || ' ' || $3::text,
          params = jsonb_set(params, '{receipts}', coalesce(params->'receipts', '[]') || $4::jsonb)
    where communication_id = $1`,
)

/**
 * Records a receipt of a message, under the debtor's lock. The result does not depend on the order or the number of receipts:
 * known outcomes are in the ledger, and a weaker outcome changes nothing.
 */
export async function recordReceipt(
  context: OperationContext,
  { communicationId, outcome, at: reportedAt }: Receipt,
): Promise<RecordResult> {
  const { tx, actor, now, wall } = context
  const [found] = await tx.rows(findDebtor, [communicationId])
  if (!found) return { recorded: false, because: 'unknown_message' }
  const debtorId = found.debtor_id
  const [[agenda], [file], [message], ledger] = await Promise.all([
    tx.rows(lockAgenda, [actor.tenantId, debtorId]),
    tx.rows(selectDebtorFile, [debtorId]),
    tx.rows(selectMessage, [communicationId]),
    tx.rows(readLedger, [debtorId]),
  ])
  if (!agenda || !file || !message) return { recorded: false, because: 'unknown_message' }
  const because = refusalOf(message, knownOutcomesOf(communicationId, ledger), outcome)
  if (because) return { recorded: false, because }
  // A provider's clock may differ from ours: a receipt is never dated in the future.
  const at = Math.min(reportedAt, now)
  const { message: state, historyStatus } = stateAfterReceipt[outcome]
  tx.atCommit(updateCommunication, [communicationId, state, state === 'delivered' ? iso(at) : null])
  const zone = contactFile(file, null).calendar?.zones[0] ?? 'UTC'
  const receipt = { outcome, on: localTime(zone, at).date }
  tx.atCommit(updateActions, [
    communicationId,
    historyStatus,
    receiptText(message.channel, receipt),
    JSON.stringify([receipt]),
  ])
  if (outcome === 'bounced') tx.atCommit(freeSlots, [[communicationId]])
  appendToLedger(tx, { tenantId: actor.tenantId, debtorId }, agenda, {
    kind: 'outcome',
    communicationId,
    channel: message.channel,
    step: message.step,
    at: iso(at),
    fate: outcome,
    verdict: null,
    invoices: message.invoices,
    recipient: null,
    message: null,
  })
  if (outcome === 'bounced') await recordBounce(context, message)
  const refused = outcome === 'bounced' ? await refusedPoint(tx, file, message, ledger) : null
  await applyReceipt(context, { message, file, agenda, outcome, at })
  // A bounced message is no contact: steps that waited because of it are judged again.
  const freedAt = outcome === 'bounced' ? iso(now) : null
  tx.atCommit(refreshAgenda, [actor.tenantId, debtorId, now - wall, freedAt, true])
  if (refused) {
    const isCurrent = file.points.some(own => own.equals(refused))
    const { channel } = message
    const ids = { tenantId: actor.tenantId, debtorId }
    refuseAddress(context, { ...ids, channel, point: refused, isCurrent, lookAt: wall })
  }
  return { recorded: true, debtorId }
}

const selectInvoicesOfMessage = sql(
  'receipts.list-invoices',
  `select i.id, i.number from communications c
     join lateral (
       select invoice_id as id from communication_invoices where communication_id = c.id
       union select c.lead_invoice_id where c.lead_invoice_id is not null) about on true
     join invoices i on i.id = about.id
    where c.id = $1 order by i.id <> c.lead_invoice_id, i.id`,
)

/** The invoices that a message was about, the lead first. */
export async function aboutMessage(
  { tx }: OperationContext,
  communicationId: string,
): Promise<{ invoiceId: string; invoiceNumber: string; invoiceIds: string[] } | null> {
  const invoices = await tx.rows(selectInvoicesOfMessage, [communicationId])
  const [lead] = invoices
  return lead
    ? { invoiceId: lead.id, invoiceNumber: lead.number, invoiceIds: invoices.map(({ id }) => id) }
    : null
}

/**
 * The point that the message went to, which the debtor may have left since. A letter went to the postal address of the record, if that is
 * still the one whose digest is in the proof of the contact; else null.
 */
async function refusedPoint(
  tx: Tx,
  file: DebtorFile,
  { id, channel, recipient_point }: SentMessage,
  ledger: readonly LedgerRow[],
): Promise<Buffer | null> {
  if (channel !== 'lrar') return recipient_point
  const proof = ledger
    .filter(({ entry }) => entry.includes(id))
    .map(parseEntry)
    .find(({ communicationId, kind }) => communicationId === id && kind === 'contact')
  const [salted] = await tx.rows(readSalts, [[file.id]])
  const isSame = salted && digestOf(salted.salt, recipientOf(file, channel)) === proof?.recipient
  return (isSame && pointOf(file, channel)) || null
}

async function recordBounce(context: OperationContext, message: SentMessage): Promise<void> {
  const about = await aboutMessage(context, message.id)
  if (!about) return
  const { id: communicationId, debtor_id: debtorId, channel } = message
  const data = { ...about, debtorId, communicationId, channel, reasonCode: bounceReasons[channel] }
  recordEvents(context.tx, [newEvent(messageBounced, about.invoiceId, data)], context)
}

function refusalOf(
  { channel, state, has_unsettled_recoveries }: SentMessage,
  known: readonly ReceiptOutcome[],
  outcome: ReceiptOutcome,
): Exclude<RecordResult, { recorded: true }>['because'] | null {
  const verdict = weighReceipt(channel, known, outcome)
  if (verdict === 'not_for_channel') return verdict
  // Some recoveries of the message are not settled yet. They have to be settled with the outcome of the send first.
  if (state === 'reserved' || state === 'sending' || has_unsettled_recoveries) return 'not_yet'
  if (!leftStates.includes(state)) return 'not_sent'
  return verdict === 'new' ? null : verdict
}

function knownOutcomesOf(communicationId: string, ledger: readonly LedgerRow[]): ReceiptOutcome[] {
  return ledger.flatMap(({ entry }) => {
    if (!entry.includes(communicationId)) return []
    const { kind, fate } = JSON.parse(entry) as { kind: string; fate: string }
    const known = receiptOutcomes.find(outcome => outcome === fate)
    return kind === 'outcome' && known ? [known] : []
  })
}
