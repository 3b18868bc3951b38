import { type Block, paragraph } from './block.ts'
import type { StatementTexts } from './late-payment-statement.ts'
import { ibanInGroups, type Labels } from './layout.ts'
import {
  amountToPay,
  type Counted,
  invoiceCountOf,
  type MessageContent,
  referencesOf,
  singularOrPlural,
  sumOf,
  type TemplateValues,
  transferReference,
} from './message-content.ts'
import { partyOnOneLine, templateWriter } from './template-writer.ts'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const englishLabels: Labels = {
  language: 'en',
  date: date => {
    const [year, month, day] = date.split('-').map(Number)
    return `${day} ${months[month! - 1]} ${year}`
  },
  invoice: 'Invoice',
  issuedOn: 'Issued on',
  overdueSince: 'Due on',
  dueOn: 'Due on',
  owed: 'Still owed',
  owedBefore: 'Still owed, before interest and compensation',
  total: sum => `Total: ${sum}`,
  totalBefore: sum => `Total, before interest and compensation: ${sum}`,
  furtherInvoices: (count, sum) =>
    count === 1 ? `and one more, ${sum}` : `and ${count} more, ${sum} in all`,
  alsoOpen: count =>
    count === 1
      ? 'For information, one more invoice is open; this message is not about it:'
      : `For information, ${count} more invoices are open; this message is not about them:`,
}

const statementTexts: StatementTexts = {
  title: on => `What is owed on ${on}`,
  principal: 'Principal',
  indemnity: count =>
    count === 1
      ? 'Fixed compensation for recovery costs'
      : `Fixed compensation for recovery costs, ${count} × €40`,
  interest: 'Late-payment interest',
  total: 'Total',
  basis: {
    business: {
      indemnity: 'French Commercial Code, art. D441-5',
      interest: 'French Commercial Code, art. L441-10',
    },
    public_body: {
      indemnity: 'French Public Procurement Code, art. D2192-35',
      interest: 'French Public Procurement Code, art. R2192-31',
    },
  },
  period: ({ rate, days, from, to, base }) =>
    `Interest at ${rate}% a year, ${days} ${days === 1 ? 'day' : 'days'} from ${from} to ${to}, on ${base}.`,
  countedTo: day => `Interest is counted up to ${day}.`,
  noLaterInterest: 'No interest is claimed here for the days after.',
  noInterest: 'No interest is counted in this statement.',
  partial: 'This statement covers only the overdue invoices in euros that are named above.',
}

const others = (count: number) => (count === 1 ? 'one more' : `${count} more`)
export const references = (content: MessageContent, named: number) =>
  referencesOf(content, 'en', named, others)
export const sum = (content: MessageContent) => sumOf(content, 'en')

/** The values for the placeholders of our texts and of a company's own texts. */
export const englishValues = (content: MessageContent): TemplateValues => ({
  creditor: content.creditor.name,
  debtor: content.debtor.name,
  reference: references(content, 1),
  sum: sum(content),
  dueDate: englishLabels.date(content.invoices[0]!.dueDate),
  isSeveral: invoiceCountOf(content) > 1,
})

export const invoiceSummary = ({ reference, sum: owed }: TemplateValues) => `invoice ${reference}, ${owed}`

export const theInvoices = (counted: Counted) => singularOrPlural(counted, 'this invoice', 'these invoices')

export const alreadyPaid = 'If your payment is already on its way, please disregard this message.'

export function paymentBlock(content: MessageContent): Block | null {
  const { creditor } = content
  if (creditor.iban === null) return null
  return {
    kind: 'facts',
    title: 'To pay by bank transfer:',
    rows: [
      ['Beneficiary', creditor.accountHolder],
      ['IBAN', ibanInGroups(creditor.iban)],
      ['Amount', amountToPay(content, 'en')],
      ['Reference', transferReference(content, 'the invoice numbers')],
    ],
  }
}

export const linkBlock = (content: MessageContent): Extract<Block, { kind: 'action' }> => ({
  kind: 'action',
  lead: 'By this link, without an account, you can pay, propose a date, dispute, or say that you are not the right person.',
  label: 'Pay or answer',
  orCopy: 'Or copy this address into your browser:',
  link: content.link,
})

type By = 'email' | 'lrar'

/** Only where a reply to this message is heard: elsewhere the reminders would go on. */
const mayReply = ({ creditor }: MessageContent, by: By) => by === 'email' && creditor.hearsReplies
const howToReply = ({ creditor }: MessageContent) =>
  `reply to this message: your answer goes straight to ${creditor.name} (${creditor.replyEmail}).`

export const answerBlock = (content: MessageContent, by: By): Block =>
  paragraph(
    `Do you dispute ${singularOrPlural(content, 'this invoice', 'one of these invoices')}, need more time, or are you not the right person? You can say so by the link above${mayReply(content, by) ? `, or ${howToReply(content)}` : '.'}`,
  )

export const questionBlock = (content: MessageContent): Block | null =>
  mayReply(content, 'email') ? paragraph(`Any question? You can ${howToReply(content)}`) : null

const dataNotice = (content: MessageContent): Block => {
  const { name, replyEmail } = content.creditor
  const by = content.collector?.name ?? 'Relance'
  return {
    kind: 'small',
    title: 'Your data',
    text: `${name} is the controller of your data; ${by} acts on its behalf. They come from ${name} and serve only the recovery of ${theInvoices(content)}. You may see, correct or erase them, or object to their use, by writing to ${replyEmail}, and complain to the data protection authority of your country.`,
  }
}

const dataReminder = ({ creditor }: MessageContent): Block => ({
  kind: 'small',
  title: null,
  text: `Your data: to see, correct or erase them, or object to their use, write to ${creditor.replyEmail}.`,
})

export const writeTemplate = templateWriter({
  labels: englishLabels,
  statement: statementTexts,
  link: linkBlock,
  chorus: content =>
    `Did you receive ${singularOrPlural(content, 'this invoice', 'these invoices')} through Chorus Pro? If a commitment number or a service code is missing, please say so: ${content.creditor.name} can correct the submission.`,
  mandate: {
    title: 'Amicable recovery:',
    rows: ({ creditor }, collector) => [
      ['Amicable recovery by', partyOnOneLine(collector)],
      ['For the creditor', partyOnOneLine(creditor)],
      ['Reference', collector.reference],
      ...(collector.first
        ? [
            [
              'First letter',
              `${collector.first.reference}, of ${englishLabels.date(collector.first.on)}`,
            ] as const,
          ]
        : []),
    ],
    source:
      "Article L111-8 of the French Code des procédures civiles d'exécution, third and fourth paragraphs:",
  },
  data: { full: dataNotice, short: dataReminder },
  signature: (by, creditor) => `${by}, for ${creditor}`,
})
