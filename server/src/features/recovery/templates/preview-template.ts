import { z } from 'zod'
import type { HalfYearRate } from '../../../domain/money/late-payment.ts'
import { sql } from '../../../kit/db/statement.ts'
import { line, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { lowestId } from '../../../kit/uuid.ts'
import { ratesSql } from '../../access/companies/late-payment-rates.ts'
import { type DebtorFile, selectDebtorFile } from '../case/debtor-file-store.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { balanceColumn } from '../case/invoice-facts.ts'
import { type ContentRow, cascadesSql, movementsSql } from '../messages/compose/content-store.ts'
import { toHtml } from '../messages/compose/texts/email-html.ts'
import { toGsm } from '../messages/compose/texts/gsm.ts'
import type { MessageContent, OwnTexts } from '../messages/compose/texts/message-content.ts'
import { toPlainText } from '../messages/compose/texts/plain-text.ts'
import { textOf, textsVersion } from '../messages/compose/texts/texts.ts'
import { messageContentOf } from '../messages/compose/write-message.ts'
import { checkTexts, ownFields } from './check-texts.ts'
import { templateNotFound } from './errors.ts'
import { sampleContent, sampleLink } from './sample-content.ts'
import { findTemplate, type KnownTemplate } from './schema.ts'
import { selectOwnTexts } from './store.ts'

const PreviewInput = z
  .strictObject({
    id: line(80),
    invoiceId: optional(uuid).meta({ description: 'Whose message it would be; absent: about a sample' }),
    ...ownFields,
  })
  .meta({ id: 'TemplatePreviewInput', description: 'With words to try, or with those that stand now' })

const Preview = z
  .object({
    subject: z.string().nullable().meta({ description: 'Of a call, what it says first; null: it has none' }),
    text: z.string(),
    html: z.string().nullable().meta({ description: 'Of an email, as people see it' }),
    version: z.int(),
  })
  .meta({ id: 'TemplatePreview' })

const readInvoice = sql(
  'templates.get-invoice',
  `select i.debtor_id, o.time_zone as zone, ${ratesSql} as rates,
          ${cascadesSql('i.id')} as cascades,
          jsonb_build_object('id', i.id, 'number', i.number, 'issueDate', i.issue_date, 'dueDate', i.due_date,
            'currency', i.currency, 'amountCents', i.amount_cents, 'claimedCents', i.claimed_cents,
            'accessoriesCents', i.claimed_cents - least(i.claimed_cents, greatest(0, -(${balanceColumn}))),
            'isWaived', i.late_payment_waiver is not null,
            'limitationEndsOn', (select r.limitation_ends_on from recoveries r where r.invoice_id = i.id),
            'balanceCents', ${balanceColumn},
            'movements', ${movementsSql('i', 'o.time_zone')}) as invoice
     from invoices i join tenants t on t.id = i.tenant_id join companies o on o.id = t.company_id where i.id = $1`,
).as<{
  debtor_id: string
  zone: string
  rates: HalfYearRate[]
  cascades: ContentRow['cascades']
  invoice: ContentRow['invoices'][number]
}>()

export const previewTemplate = operation({
  id: 'templates.preview',
  method: 'POST',
  path: '/api/v1/templates/preview',
  summary: 'Show a message as a debtor would receive it; sends nothing and writes nothing',
  scopes: ['workflow:read'],
  body: PreviewInput,
  status: 200,
  reply: Preview,
  errors: [templateNotFound, invoiceNotFound],
  assistant: 'read',
  audit: 'none: it shows a message, and writes nothing',
  example: {
    body: {
      id: 'relance_email_1.email.fr',
      opening: 'Bonjour, la facture {{reference}} attend depuis le {{dueDate}}.',
    },
  },
  async run({ tx, now, body }) {
    const template = findTemplate(body.id)
    if (!template) throw templateNotFound.make()
    checkTexts(template, body)
    const { step, channel, language } = template
    const [[stored], [found]] = await Promise.all([
      tx.rows(selectOwnTexts, [step, channel, language]),
      body.invoiceId === undefined ? [] : tx.rows(readInvoice, [body.invoiceId]),
    ])
    if (body.invoiceId !== undefined && !found) throw invoiceNotFound.make()
    const own: OwnTexts = {
      subject: body.subject === undefined ? (stored?.subject ?? null) : body.subject,
      opening: body.opening === undefined ? (stored?.opening ?? null) : body.opening,
    }
    if (!found) return toPreview(template, { ...sampleContent(language, step), own })
    const [file] = await tx.rows<DebtorFile>(selectDebtorFile, [found.debtor_id])
    const contentRow = {
      invoices: [found.invoice],
      alsoOpen: [],
      zone: found.zone,
      rates: found.rates,
      own,
      about: null,
      answer: null,
      written: null,
      open: null,
      logo: null,
      cascades: found.cascades,
      first: null,
    }
    const context = { now, link: sampleLink, receivesReplies: false }
    return toPreview(template, messageContentOf({ id: lowestId, step, channel }, file!, contentRow, context))
  },
})

function toPreview(
  { step, channel, language }: KnownTemplate,
  content: MessageContent,
): z.input<typeof Preview> {
  const text = textOf(step, channel)!(language, content)
  const plain = toPlainText(text.blocks)
  return {
    subject: channel === 'sms' ? null : text.subject,
    text: channel === 'sms' ? toGsm(plain.trim()) : plain,
    html: channel === 'email' ? toHtml(text, { language, creditor: content.creditor.name }) : null,
    version: textsVersion,
  }
}
