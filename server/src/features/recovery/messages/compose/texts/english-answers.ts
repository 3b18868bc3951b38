import type { PaymentInstrument, PaymentMethod } from '../../../../../domain/money/payment-state.ts'
import type { Answer } from '../../../../../domain/recovery/cascade.ts'
import { type Block, paragraph, type Row } from './block.ts'
import {
  englishLabels,
  linkBlock,
  mediatorBlock,
  paymentBlock,
  questionBlock,
  weOr,
  writeTemplate,
} from './english-blocks.ts'
import { accessoriesSum, answerSum, appliedParts, owedSum, partsTable, promisedRows } from './layout.ts'
import {
  type AnswerFacts,
  amountToPay,
  isReceipt,
  type LanguageTexts,
  type MessageContent,
  type ReceiptFacts,
  stillOwed,
  type Template,
} from './message-content.ts'
import type { By } from './template-writer.ts'

const labels = { ...englishLabels, toPay: () => 'Still to pay' }

/** An answer asks for nothing; its link only leads to the page of the file. */
const fileLinkBlock = (content: MessageContent) => ({
  ...linkBlock(content),
  lead: 'You can see the details again online.',
  label: 'View details',
})

/** What follows a decision that leaves something to pay: other reasons may still hold the reminders. */
const remindersAgain = 'The reminders may start again.'

const day = ({ on }: AnswerFacts) => (on === undefined ? '' : englishLabels.date(on))

/** Past the time bar and in proceedings nothing is asked any more, so no sum is named. */
function resolvedTooLate(
  content: MessageContent,
  outcome: NonNullable<AnswerFacts['outcome']>,
  reason: readonly string[],
): string[] {
  switch (outcome) {
    case 'rejected':
      return ['Your dispute was not accepted.', ...reason]
    case 'partly':
      return [`Your dispute is accepted for ${answerSum(content.about!, content, 'en')}.`, ...reason]
    case 'upheld':
      return ['Your dispute is accepted. The reminders of this invoice have stopped.']
    case 'resumed':
      return ['The reminders of this invoice had stopped after your dispute.']
  }
}

function resolved(content: MessageContent): string[] {
  const outcome = content.about?.outcome ?? 'rejected'
  const answer = content.about?.answer
  const reason = answer === undefined ? [] : [`Reason: ${answer}`]
  if (content.isNothingAsked) return resolvedTooLate(content, outcome, reason)
  switch (outcome) {
    case 'rejected':
      return [
        weOr(content, 'We maintain the invoice.', creditor => `${creditor} maintains the invoice.`),
        ...reason,
        remindersAgain,
      ]
    case 'partly': {
      const isOpen = content.invoices[0]!.balanceCents > 0
      const left = isOpen
        ? `${amountToPay(content, 'en')} is still to be paid.`
        : 'Nothing is left to be paid.'
      return [
        `Your dispute is accepted for ${answerSum(content.about!, content, 'en')}. ${left}`,
        ...reason,
        ...(isOpen ? [remindersAgain] : []),
      ]
    }
    case 'upheld':
      return ['Your dispute is accepted. The reminders of this invoice have stopped.']
    case 'resumed':
      return [
        `The reminders of this invoice had stopped after your dispute. The invoice is claimed from you again: ${amountToPay(content, 'en')} is still to be paid.`,
        'If you do not agree, say so on the page of your case.',
      ]
  }
}

/** A promise on several invoices names them. */
const isSeveral = ({ about }: MessageContent) => about?.numbers !== undefined

/** Nothing is asked of somebody who was right. */
const answerHeadline = ({ about }: MessageContent): Row | undefined =>
  about?.outcome === 'upheld' ? ['Your dispute', 'accepted'] : undefined

const common = { link: fileLinkBlock, data: 'short', labels } as const

const means: Record<PaymentMethod | PaymentInstrument, string> = {
  cheque: 'cheque',
  card: 'card',
  bank_transfer: 'bank transfer',
  sepa_debit: 'direct debit',
  payment_link: 'online payment',
}

/** The receipt of a collector: art. R124-6 C. pr. civ. d'exécution. */
const fullReceipt = (about: AnswerFacts & ReceiptFacts, content: MessageContent): Block[] =>
  [
    paragraph(
      `Receipt. Received on ${day(about)}: ${answerSum(about, content, 'en')}, by ${means[about.instrument ?? about.method]}. Applied to: ${appliedParts(about, content, 'en', { principal: 'principal', indemnity: 'compensation', interest: 'interest', overpaid: 'overpaid' })}.${content.isNothingAsked ? '' : ` Still owed: ${owedSum(about, content, 'en')}.`}`,
    ),
    partsTable(about, content, 'en', {
      title: 'Your payment, by invoice:',
      row: (sum, owed) => (owed === null ? `${sum}, settled in full` : `${sum}, still owed: ${owed}`),
    }),
    ...(about.owedCents > 0
      ? []
      : [
          paragraph(
            about.parts
              ? 'Nothing is owed for these invoices any more, and you will not be reminded of them again.'
              : 'Nothing is owed for this invoice any more, and you will not be reminded of it again.',
          ),
        ]),
  ].filter(block => block !== null)

