import type { AccountStatement } from '../../../../../domain/money/account-statement.ts'
import { splitClaim } from '../../../../../domain/money/late-payment.ts'
import { formatMoney, sumPerCurrency } from '../../../../../domain/money/money.ts'
import type { PaymentInstrument, PaymentMethod } from '../../../../../domain/money/payment-state.ts'
import type { Answer, Following, RequestedMessage } from '../../../../../domain/recovery/cascade.ts'
import type { LocalDate } from '../../../../../domain/time.ts'
import type { Mediator } from '../../../../access/companies/mediator.ts'
import type { Block } from './block.ts'
import type { Language } from './labels.ts'
import { claimedIn, type LatePaymentStatement } from './late-payment-statement.ts'

export interface MessageInvoice {
  number: string
  /** What it was for, in the words of the creditor; a collector says it. */
  description?: string | null
  issueDate: LocalDate
  dueDate: LocalDate
  balanceCents: number
  /** The 40 € and the interest that are claimed and not paid. */
  accessoriesCents?: number
  /** Everything that was claimed of them, paid or not. */
  claimedCents?: number
  currency: string
}

/** A company's own texts that replace ours; null: our text is used. */
export interface OwnTexts {
  subject: string | null
  opening: string | null
}

/** The collector that recovers on behalf of the creditor: art. R124-4 C. pr. civ. d'exécution. */
export interface Collector {
  name: string
  /** On one line. */
  address: string
  siren: string
  /**
   * The letters with which it began, the one of the lead invoice first; every later contact names each of them. Empty: an answer
   * to somebody who got none.
   */
  letters: readonly CollectorLetter[]
}

/** The reference and the day of a first letter. */
export interface CollectorLetter {
  reference: string
  day: LocalDate
}

/** What was paid, promised or credited, and the day; for a promise on several invoices, their numbers; of a dispute, its outcome. */
export type AnswerFacts = {
  amountCents?: number
  on?: LocalDate
  numbers?: string
  /** How a dispute ended; `resumed`: the reminders go on although it had been upheld. */
  outcome?: 'upheld' | 'rejected' | 'partly' | 'resumed'
  /** Why a dispute was not wholly accepted. */
  answer?: string
  /** Of a closing notice: whether the creditor said that the invoice is still owed. */
  owed?: 'yes' | 'no'
} & Partial<ReceiptFacts>

/** What a collector's receipt says besides, art. R124-6 C. pr. civ. d'exécution: the means, what the sum paid, and what is still owed. */
export interface ReceiptFacts {
  method: PaymentMethod
  instrument?: PaymentInstrument
  /** Where one sum paid several invoices: what each of them got, and still owes. */
  parts?: readonly { number: string; amountCents: number; owedCents: number }[]
  principalCents: number
  indemnityCents: number
  interestCents: number
  overpaidCents: number
  owedCents: number
}

export interface WrittenAnswer {
  paragraphs: readonly string[]
  /** Of the message that was replied to; null: it is not known. */
  subject: string | null
}

/** The words of a person in a message of their own; they may hold the placeholders of a company's texts. */
export interface OwnWords {
  subject: string | null
  paragraphs: readonly string[]
}

