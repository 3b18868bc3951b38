import { z } from 'zod'
import { channels } from '../../../../domain/contact/channel.ts'
import { type ReceiptOutcome, receiptOutcomes } from '../../../../domain/contact/receipt.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { dateTime, outputUuid, uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { withoutCodes } from '../compose/message-code.ts'
import { digestOf, parseEntry } from '../settle/ledger.ts'
import { communicationUnknown } from './errors.ts'

export const communicationStates = [
  'reserved',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'failed',
  'unknown',
  'lapsed',
  'cancelled',
] as const

const shownInvoicesMax = 100

const CommunicationDetail = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    channel: z.enum(channels),
    step: z.string(),
    state: z.enum(communicationStates),
    at: dateTime.meta({ description: 'When it was decided to send it' }),
    sentAt: dateTime.nullable(),
    deliveredAt: dateTime.nullable(),
    recipient: z.string().nullable().meta({
      description:
        'The email address or number it was sent to, as long as the debtor or one of its people has it; null if it was changed since, for a letter, and for what was not sent',
    }),
    reason: z.string().nullable().meta({ description: 'Why it was not sent' }),
    invoices: z
      .array(z.object({ id: outputUuid, number: z.string() }))
      .meta({ description: `What it is about, the first it was sent for; ${shownInvoicesMax} at most` }),
    invoiceCount: z.int(),
    verdict: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'What the contact rules saw when they allowed it; null for no contact' }),
    receipts: z
      .array(z.object({ outcome: z.enum(receiptOutcomes), at: dateTime }))
      .meta({ description: 'What its provider reported, in the order it was heard' }),
    subject: z.string().nullable(),
    text: z.string().nullable().meta({
      description:
        'As it was sent; in production without the code of its link, by which only the debtor answers. Null if it was not, if its sender was lost, if it is older than the storing of texts, or if the person was erased',
    }),
    sha256: z.string().nullable().meta({
      description:
        'Of the subject, an empty line and the text as it was sent, in UTF-8; of the text alone without a subject',
    }),
    proof: z
      .object({
        position: z.int(),
        hash: z.string(),
        coversText: z.boolean().meta({
          description: 'The entry has the salted digest of exactly this text; false if either is missing',
        }),
      })
      .nullable()
      .meta({ description: 'Its entry in the contact ledger of the debtor; null for no contact' }),
  })
  .meta({ id: 'CommunicationDetail' })

const selectCommunication = sql(
  'messages.get-as-sent',
  `select c.id, c.debtor_id, c.channel, c.step, c.state, c.reserved_at, c.sent_at, c.delivered_at, c.reason, c.verdict,
          m.subject, m.text, m.sha256, s.salt,
          (select count(*)::integer from communication_invoices l where l.communication_id = c.id) as invoice_count,
          (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'number', i.number) order by i.id is distinct from c.lead_invoice_id, i.id), '[]')
             from (select l.invoice_id as id from communication_invoices l where l.communication_id = c.id
                    order by l.invoice_id is distinct from c.lead_invoice_id, l.invoice_id limit ${shownInvoicesMax}) about
             join invoices i on i.id = about.id) as invoices,
          (select jsonb_build_object('id', i.id, 'number', i.number) from invoices i where i.id = c.lead_invoice_id) as lead,
          (select known.address
             from (select tenant_id, id, email, email_key, phone from debtors where id = c.debtor_id
                   union all
                   select tenant_id, debtor_id, email, email_key, phone from debtor_people where debtor_id = c.debtor_id) own
            cross join lateral (values
              (own.email, (contact_points(own.tenant_id, own.id, own.email_key, null))[2]),
              (own.phone, (contact_points(own.tenant_id, own.id, '', own.phone))[3])) as known(address, point)
            where known.point = c.recipient_point limit 1) as recipient
     from communications c
     left join sent_messages m on m.tenant_id = c.tenant_id and m.communication_id = c.id
     left join contact_salts s on s.tenant_id = c.tenant_id and s.debtor_id = c.debtor_id
    where c.id = $1`,
).as<{
  id: string
  debtor_id: string
  channel: (typeof channels)[number]
  step: string
  state: (typeof communicationStates)[number]
  reserved_at: number
  sent_at: number | null
  delivered_at: number | null
  reason: string | null
  verdict: Record<string, unknown>
  subject: string | null
  text: string | null
  sha256: Buffer | null
  salt: Buffer | null
  invoice_count: number
  invoices: { id: string; number: string }[]
  lead: { id: string; number: string } | null
  recipient: string | null
}>()
const selectEntries = sql(
  'messages.list-ledger-of-message',
  `select l.position, l.entry, l.hash
     from communications c join contact_ledger l on l.tenant_id = c.tenant_id and l.debtor_id = c.debtor_id
    where c.id = $1 and strpos(l.entry, c.id::text) > 0 order by l.position`,
)

export const getCommunication = operation({
  id: 'communications.get',
  method: 'GET',
  path: '/api/v1/communications/:id',
  summary: 'Read a message as it was sent, with its receipts and its proof',
  scopes: ['workflow:read', 'debtors:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: CommunicationDetail,
  errors: [communicationUnknown],
  assistant: 'read',
  async run({ tx, actor, params }) {
    const [[row], entries] = await Promise.all([
      tx.rows(selectCommunication, [params.id]),
      tx.rows(selectEntries, [params.id]),
    ])
    if (!row) throw communicationUnknown.make()
    const proofs = entries.map(entry => ({ ...entry, proof: parseEntry(entry) }))
    const contact = proofs.find(({ proof }) => proof.kind === 'contact')
    const sha256 = row.sha256?.toString('hex') ?? null
    const digest = row.salt && sha256 !== null ? digestOf(row.salt, sha256) : null
    const optionalMoment = (at: number | null) => (at === null ? null : iso(at))
    // An extra message has no rows of invoices; it is about its lead invoice.
    const invoices = row.invoices.length === 0 && row.lead ? [row.lead] : row.invoices
    return {
      id: row.id,
      debtorId: row.debtor_id,
      channel: row.channel,
      step: row.step,
      state: row.state,
      at: iso(row.reserved_at),
      sentAt: optionalMoment(row.sent_at),
      deliveredAt: optionalMoment(row.delivered_at),
      recipient: row.recipient,
      reason: row.reason,
      invoices,
      invoiceCount: Math.max(row.invoice_count, invoices.length),
      verdict: (contact?.proof.verdict as Record<string, unknown> | null | undefined) ?? null,
      receipts: proofs.flatMap(({ proof }) =>
        proof.kind === 'outcome' ? [{ outcome: proof.fate as ReceiptOutcome, at: proof.at }] : [],
      ),
      subject: row.subject,
      text: row.text && actor.environment === 'production' ? withoutCodes(row.text) : row.text,
      sha256,
      proof: contact
        ? {
            position: contact.position,
            hash: contact.hash.toString('hex'),
            coversText: digest !== null && contact.proof.message === digest,
          }
        : null,
    }
  },
})
