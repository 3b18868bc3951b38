import { type Block, paragraph } from './block.ts'
import { hardship } from './hardship.ts'
import type { Labels } from './labels.ts'
import type { StatementTexts } from './late-payment-statement.ts'
import { ibanInGroups } from './layout.ts'
import {
  amountToPay,
  type Counted,
  type MessageContent,
  referencesOf,
  singularOrPlural,
  type TemplateValues,
  transferReference,
} from './message-content.ts'
import {
  type By,
  letterRows,
  mediatorRows,
  partyLines,
  partyOnOneLine,
  purposeRows,
  shownTelephone,
  templateWriter,
} from './template-writer.ts'

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
  nothingAsked: 'No payment is asked of you for this invoice.',
  billedTo: 'Addressed to',
  issuedOn: 'Issued on',
  overdueSince: 'Due on',
  dueOn: 'Due on',
  toPay: day => (day === null ? 'To pay' : `To pay on ${day}`),
  balance: 'Still owed',
  accessories: 'Interest and compensation',
  indemnity: 'Fixed compensation',
  interest: 'Late-payment interest',
  total: 'Total to pay:',
  line: label => `${label}:`,
  several: {
    count: 'Invoices',
    billedTo: 'Addressed to',
    firstDueOn: 'First due on',
    list: 'In detail:',
    annexed: count => `All ${count} invoices are in the annex at the end, each with its sum.`,
    annex: count => `Annex: the ${count} invoices`,
  },
  account: {
    title: day => `Statement of account on ${day}:`,
    standing: 'Status',
    amount: 'Amount',
    paid: 'Paid',
    open: 'Balance',
    late: days => `${days} ${days === 1 ? 'day' : 'days'} late`,
    notDue: 'Not due yet',
    disputed: 'Disputed, not asked for',
    due: 'Total due:',
    notDueYet: 'Total not due yet:',
    disputedSum: 'Disputed, not asked for:',
    leftOut: (count, day) =>
      count === 1
        ? `One more invoice, due on ${day} or later, is not in this statement.`
        : `${count} more invoices, due on ${day} or later, are not in this statement.`,
    note: 'Paid includes credit notes. This statement shows only what is still owed of the invoices themselves.',
  },
  alsoOpen: count =>
    count === 1
      ? 'For information, this other invoice is open. It is not claimed here:'
      : 'For information, other invoices are open, these among them. They are not claimed here:',
}

const statementTexts: StatementTexts = {
  title: on => `How the sum of ${on} is made up`,
  principal: 'Principal',
  indemnity: count =>
    count === 1
      ? 'Fixed compensation for recovery costs'
      : `Fixed compensation for recovery costs, ${count} × €40`,
  interest: { business: 'Late-payment penalties', public_body: 'Late-payment interest' },
  total: 'Total',
  basis: {
    business: {
      indemnity: 'French Commercial Code, art. D441-5',
      interest: 'French Commercial Code, art. L441-10, II',
    },
    public_body: {
      indemnity: 'French Public Procurement Code, art. D2192-35',
      interest: 'French Public Procurement Code, art. L2192-13 and R2192-31',
    },
  },
  period: ({ rate, days, from, to, base }) =>
    `Interest at ${rate}% a year, ${days} ${days === 1 ? 'day' : 'days'} from ${from} to ${to}, on ${base}.`,
  rate: ({ rate, from, to }) => `Interest at ${rate}% a year, from ${from} to ${to}.`,
  perInvoice: 'The annex says for each invoice what is added to the principal.',
  countedTo: day => `Interest is counted up to ${day}.`,
  uncounted: 'No interest is claimed here for other days.',
  noInterest: 'No interest is counted in this statement.',
  partial: 'This statement covers only some of the invoices. Nothing is added to the others.',
}

const others = (count: number) => (count === 1 ? 'one more' : `${count} more`)
export const references = (content: MessageContent, named: number) =>
  referencesOf(content, 'en', named, others)

/** The values for the placeholders of our texts and of a company's own texts. */
export const englishValues = (content: MessageContent): TemplateValues => ({
  creditor: content.creditor.name,
  debtor: content.debtor.name,
  reference: references(content, 1),
  sum: amountToPay(content, 'en'),
  dueDate: englishLabels.date(content.invoices[0]!.dueDate),
  isSeveral: content.invoices.length > 1,
  isSumForSeveral: content.about?.parts !== undefined,
  isConsumer: content.debtor.isConsumer,
  isAskedForNumber: content.debtor.isAskedForNumber,
  isTimeBarred: content.isTimeBarred ?? false,
  isCollected: content.collector !== null,
  caller: content.collector?.name ?? content.creditor.name,
  following: content.following,
})

export const invoiceSummary = ({ reference, sum, isConsumer }: TemplateValues) =>
  isConsumer ? `invoice ${reference}` : `invoice ${reference}, ${sum}`

export const theInvoices = (counted: Counted) => singularOrPlural(counted, 'this invoice', 'these invoices')

export const justPaid = 'If you have just paid, thank you: there is nothing to do.'

/** The creditor writes "we" in its own name; a collector names the creditor. */
export const weOr = (
  content: Pick<MessageContent, 'creditor' | 'collector'>,
  own: string,
  collected: (creditor: string) => string,
): string => (content.collector === null ? own : collected(content.creditor.name))

export function paymentBlock(content: MessageContent): Block | null {
  const { creditor } = content
  if (creditor.iban === null) return null
  return {
    kind: 'facts',
    title: 'To pay by bank transfer:',
    rows: [
      ['Account holder', creditor.accountHolder],
      ['IBAN', ibanInGroups(creditor.iban)],
      ['Amount', amountToPay(content, 'en')],
      ['Reference', transferReference(content, 'the invoice numbers')],
    ],
  }
}