const receiptIs: Record<By, string> = {
  email: 'This message is your receipt',
  lrar: 'This letter is your receipt',
}

const plainReceipt = (content: MessageContent, by: By): Block =>
  paragraph(
    content.isNothingAsked
      ? `${receiptIs[by]}.`
      : content.invoices[0]!.balanceCents > 0
        ? `${receiptIs[by]}. ${amountToPay(content, 'en')} is still to be paid.`
        : (content.invoices[0]!.accessoriesCents ?? 0) > 0
          ? `${receiptIs[by]}. The invoice is paid. The fixed compensation and the late-payment interest are still claimed: ${accessoriesSum(content, 'en')}.`
          : `${receiptIs[by]}. Nothing is owed for this invoice any more, and you will not be reminded of it again.`,
  )

/** On paper it goes to a debtor of a collector who gets no emails. */
export const paymentReceipt = (by: By): Template =>
  writeTemplate({
    ...common,
    by,
    subject: values =>
      `${values.isCollected ? 'receipt for your payment' : 'your payment has arrived'}, invoice ${values.reference}${values.isSumForSeveral ? ' and others' : ''}`,
    opening: values =>
      `Thank you. ${values.isCollected ? `${values.creditor} has` : 'We have'} received your payment for ${values.isSumForSeveral ? 'several invoices, among them' : 'this invoice'}:`,
    headline: content =>
      content.about
        ? [
            `${content.collector ? 'Payment' : 'Online payment'} received on ${day(content.about)}`,
            `${answerSum(content.about, content, 'en')} paid`,
          ]
        : undefined,
    ask: content => [
      ...(isReceipt(content.about) ? fullReceipt(content.about, content) : [plainReceipt(content, by)]),
      stillOwed(content) > 0 ? paymentBlock(content) : null,
    ],
    after: content => [questionBlock(content, by)],
  })

export const englishAnswers: Pick<LanguageTexts['email'], Answer> = {
  payment_receipt: paymentReceipt('email'),

  promise_confirmed: writeTemplate({
    ...common,
    subject: values => `payment planned, invoice ${values.reference}`,
    opening: () => 'Noted: you plan a payment.',
    ask: content => [
      content.about && {
        kind: 'facts',
        title: 'What you told us:',
        rows: [
          ['Payment planned on', day(content.about)],
          ...promisedRows(content.about, content, labels, { sum: 'Amount', invoices: 'Invoices' }),
        ],
      },
      paragraph(
        `Until then you won’t be reminded of ${isSeveral(content) ? 'these invoices' : 'this invoice'}. If that day no longer suits you, the page of your case says how to change it.`,
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  dispute_received: writeTemplate({
    ...common,
    // What is disputed is not asked for.
    labels: { ...labels, balanceOnly: 'Balance of the invoice' },
    subject: values => `your dispute has been received, invoice ${values.reference}`,
    opening: values =>
      `${values.isCollected ? `${values.creditor} has` : 'We have'} received your dispute. Reminders have stopped for this invoice:`,
    ask: content => [
      paragraph(
        `${weOr(content, 'Our decision', creditor => `The decision of ${creditor}`)} will be shown on the page of your case and emailed to you. Until then there is nothing you have to do.`,
      ),
    ],
    after: content => [mediatorBlock(content), questionBlock(content)],
  }),

  dispute_resolved: writeTemplate({
    ...common,
    subject: values => `answer to your dispute, invoice ${values.reference}`,
    opening: values =>
      `${values.isCollected ? `${values.creditor} has` : 'We have'} looked into your dispute of the following invoice:`,
    headline: answerHeadline,
    ask: content => resolved(content).map(paragraph),
    after: content => [
      content.about?.outcome === 'upheld' ? null : mediatorBlock(content, true),
      questionBlock(content),
    ],
  }),

  situation_checked: writeTemplate({
    ...common,
    subject: values => `answer to what you reported, invoice ${values.reference}`,
    opening: values =>
      values.isCollected
        ? `${values.creditor} has checked what you reported about the following invoice:`
        : `We have checked what you reported about the following invoice:`,
    ask: ({ creditor, isNothingAsked }) => [
      paragraph(
        `It could not be confirmed${isNothingAsked ? '' : ', and the reminders may start again'}. If that is a mistake, report it again on the page of your case or send a document to ${creditor.replyEmail}.${isNothingAsked ? '' : ' A new report stops the reminders.'}`,
      ),
    ],
    after: content => [mediatorBlock(content, true), questionBlock(content)],
  }),

  reply_answered: writeTemplate({
    ...common,
    // Who wrote may not owe it.
    labels: { ...labels, toPay: () => 'Balance' },
    subject: values => `answer to your message, invoice ${values.reference}`,
    isSubjectFixed: true,
    opening: values =>
      `${values.isCollected ? `${values.creditor} answers` : 'We answer'} your message about the following invoice:`,
    ask: content => (content.written?.paragraphs ?? []).map(paragraph),
    after: content => [mediatorBlock(content, true), questionBlock(content)],
  }),
}
