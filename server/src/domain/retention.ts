import type { DebtorType } from './debtor-type.ts'

/** How long a claim against them can be sued for, in months: after it, their data serves no claim. */
const limitationMonths: Partial<Record<DebtorType, number>> = { public_body: 48 }

/** The text of a reply that nobody reads is erased after this time. */
export const replyTextDaysMax = 400

/**
 * For how many months a closed case is kept: as the company chose for this kind of debtor, but of public bodies no longer than
 * their time bar (art. 5(1)(e) GDPR). Consumers have a setting of their own, which is 24 months unless the company sets another.
 */
export const keptMonths = (type: DebtorType, chosen: number): number =>
  Math.min(chosen, limitationMonths[type] ?? chosen)
