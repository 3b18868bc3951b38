import type { Following } from '../../../../../domain/recovery/cascade.ts'
import { daysToPay } from '../../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph, strongParagraph } from './block.ts'
import { englishAnswers, paymentReceipt } from './english-answers.ts'
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
import { accountBlock, accountNote } from './layout.ts'
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
      content.words
        ? null
        : paragraph(
            `${weOr(content, 'We haven’t received payment yet.', creditor => `${creditor} has not received payment yet.`)} ${justPaid}`,
          ),
    ],
    after: content => [answerBlock(content, by), hardshipBlock(content)],
    data: 'full',
  })

function consequence(content: MessageContent): string {
  if (content.mayNameCourt)
    return weOr(
      content,
      'we may ask a court to order payment of this sum.',
      creditor => `${creditor} may ask a court to order payment of this sum.`,
    )
  if (content.following !== 'nothing') return 'we will go on reminding you.'
  return weOr(
    content,
    'we will stop our reminders and decide what to do next.',
    creditor => `we will stop our reminders, and ${creditor} will decide what to do next.`,
  )
}

/** "Last" is said of a message only if no other one follows. */
const thirdReminder: Record<Following, { subject: string; ask: (content: MessageContent) => string }> = {
  nothing: {
    subject: 'last reminder',
    ask: content =>
      `This is our last reminder. After it ${weOr(content, 'we', creditor => creditor)} will decide what to do next.`,
  },
  formal_notice: {
    subject: 'last reminder before a formal notice',
    ask: () => 'This is our last reminder before a formal notice (mise en demeure).',
  },
  contact: {
    subject: 'another reminder',
    ask: () => 'This is another reminder. It is not a formal notice (mise en demeure).',
  },
}

const thisMessage = (by: By) => (by === 'lrar' ? 'this letter' : 'this message')

// The whole sum, a time limit, the parties and the date: art. 1344 C. civ. A letter has the parties and its date at the top.
const demand = (content: MessageContent, by: By): Block[] => [
  strongParagraph(
    `${weOr(content, 'We', creditor => `On behalf of ${creditor}, we`)} hereby give you formal notice (mise en demeure) to pay ${amountToPay(content, 'en')} within ${content.payWithinDays ?? daysToPay} days of receiving ${thisMessage(by)} (article 1344 of the French Civil Code).`,
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

/** Past the time bar nobody is led to acknowledge the debt. */
const orLater = (content: MessageContent, text: string): Block | null =>
  content.isTimeBarred ? null : paragraph(text)

function whetherOwed(content: MessageContent): string {
  const owed = content.about?.owed
  if (owed === 'no')
    return singularOrPlural(content, 'This invoice is no longer owed.', 'These invoices are no longer owed.')
  // The next sentence says that nothing is asked.
  if (content.isNothingAsked) return ''
  const still = `${singularOrPlural(content, 'the invoice is', 'the invoices are')} still owed`
  return owed === 'yes'
    ? `We stop reminding you; ${still}.`
    : `It does not say whether ${still}. If you want to know, just ask.`
}

const firstLetter = (by: By): Template =>
  writeTemplate({
    by,
    subject: values => `${invoiceSummary(values)} awaiting payment`,
    opening: values =>
      values.isCollected
        ? `${values.creditor} has instructed us to recover ${theInvoices(values)} amicably:`
        : notReceived(values),
    ask: content => [
      paragraph(
        weOr(
          content,
          justPaid,
          creditor => `${creditor} has not received payment yet. Please pay this sum. ${justPaid}`,
        ),
      ),
    ],
    after: content => [answerBlock(content, by), hardshipBlock(content)],
    data: 'full',
  })

export const englishEmails: LanguageTexts['email'] = {
  email_prise_en_charge: firstLetter('email'),

  relance_email_1: writeTemplate({
    subject: values => `reminder, ${invoiceSummary(values)}`,
    opening: remindOf,
    ask: () => [paragraph(`It may simply have been overlooked: please pay as soon as you can. ${justPaid}`)],
    after: content => [answerBlock(content, 'email'), hardshipBlock(content)],
    data: 'short',
  }),

  relance_email_2: writeTemplate({
    subject: values => `payment expected, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'so far'),
    ask: content => [
      paragraph(
        `Please pay now. If something stands in the way, tell us${content.isTimeBarred ? '.' : ' and give us a date: we will take it into account.'} ${justPaid}`,
      ),
    ],
    after: content => [answerBlock(content, 'email'), hardshipBlock(content)],
    data: 'short',
  }),

  relance_email_3: writeTemplate({
    subject: values => `${thirdReminder[values.following].subject}, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'so far'),
    ask: content => [paragraph(`${thirdReminder[content.following].ask(content)} ${justPaid}`)],
    after: content => [
      orLater(
        content,
        content.creditor.receivesReplies
          ? `Can’t pay it all at once? Propose amounts and dates by replying to this message: ${weOr(content, 'we will consider your proposal.', creditor => `${creditor} will consider your proposal.`)}`
          : 'Can’t pay now? Pick a date by the link above.',
      ),
      answerBlock(content, 'email'),
      hardshipBlock(content),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: writeTemplate({
    subject: values =>
      `${values.following === 'nothing' ? 'last notice' : 'notice'}, ${invoiceSummary(values)}`,
    opening: values => notReceived(values, 'so far'),
    ask: content => [
      paragraph(
        `This is ${content.following === 'nothing' ? 'our last' : 'an'} amicable notice. Without payment or a reply from you, ${consequence(content)} ${justPaid}`,
      ),
    ],
    after: content => [
      paragraph(
        `There is still time to find a solution: ${content.isTimeBarred ? '' : 'pick a date, or '}tell us what is holding up the payment.`,
      ),
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
        `This follow-up is closed. You won’t hear from us about it again, and this message asks nothing of you. ${whetherOwed(content)}`.trimEnd(),
      ),
    ],
    link: content => ({
      ...linkBlock(content),
      lead: 'You can see the details again online.',
      label: 'View details',
    }),
    headline: ({ about }) => (about?.owed === 'no' ? ['This invoice', 'is no longer owed'] : undefined),
    after: content => [questionBlock(content)],
    data: 'short',
    labels: { ...englishLabels, balanceOnly: 'Balance of the invoice' },
  }),

  extra_message: reminder('email'),
  written_message: reminder('email'),
  account_statement: writeTemplate({
    subject: values => `statement of account, ${invoiceSummary(values)}`,
    opening: values =>
      values.isCollected
        ? `These are all your open invoices of ${values.creditor}, and first ${theInvoices(values)}:`
        : `These are all your open invoices with us, and first ${theInvoices(values)}:`,
    ask: content => [accountBlock(content, englishLabels), accountNote(content, englishLabels)],
    after: content => [answerBlock(content, 'email'), hardshipBlock(content)],
    data: 'full',
  }),
  ...englishAnswers,
}

export const englishLetters: LanguageTexts['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
  // A collector's first letter goes on paper where no email can be sent, whatever step the recovery has reached.
  payment_receipt: paymentReceipt('lrar'),
  email_prise_en_charge: firstLetter('lrar'),
  relance_email_1: reminder('lrar'),
  relance_email_2: reminder('lrar'),
  relance_email_3: reminder('lrar'),
  email_dernier_avis: reminder('lrar'),
}
