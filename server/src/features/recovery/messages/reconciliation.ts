import type { Channel } from '../../../domain/contact/channel.ts'
import type { Instant } from '../../../domain/time.ts'
import type { WorkerContext } from './worker-context.ts'

/** Somebody that the operator has to look at. */
export interface LeftOut {
  because: 'no_debtor' | 'cannot_be_asked' | 'failed'
  channel: Channel
  provider: string
  at: Instant
  tenantId: string | null
  debtorId: string | null
  /** As the provider knows them: an address, a number, the reference of a letter. */
  recipient: string | null
  providerId: string | null
}

export interface Reconciliation {
  /** Messages that providers have listed. */
  listed: number
  /** Those that the database knows as sent. */
  known: number
  /** Messages that were on their way when the record ended, and are settled as sent now. */
  settled: number
  /** Contacts that were written down; of one message several, if several debtors have its address. */
  recorded: number
  /** Debtors that count as contacted, because nobody can be asked. */
  suspected: number
}

/** What both parts of a reconciliation need. */
export interface Reconciling {
  worker: WorkerContext
  since: Instant
  until: Instant
  report: Reconciliation
  leaveOut(left: LeftOut): void
}

/** How many rows or messages are handled at a time. */
export const batchSize = 500
