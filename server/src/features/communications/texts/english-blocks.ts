import { alsoOpenBlock, ibanInGroups, invoiceBlock, type Labels, page } from './layout.ts'
import { countOf, type Notice, referencesOf, sumOf, type Text } from './notice.ts'

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
  total: sum => `Total: ${sum}`,
  furtherInvoices: (count, sum) =>
    count === 1 ? `and one more, ${sum}` : `and ${count} more, ${sum} in all`,
  alsoOpen: count =>
    count === 1
      ? 'For information, one more invoice is open; this message is not about it:'
      : `For information, ${count} more invoices are open; this message is not about them:`,
}

export const agree = (notice: Notice, one: string, several: string) => (countOf(notice) > 1 ? several : one)

const others = (count: number) => (count === 1 ? 'one more' : `${count} more`)
export const references = (notice: Notice, named: number) => referencesOf(notice, 'en', named, others)
export const sum = (notice: Notice) => sumOf(notice, 'en')

export const about = (notice: Notice) => `invoice ${references(notice, 1)}, ${sum(notice)}`

export const theInvoices = (notice: Notice) => agree(notice, 'this invoice', 'these invoices')

export const alreadyPaid = 'If your payment is already on its way, please disregard this message.'

export function payment(notice: Notice): string | null {
  const { creditor, invoices } = notice
  if (creditor.iban === null) return null
  const reference = agree(notice, `the reference ${invoices[0]?.number}`, 'the invoice numbers')
  return `To pay: bank transfer to ${creditor.name}, IBAN ${ibanInGroups(creditor.iban)}, quoting ${reference}.`
}

type By = 'email' | 'lrar'

const reach = ({ creditor }: Notice, by: By) =>
  by === 'email'
    ? `Reply to this message: your answer goes straight to ${creditor.name} (${creditor.replyEmail}).`
    : `Write to ${creditor.name}: ${creditor.replyEmail}.`

export const answer = (notice: Notice, by: By) =>
  `Do you dispute ${agree(notice, 'this invoice', 'one of these invoices')}, need more time, or are you not the right person? ${reach(notice, by)}`

export const question = (notice: Notice) => `Any question? ${reach(notice, 'email')}`

const dataNotice = (notice: Notice) => {
  const { name, replyEmail } = notice.creditor
  return `Your data
${name} is the controller of your data; Relance acts on its behalf. They come from ${name} and serve only the recovery of ${theInvoices(notice)}. You may see, correct or erase them, or object to their use, by writing to ${replyEmail}, and complain to the data protection authority of your country.`
}

const dataReminder = ({ creditor }: Notice) =>
  `Your data: to see, correct or erase them, or object to their use, write to ${creditor.replyEmail}.`

interface Letter {
  subject: string
  before: string
  after: readonly (string | null)[]
  /** In full where the message may be the first that is read. */
  data: 'full' | 'short'
  labels?: Labels
}

export const write = (
  notice: Notice,
  { subject, before, after, data, labels = englishLabels }: Letter,
): Text => ({
  subject: `${notice.creditor.name}: ${subject}`,
  body: page(
    `${notice.debtor.name},`,
    before,
    invoiceBlock(notice, labels),
    ...after,
    alsoOpenBlock(notice, englishLabels),
    data === 'full' ? dataNotice(notice) : dataReminder(notice),
    `Relance, for ${notice.creditor.name}`,
  ),
})
