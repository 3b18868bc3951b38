import { daysToPay } from '../../../domain/formal-notice.ts'
import {
  about,
  agree,
  alreadyPaid,
  answer,
  englishLabels,
  payment,
  question,
  sum,
  theInvoices,
  write,
} from './english-blocks.ts'
import type { Notice, Text, Words } from './notice.ts'

const reminder = (notice: Notice, by: 'email' | 'lrar'): Text =>
  write(notice, {
    subject: `reminder, ${about(notice)}`,
    before: `${notice.creditor.name} has asked us to remind you of ${theInvoices(notice)}:`,
    after: [
      `Unless we are mistaken, ${agree(notice, 'it has', 'they have')} not been paid yet. ${alreadyPaid}`,
      payment(notice),
      answer(notice, by),
    ],
    data: 'full',
  })

const sequel = ({ creditor, mayNameCourt }: Notice) =>
  mayNameCourt
    ? `${creditor.name} may bring the matter before the competent court.`
    : `${creditor.name} reserves the right to assert its claim by the means the law gives it.`

function formalNotice(notice: Notice, by: 'email' | 'lrar'): Text {
  const { creditor, debtor } = notice
  const thisOne = by === 'lrar' ? 'this letter' : 'this message'
  // A formal notice without a time limit would be none.
  const days = notice.payWithinDays ?? daysToPay
  return write(notice, {
    subject: `formal notice (mise en demeure) to pay, ${about(notice)}`,
    before: `Unless we are mistaken, ${creditor.name}, on whose behalf we are writing, has not received payment of ${theInvoices(notice)}:`,
    after: [
      `${by === 'lrar' ? 'This letter' : 'This message'} is a formal notice (mise en demeure) to pay:

  Creditor     ${creditor.name}
  Debtor       ${debtor.name}
  Principal    ${sum(notice)}
  Time limit   ${days} days from receipt of ${thisOne}`,
      payment(notice),
      `If payment is not made within this time, ${sequel(notice)} If you have already paid, ${thisOne} no longer applies.`,
      answer(notice, by),
    ],
    data: 'full',
  })
}

export const englishEmails: Words['email'] = {
  email_prise_en_charge: notice =>
    write(notice, {
      subject: `${about(notice)} awaiting payment`,
      before: `We are writing on behalf of ${notice.creditor.name}, who has asked us to follow up ${theInvoices(notice)}:`,
      after: [
        `Unless we are mistaken, ${agree(notice, 'it has', 'they have')} not been paid yet. ${alreadyPaid}`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'full',
    }),

  relance_email_1: notice =>
    write(notice, {
      subject: `reminder, ${about(notice)}`,
      before: `On behalf of ${notice.creditor.name}, may we remind you of ${theInvoices(notice)}:`,
      after: [
        `It may simply have been overlooked: please pay as soon as you can. ${alreadyPaid}`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  relance_email_2: notice =>
    write(notice, {
      subject: `payment expected, ${about(notice)}`,
      before: `Unless we are mistaken, ${notice.creditor.name} has still not received your payment. This is the statement of what is owed:`,
      after: [
        `Please pay ${theInvoices(notice)} without delay or, if something stands in the way, tell us what it is and when you will pay. ${alreadyPaid}`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  relance_email_3: notice =>
    write(notice, {
      subject: `last reminder, ${about(notice)}`,
      before: `Unless we are mistaken, ${notice.creditor.name} has not received payment of ${theInvoices(notice)}:`,
      after: [
        `This is the last reminder before a possible formal notice (mise en demeure); it is not one itself. ${alreadyPaid}`,
        `You cannot pay everything at once? Payment in instalments is possible: propose amounts and dates by replying to this message, and ${notice.creditor.name} will answer you.`,
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  lrar_mise_en_demeure: notice => formalNotice(notice, 'email'),

  email_dernier_avis: notice =>
    write(notice, {
      subject: `last notice, ${about(notice)}`,
      before: `Unless we are mistaken, ${notice.creditor.name} has not received payment of ${theInvoices(notice)}:`,
      after: [
        `This is our last amicable notice. Without payment or an answer from you, ${
          notice.mayNameCourt ? sequel(notice) : `${notice.creditor.name} will decide what to do next.`
        } ${alreadyPaid}`,
        'A solution is still possible: instalments, a date, an explanation.',
        payment(notice),
        answer(notice, 'email'),
      ],
      data: 'short',
    }),

  // It asks for nothing, so it neither says "owed" nor how to pay.
  closing_notice: notice =>
    write(notice, {
      subject: `end of our follow-up, ${about(notice)}`,
      before: `On behalf of ${notice.creditor.name}, we were following up the payment of ${theInvoices(notice)}:`,
      after: [
        `This follow-up is closed. You will receive no further message from us about ${theInvoices(notice)}, and this one asks nothing of you.`,
        question(notice),
      ],
      data: 'short',
      labels: { ...englishLabels, owed: 'Balance' },
    }),

  extra_message: notice => reminder(notice, 'email'),
}

export const englishLetters: Words['lrar'] = {
  lrar_mise_en_demeure: notice => formalNotice(notice, 'lrar'),
  extra_message: notice => reminder(notice, 'lrar'),
}
