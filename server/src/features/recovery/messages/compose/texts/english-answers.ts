import { paragraph } from './block.ts'
import {
  englishLabels,
  linkBlock,
  mediatorBlock,
  questionBlock,
  weOr,
  writeTemplate,
} from './english-blocks.ts'
import { accessoriesSum, answerSum, promisedRows } from './layout.ts'
import { type AnswerFacts, amountToPay, type LanguageTexts, type MessageContent } from './message-content.ts'

const labels = { ...englishLabels, toPay: () => 'Still to pay' }

/** An answer asks for nothing; its link only leads to the page of the file. */
const fileLinkBlock = (content: MessageContent) => ({
  ...linkBlock(content),
  lead: 'You can see the details again at any time.',
  label: 'View details',
})

const day = ({ on }: AnswerFacts) => (on === undefined ? '' : englishLabels.date(on))

const resolved = {
  rejected: 'Your dispute was not accepted: the invoice stands, and we go on following it.',
  partly: 'Your dispute was accepted in part. We go on following the sum shown above.',
  upheld: 'Your dispute was accepted. The reminders of this invoice stay stopped.',
}

const common = { link: fileLinkBlock, data: 'short', labels } as const

export const englishAnswers: Pick<
  LanguageTexts['email'],
  'payment_receipt' | 'promise_confirmed' | 'dispute_received' | 'dispute_resolved'
> = {
  payment_receipt: writeTemplate({
    ...common,
    subject: values => `your payment has arrived, invoice ${values.reference}`,
    opening: values =>
      `Thank you. ${values.isCollected ? `${values.creditor} has` : 'We have'} received your payment for this invoice:`,
    headline: content =>
      content.about
        ? [
            `Online payment received on ${day(content.about)}`,
            `${answerSum(content.about, content, 'en')} paid`,
          ]
        : undefined,
    ask: content => [
      paragraph(
        content.invoices[0]!.balanceCents > 0
          ? `This message is your receipt. ${amountToPay(content, 'en')} is still to be paid.`
          : (content.invoices[0]!.accessoriesCents ?? 0) > 0
            ? `This message is your receipt. The invoice is paid. The fixed compensation and the late-payment interest are still claimed: ${accessoriesSum(content, 'en')}.`
            : 'This message is your receipt. Nothing is owed for this invoice any more, and you will not be reminded of it again.',
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  promise_confirmed: writeTemplate({
    ...common,
    subject: values => `payment planned, invoice ${values.reference}`,
    opening: () => 'Noted: you plan to pay this invoice.',
    ask: content => [
      content.about && {
        kind: 'facts',
        title: 'Your proposal:',
        rows: [
          ['Payment planned on', day(content.about)],
          ...promisedRows(content.about, content, labels, { sum: 'Amount', invoices: 'Invoices' }),
        ],
      },
      paragraph('We won’t write again before then. If that day no longer suits you, change it on the page.'),
    ],
    after: content => [questionBlock(content)],
  }),

  dispute_received: writeTemplate({
    ...common,
    subject: values => `your dispute has been received, invoice ${values.reference}`,
    opening: values =>
      `${values.isCollected ? `${values.creditor} has` : 'We have'} received your dispute. Reminders have stopped for this invoice:`,
    ask: content => [
      paragraph(
        `${weOr(content, 'We', creditor => creditor)} will look into it and get back to you. Until then there is nothing you have to do.`,
      ),
    ],
    after: content => [mediatorBlock(content), questionBlock(content)],
  }),

  dispute_resolved: writeTemplate({
    ...common,
    subject: values => `answer to your dispute, invoice ${values.reference}`,
    opening: values => `${values.creditor} has looked into your dispute of the following invoice:`,
    ask: content => [paragraph(resolved[content.about?.outcome ?? 'rejected'])],
    after: content => [
      content.about?.outcome === 'upheld' ? null : mediatorBlock(content),
      questionBlock(content),
    ],
  }),
}
