import { add, type Cents, cents, formatMoney } from '../../../domain/money.ts'
import type { LocalDate } from '../../../domain/time.ts'

export type Language = 'fr' | 'en'

export interface NoticeInvoice {
  number: string
  issueDate: LocalDate
  dueDate: LocalDate
  balanceCents: number
  currency: string
}

export interface Notice {
  creditor: { name: string; replyEmail: string; iban: string | null }
  debtor: { name: string }
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
}

export interface Text {
  /** Empty for a text message; for a call, the sentence it opens with. */
  subject: string
  body: string
}

export type Write = (notice: Notice) => Text

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
    | 'extra_message',
    Write
  >
  sms: Record<'sms_reminder' | 'extra_message', Write>
  lrar: Record<'lrar_mise_en_demeure' | 'extra_message', Write>
  voice: Record<'ai_call' | 'ai_call_2' | 'extra_message', Write>
}

export const countOf = ({ invoices, further }: Notice): number =>
  further.reduce((count, more) => count + more.count, invoices.length)

const lists = {
  fr: new Intl.ListFormat('fr', { type: 'conjunction' }),
  en: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
}

/** One sum per currency: euros and francs do not add up. */
export function sumsOf({ invoices, further }: Notice, language: Language): string[] {
  const sums = new Map<string, Cents>()
  for (const { balanceCents, currency } of [...invoices, ...further])
    sums.set(currency, add(sums.get(currency) ?? cents(0), cents(balanceCents)))
  return [...sums].map(([currency, sum]) => formatMoney(sum, currency, language))
}

export const sumOf = (notice: Notice, language: Language): string =>
  lists[language].format(sumsOf(notice, language))

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
