import { type Cents, cents } from './money.ts'

/** An invoice that a sum may pay, and what it owes. */
export interface OpenInvoice {
  readonly id: string
  readonly balance: number
  /** What was claimed for late payment, and is not paid. */
  readonly accessories: number
  readonly isDisputed: boolean
}

export interface SplitPart {
  readonly id: string
  readonly cents: Cents
}

/**
 * Splits a sum over invoices, given the oldest due first: the principal of each, then what was claimed for late payment, and only
 * then what the debtor disputes.
 */
export function proposeSplit(
  sum: number,
  invoices: readonly OpenInvoice[],
): { parts: SplitPart[]; leftOver: Cents } {
  const given = new Map<string, number>()
  let left = sum
  const give = ({ id }: OpenInvoice, owed: number) => {
    const part = Math.min(left, owed)
    if (part <= 0) return
    given.set(id, (given.get(id) ?? 0) + part)
    left -= part
  }
  const undisputed = invoices.filter(({ isDisputed }) => !isDisputed)
  for (const invoice of undisputed) give(invoice, invoice.balance)
  for (const invoice of undisputed) give(invoice, invoice.accessories)
  for (const invoice of invoices) if (invoice.isDisputed) give(invoice, invoice.balance + invoice.accessories)
  const parts = invoices.flatMap(({ id }) => {
    const part = given.get(id)
    return part === undefined ? [] : [{ id, cents: cents(part) }]
  })
  return { parts, leftOver: cents(left) }
}
