import { type Block, paragraph } from './block.ts'
import { ibanInGroups, type Labels } from './layout.ts'
import {
  agree,
  type Counted,
  countOf,
  type Notice,
  referencesOf,
  type Said,
  sumOf,
  toPay,
  transferReference,
} from './notice.ts'
import type { StatementWords } from './statement.ts'
import { partyOnOneLine, writer } from './written.ts'

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

const statementWords: StatementWords = {
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
  notBeyond: 'No interest is claimed here for the days after.',
  noInterest: 'No interest is counted in this statement.',
  partial: 'This statement covers only the overdue invoices in euros that are named above.',
}

const others = (count: number) => (count === 1 ? 'one more' : `${count} more`)
export const references = (notice: Notice, named: number) => referencesOf(notice, 'en', named, others)
export const sum = (notice: Notice) => sumOf(notice, 'en')

/** What a company's own words are filled with, and ours. */
export const saidInEnglish = (notice: Notice): Said => ({
  creditor: notice.creditor.name,
  debtor: notice.debtor.name,
  reference: references(notice, 1),
  sum: sum(notice),
  dueDate: englishLabels.date(notice.invoices[0]!.dueDate),
  isSeveral: countOf(notice) > 1,
})

export const about = ({ reference, sum: owed }: Said) => `invoice ${reference}, ${owed}`

export const theInvoices = (of: Counted) => agree(of, 'this invoice', 'these invoices')

export const alreadyPaid = 'If your payment is already on its way, please disregard this message.'

export function payment(notice: Notice): Block | null {
  const { creditor } = notice
  if (creditor.iban === null) return null
  return {
    kind: 'facts',
    title: 'To pay by bank transfer:',
    rows: [
      ['Beneficiary', creditor.name],
      ['IBAN', ibanInGroups(creditor.iban)],
      ['Amount', toPay(notice, 'en')],
      ['Reference', transferReference(notice, 'the invoice numbers')],
    ],
  }
}

export const action = (notice: Notice): Extract<Block, { kind: 'action' }> => ({
  kind: 'action',
  lead: 'By this link, without an account, you can pay, propose a date, dispute, or say that you are not the right person.',
  label: 'Pay or answer',
  orCopy: 'Or copy this address into your browser:',
  link: notice.link,
})

type By = 'email' | 'lrar'

const reach = ({ creditor }: Notice, by: By) =>
  by === 'email'
    ? `reply to this message: your answer goes straight to ${creditor.name} (${creditor.replyEmail}).`
    : `write to ${creditor.name}: ${creditor.replyEmail}.`

export const answer = (notice: Notice, by: By): Block =>
  paragraph(
    `Do you dispute ${agree(notice, 'this invoice', 'one of these invoices')}, need more time, or are you not the right person? You can say so by the link above, or ${reach(notice, by)}`,
  )

export const question = (notice: Notice): Block =>
  paragraph(`Any question? You can ${reach(notice, 'email')}`)

const dataNotice = (notice: Notice): Block => {
  const { name, replyEmail } = notice.creditor
  const by = notice.collector?.name ?? 'Relance'
  return {
    kind: 'small',
    title: 'Your data',
    text: `${name} is the controller of your data; ${by} acts on its behalf. They come from ${name} and serve only the recovery of ${theInvoices(notice)}. You may see, correct or erase them, or object to their use, by writing to ${replyEmail}, and complain to the data protection authority of your country.`,
  }
}

const dataReminder = ({ creditor }: Notice): Block => ({
  kind: 'small',
  title: null,
  text: `Your data: to see, correct or erase them, or object to their use, write to ${creditor.replyEmail}.`,
})

export const write = writer({
  labels: englishLabels,
  statement: statementWords,
  link: action,
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
