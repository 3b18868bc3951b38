import { paragraph } from './block.ts'
import { action, englishLabels, question, write } from './english-blocks.ts'
import { answeredSum, promisedRows } from './layout.ts'
import type { Answered, Notice, Words } from './notice.ts'

const labels = { ...englishLabels, owed: 'Still owed' }

/** It asks for nothing: the page is where everything can be seen again. */
const seeAgain = (notice: Notice) => ({
  ...action(notice),
  lead: 'By this link you can see the file again at any time.',
  label: 'See the file',
})

const day = ({ on }: Answered) => (on === undefined ? '' : englishLabels.date(on))

const common = { link: seeAgain, data: 'short', labels } as const

export const englishAnswers: Pick<
  Words['email'],
  'payment_receipt' | 'promise_confirmed' | 'dispute_received'
> = {
  payment_receipt: write({
    ...common,
    subject: said => `your payment has arrived, invoice ${said.reference}`,
    opening: said => `Thank you. ${said.creditor} has received your payment for this invoice:`,
    ask: notice => [
      notice.about && {
        kind: 'facts',
        title: 'Your payment:',
        rows: [
          ['Amount', answeredSum(notice.about, notice, 'en')],
          ['Received on', day(notice.about)],
          ['By', 'Card'],
        ],
      },
      paragraph(
        notice.invoices[0]!.balanceCents > 0
          ? 'This message is your receipt. The balance shown above is still to be paid.'
          : 'This message is your receipt. Nothing is owed for this invoice any more, and you will not be reminded of it again.',
      ),
    ],
    after: notice => [question(notice)],
  }),

  promise_confirmed: write({
    ...common,
    subject: said => `the date you proposed is noted, invoice ${said.reference}`,
    opening: said => `${said.creditor} has noted that you will pay this invoice:`,
    ask: notice => [
      notice.about && {
        kind: 'facts',
        title: 'Your proposal:',
        rows: [
          ['Payment on', day(notice.about)],
          ...promisedRows(notice.about, notice, labels, { sum: 'Amount', invoices: 'Invoices' }),
        ],
      },
      paragraph(
        'Until then you will not be reminded. If that day does not suit you any more, change it on the page of the file.',
      ),
    ],
    after: notice => [question(notice)],
  }),

  dispute_received: write({
    ...common,
    subject: said => `your dispute has been received, invoice ${said.reference}`,
    opening: said => `${said.creditor} has received your dispute. Reminders have stopped for this invoice:`,
    ask: notice => [
      paragraph(
        `${notice.creditor.name} looks into it and will answer you. Until then there is nothing you have to do.`,
      ),
    ],
    after: notice => [question(notice)],
  }),
}
