import { reader } from '../../../kit/db/reader.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Operation } from '../../../kit/operation.ts'
import type { Visit } from '../../access/people/visit.ts'
import { decideDataRequest } from '../../receivables/debtors/data-requests.ts'
import { markReplyRead } from '../../receivables/debtors/read-reply.ts'
import { updateDebtor } from '../../receivables/debtors/update-debtor.ts'
import { decideSituation } from '../../receivables/invoices/decide-situation.ts'
import { resolveDispute } from '../../receivables/invoices/resolve-dispute.ts'
import { triggerWorkflow } from '../../recovery/workflow/trigger-workflow.ts'
import { type AlertLink, linkEntry } from './alert-link.ts'

/** An event of the link, with the current state of its invoice and debtor. */
export interface AlertItem {
  id: string
  type: string
  data: Record<string, unknown>
  invoice_id: string
  number: string
  currency: string
  balance_cents: number
  workflow_status: string
  holds: string[]
  due_because: string | null
  debtor_id: string
  name: string
  email: string
  phone: string | null
  /** Who is written to now instead of the address that this message came back from; null: nobody is known. */
  next_person: string | null
  /** The debtor's reason, while the dispute is open. */
  dispute: string | null
  /** The reply of this event is not read yet. */
  is_unread: boolean
  /** The request of this event is not decided yet. */
  is_request_open: boolean
  /** The situation of this event is not decided yet. */
  is_undecided: boolean
}

/** Of an event `e` about a message to the debtor `d` that came back: the main person now, if the message went to another address. */
export const nextPersonSql = `(
  select p.name
    from (select case when e.type = 'message.bounced' then (e.data ->> 'communicationId')::uuid end as id offset 0) sent
    join communications c on c.id = sent.id
    join debtor_people p on p.debtor_id = d.id
     and case e.data ->> 'channel' when 'email' then p.is_main_email when 'lrar' then false else p.is_main_phone end
   where c.recipient_point <>
         (contact_points(d.tenant_id, d.id, d.email_key, d.phone))[case e.data ->> 'channel' when 'email' then 2 else 3 end])`

const selectItems = sql(
  'alerts.list-items',
  `select e.id, e.type, e.data, i.id as invoice_id, i.number, i.currency,
          i.amount_cents - i.paid_cents - i.credited_cents as balance_cents, r.status as workflow_status, r.holds, r.due_because,
          d.id as debtor_id, d.name, d.email, d.phone,
          exists (select from replies y where y.id::text = e.data ->> 'replyId' and y.debtor_id = d.id and y.read_at is null) as is_unread,
          exists (select from data_requests q where q.id::text = e.data ->> 'dataRequestId' and q.debtor_id = d.id and q.decision is null) as is_request_open,
          exists (select from replies y where y.id::text = e.data ->> 'situationId' and y.debtor_id = d.id and y.read_at is null) as is_undecided,
          ${nextPersonSql} as next_person,
          (select reason from disputes x where x.invoice_id = i.id and x.status = 'open' limit 1) as dispute
     from events e
     join invoices i on i.id = e.subject_id
     join recoveries r on r.invoice_id = i.id
     join debtors d on d.id = i.debtor_id
    where e.id = any ($1::uuid[]) order by e.id`,
).as<AlertItem>()

export const readItems = ({ context }: Pick<Visit, 'context'>, link: AlertLink): Promise<AlertItem[]> =>
  reader(context.pool, linkEntry(link, context.clock.wall())).rows(selectItems, [link.event_ids])

/** What one button of the page does: an operation of the API. */
export interface AlertAction {
  operation: Operation
  params: Record<string, string>
  /** The field of the form that goes into the body, or a body that is always the same. */
  form:
    | { kind: 'outcome' }
    | { kind: 'address'; point: 'email' | 'phone'; value: string }
    | { kind: 'decision'; actions: readonly ('cancel' | 'escalate' | 'resume')[] }
    | { kind: 'pause' }
    | { kind: 'read' }
    | { kind: 'request' }
    | { kind: 'situation'; decisions: readonly ('identity_theft' | 'not_confirmed')[] }
}