export interface MessageContent {
  creditor: {
    name: string
    replyEmail: string
    /** We receive replies to this message, and they stop the reminders: only then does the text ask for a reply. */
    receivesReplies: boolean
    iban: string | null
    /** Whose account it is. */
    accountHolder: string
    /** On one line. */
    address: string | null
    city: string | null
    siren: string | null
    legalForm: string | null
    /** The town of the trade register. */
    rcs: string | null
    /** Who settles disputes with consumers; null: not set. */
    mediator: Mediator | null
    /** E.164. */
    telephone: string | null
  }
  debtor: {
    name: string
    address: string | null
    /** Others may see the screen of a private person: neither a subject nor a text message names a sum. */
    isConsumer: boolean
    /** No postal code is known, so the link of a text message asks for an invoice number: the message names none. */
    isAskedForNumber: boolean
    /** A French public body, which pays what it received through Chorus Pro. */
    usesChorus: boolean
  }
  /** The day it is written, where the creditor is. */
  today: LocalDate
  /** All invoices of this message, 500 at most; the first one is the lead and gives the subject. */
  invoices: readonly MessageInvoice[]
  /** Some of the other open invoices, for information only. */
  alsoOpen: readonly MessageInvoice[]
  /** For a formal notice: the days to pay, from receipt; otherwise null. */
  payWithinDays: number | null
  /** What the cascades of these invoices send after this message. */
  following: Following
  /** The company allows the court to be mentioned. */
  mayNameCourt: boolean
  /** The time bar of every invoice is over: no date of payment can be announced any more. */
  isTimeBarred?: boolean
  /** A time-barred consumer, or proceedings are open: an answer names no sum to pay. */
  isNothingAsked?: boolean
  /** What the law adds for late payment; null where nothing is claimed. */
  statement: LatePaymentStatement | null
  /** An earlier message claimed more than the balances, and this message has no statement. */
  hasEarlierClaim: boolean
  /** Null: the creditor's own reminder. */
  collector: Collector | null
  own: OwnTexts | null
  /** The facts of an answer to the debtor; null for other messages. */
  about: AnswerFacts | null
  /** What a person wrote in answer to a reply; null for other messages. */
  written?: WrittenAnswer | null
  /** What a person wrote instead of our own words. */
  words?: OwnWords | null
  /** Of a statement of account: everything that is open. */
  account?: AccountStatement | null
  /** The page where the debtor can pay, promise, dispute or report a wrong person. */
  link: string
}

/** The values that a subject or an opening may contain. */
export interface TemplateValues {
  creditor: string
  debtor: string
  reference: string
  /** All that is to be paid. */
  sum: string
  dueDate: string
  isSeveral: boolean
  /** The receipt of one sum that paid several invoices. */
  isSumForSeveral: boolean
  isConsumer: boolean
  isAskedForNumber: boolean
  isTimeBarred: boolean
  /** A collector writes, not the creditor itself. */
  isCollected: boolean
  /** Who calls: the collector or the creditor. */
  caller: string
  following: Following
}

/** The texts of a step: the subject and the opening, which a company may replace, and the other blocks. */
export interface Template {
  /** Empty for a text message; for a call, the sentence it opens with. */
  subject(values: TemplateValues): string
  opening(values: TemplateValues): string
  blocks(content: MessageContent, opening: string): (Block | null)[]
  /** A company may not replace it. */
  isSubjectFixed?: true
}

/** A message in its language, before it is rendered as HTML, plain text or a letter. */
export interface Text {
  subject: string
  /** The subject without the creditor's name, as a heading. */
  heading: string
  /** The number of the lead invoice. */
  reference: string
  blocks: readonly Block[]
}

/** The texts of one language, by channel and step. */
export interface LanguageTexts {
  email: Record<
    | 'email_prise_en_charge'
    | 'relance_email_1'
    | 'relance_email_2'
    | 'relance_email_3'
    | 'lrar_mise_en_demeure'
    | 'email_dernier_avis'
    | 'closing_notice'
    | Answer
    | RequestedMessage,
    Template
  >
  sms: Record<'sms_reminder' | 'extra_message' | 'written_message', Template>
  lrar: Record<
    | 'payment_receipt'
    | 'email_prise_en_charge'
    | 'relance_email_1'
    | 'relance_email_2'
    | 'relance_email_3'
    | 'lrar_mise_en_demeure'
    | 'email_dernier_avis'
    | 'extra_message',
    Template
  >
  voice: Record<'ai_call' | 'ai_call_2' | 'extra_message', Template>
}

export type Counted = Pick<TemplateValues, 'isSeveral'> | Pick<MessageContent, 'invoices'>

