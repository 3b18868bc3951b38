import type { InvoiceStatus } from './invoice-state.ts'

type WriteOffVerdict = { allowed: true } | { allowed: false; because: 'paid' | 'cancelled' | 'written_off' }

/** Whatever is open may be given up, before the court too; what is settled or closed has nothing left to give up. */
export const mayWriteOff = (status: InvoiceStatus): WriteOffVerdict =>
  status === 'paid' || status === 'cancelled' || status === 'written_off'
    ? { allowed: false, because: status }
    : { allowed: true }
