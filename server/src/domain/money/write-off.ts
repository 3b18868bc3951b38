import { type ClosedStatus, type InvoiceStatus, isClosed } from './invoice-state.ts'

type WriteOffVerdict = { allowed: true } | { allowed: false; because: ClosedStatus }

/** Every open invoice may be written off, also one that is before the court. One that is paid or closed may not. */
export const mayWriteOff = (status: InvoiceStatus): WriteOffVerdict =>
  isClosed(status) ? { allowed: false, because: status } : { allowed: true }
