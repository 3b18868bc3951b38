import { daysToPay } from '../../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph, strongParagraph } from './block.ts'
import { englishAnswers } from './english-answers.ts'
import {
  answerBlock,
  englishLabels,
  hardshipBlock,
  invoiceSummary,
  justPaid,
  linkBlock,
  questionBlock,
  theInvoices,
  weOr,
  writeTemplate,
} from './english-blocks.ts'
import {
  amountToPay,
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { type By, partyOnOneLine } from './template-writer.ts'

/** Written by the creditor itself, or by a collector in its name. */
const notReceived = (values: TemplateValues, when = 'yet') =>
  values.isCollected
    ? `${values.creditor} has not received payment of ${theInvoices(values)} ${when}:`
    : `We haven’t received payment of ${theInvoices(values)} ${when}:`

const remindOf = (values: TemplateValues) =>
  values.isCollected
    ? `On behalf of ${values.creditor}, we remind you of ${theInvoices(values)}:`
    : `This is a reminder of ${theInvoices(values)}:`

const reminder = (by: By): Template =>
  writeTemplate({
    by,
    subject: values => `reminder, ${invoiceSummary(values)}`,
    opening: remindOf,
    ask: content => [
      paragraph(
        `${weOr(content, 'We haven’t received payment yet.', creditor => `${creditor} has not received payment yet.`)} ${justPaid}`,
      ),
    ],
    after: content => [answerBlock(content, by)],
    data: 'full',
  })

const consequence = (content: MessageContent) =>
  content.mayNameCourt
    ? weOr(
        content,
        'we may ask a court to order payment of this sum.',
        creditor => `${creditor} may ask a court to order payment of this sum.`,
      )
    : weOr(content, 'we will decide what to do next.', creditor => `${creditor} will decide what to do next.`)

const law = 'article 1344 of the French Civil Code'

const thisMessage = (by: By) => (by === 'lrar' ? 'this letter' : 'this message')

// The whole sum, a time limit, the parties and the date: art. 1344 C. civ. A letter has the parties and its date at the top.
const demand = (content: MessageContent, by: By): Block[] => [
  strongParagraph(
    `${weOr(content, 'We', creditor => `On behalf of ${creditor}, we`)} hereby give you formal notice (mise en demeure) to pay ${amountToPay(content, 'en')} within ${content.payWithinDays ?? daysToPay} days of receiving ${thisMessage(by)}.${by === 'lrar' ? ` Law: ${law}.` : ''}`,
  ),
  ...(by === 'lrar'
    ? []
    : [
        {
          kind: 'facts' as const,
          title: null,
          rows: [
            ['Creditor', partyOnOneLine(content.creditor)],
            ['Debtor', partyOnOneLine(content.debtor)],
            ['Law', law],
            ['Date', englishLabels.date(content.today)],
          ] as const,
        },
      ]),
]

const formalNotice = (by: By): Template =>
  writeTemplate({
    by,
    subject: values => `formal notice (mise en demeure) to pay, ${invoiceSummary(values)}`,
    isSubjectFixed: true,
    opening: values => notReceived(values),
    ask: content => [
      ...demand(content, by),
      paragraph(
        `Without payment or a reply within this time, ${consequence(content)} If you have already paid, ${thisMessage(by)} no longer applies.`,
      ),
    ],
    after: content => [answerBlock(content, by), hardshipBlock(content)],
    data: 'full',
  })

export const englishEmails: LanguageTexts['email'] = {
  email_prise_en_charge: writeTemplate({
    subject: values => `${invoiceSummary(values)} awaiting payment`,
    opening: values =>
      values.isCollected
        ? `${values.creditor} has instructed us to recover ${theInvoices(values)} amicably:`
        : notReceived(values),
    ask: content => [
      paragraph(weOr(content, justPaid, creditor => `${creditor} has not received payment yet. ${justPaid}`)),
    ],
    after: content => [answerBlock(content, 'email')],
    data: 'full',
  }),

  relance_email_1: writeTemplate({
    subject: values => `reminder, ${invoiceSummary(values)}`,
    opening: remindOf,
    ask: () => [paragraph(`It may simply have been overlooked: please pay as soon as you can. ${justPaid}`)],
    after: content => [answerBlock(content, 'email')],
    data: 'short',
  }),

  relance_email_2: writeTemplate({
    subject: values => `payment expected, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'so far'),
    ask: () => [
      paragraph(
        `Please pay now. If something stands in the way, tell us and give us a date: we will take it into account. ${justPaid}`,
      ),
    ],
    after: content => [answerBlock(content, 'email')],
    data: 'short',
  }),

  // Not every cascade has a formal notice, so none is announced.
  relance_email_3: writeTemplate({
    subject: values => `last reminder, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'so far'),
    ask: () => [
      paragraph(`This is our last reminder. It is not a formal notice (mise en demeure). ${justPaid}`),
    ],
    after: content => [
      paragraph(
        content.creditor.receivesReplies
          ? `Can’t pay it all at once? Propose amounts and dates by replying to this message: ${weOr(content, 'we will consider your proposal.', creditor => `${creditor} will consider your proposal.`)}`
          : 'Can’t pay now? Pick a date by the link above.',
      ),
      answerBlock(content, 'email'),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: writeTemplate({
    subject: values => `last notice, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'so far'),
    ask: content => [
      paragraph(
        `This is our last amicable notice. Without payment or a reply from you, ${consequence(content)} ${justPaid}`,
      ),
    ],
    after: content => [
      paragraph('There is still time to find a solution: a date, several payments or an explanation.'),
      answerBlock(content, 'email'),
      hardshipBlock(content),
    ],
    data: 'short',
  }),

  // It asks for nothing and does not mention what is still owed.
  closing_notice: writeTemplate({
    subject: values => `end of our follow-up, invoice ${values.reference}`,
    opening: values =>
      values.isCollected
        ? `On behalf of ${values.creditor}, we were following up the payment of ${theInvoices(values)}:`
        : `We were following up the payment of ${theInvoices(values)}:`,
    ask: content => [
      paragraph(
        `This follow-up is closed. You won’t hear from us about it again, and this message asks nothing of you. It does not say whether ${singularOrPlural(content, 'the invoice is', 'the invoices are')} still owed. If you want to know, just ask.`,
      ),
    ],
    link: content => ({
      ...linkBlock(content),
      lead: 'You can see the details again at any time.',
      label: 'View details',
    }),
    after: content => [questionBlock(content)],
    data: 'short',
    labels: { ...englishLabels, balanceOnly: 'Balance of the invoice' },
  }),

  extra_message: reminder('email'),
  ...englishAnswers,
}

export const englishLetters: LanguageTexts['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
}
