import type { LocalDate } from '../time.ts'
import { type ClosedStatus, type InvoiceStatus, isClosed } from './invoice-state.ts'

type WriteOffVerdict = { allowed: true } | { allowed: false; because: ClosedStatus }

/** Every open invoice may be written off, also one that is before the court. One that is paid or closed may not. */
export const mayWriteOff = (status: InvoiceStatus): WriteOffVerdict =>
  isClosed(status) ? { allowed: false, because: status } : { allowed: true }

/** What the records show of a debt that is given up. */
export interface WriteOffRecords {
  /** Messages and calls that a provider accepted. */
  contacts: number
  insolvencyKind: string | null
  /** The last day on which a court would hear of it. */
  lastDayInCourt: LocalDate
  today: LocalDate
}

/**
 * Whether the records show the cause that the creditor gives. An attestation that states inexact facts is punished (art. 441-7
 * C. pén.), so that what they do not show is printed as the creditor's declaration. There are no records of titles, nor of
 * what was done to find somebody.
 */
export function isCauseOnRecord(basis: string, records: WriteOffRecords): boolean {
  switch (basis) {
    case 'amicable_failed':
      return records.contacts > 0
    case 'liquidation':
      return records.insolvencyKind === 'liquidation'
    case 'time_barred':
      return records.today > records.lastDayInCourt
    default:
      return false
  }
}