export const singularOrPlural = (counted: Counted, one: string, several: string): string =>
  ('isSeveral' in counted ? counted.isSeveral : counted.invoices.length > 1) ? several : one

const listFormats = {
  fr: new Intl.ListFormat('fr', { type: 'conjunction' }),
  en: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
}

const sumsIn = (language: Language, amounts: readonly { cents: number; currency: string }[]): string[] =>
  sumPerCurrency(amounts).map(({ cents: sum, currency }) => formatMoney(sum, currency, language))

const balancesOf = ({ invoices }: MessageContent) =>
  invoices.map(({ balanceCents, currency }) => ({ cents: balanceCents, currency }))

export const sumsOf = (content: MessageContent, language: Language): string[] =>
  sumsIn(language, balancesOf(content))

/** What the law adds for late payment: claimed by this message, or by an earlier one and not paid yet. */
export const accessoriesOf = (content: MessageContent): number =>
  content.statement === null
    ? content.invoices.reduce((sum, { accessoriesCents = 0 }) => sum + accessoriesCents, 0)
    : claimedIn(content.statement).reduce((sum, { cents: claimed }) => sum + claimed, 0)

/** The 40 € and the interest that an earlier message claimed and that are not paid, apart; the flat sum is paid first. */
export function accessoriesApart({ invoices }: MessageContent): { indemnity: number; interest: number } {
  const all = invoices.reduce((sum, { accessoriesCents = 0 }) => sum + accessoriesCents, 0)
  const interest = invoices.reduce(
    (sum, { accessoriesCents = 0, claimedCents = accessoriesCents }) =>
      sum + Math.min(accessoriesCents, splitClaim(claimedCents).interest),
    0,
  )
  return { indemnity: all - interest, interest }
}

/** The same for each invoice. */
export function accessoriesPerInvoice({ statement, invoices }: MessageContent): number[] {
  if (statement === null) return invoices.map(({ accessoriesCents = 0 }) => accessoriesCents)
  const claimed = claimedIn(statement)
  const perNumber = new Map(statement.invoices.map(({ number }, i) => [number, claimed[i]!.cents]))
  return invoices.map(({ number }) => perNumber.get(number) ?? 0)
}

/** A collector's receipt has more than the sum and the day. */
export const isReceipt = (about: AnswerFacts | null): about is AnswerFacts & ReceiptFacts =>
  about?.method !== undefined

/** What is still to be paid, in whole cents of each currency together: only whether it is zero means anything. */
export const stillOwed = (content: MessageContent): number =>
  content.isNothingAsked
    ? 0
    : balancesOf(content).reduce((sum, { cents: balance }) => sum + balance, accessoriesOf(content))

/** Everything that is to be paid, the same in every place: the balances, and what the law adds to them. */
export const sumsToPay = (content: MessageContent, language: Language): string[] => {
  const accessories = accessoriesOf(content)
  const added = accessories > 0 ? [{ cents: accessories, currency: 'EUR' }] : []
  return sumsIn(language, [...balancesOf(content), ...added])
}
export const amountToPay = (content: MessageContent, language: Language): string =>
  listFormats[language].format(sumsToPay(content, language))

/** Banks accept 140 characters: if they fit, all invoice numbers, as on the debtor's page. */
export function transferReference({ invoices }: MessageContent, otherwise: string): string {
  const all = invoices.map(({ number }) => number).join(' ')
  return invoices.length === 1 || all.length <= 140 ? all : otherwise
}

/** The first references by name, the others by number: `F-1, F-2 et 4 autres`. */
export function referencesOf(
  content: MessageContent,
  language: Language,
  named: number,
  others: (count: number) => string,
): string {
  const names = content.invoices.slice(0, named).map(({ number }) => number)
  const rest = content.invoices.length - names.length
  return listFormats[language].format(rest > 0 ? [...names, others(rest)] : names)
}
