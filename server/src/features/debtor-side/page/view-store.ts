import type { Channel } from '../../../domain/contact/channel.ts'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import type { HalfYearRate } from '../../../domain/money/late-payment.ts'
import { stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import type { InsolvencyKind } from '../../../domain/recovery/insolvency.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { CollectorIdentity } from '../../access/companies/installation.ts'
import { ratesSql } from '../../access/companies/late-payment-rates.ts'
import { type Mediator, mediatorSql } from '../../access/companies/mediator.ts'
import type { Language } from '../../access/people/texts/page-texts.ts'
import type { disputeOutcomes } from '../../recovery/case/debtor-events.ts'
import type { DebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { creditDaySql } from '../../recovery/messages/compose/content-store.ts'

export interface Logo {
  mediaType: string
  base64: string
}

/** The creditor, the debtor and the message. */
export interface Parties {
  channel: Channel
  state: string
  sent_at: number | null
  debtor: {
    name: string
    email: string
    type: DebtorType
    language: Language
    country: string
    postalCode: string | null
    insolvencyKind: InsolvencyKind | null
    insolvencyOpenedOn: LocalDate | null
  }
  creditor: {
    name: string
    address: string | null
    postalCode: string | null
    city: string | null
    country: string
    replyEmail: string
    siren: string | null
    legalForm: string | null
    rcs: string | null
    mediator: Mediator | null
    telephone: string | null
    logo: Logo | null
    /** Who recovers on the creditor's mandate, and the letters with which it began; null: the creditor itself writes. */
    collector: (CollectorIdentity & { letters: { id: string; at: number }[] }) | null
    iban: string | null
    /** Whose account it is. */
    accountHolder: string
    timeZone: string
    contractRateBps: number | null
    claimsLatePayment: boolean
    keepMonths: number
    keepReplyDays: number
    paymentAccount: string | null
    /** The operator closed the company: it cannot be paid on this page. */
    isClosed: boolean
  }
  rates: HalfYearRate[]
  /** Channels closed for the address this message went to, or for the debtor. */
  closed: DebtorFile['closed']
  /** The names of the providers of this installation, by channel. */
  providers: Partial<Record<Channel, string>>
}

export interface ShownInvoice {
  id: string
  number: string
  issueDate: LocalDate
  dueDate: LocalDate
  currency: string
  amountCents: number
  paidCents: number
  creditedCents: number
  /** The 40 € and the interest, as the last message claimed them. */
  claimedCents: number
  status: InvoiceStatus
  description: string | null
  recovery: RecoveryStatus
  holds: Hold[]
  dueAt: number | null
  promise: { payOn: LocalDate; amountCents: number } | null
  /** How many promises the debtor made, and when the first was made. */
  ownPromises: { made: number; firstAt: number | null }
  dispute: { reason: string; amountCents: number } | null
  /** How the latest dispute ended. */
  decision: {
    outcome: (typeof disputeOutcomes)[number]
    answer: string | null
    creditedCents: number | null
    at: number
  } | null
  /** The time to claim it in court seems to be over: no promise is taken. */
  isTimeBarred: boolean
  /** It is, and the debtor is a consumer: nothing is asked. */
  isNothingAsked: boolean
  /** Channels of messages that are being sent and cannot be stopped. */
  inFlight: Channel[]
  movements: { on: LocalDate; cents: number }[]
}

export type StoredInvoice = Omit<ShownInvoice, 'isTimeBarred' | 'isNothingAsked'> & {
  limitationEndsOn: LocalDate
}

export const readParties = sql(
  'debtor-page.get-parties',
  `select c.channel, c.state, c.sent_at, ${ratesSql} as rates, n.providers,
          jsonb_build_object('name', d.name, 'email', d.email, 'type', d.type, 'language', d.language, 'country', d.country,
            'postalCode', d.postal_code, 'insolvencyKind', d.insolvency_kind, 'insolvencyOpenedOn', d.insolvency_opened_on) as debtor,
          jsonb_build_object('name', coalesce(s.legal_name, o.name), 'address', s.address, 'postalCode', s.postal_code,
            'city', s.city, 'country', o.country, 'replyEmail', coalesce(s.reply_email, o.reply_email), 'siren', s.siren,
            'legalForm', s.legal_form, 'rcs', s.rcs, 'mediator', ${mediatorSql},
            'telephone', s.telephone, 'iban', s.iban,
            'logo', (select jsonb_build_object('mediaType', g.media_type, 'base64', translate(encode(g.bytes, 'base64'), E'\\n', ''))
               from company_logos g where g.tenant_id = m.tenant_id),
            'collector', case when o.mandate_signed_on is not null then n.collector || jsonb_build_object('letters', coalesce(
              (select jsonb_agg(distinct jsonb_build_object('id', r.collector_letter_id, 'at', floor(extract(epoch from r.collector_letter_at) * 1000)))
                 from communication_invoices l join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id
                where l.communication_id = c.id and r.collector_letter_at is not null),
              case when c.channel in ('email', 'lrar') and c.step <> all ('{${stepsSentAfterStop}}')
                then jsonb_build_array(jsonb_build_object('id', c.id, 'at', floor(extract(epoch from c.reserved_at) * 1000))) end, '[]')) end,
            'accountHolder', coalesce(s.account_holder, s.legal_name, o.name),
            'timeZone', o.time_zone, 'contractRateBps', s.contract_rate_bps,
            'claimsLatePayment', coalesce(s.claims_late_payment, true), 'keepMonths', case d.type when 'consumer'
              then coalesce(s.keep_months_consumers, 24) else coalesce(s.keep_months, 60) end, 'keepReplyDays', coalesce(s.keep_reply_days, 30), 'paymentAccount',
            (select a.account from card_accounts a where a.tenant_id = m.tenant_id and a.account = s.payment_account),
            'isClosed', not (o.enabled and t.enabled)) as creditor,
          coalesce((select jsonb_agg(distinct jsonb_build_object('channel', shut.channel, 'because', shut.because))
             from unnest(contact_points(d.tenant_id, d.id, d.email_key, d.phone)) as own(point)
            cross join lateral (select channel, because from closed_points where point = own.point offset 0) shut), '[]') as closed
     from message_codes m
     join communications c on c.tenant_id = m.tenant_id and c.id = m.communication_id
     join debtors d on d.tenant_id = m.tenant_id and d.id = m.debtor_id
     join tenants t on t.id = m.tenant_id
     cross join installation n
     join companies o on o.id = t.company_id
     left join company_settings s on s.tenant_id = m.tenant_id
    where m.code = $1`,
).as<Parties>()

/** Above the number of invoices one message can cover. */
const shownMax = 1000

// The invoices of the message, whatever their status.
export const readInvoices = sql(
  'debtor-page.list-invoices',
  `select i.id, i.number, i.issue_date as "issueDate", i.due_date as "dueDate", i.currency, i.amount_cents as "amountCents",
          i.paid_cents as "paidCents", i.credited_cents as "creditedCents", i.claimed_cents as "claimedCents", i.status,
          i.description, r.status as recovery, r.holds, r.due_at as "dueAt", r.limitation_ends_on as "limitationEndsOn",
          (select jsonb_build_object('payOn', p.pay_on, 'amountCents', p.amount_cents)
             from promises p where p.invoice_id = i.id and p.status = 'open') as promise,
          (select jsonb_build_object('made', count(*), 'firstAt', floor(extract(epoch from min(p.created_at)) * 1000))
             from promises p where p.invoice_id = i.id and p.by_debtor) as "ownPromises",
          (select jsonb_build_object('reason', e.reason, 'amountCents', coalesce(e.amount_cents, i.amount_cents))
             from disputes e where e.invoice_id = i.id and e.status = 'open') as dispute,
          (select jsonb_build_object('outcome', e.status, 'answer', e.answer, 'creditedCents', e.credited_cents,
               'at', floor(extract(epoch from e.resolved_at) * 1000))
             from disputes e where e.invoice_id = i.id and e.resolved_at is not null order by e.id desc limit 1) as decision,
          array(select c.channel from communication_invoices l
                  join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state = 'sending'
                 where l.invoice_id = i.id order by c.id) as "inFlight",
          coalesce((select jsonb_agg(jsonb_build_object('on', moved.day, 'cents', moved.cents))
             from (select p.day, p.amount_cents as cents from payments p where p.invoice_id = i.id and p.status = 'completed'
                   union all select ${creditDaySql('n', 'i.due_date')}, n.amount_cents from credits n where n.invoice_id = i.id) moved), '[]') as movements
     from message_codes m
     join communication_invoices l on l.tenant_id = m.tenant_id and l.communication_id = m.communication_id
     join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id and i.debtor_id = m.debtor_id
     join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
    where m.code = $1
    order by i.due_date, i.id limit ${shownMax}`,
).as<StoredInvoice>()
