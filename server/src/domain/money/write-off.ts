import { type ClosedStatus, type InvoiceStatus, isClosed } from './invoice-state.ts'

type WriteOffVerdict = { allowed: true } | { allowed: false; because: ClosedStatus }

/** Whatever is open may be given up, before the court too; what is settled or closed has nothing left to give up. */
export const mayWriteOff = (status: InvoiceStatus): WriteOffVerdict =>
  isClosed(status) ? { allowed: false, because: status } : { allowed: true }
