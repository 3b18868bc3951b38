import { daysBetween, type LocalDate } from '../time.ts'

/** An open invoice, as a statement of account lists it. */
export interface OpenInvoice {
  readonly number: string
  readonly issueDate: LocalDate
  readonly dueDate: LocalDate
  readonly currency: string
  readonly amountCents: number
  /** Payments and credit notes. */
  readonly paidCents: number
  readonly balanceCents: number
  readonly isDisputed: boolean
  readonly limitationEndsOn: LocalDate
}

/** `disputed`: it is open, and not asked for before the dispute is decided. */
export type AccountStanding = 'due' | 'not_due' | 'disputed'

export interface AccountLine extends OpenInvoice {
  readonly standing: AccountStanding
  /** Zero unless it is due. */
  readonly daysLate: number
}

interface AccountSums {
  readonly currency: string
  readonly dueCents: number
  readonly notDueCents: number
  readonly disputedCents: number
}

export interface AccountStatement {
  readonly on: LocalDate
  readonly lines: readonly AccountLine[]
  /** In the order of their first invoice. */
  readonly sums: readonly AccountSums[]
  /** Open invoices that the list has no room for; the sums are without them. */
  readonly leftOut: number
}

function standingOf({ isDisputed, dueDate }: OpenInvoice, today: LocalDate): AccountStanding {
  if (isDisputed) return 'disputed'
  return dueDate < today ? 'due' : 'not_due'
}

/** A consumer is not reminded of what is time-barred: it is not in the list. */
export function accountStatementOf(
  invoices: readonly OpenInvoice[],
  { on, isConsumer, leftOut }: { on: LocalDate; isConsumer: boolean; leftOut: number },
): AccountStatement {
  const lines = invoices
    .filter(({ limitationEndsOn }) => !isConsumer || on <= limitationEndsOn)
    .map(invoice => {
      const standing = standingOf(invoice, on)
      const daysLate = standing === 'due' ? daysBetween(invoice.dueDate, on) : 0
      return { ...invoice, standing, daysLate }
    })
  const sumOf = (currency: string, standing: AccountStanding) =>
    lines.reduce(
      (sum, line) =>
        line.currency === currency && line.standing === standing ? sum + line.balanceCents : sum,
      0,
    )
  const sums = [...new Set(lines.map(({ currency }) => currency))].map(currency => ({
    currency,
    dueCents: sumOf(currency, 'due'),
    notDueCents: sumOf(currency, 'not_due'),
    disputedCents: sumOf(currency, 'disputed'),
  }))
  return { on, lines, sums, leftOut }
}
