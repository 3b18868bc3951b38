import type { OpenInvoice } from '../../../../domain/money/account-statement.ts'
import type { HalfYearRate } from '../../../../domain/money/late-payment.ts'
import { formalNotice, type Step } from '../../../../domain/recovery/cascade.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { ratesSql } from '../../../access/companies/late-payment-rates.ts'
import { balanceColumn, isOpenSql } from '../../case/invoice-facts.ts'
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
    limitationEndsOn: LocalDate
    /** The day of the latest list of claims that contains it. */
    listedOn: LocalDate | null
    /** The letter with which the collector began; null: there is none yet. */
    letter: { id: string; at: number } | null
    /** Payments and credits by day, for messages that claim interest; refunds are negative. */
    movements: { on: string; cents: number }[]
  })[]
  alsoOpen: (MessageInvoice & { limitationEndsOn: LocalDate })[]
  /** The company's time zone: days are counted in it. */
  zone: string
  own: OwnTexts | null
  about: AnswerFacts | null
  /** What a person wrote in answer to a reply, sealed, and the subject of the message that was replied to. */
  answer: { replyId: string; sealed: string; subject: string | null } | null
  /** What a person wrote in a message of their own, sealed. */
  written: { extraId: string; sealed: string } | null
  /** Everything that is open, for a statement of account. */
  open: OpenRows | null
  /** The logo of the creditor, for emails and letters in its own name. */
  logo: { mediaType: string; base64: string } | null
  /** The rates that are known, for messages that claim interest. */
  rates: HalfYearRate[]
  /** The cascades of its invoices, for a message that says whether it is the last. */
  cascades: { name: string; version: number; steps: Step[] | null }[]
}

const invoiceJson = `'number', number, 'issueDate', issue_date, 'dueDate', due_date,
  'balanceCents', balance_cents, 'currency', currency`

const claimingStepsSql = `(${claimingSteps.map(step => `'${step}'`).join(', ')})`

/**
 * SQL: the day from which a credit note counts. What the debtor was right not to pay was never owed: a credit note of such a
 * dispute counts from the due date. Others count from the day they were issued.
 */
export const creditDaySql = (credit: string, dueDate: string) => `case when exists (
    select from disputes w where w.invoice_id = ${credit}.invoice_id and w.status in ('upheld', 'partly') and ${credit}.created_at >= w.opened_at
       and (w.status = 'upheld' or ${credit}.created_at <= w.resolved_at))
  then least(${credit}.issued_on, ${dueDate}) else ${credit}.issued_on end`

// A payment counts on the day it was made, and a refund or reversal on the day it was booked.
export const movementsSql = (invoice: string, zone: string) => `(
  select coalesce(jsonb_agg(jsonb_build_object('on', case m.kind when 'payment' then p.day when 'credit' then ${creditDaySql('k', `${invoice}.due_date`)}
           else (m.posted_at at time zone ${zone})::date end, 'cents', -m.amount_cents) order by m.entry_id), '[]')
    from postings m
    left join payments p on p.tenant_id = m.tenant_id and p.id = m.source_id
    left join credits k on k.tenant_id = m.tenant_id and k.id = m.source_id
   where m.invoice_id = ${invoice}.id and m.account = 'receivable')`

/** The cascades that the given invoices run on; only our own texts of these steps say what follows. */
const stepsThatSayWhatFollows = ['relance_email_3', formalNotice, 'email_dernier_avis']
export const cascadesSql = (invoices: string) => `coalesce((
  select jsonb_agg(distinct jsonb_build_object('name', r.cascade, 'version', r.cascade_version,
           'steps', (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version)))
    from recoveries r where r.invoice_id in (${invoices})), '[]')`
const stepsThatSayWhatFollowsSql = `(${stepsThatSayWhatFollows.map(step => `'${step}'`).join(', ')})`

/** How many invoices a statement of account lists, those due first. */
export const openListedMax = 500
/** More than these are not counted. */
const openCountedMax = 10_000

export interface OpenRows {
  invoices: OpenInvoice[]
  leftOut: number
}

/** SQL: the open invoices of a debtor, those due first, and how many more there are. */
export const openInvoicesSql = (debtorId: string) => `(
  with open as materialized (
    select i.id, i.number, i.issue_date, i.due_date, i.currency, i.amount_cents, i.paid_cents + i.credited_cents as paid_cents,
           ${balanceColumn} as balance_cents, i.disputed_at is not null as is_disputed
      from invoices i
     where i.debtor_id = ${debtorId} and ${isOpenSql('i')}
     order by i.due_date limit ${openListedMax + openCountedMax})
  select jsonb_build_object('leftOut', (select greatest(0, count(*) - ${openListedMax}) from open),
           'invoices', coalesce((select jsonb_agg(jsonb_build_object('number', s.number, 'issueDate', s.issue_date, 'dueDate', s.due_date,
               'currency', s.currency, 'amountCents', s.amount_cents, 'paidCents', s.paid_cents, 'balanceCents', s.balance_cents,
               'isDisputed', s.is_disputed, 'limitationEndsOn', r.limitation_ends_on) order by s.due_date, s.number)
             from (select * from open order by due_date limit ${openListedMax}) s
             cross join lateral (select limitation_ends_on from recoveries where invoice_id = s.id offset 0) r), '[]')))`

