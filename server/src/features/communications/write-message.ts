import type { Message } from '../../adapters/channel.ts'
import { formalNotice } from '../../domain/cascade.ts'
import { daysToPay } from '../../domain/formal-notice.ts'
import { sql } from '../../kit/db/statement.ts'
import type { DebtorFile } from '../agenda/debtor-file.ts'
import type { Communication } from './communication.ts'
import type { NoticeInvoice } from './texts/notice.ts'
import { textOf } from './texts/texts.ts'

const namedMost = 20

/** What a message speaks of, read at the moment of sending. */
export interface Content {
  invoices: NoticeInvoice[]
  further: { currency: string; count: number; balanceCents: number }[]
  alsoOpen: NoticeInvoice[]
}

const invoiceJson = `jsonb_build_object('number', number, 'issueDate', issue_date, 'dueDate', due_date,
  'balanceCents', balance_cents, 'currency', currency)`

// The invoice it was sent for comes first; twenty are named, the rest is count and sum. What travels with a formal notice
// without being put on notice is only mentioned.
export const readContent = sql<Content>(
  `with served as (
     select i.id, i.number, i.issue_date, i.due_date, i.currency, i.amount_cents - i.credited_cents - i.paid_cents as balance_cents,
            not l.as_notice and c.step = '${formalNotice}' as is_mentioned,
            row_number() over (partition by not l.as_notice and c.step = '${formalNotice}'
              order by i.id <> c.lead_invoice_id, i.due_date, i.id) as place
       from communications c
       join communication_invoices l on l.tenant_id = c.tenant_id and l.communication_id = c.id
       join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
      where c.id = $1)
   select coalesce((select jsonb_agg(${invoiceJson} order by place) from served where place <= ${namedMost} and not is_mentioned), '[]') as invoices,
          coalesce((select jsonb_agg(jsonb_build_object('currency', currency, 'count', n, 'balanceCents', balance_cents) order by currency)
            from (select currency, count(*) as n, sum(balance_cents) as balance_cents from served where place > ${namedMost} and not is_mentioned
                   group by currency) rest), '[]') as further,
          coalesce((select jsonb_agg(${invoiceJson} order by due_date, number)
            from (select number, issue_date, due_date, currency, balance_cents from served
                   where is_mentioned and place <= ${namedMost}
                  union all
                  (select i.number, i.issue_date, i.due_date, i.currency,
                         i.amount_cents - i.credited_cents - i.paid_cents as balance_cents
                    from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
                   where r.debtor_id = $2 and r.status = 'in_recovery' and r.communication_id is null
                     and r.due_at is not null and not exists (select from served where served.id = i.id)
                   order by r.due_at limit ${namedMost})
                   limit ${namedMost}) open), '[]') as "alsoOpen"`,
)

/** Networks show at most eleven letters and digits in place of a number. */
const senderName = (company: string) =>
  company
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 11) || 'Relance'

/** The words of a step, addressed. Everything in it was decided before. */
export function writeMessage(
  communication: Communication,
  file: DebtorFile,
  content: Content,
  world: { mailFrom: string; now: number },
): Message {
  const { channel, step } = communication
  const { creditor, language } = file
  const words = textOf(step, channel)
  if (!words) throw new Error(`no words for step ${step} on ${channel}`)
  const { subject, body } = words(language, {
    creditor,
    debtor: { name: file.name },
    ...content,
    payWithinDays: step === formalNotice ? daysToPay : null,
    mayNameCourt: creditor.mayNameCourt,
  })
  const common = { communicationId: communication.id, language, at: world.now }
  switch (channel) {
    case 'email':
      return {
        ...common,
        channel,
        from: { name: `${creditor.name} via Relance`, address: world.mailFrom },
        replyTo: { name: creditor.name, address: creditor.replyEmail },
        to: { name: file.name, address: file.email },
        subject,
        text: body,
      }
    case 'sms':
      return { ...common, channel, from: senderName(creditor.name), to: file.phone!, text: body }
    case 'voice':
      return { ...common, channel, to: file.phone!, opening: subject, text: body }
    case 'lrar':
      return {
        ...common,
        channel,
        from: {
          name: creditor.name,
          lines: creditor.address === null ? [] : [creditor.address],
          postalCode: creditor.postalCode ?? '',
          city: creditor.city ?? '',
          country: creditor.country,
        },
        to: {
          name: file.name,
          lines: [file.address!],
          postalCode: file.postal_code!,
          city: file.city!,
          country: file.country,
        },
        subject,
        text: body,
        reference: content.invoices[0]!.number,
      }
  }
}
