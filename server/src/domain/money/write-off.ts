import type { LocalDate } from '../time.ts'
import { type ClosedStatus, type InvoiceStatus, isClosed } from './invoice-state.ts'

type WriteOffVerdict = { allowed: true } | { allowed: false; because: ClosedStatus }

/** Every open invoice may be written off, also one whose amicable stage has ended. One that is paid or closed may not. */
export const mayWriteOff = (status: InvoiceStatus): WriteOffVerdict =>
  isClosed(status) ? { allowed: false, because: status } : { allowed: true }

/** The recorded facts about a debt that is written off. */
export interface WriteOffRecords {
  /** Messages and calls that a provider accepted. */
  contacts: number
  insolvencyKind: string | null
  /** The last day on which the debt can be taken to court. */
  lastDayInCourt: LocalDate
  today: LocalDate
}

/**
 * Whether the records prove the cause that the creditor gives. An attestation that states inexact facts is punishable (art. 441-7
 * C. pén.), so a cause without proof is printed as the creditor's declaration. There are no records of titles, nor of attempts to
 * find a debtor.
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
