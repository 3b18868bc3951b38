import { paragraph } from './block.ts'
import { englishLabels, linkBlock, questionBlock, writeTemplate } from './english-blocks.ts'
import { accessoriesSum, answerSum, promisedRows } from './layout.ts'
import type { AnswerFacts, LanguageTexts, MessageContent } from './message-content.ts'

const labels = { ...englishLabels, owed: 'Still owed' }

/** An answer asks for nothing; its link only leads to the page of the file. */
const fileLinkBlock = (content: MessageContent) => ({
  ...linkBlock(content),
  lead: 'By this link you can see the file again at any time.',
  label: 'See the file',
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
    opening: values => `Thank you. ${values.creditor} has received your payment for this invoice:`,
    ask: content => [
      content.about && {
        kind: 'facts',
        title: 'Your payment:',
        rows: [
          ['Amount', answerSum(content.about, content, 'en')],
          ['Received on', day(content.about)],
          ['By', 'Card'],
        ],
      },
      paragraph(
        content.invoices[0]!.balanceCents > 0
          ? 'This message is your receipt. The balance shown above is still to be paid.'
          : (content.invoices[0]!.accessoriesCents ?? 0) > 0
            ? `This message is your receipt. The invoice is paid. The flat sum and the interest for late payment are still claimed: ${accessoriesSum(content, 'en')}.`
            : 'This message is your receipt. Nothing is owed for this invoice any more, and you will not be reminded of it again.',
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  promise_confirmed: writeTemplate({
    ...common,
    subject: values => `the date you proposed is noted, invoice ${values.reference}`,
    opening: values => `${values.creditor} has noted that you will pay this invoice:`,
    ask: content => [
      content.about && {
        kind: 'facts',
        title: 'Your proposal:',
        rows: [
          ['Payment on', day(content.about)],
          ...promisedRows(content.about, content, labels, { sum: 'Amount', invoices: 'Invoices' }),
        ],
      },
      paragraph(
        'Until then you will not be reminded. If that day does not suit you any more, change it on the page of the file.',
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  dispute_received: writeTemplate({
    ...common,
    subject: values => `your dispute has been received, invoice ${values.reference}`,
    opening: values =>
      `${values.creditor} has received your dispute. Reminders have stopped for this invoice:`,
    ask: content => [
      paragraph(
        `${content.creditor.name} looks into it and will answer you. Until then there is nothing you have to do.`,
      ),
    ],
    after: content => [questionBlock(content)],
  }),

  dispute_resolved: writeTemplate({
    ...common,
    subject: values => `answer to your dispute, invoice ${values.reference}`,
    opening: values => `${values.creditor} has looked into your dispute of the following invoice:`,
    ask: content => [paragraph(resolved[content.about?.outcome ?? 'rejected'])],
    after: content => [questionBlock(content)],
  }),
}
