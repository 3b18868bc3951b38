import type { Channel } from '../../../domain/contact/channel.ts'
import { newsOf, type ReceiptOutcome } from '../../../domain/contact/receipt.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { formalNotice } from '../../../domain/recovery/cascade.ts'
import { replan } from '../../../domain/recovery/motion.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import type { World } from '../case/case.ts'
import {
  type AgendaLock,
  balanceOfStep,
  contactFile,
  type DebtorFile,
  type OpenStep,
  openStepColumns,
  positionOf,
  reachOf,
  stepOf,
} from '../case/debtor-file.ts'
import { invoiceStatusChanged } from '../case/invoice-events.ts'
import { statusOf } from '../case/invoice-facts.ts'
import { lrarDelivered } from '../messages/events.ts'

/** A message as its receipt finds it. */
export interface SentMessage {
  id: string
  debtor_id: string
  channel: Channel
  step: string
  state: string
  provider_id: string | null
  reserved_at: number
  invoices: number
  /** Recoveries it serves that have not moved on yet. */
  has_passengers: boolean
}

/** An invoice it was sent for. */
interface Served extends OpenStep {
  as_notice: boolean
  /** Another message is on its way for it, and will plan what follows. */
  is_on_its_way: boolean
}

interface Heard {
  message: SentMessage
  file: DebtorFile
  agenda: AgendaLock
  outcome: ReceiptOutcome
  at: number
}

const readServed = sql(
  'receipts.list-served-steps',
  `select l.as_notice, r.communication_id is not null as is_on_its_way, ${openStepColumns}
     from communication_invoices l
     join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
     join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id
    where l.communication_id = $1 order by l.invoice_id`,
).as<Served>()
const writeRecoveries = sql(
  'receipts.update-recoveries',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(invoice_id uuid, step integer, attempt integer, due_at timestamptz,
     due_because text, last_action text, last_executed_at timestamptz, is_news boolean))
   update recoveries r
      set step = x.step, attempt = x.attempt, due_at = x.due_at, due_because = x.due_because, last_action = x.last_action,
          last_executed_at = x.last_executed_at, actions_completed = r.actions_completed + $2::integer,
          notice_news = case when x.is_news then $3 else r.notice_news end,
          notice_news_at = case when x.is_news then $4 else r.notice_news_at end
     from x where r.invoice_id = x.invoice_id and r.invoice_id = any (array(select invoice_id from x))`,
)
const writeInvoices = sql(
  'receipts.update-invoices',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, status text, is_letter boolean))
   update invoices i set status = x.status, contacted_at = coalesce(i.contacted_at, $2), last_action_is_letter = x.is_letter, updated_at = $3
     from x where i.id = x.id and i.id = any (array(select id from x))`,
)

const batch = 500

/**
 * What a receipt means for the invoices the message served. A message nobody was sure of is now known to have left: it counts
 * as accepted, and a notice that was to be given again for safety is not. News of a formal notice moves the step that waits
 * for the end of its time.
 */
export async function followReceipt(world: World, heard: Heard): Promise<void> {
  const { message, outcome } = heard
  const isHealed = message.state === 'unknown' && outcome !== 'bounced'
  const isNotice = message.channel === 'lrar' && message.step === formalNotice
  if (!isHealed && !isNotice) return
  const { tx, now } = world
  const served = await tx.rows(readServed, [message.id])
  const news = newsOf(outcome)
  const at = iso(heard.at)
  const rows = served.map(open => recoveryRow(heard, open, isHealed, isNotice && open.as_notice, now))
  for (let from = 0; from < rows.length; from += batch)
    tx.atCommit(writeRecoveries, [
      JSON.stringify(rows.slice(from, from + batch)),
      isHealed ? 1 : 0,
      news,
      news === null ? null : at,
    ])
  const events: NewEvent[] = []
  if (isHealed) acceptAfterAll(world, heard, served, events)
  if (outcome === 'signed')
    events.push(...served.filter(open => open.as_notice).map(open => signed(heard, open)))
  recordEvents(tx, events, world)
}

const about = (message: SentMessage, open: OpenStep) => ({
  invoiceId: open.invoice_id,
  invoiceNumber: open.number,
  debtorId: message.debtor_id,
})

const signed = ({ message, at }: Heard, open: OpenStep): NewEvent =>
  newEvent(lrarDelivered, open.invoice_id, {
    ...about(message, open),
    communicationId: message.id,
    trackingNumber: message.provider_id ?? '',
    deliveredAt: iso(at),
  })

/** The step that waits is the same one again: it was to be repeated, because nobody knew. */
const waitsToRepeat = ({ message }: Heard, open: Served) =>
  open.attempt > 0 && !open.is_on_its_way && stepOf(open).step.name === message.step

function recoveryRow(heard: Heard, open: Served, isHealed: boolean, isNews: boolean, now: number) {
  const { message, file, agenda, outcome, at } = heard
  const isOver = isHealed && waitsToRepeat(heard, open)
  const isPlanned = open.status === 'in_recovery' && open.due_at !== null
  const position = positionOf(open)
  const newsAt = newsOf(outcome) === null ? null : at
  const next = {
    ...position,
    ...(isOver && { step: position.step + 1, attempt: 0 }),
    ...(isNews && position.notice && { notice: { at: position.notice.at, newsAt } }),
  }
  const executedAt = isOver ? message.reserved_at : open.last_executed_at
  const planned = () => {
    if (!next.cascade.steps[next.step]) return { at: null, because: null }
    const last = executedAt === null ? null : { at: executedAt, wasContact: true }
    const reach = reachOf(file, balanceOfStep(open))
    return replan(next, last, { rules: contactFile(file, agenda), reach, now, seed: file.id })
  }
  const due = isPlanned && (isOver || isNews) ? planned() : { at: open.due_at, because: open.due_because }
  return {
    invoice_id: open.invoice_id,
    // After the last step of a cascade the recovery stands where it is.
    step: next.cascade.steps[next.step] ? next.step : open.step,
    attempt: next.attempt,
    due_at: due.at === null ? null : iso(due.at),
    due_because: due.because,
    last_action: isOver ? message.step : open.last_action,
    last_executed_at: executedAt === null ? null : iso(executedAt),
    is_news: isNews,
  }
}

/** The facts as an accepted message leaves them, and the statuses that follow. */
function acceptAfterAll(
  { tx, now }: World,
  heard: Heard,
  served: readonly Served[],
  events: NewEvent[],
): void {
  const { message, at } = heard
  const judged = served.map(open => {
    const isLetter = waitsToRepeat(heard, open)
      ? message.channel === 'lrar' && open.as_notice
      : open.last_action_is_letter
    const facts = { ...open, contacted_at: open.contacted_at ?? at, last_action_is_letter: isLetter }
    return { open, isLetter, status: statusOf(facts) }
  })
  for (let from = 0; from < judged.length; from += batch) {
    const rows = judged
      .slice(from, from + batch)
      .map(({ open, isLetter, status }) => ({ id: open.invoice_id, status, is_letter: isLetter }))
    tx.atCommit(writeInvoices, [JSON.stringify(rows), iso(at), iso(now)])
  }
  for (const { open, status } of judged)
    if (status !== open.invoice_status)
      events.push(
        newEvent(invoiceStatusChanged, open.invoice_id, {
          ...about(message, open),
          previousStatus: open.invoice_status as InvoiceStatus,
          newStatus: status,
          cause: message.step,
        }),
      )
}