/** The obvious action for an event in the current state; null if there is none. */
export function actionFor(item: AlertItem): AlertAction | null {
  const { data } = item
  const ofInvoice = { id: item.invoice_id }
  const workflow = { operation: triggerWorkflow, params: { invoiceId: item.invoice_id } }
  const correct = (point: 'email' | 'phone'): AlertAction => ({
    operation: updateDebtor,
    params: { id: item.debtor_id },
    form: { kind: 'address', point, value: item[point] ?? '' },
  })
  switch (item.type) {
    case 'dispute.opened':
      return item.dispute === null
        ? null
        : { operation: resolveDispute, params: ofInvoice, form: { kind: 'outcome' } }
    case 'promise.broken':
      return item.workflow_status === 'in_recovery' ? { ...workflow, form: { kind: 'pause' } } : null
    case 'debtor.wrong_person':
      return item.holds.includes('wrong_person')
        ? correct(data.contactPoint === 'phone' ? 'phone' : 'email')
        : null
    case 'message.bounced':
      return data.channel === 'lrar' || item.next_person !== null
        ? null
        : correct(data.channel === 'email' ? 'email' : 'phone')
    case 'reply.received':
      return item.is_unread
        ? {
            operation: markReplyRead,
            params: { id: item.debtor_id, replyId: String(data.replyId) },
            form: { kind: 'read' },
          }
        : null
    case 'debtor.request_due':
      return item.is_request_open
        ? {
            operation: decideDataRequest,
            params: { id: item.debtor_id, requestId: String(data.dataRequestId) },
            form: { kind: 'request' },
          }
        : null
    case 'situation.reported':
      return item.is_undecided
        ? {
            operation: decideSituation,
            params: { id: item.debtor_id, situationId: String(data.situationId) },
            form: {
              kind: 'situation',
              decisions: [
                ...(data.situation === 'identity_theft' ? (['identity_theft'] as const) : []),
                'not_confirmed',
              ],
            },
          }
        : null
    case 'decision.due':
      if (item.due_because === 'awaiting_decision')
        return { ...workflow, form: { kind: 'decision', actions: ['cancel', 'escalate'] } }
      return item.holds.includes('upheld')
        ? { ...workflow, form: { kind: 'decision', actions: ['cancel', 'resume'] } }
        : null
    default:
      return null
  }
}

/** A sum as it is typed: `240`, `240,5` or `1 240.50 €`; what is not one is refused by the operation. */
function typedCents(text: string): number {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:[.,](\d{1,2}))?€?$/.exec(text.replaceAll(/\s/g, '')) ?? []
  return whole === undefined ? Number.NaN : Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Fields that do not go with the outcome are left out: they are on the form for every outcome. */
function resolutionOf(posted: (name: string) => string): Record<string, unknown> {
  const [outcome, amount, answer] = [posted('outcome'), posted('amount').trim(), posted('answer').trim()]
  return {
    outcome,
    ...(outcome === 'partly' && amount !== '' && { amountCents: typedCents(amount) }),
    ...(outcome !== 'upheld' && answer !== '' && { answer }),
  }
}

/** Builds the request body from the posted form. */
export function bodyOf({ form }: AlertAction, posted: (name: string) => string): Record<string, unknown> {
  switch (form.kind) {
    case 'outcome':
      return resolutionOf(posted)
    case 'address':
      return { [form.point]: posted('address').trim() }
    case 'decision': {
      const action = form.actions.find(one => one === posted('action'))
      if (!action) return {}
      return action === 'escalate' && posted('noticeReceived') === '1'
        ? { action, noticeReceived: true }
        : { action }
    }
    case 'pause':
      return { action: 'pause' }
    case 'request':
      return { decision: posted('decision') }
    case 'read':
      return {}
    case 'situation': {
      const decision = form.decisions.find(one => one === posted('decision'))
      return decision ? { decision } : {}
    }
  }
}