/** The mediator must be named to a consumer who disputes: L616-1, R616-1 and R616-2 C. conso. */
export const mediatorBlock = ({ creditor, debtor }: MessageContent, isAnswered = false): Block | null =>
  creditor.mediator === null || !debtor.isConsumer
    ? null
    : {
        kind: 'facts',
        title: `${isAnswered ? 'If this answer does not suit you' : 'If the answer does not suit you, or if none comes within two months'}, the consumer mediator is free of charge for you:`,
        rows: mediatorRows(creditor.mediator, { name: 'Name', address: 'Address', website: 'Website' }),
      }

/** In everything that asks a consumer for money. */
export const hardshipBlock = ({ debtor }: MessageContent): Block | null =>
  debtor.isConsumer ? paragraph(`${hardship.en.question} ${hardship.en.help}`) : null

export const linkBlock = (content: MessageContent, by: By = 'email'): Extract<Block, { kind: 'action' }> => ({
  kind: 'action',
  lead: `Pay, ${content.isTimeBarred ? '' : 'pick a date, '}dispute it or tell us ${by === 'lrar' ? 'that this letter isn’t for you' : 'it isn’t for you'}. No account needed.`,
  label: 'Pay or reply',
  link: content.link,
})

const orCall = ({ creditor: { telephone } }: MessageContent) =>
  telephone === null ? '' : ` You can also call ${shownTelephone(telephone)}.`

/** A letter whose reader cannot call has the address in its signature. */
const orWrite = ({ creditor: { telephone } }: MessageContent, by: By) =>
  by === 'lrar' && telephone === null ? ', or write to the address below.' : '.'

/** Only if we receive replies to this message: otherwise the reminders would continue. */
const mayReply = ({ creditor }: MessageContent, by: By) => by === 'email' && creditor.receivesReplies
const howToReply = (content: MessageContent) => {
  const { name, replyEmail } = content.creditor
  return weOr(
    content,
    `reply to this message (${replyEmail}).`,
    () => `reply to this message: your reply goes to ${name} (${replyEmail}).`,
  )
}

export const answerBlock = (content: MessageContent, by: By): Block =>
  paragraph(
    `Do you dispute ${singularOrPlural(content, 'this invoice', 'one of these invoices')}${content.isTimeBarred ? '' : ' or need more time'}? Use the ${by === 'lrar' ? 'code on the first page' : 'link above'}${mayReply(content, by) ? ` or ${howToReply(content)}` : orWrite(content, by)}${orCall(content)}`,
  )

export const questionBlock = (content: MessageContent, by: By = 'email'): Block =>
  mayReply(content, by)
    ? paragraph(`Questions? Just ${howToReply(content)}${orCall(content)}`)
    : by === 'email'
      ? paragraph(`Questions? Write to ${content.creditor.replyEmail}.${orCall(content)}`)
      : content.creditor.telephone === null
        ? paragraph('Questions? Write to us at the address below.')
        : paragraph(`Questions?${orCall(content).replace(' also ', ' ')}`)

const dataNotice = (content: MessageContent): Block => {
  const { name, replyEmail } = content.creditor
  const by = content.collector?.name ?? 'its service provider'
  return {
    kind: 'small',
    title: 'Your data',
    text: `${name} is the controller of your data. It is used to collect ${theInvoices(content)}. ${name} shared it with ${by}, which processes it on its behalf. You can ask to see, correct or erase it. You can object to its use where the law allows. Write to ${replyEmail}, or complain to the data protection authority of your country. The page of your case gives all details: risk score, recipients, how long.`,
  }
}

const dataReminder = ({ creditor }: MessageContent): Block => ({
  kind: 'small',
  title: null,
  text: `Your data and your rights: the page of your case, or ${creditor.replyEmail}.`,
})

export const writeTemplate = templateWriter({
  labels: englishLabels,
  statement: statementTexts,
  salutation: { email: 'Hello,', lrar: 'Dear Sir or Madam,' },
  greeting: /^(hello|hi|dear|good (?:morning|afternoon|evening))\b/i,
  closing: { email: 'Kind regards,', lrar: 'Yours faithfully,' },
  farewell: /^(?:(?:kind|best|warm) regards|regards|yours (?:sincerely|faithfully|truly)|sincerely)\b/i,
  link: linkBlock,
  payment: paymentBlock,
  chorus: content =>
    `Did you receive ${singularOrPlural(content, 'this invoice', 'these invoices')} through Chorus Pro? If a commitment number or a service code is missing, please tell us, so that ${weOr(content, 'we can correct our submission.', creditor => `${creditor} can correct its submission.`)}`,
  mandate: {
    title: 'Amicable recovery:',
    rows: (content, collector) => [
      [
        'Recovery by',
        `${partyOnOneLine(collector)}, whose business is amicable recovery (recouvrement amiable)`,
      ],
      ['For the creditor', partyOnOneLine(content.creditor)],
      ...purposeRows(content, englishLabels),
      ...letterRows(
        collector,
        'Our letter',
        ({ reference, day }) => `${reference} of ${englishLabels.date(day)}`,
      ),
    ],
    source:
      'Article L111-8 of the French Code des procédures civiles d’exécution, second and third paragraphs:',
    inShort: '(In short: costs of recovery without a court order stay with the creditor.)',
  },
  data: { full: dataNotice, short: dataReminder },
  signature: ({ creditor, collector }) => [
    ...(collector ? [...partyLines(collector), `for ${creditor.name}`] : partyLines(creditor)),
    ...(creditor.telephone === null
      ? []
      : [`${collector ? `Telephone of ${creditor.name}` : 'Tel.'} ${shownTelephone(creditor.telephone)}`]),
  ],
  footer: 'Sent with Relance, invoice follow-up software.',
})
