import { formatMoney, sumPerCurrency } from '../../../../domain/money/money.ts'
import type { Answer } from '../../../../domain/recovery/cascade.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { Block } from './block.ts'
import { claimedIn, type Statement } from './statement.ts'

export type Language = 'fr' | 'en'

export interface NoticeInvoice {
  number: string
  issueDate: LocalDate
  dueDate: LocalDate
  balanceCents: number
  currency: string
}

/** Words of a company's own, in place of ours; null where ours stand. */
export interface OwnWords {
  subject: string | null
  opening: string | null
}

/** Who recovers for the creditor on its mandate: art. R124-4 C. pr. civ. d'exécution. */
interface Collector {
  name: string
  address: string
  /** Of this message. */
  reference: string
  /** The first message about this debt, to be named in every later one; null when this is it. */
  first: { reference: string; on: LocalDate } | null
}

/** What was paid, or promised, and the day; of a promise for several invoices their numbers. */
export type Answered = {
  amountCents?: number
  on?: LocalDate
  numbers?: string
}

export interface Notice {
  creditor: {
    name: string
    replyEmail: string
    iban: string | null
    /** On one line. */
    address: string | null
    city: string | null
  }
  debtor: { name: string; address: string | null }
  /** The day it is written, where the creditor is. */
  today: LocalDate
  /** Those whose step this message carries out, at most 20 named; the first decides the subject. */
  invoices: readonly NoticeInvoice[]
  /** Carried out by this message as well but not named: count and sum per currency. */
  further: readonly { count: number; balanceCents: number; currency: string }[]
  /** Also open, for information, not reminded of by this message (at most 20). */
  alsoOpen: readonly NoticeInvoice[]
  /** Formal notice: the days to pay, from receipt; null when it is none. */
  payWithinDays: number | null
  /** The company allows the court to be mentioned. */
  mayNameCourt: boolean
  /** What the law adds for late payment; null where nothing is claimed. */
  statement: Statement | null
  /** An earlier message claimed more than the balances, and this one has no statement. */
  isClaimedBeyond: boolean
  /** Null: the creditor's own reminder. */
  collector: Collector | null
  own: OwnWords | null
  /** What an answer to the debtor speaks of; null when it is none. */
  about: Answered | null
  /** The page where the debtor can pay, promise, dispute or say that it is somebody else. */
  link: string
}

/** What the words of a subject or an opening may speak of. */
export interface Said {
  creditor: string
  debtor: string
  reference: string
  sum: string
  dueDate: string
  isSeveral: boolean
}

/** The words of a step: those a company may replace, and all the others around them. */
export interface Template {
  /** Empty for a text message; for a call, the sentence it opens with. */
  subject(said: Said): string
  opening(said: Said): string
  blocks(notice: Notice, opening: string): (Block | null)[]
  /** A company may not replace it. */
  isSubjectFixed?: true
}

/** A message in its language, before it is put on any kind of paper. */
export interface Text {
  subject: string
  /** The subject without whom it comes from, as a heading. */
  heading: string
  blocks: readonly Block[]
}

/** What each language has words for, by channel and step. */
export interface Words {
  email: Record<
    | 'email_prise_en_charge'
    | 'relance_email_1'
    | 'relance_email_2'
    | 'relance_email_3'
    | 'lrar_mise_en_demeure'
    | 'email_dernier_avis'
    | 'closing_notice'
    | Answer
    | 'extra_message',
    Template
  >
  sms: Record<'sms_reminder' | 'extra_message', Template>
  lrar: Record<'lrar_mise_en_demeure' | 'extra_message', Template>
  voice: Record<'ai_call' | 'ai_call_2' | 'extra_message', Template>
}

export const countOf = ({ invoices, further }: Pick<Notice, 'invoices' | 'further'>): number =>
  further.reduce((count, more) => count + more.count, invoices.length)

export type Counted = Pick<Said, 'isSeveral'> | Pick<Notice, 'invoices' | 'further'>

export const agree = (of: Counted, one: string, several: string): string =>
  ('isSeveral' in of ? of.isSeveral : countOf(of) > 1) ? several : one

const lists = {
  fr: new Intl.ListFormat('fr', { type: 'conjunction' }),
  en: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
}

const sumsIn = (language: Language, amounts: readonly { cents: number; currency: string }[]): string[] =>
  sumPerCurrency(amounts).map(({ cents: sum, currency }) => formatMoney(sum, currency, language))

const balancesOf = ({ invoices, further }: Notice) =>
  [...invoices, ...further].map(({ balanceCents, currency }) => ({ cents: balanceCents, currency }))

export const sumsOf = (notice: Notice, language: Language): string[] => sumsIn(language, balancesOf(notice))

export const sumOf = (notice: Notice, language: Language): string =>
  lists[language].format(sumsOf(notice, language))

/** What settles all of it: the balances, and what the law adds to them. */
export function toPay(notice: Notice, language: Language): string {
  const claims = claimedIn(notice.statement).map(claim => ({ cents: claim.cents, currency: 'EUR' }))
  return lists[language].format(sumsIn(language, [...balancesOf(notice), ...claims]))
}

/** Banks carry 140 characters: what fits names every invoice, as the page does. */
export function transferReference({ invoices, further }: Notice, otherwise: string): string {
  const all = invoices.map(({ number }) => number).join(' ')
  return further.length === 0 && (invoices.length === 1 || all.length <= 140) ? all : otherwise
}

/** The first references by name, the others by number: `F-1, F-2 et 4 autres`. */
export function referencesOf(
  notice: Notice,
  language: Language,
  named: number,
  others: (count: number) => string,
): string {
  const names = notice.invoices.slice(0, named).map(({ number }) => number)
  const rest = countOf(notice) - names.length
  return lists[language].format(rest > 0 ? [...names, others(rest)] : names)
}
