import type { LocalDate } from '../../../../../domain/time.ts'

export type Language = 'fr' | 'en'

/** The words around the facts of a message. */
export interface Labels {
  language: Language
  date: (date: LocalDate) => string
  invoice: string
  billedTo: string
  issuedOn: string
  /** For an invoice known to be overdue. */
  overdueSince: string
  /** For any invoice: those listed for information may not be due yet. */
  dueOn: string
  /** Everything to pay; with the day if the sum still grows. */
  toPay: (day: string | null) => string
  /** The invoices alone, without what the law adds. */
  balance: string
  accessories: string
  /** The two parts of the accessories, each with its sum. */
  indemnity: string
  interest: string
  /** Under a table, next to its sum. */
  total: string
  line: (label: string) => string
  /** Replaces the facts of one invoice if there are several. */
  several: {
    count: string
    billedTo: string
    firstDueOn: string
    list: string
    /** Says where the list is if it is long. */
    annexed: (count: number) => string
    annex: (count: number) => string
  }
  alsoOpen: (count: number) => string
  /** In a message about an invoice of which nothing is asked any more, instead of the sum. */
  nothingAsked: string
  /** A statement of account. */
  account: {
    title: (day: string) => string
    standing: string
    amount: string
    paid: string
    open: string
    late: (days: number) => string
    notDue: string
    disputed: string
    due: string
    notDueYet: string
    disputedSum: string
    /** What the list does not hold; `day`: that of its last invoice. */
    leftOut: (count: number, day: string) => string
    /** What it leaves out of the sums. */
    note: string
  }
  /** In a message that asks for nothing: the label of the balance, which is shown without what the law adds. */
  balanceOnly?: string
}