const sentSql = `select c.id, c.tenant_id, c.step, c.channel, c.lead_invoice_id, o.time_zone, o.mandate_signed_on, o.mandate_signed_on is not null as is_collected
       from communications c join tenants t on t.id = c.tenant_id join companies o on o.id = t.company_id where c.id = $1`

// All invoices of the message, the lead invoice first: a message names every invoice whose step it executes. What is mentioned
// beside them is open and not part of it.
const contentSql = (sent: string, invoices: string) => `with sent as (
     ${sent}),
   served as (
     select i.id, i.number, i.issue_date, i.due_date, i.currency, i.amount_cents, i.description,
            greatest(0, ${balanceColumn}) as balance_cents, i.claimed_cents,
            i.claimed_cents - least(i.claimed_cents, greatest(0, -(${balanceColumn}))) as accessories_cents,
            i.late_payment_waiver is not null as is_waived, r.limitation_ends_on, i.id = c.lead_invoice_id as is_lead,
            case when c.is_collected and r.collector_letter_at is not null then jsonb_build_object('id', r.collector_letter_id,
              'at', floor(extract(epoch from r.collector_letter_at) * 1000)) end as letter,
            (select max(k.accepted_on) from listed_claims k where k.invoice_id = i.id) as listed_on
       from sent c
       ${invoices}
       join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id)
   select sent.time_zone as zone,
          coalesce((select jsonb_agg(jsonb_build_object(${invoiceJson}, 'id', id, 'description', description, 'amountCents', amount_cents, 'claimedCents', claimed_cents,
              'accessoriesCents', accessories_cents, 'isWaived', is_waived, 'limitationEndsOn', limitation_ends_on,
              'letter', letter, 'listedOn', listed_on,
              'movements', case when sent.step in ${claimingStepsSql} or claimed_cents > 0 then ${movementsSql('served', 'sent.time_zone')} else '[]' end) order by is_lead desc, due_date, id)
            from served), '[]') as invoices,
          coalesce((select jsonb_agg(jsonb_build_object(${invoiceJson}, 'limitationEndsOn', limitation_ends_on) order by due_date, number)
            from (select i.number, i.issue_date, i.due_date, i.currency, greatest(0, ${balanceColumn}) as balance_cents, r.limitation_ends_on
                    from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
                   where r.debtor_id = $2 and r.ended_at is null and r.status = 'in_recovery' and r.communication_id is null
                     and r.due_at is not null and not exists (select from served where served.id = i.id)
                     and (not sent.is_collected or exists (select from listed_claims k where k.invoice_id = i.id and k.accepted_on >= sent.mandate_signed_on))
                   order by r.due_at limit ${mentionedMax}) open), '[]') as "alsoOpen",
          (select jsonb_build_object('subject', w.subject, 'opening', w.opening) from company_texts w
            where w.step = sent.step and w.channel = sent.channel
              and w.language = (select language from debtors where id = $2)) as own,
          case when sent.step in ${claimingStepsSql} or exists (select from served where claimed_cents > 0) then ${ratesSql} else '[]' end as rates,
          case when sent.channel in ('email', 'lrar') and not sent.is_collected then
            (select jsonb_build_object('mediaType', g.media_type, 'base64', encode(g.bytes, 'base64')) from company_logos g where g.tenant_id = sent.tenant_id) end as logo,
          (select e.about from extra_messages e where e.communication_id = sent.id) as about,
          case when sent.step = 'reply_answered' then
            (select jsonb_build_object('replyId', y.id, 'sealed', y.answer_sealed, 'subject', m.subject)
               from extra_messages e
               join replies y on y.tenant_id = e.tenant_id and y.debtor_id = e.debtor_id and y.answer_id = e.id and y.answer_sealed is not null
               left join sent_messages m on m.tenant_id = y.tenant_id and m.communication_id = y.communication_id
              where e.communication_id = sent.id) end as answer,
          case when sent.step in ('written_message', 'account_statement') then
            (select jsonb_build_object('extraId', e.id, 'sealed', e.written_sealed) from extra_messages e
              where e.communication_id = sent.id and e.written_sealed is not null) end as written,
          case when sent.step = 'account_statement' then ${openInvoicesSql('$2')} end as open,
          case when sent.step in ${stepsThatSayWhatFollowsSql} then ${cascadesSql('select id from served')} else '[]' end as cascades
     from sent`

export const selectContent = sql(
  'messages.get-content',
  contentSql(
    sentSql,
    `join communication_invoices l on l.communication_id = c.id
       join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id`,
  ),
).as<ContentRow>()

/** The same for a message beside the cascade that is only shown: about one invoice, of a step, on a channel. */
export const selectShownContent = sql(
  'messages.get-shown-content',
  contentSql(
    `select null::uuid as id, i.tenant_id, $3::text as step, $4::text as channel, i.id as lead_invoice_id, o.time_zone, o.mandate_signed_on,
            o.mandate_signed_on is not null as is_collected
       from invoices i join tenants t on t.id = i.tenant_id join companies o on o.id = t.company_id where i.id = $1`,
    'join invoices i on i.tenant_id = c.tenant_id and i.id = c.lead_invoice_id',
  ),
).as<ContentRow>()
