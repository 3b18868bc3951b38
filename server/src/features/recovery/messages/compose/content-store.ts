import type { HalfYearRate } from '../../../../domain/money/late-payment.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { ratesSql } from '../../../access/companies/late-payment-rates.ts'
import { balanceColumn } from '../../case/invoice-facts.ts'
import { claimingSteps } from './texts/late-payment-statement.ts'
import type { AnswerFacts, MessageInvoice, OwnTexts } from './texts/message-content.ts'

/** How many invoices a message mentions beside its own. */
const mentionedMax = 20

/** The content of a message, read at the moment of sending. */
export interface ContentRow {
  invoices: (MessageInvoice & {
    id: string
    amountCents: number
    /** What an earlier message claimed in addition to the balance. */
    claimedCents: number
    /** The unpaid part of that claim. */
    accessoriesCents: number
    /** The company waived the late-payment sums. */
    isWaived: boolean
    /** Payments and credits by day, for messages that claim interest; refunds are negative. */
    movements: { on: string; cents: number }[]
  })[]
  alsoOpen: MessageInvoice[]
  /** The company's time zone: days are counted in it. */
  zone: string
  own: OwnTexts | null
  about: AnswerFacts | null
  /** The logo of the creditor, for emails and letters in its own name. */
  logo: { mediaType: string; base64: string } | null
  /** The rates that are known, for messages that claim interest. */
  rates: HalfYearRate[]
  /** The first message sent about the lead invoice; null if this is the first. */
  first: { id: string; at: number } | null
}

const invoiceJson = `'number', number, 'issueDate', issue_date, 'dueDate', due_date,
  'balanceCents', balance_cents, 'currency', currency`

const claimingStepsSql = `(${claimingSteps.map(step => `'${step}'`).join(', ')})`

// A payment counts on the day it was made, a credit on the day it was issued, and a refund or reversal on the day it was
// booked.
export const movementsSql = (invoice: string, zone: string) => `(
  select coalesce(jsonb_agg(jsonb_build_object('on', case m.kind when 'payment' then p.day when 'credit' then k.issued_on
           else (m.posted_at at time zone ${zone})::date end, 'cents', -m.amount_cents) order by m.entry_id), '[]')
    from postings m
    left join payments p on p.tenant_id = m.tenant_id and p.id = m.source_id
    left join credits k on k.tenant_id = m.tenant_id and k.id = m.source_id
   where m.invoice_id = ${invoice}.id and m.account = 'receivable')`

// All invoices of the message, the lead invoice first: a message names every invoice whose step it executes. What is mentioned
// beside them is open and not part of it.
export const selectContent = sql(
  'messages.get-content',
  `with sent as (
     select c.id, c.tenant_id, c.step, c.channel, c.lead_invoice_id, o.time_zone, o.mandate_signed_on is not null as is_collected
       from communications c join tenants t on t.id = c.tenant_id join companies o on o.id = t.company_id where c.id = $1),
   served as (
     select i.id, i.number, i.issue_date, i.due_date, i.currency, i.amount_cents,
            greatest(0, ${balanceColumn}) as balance_cents, i.claimed_cents,
            i.claimed_cents - least(i.claimed_cents, greatest(0, -(${balanceColumn}))) as accessories_cents,
            i.late_payment_waiver is not null as is_waived, i.id = c.lead_invoice_id as is_lead
       from sent c
       join communication_invoices l on l.communication_id = c.id
       join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id)
   select sent.time_zone as zone,
          coalesce((select jsonb_agg(jsonb_build_object(${invoiceJson}, 'id', id, 'amountCents', amount_cents, 'claimedCents', claimed_cents,
              'accessoriesCents', accessories_cents, 'isWaived', is_waived,
              'movements', case when sent.step in ${claimingStepsSql} or claimed_cents > 0 then ${movementsSql('served', 'sent.time_zone')} else '[]' end) order by is_lead desc, due_date, id)
            from served), '[]') as invoices,
          coalesce((select jsonb_agg(jsonb_build_object(${invoiceJson}) order by due_date, number)
            from (select i.number, i.issue_date, i.due_date, i.currency, greatest(0, ${balanceColumn}) as balance_cents
                    from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
                   where r.debtor_id = $2 and r.ended_at is null and r.status = 'in_recovery' and r.communication_id is null
                     and r.due_at is not null and not exists (select from served where served.id = i.id)
                   order by r.due_at limit ${mentionedMax}) open), '[]') as "alsoOpen",
          (select jsonb_build_object('subject', w.subject, 'opening', w.opening) from company_texts w
            where w.step = sent.step and w.channel = sent.channel
              and w.language = (select language from debtors where id = $2)) as own,
          case when sent.step in ${claimingStepsSql} or exists (select from served where claimed_cents > 0) then ${ratesSql} else '[]' end as rates,
          case when sent.channel in ('email', 'lrar') and not sent.is_collected then
            (select jsonb_build_object('mediaType', g.media_type, 'base64', encode(g.bytes, 'base64')) from company_logos g where g.tenant_id = sent.tenant_id) end as logo,
          (select e.about from extra_messages e where e.communication_id = sent.id) as about,
          case when sent.is_collected then
          (select jsonb_build_object('id', e.id, 'at', floor(extract(epoch from e.sent_at) * 1000))
             from communications e join communication_invoices l on l.tenant_id = e.tenant_id and l.communication_id = e.id
            where e.debtor_id = $2 and e.sent_at is not null and e.id <> sent.id and l.invoice_id = sent.lead_invoice_id
            order by e.sent_at limit 1) end as first
     from sent`,
).as<ContentRow>()
