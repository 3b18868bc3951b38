import type { Channel, ClosedBecause } from '../../../../domain/contact/channel.ts'
import type { PersonRole } from '../../../../domain/contact/debtor-person.ts'
import type { DataRequestDecision, DataRequestKind } from '../../../../domain/data-request.ts'
import type { DebtorType } from '../../../../domain/debtor-type.ts'
import type { InvoiceStatus } from '../../../../domain/money/invoice-state.ts'
import { keptMonths } from '../../../../domain/retention.ts'
import type { Keyring } from '../../../../kit/crypto.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { keepMonths } from '../../../access/companies/settings.ts'
import { readScore } from '../../../receivables/scoring/get-score.ts'
import { newestLines } from '../../../receivables/timeline/debtor-timeline.ts'
import { shownLine } from '../../../recovery/case/history-texts.ts'
import { openContent } from '../../../recovery/holds/reply-content.ts'
import type { DisputeStatus, PromiseStatus } from './copy-texts.ts'

/** The most lines of a section; the files beside the page hold the rest. */
export const linesMax = 200

const readPerson = sql(
  'access.copy-person',
  `select d.name, d.email, d.phone, d.siret, d.address, d.postal_code, d.city, d.country, d.type, d.language, d.notes,
          d.insolvency_opened_on, coalesce(s.legal_name, c.name) as creditor, coalesce(s.reply_email, c.reply_email) as contact,
          c.time_zone, case d.type when 'consumer' then s.keep_months_consumers else s.keep_months end as keep_months, n.providers
     from debtors d
     join tenants t on t.id = d.tenant_id
     join companies c on c.id = t.company_id
    cross join installation n
     left join company_settings s on s.tenant_id = d.tenant_id
    where d.id = $1`,
).as<{
  name: string
  email: string
  phone: string | null
  siret: string | null
  address: string | null
  postal_code: string | null
  city: string | null
  country: string
  type: DebtorType
  language: 'fr' | 'en'
  notes: string | null
  insolvency_opened_on: string | null
  creditor: string
  contact: string
  time_zone: string
  keep_months: number | null
  providers: Record<string, string>
}>()
const readPeople = sql(
  'access.copy-people',
  `select p.name, p.role, p.ground, case when p.is_main_email then d.email else p.email end as email,
          case when p.is_main_phone then d.phone else p.phone end as phone
     from debtor_people p join debtors d on d.id = p.debtor_id
    where p.debtor_id = $1 order by p.id limit $2`,
).as<{
  name: string
  role: PersonRole
  ground: string | null
  email: string | null
  phone: string | null
}>()
const readInvoices = sql(
  'access.copy-invoices',
  `select id, number, due_date, amount_cents, paid_cents, credited_cents, currency, status from invoices
    where debtor_id = $1 order by id desc limit $2`,
).as<{
  id: string
  number: string
  due_date: string
  amount_cents: number
  paid_cents: number
  credited_cents: number
  currency: string
  status: InvoiceStatus
}>()
const readPromises = sql(
  'access.copy-promises',
  `select i.number, i.currency, p.amount_cents, p.pay_on, p.status from promises p join invoices i on i.id = p.invoice_id
    where p.debtor_id = $1 order by p.created_at desc limit $2`,
).as<{ number: string; currency: string; amount_cents: number; pay_on: string; status: PromiseStatus }>()
const readDisputes = sql(
  'access.copy-disputes',
  `select i.number, x.reason, x.opened_at, x.status from disputes x join invoices i on i.id = x.invoice_id
    where x.debtor_id = $1 order by x.opened_at desc limit $2`,
).as<{ number: string; reason: string; opened_at: number; status: DisputeStatus }>()
const readCalls = sql(
  'access.copy-calls',
  `select k.began_at, k.note from calls k join communications c on c.id = k.communication_id
    where c.debtor_id = $1 order by k.began_at desc limit $2`,
)
const readReplies = sql(
  'access.copy-replies',
  'select id, received_at, content_sealed from replies where debtor_id = $1 order by id desc limit $2',
)
const readRequests = sql(
  'access.copy-requests',
  'select kind, received_on, due_on, decision from data_requests where debtor_id = $1 order by id desc limit $2',
).as<{
  kind: DataRequestKind
  received_on: string
  due_on: string
  decision: DataRequestDecision | null
}>()
const readClosed = sql(
  'access.copy-closed',
  `select distinct shut.channel, shut.because
     from debtors d
    cross join lateral unnest(contact_points(d.tenant_id, d.id, d.email_key, d.phone)) as own(point)
    cross join lateral (select channel, because from closed_points where point = own.point offset 0) shut
    where d.id = $1 order by 1, 2`,
).as<{ channel: Channel; because: ClosedBecause }>()

/** What the readable copy says, in the language of the person. */
export async function readCopy(
  tx: Tx,
  { tenantId, debtorId }: { tenantId: string; debtorId: string },
  keyring: Keyring,
  now: number,
) {
  const [person] = await tx.rows(readPerson, [debtorId])
  if (!person) return null
  const { language } = person
  const most = [debtorId, linesMax + 1] as const
  const [people, invoices, promises, disputes, calls, replies, requests, closed, happened, score] =
    await Promise.all([
      tx.rows(readPeople, most),
      tx.rows(readInvoices, most),
      tx.rows(readPromises, most),
      tx.rows(readDisputes, most),
      tx.rows(readCalls, most),
      tx.rows(readReplies, most),
      tx.rows(readRequests, most),
      tx.rows(readClosed, [debtorId]),
      newestLines(tx, debtorId, linesMax + 1),
      readScore(tx, debtorId, language, now),
    ])
  const numbers = new Map(invoices.map(({ id, number }) => [id, number]))
  return {
    person,
    language,
    keepMonths: keptMonths(
      person.type,
      person.keep_months ?? (person.type === 'consumer' ? keepMonths.usualOfConsumers : keepMonths.usual),
    ),
    people,
    invoices,
    promises,
    disputes,
    calls,
    replies: replies.flatMap(({ id, received_at, content_sealed: sealed }) => {
      if (sealed === null) return []
      const { subject, text } = openContent(keyring, { tenantId, replyId: id }, sealed)
      return { at: received_at, words: [subject, text].filter(part => part !== null).join(' · ') }
    }),
    requests,
    closed,
    score: { total: score.score, explanations: score.criteria.map(({ explanation }) => explanation) },
    lines: happened.flatMap(line =>
      line.id === null
        ? []
        : [
            {
              at: line.at,
              number: line.invoice_id === null ? null : (numbers.get(line.invoice_id) ?? null),
              sentence: shownLine(line, language).sentence,
            },
          ],
    ),
  }
}

export type Copy = NonNullable<Awaited<ReturnType<typeof readCopy>>>
