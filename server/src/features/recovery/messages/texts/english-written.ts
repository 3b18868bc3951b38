import { daysToPay } from '../../../../domain/recovery/formal-notice.ts'
import { type Block, paragraph } from './block.ts'
import { englishAnswers } from './english-answers.ts'
import {
  about,
  action,
  alreadyPaid,
  answer,
  englishLabels,
  payment,
  question,
  sum,
  theInvoices,
  write,
} from './english-blocks.ts'
import { agree, type Notice, type Said, type Template, type Words } from './notice.ts'
import { partyOnOneLine } from './written.ts'

type By = 'email' | 'lrar'

const notPaidYet = (notice: Notice) =>
  paragraph(
    `Unless we are mistaken, ${agree(notice, 'it has', 'they have')} not been paid yet. ${alreadyPaid}`,
  )

const payOrAnswer = (by: By) => (notice: Notice) => [payment(notice), answer(notice, by)]

const reminder = (by: By): Template =>
  write({
    subject: said => `reminder, ${about(said)}`,
    opening: said => `${said.creditor} has asked us to remind you of ${theInvoices(said)}:`,
    ask: notice => [notPaidYet(notice)],
    after: payOrAnswer(by),
    data: 'full',
  })

const sequel = ({ creditor, mayNameCourt }: Notice) =>
  mayNameCourt
    ? `${creditor.name} may bring the matter before the competent court.`
    : `${creditor.name} reserves the right to assert its claim by the means the law gives it.`

const thisOne = (by: By) => (by === 'lrar' ? 'this letter' : 'this message')

// A formal notice without a time limit would be none.
const terms = (notice: Notice, by: By): Block => ({
  kind: 'facts',
  title: `${by === 'lrar' ? 'This letter' : 'This message'} is a formal notice (mise en demeure) to pay:`,
  rows: [
    ['Creditor', partyOnOneLine(notice.creditor)],
    ['Debtor', partyOnOneLine(notice.debtor)],
    ['Principal', sum(notice)],
    ['Time limit', `${notice.payWithinDays ?? daysToPay} days from receipt of ${thisOne(by)}`],
    [
      'Date',
      [notice.creditor.city, englishLabels.date(notice.today)].filter(part => part !== null).join(', '),
    ],
  ],
})

const formalNotice = (by: By): Template =>
  write({
    subject: said => `formal notice (mise en demeure) to pay, ${about(said)}`,
    isSubjectFixed: true,
    opening: said =>
      `Unless we are mistaken, ${said.creditor}, on whose behalf we are writing, has not received payment of ${theInvoices(said)}:`,
    ask: notice => [
      terms(notice, by),
      paragraph(
        `If payment is not made within this time, ${sequel(notice)} If you have already paid, ${thisOne(by)} no longer applies.`,
      ),
    ],
    after: payOrAnswer(by),
    data: 'full',
  })

const notReceived = (said: Said) =>
  `Unless we are mistaken, ${said.creditor} has not received payment of ${theInvoices(said)}:`

export const englishEmails: Words['email'] = {
  email_prise_en_charge: write({
    subject: said => `${about(said)} awaiting payment`,
    opening: said =>
      `We are writing on behalf of ${said.creditor}, who has asked us to follow up ${theInvoices(said)}:`,
    ask: notice => [notPaidYet(notice)],
    after: payOrAnswer('email'),
    data: 'full',
  }),

  relance_email_1: write({
    subject: said => `reminder, ${about(said)}`,
    opening: said => `On behalf of ${said.creditor}, may we remind you of ${theInvoices(said)}:`,
    ask: () => [
      paragraph(`It may simply have been overlooked: please pay as soon as you can. ${alreadyPaid}`),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_2: write({
    subject: said => `payment expected, ${about(said)}`,
    opening: said =>
      `Unless we are mistaken, ${said.creditor} has still not received your payment of ${theInvoices(said)}:`,
    ask: () => [
      paragraph(
        `Please pay without delay or, if something stands in the way, tell us what it is and when you will pay. ${alreadyPaid}`,
      ),
    ],
    after: payOrAnswer('email'),
    data: 'short',
  }),

  relance_email_3: write({
    subject: said => `last reminder, ${about(said)}`,
    opening: notReceived,
    ask: () => [
      paragraph(
        `This is the last reminder before a possible formal notice (mise en demeure); it is not one itself. ${alreadyPaid}`,
      ),
    ],
    after: notice => [
      paragraph(
        `You cannot pay everything at once? Payment in instalments is possible: propose amounts and dates by replying to this message, and ${notice.creditor.name} will answer you.`,
      ),
      ...payOrAnswer('email')(notice),
    ],
    data: 'short',
  }),

  lrar_mise_en_demeure: formalNotice('email'),

  email_dernier_avis: write({
    subject: said => `last notice, ${about(said)}`,
    opening: notReceived,
    ask: notice => [
      paragraph(
        `This is our last amicable notice. Without payment or an answer from you, ${
          notice.mayNameCourt ? sequel(notice) : `${notice.creditor.name} will decide what to do next.`
        } ${alreadyPaid}`,
      ),
    ],
    after: notice => [
      paragraph('A solution is still possible: instalments, a date, an explanation.'),
      ...payOrAnswer('email')(notice),
    ],
    data: 'short',
  }),

  // It asks for nothing, so it neither says "owed" nor how to pay.
  closing_notice: write({
    subject: said => `end of our follow-up, ${about(said)}`,
    opening: said =>
      `On behalf of ${said.creditor}, we were following up the payment of ${theInvoices(said)}:`,
    ask: notice => [
      paragraph(
        `This follow-up is closed. You will receive no further message from us about ${theInvoices(notice)}, and this one asks nothing of you.`,
      ),
    ],
    link: notice => ({
      ...action(notice),
      lead: 'By this link you can see the file again at any time.',
      label: 'See the file',
    }),
    after: notice => [question(notice)],
    data: 'short',
    labels: { ...englishLabels, owed: 'Balance' },
  }),

  extra_message: reminder('email'),
  ...englishAnswers,
}

export const englishLetters: Words['lrar'] = {
  lrar_mise_en_demeure: formalNotice('lrar'),
  extra_message: reminder('lrar'),
}
