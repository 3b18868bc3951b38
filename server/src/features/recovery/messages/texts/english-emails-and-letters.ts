import { daysToPay } from '../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph } from './block.ts'
import { englishAnswers } from './english-answers.ts'
import {
  alreadyPaid,
  answerBlock,
  englishLabels,
  invoiceSummary,
  linkBlock,
  paymentBlock,
  questionBlock,
  sum,
  theInvoices,
  writeTemplate,
} from './english-blocks.ts'
import {
  type LanguageTexts,
  type MessageContent,
  singularOrPlural,
  type Template,
  type TemplateValues,
} from './message-content.ts'
import { partyOnOneLine } from './template-writer.ts'

type By = 'email' | 'lrar'

const notPaidYet = (content: MessageContent) =>
  paragraph(
    `Unless we are mistaken, ${singularOrPlural(content, 'it has', 'they have')} not been paid yet. ${alreadyPaid}`,
  )

const payOrAnswer = (by: By) => (content: MessageContent) => [paymentBlock(content), answerBlock(content, by)]

const reminder = (by: By): Template =>
  writeTemplate({
    subject: values => `reminder, ${invoiceSummary(values)}`,
    opening: values => `${values.creditor} has asked us to remind you of ${theInvoices(values)}:`,
    ask: content => [notPaidYet(content)],
    after: payOrAnswer(by),
    data: 'full',
  })

const consequence = ({ creditor, mayNameCourt }: MessageContent) =>
  mayNameCourt
    ? `${creditor.name} may bring the matter before the competent court.`
    : `${creditor.name} reserves the right to assert its claim by the means the law gives it.`

const thisMessage = (by: By) => (by === 'lrar' ? 'this letter' : 'this message')

// A formal notice must contain a time limit.
const formalNoticeTerms = (content: MessageContent, by: By): Block => ({
  kind: 'facts',
  title: `${by === 'lrar' ? 'This letter' : 'This message'} is a formal notice (mise en demeure) to pay:`,
  rows: [
    ['Creditor', partyOnOneLine(content.creditor)],
    ['Debtor', partyOnOneLine(content.debtor)],
    ['Principal', sum(content)],
    ['Time limit', `${content.payWithinDays ?? daysToPay} days from receipt of ${thisMessage(by)}`],
    [
      'Date',
      [content.creditor.city, englishLabels.date(content.today)].filter(part => part !== null).join(', '),
    ],
  ],
})

const formalNotice = (by: By): Template =>
  writeTemplate({
    subject: values => `formal notice (mise en demeure) to pay, ${invoiceSummary(values)}`,
    isSubjectFixed: true,
    opening: values =>
      `Unless we are mistaken, ${values.creditor}, on whose behalf we are writing, has not received payment of ${theInvoices(values)}:`,
    ask: content => [
      formalNoticeTerms(content, by),
      paragraph(
        `If payment is not made within this time, ${consequence(content)} If you have already paid, ${thisMessage(by)} no longer applies.`,
      ),
    ],
    after: payOrAnswer(by),
    data: 'full',
  })

const paymentNotReceived = (values: TemplateValues) =>
  `Unless we are mistaken, ${values.creditor} has not received payment of ${theInvoices(values)}:`

export const englishEmails: LanguageTexts['email'] = {
  email_prise_en_charge: writeTemplate({
    subject: values => `${invoiceSummary(values)} awaiting payment`,
    opening: values =>
      `We are writing on behalf of ${values.creditor}, who has asked us to follow up ${theInvoices(values)}:`,
    ask: content => [notPaidYet(content)],
    after: payOrAnswer('email'),
    data: 'full',
  }),

  relance_email_1: writeTemplate({
    subject: values => `reminder, ${invoiceSummary(values)}`,
    opening: values => `On behalf of ${values.creditor}, may we remind you of ${theInvoices(values)}:`,
    ask: () => [
      paragraph(`It may simply have been overlooked: please pay as soon as you can. ${alreadyPaid}`),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_2: writeTemplate({
    subject: values => `payment expected, ${invoiceSummary(values)}`,
    opening: values =>
      `Unless we are mistaken, ${values.creditor} has still not received your payment of ${theInvoices(values)}:`,
    ask: () => [
      paragraph(
        `Please pay without delay or, if something stands in the way, tell us what it is and when you will pay. ${alreadyPaid}`,
      ),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_3: writeTemplate({
    subject: values => `last reminder, ${invoiceSummary(values)}`,
    opening: paymentNotReceived,
    ask: () => [
      paragraph(
        `This is the last reminder before a possible formal notice (mise en demeure); it is not one itself. ${alreadyPaid}`,
      ),
    ],
    after: content => [
      paragraph(
        `You cannot pay everything at once? Payment in instalments is possible: propose ${content.creditor.hearsReplies ? `amounts and dates by replying to this message, and ${content.creditor.name} will answer you` : 'a date by the link above'}.`,
      ),
      ...payOrAnswer('email')(content),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: writeTemplate({
    subject: values => `last notice, ${invoiceSummary(values)}`,
    opening: paymentNotReceived,
    ask: content => [
      paragraph(
        `This is our last amicable notice. Without payment or an answer from you, ${
          content.mayNameCourt
            ? consequence(content)
            : `${content.creditor.name} will decide what to do next.`
        } ${alreadyPaid}`,
      ),
    ],
    after: content => [
      paragraph('A solution is still possible: instalments, a date, an explanation.'),
      ...payOrAnswer('email')(content),
    ],
    data: 'short',
  }),

  // It asks for nothing: it says neither "owed" nor how to pay.
  closing_notice: writeTemplate({
    subject: values => `end of our follow-up, ${invoiceSummary(values)}`,
    opening: values =>
      `On behalf of ${values.creditor}, we were following up the payment of ${theInvoices(values)}:`,
    ask: content => [
      paragraph(
        `This follow-up is closed. You will receive no further message from us about ${theInvoices(content)}, and this one asks nothing of you.`,
      ),
    ],
    link: content => ({
      ...linkBlock(content),
      lead: 'By this link you can see the file again at any time.',
      label: 'See the file',
    }),
    after: content => [questionBlock(content)],
    data: 'short',
    labels: { ...englishLabels, owed: 'Balance' },
  }),

  extra_message: reminder('email'),
  ...englishAnswers,
}

export const englishLetters: LanguageTexts['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
}
