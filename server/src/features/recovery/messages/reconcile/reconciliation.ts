import type { Channel } from '../../../../domain/contact/channel.ts'
import type { Instant } from '../../../../domain/time.ts'
import type { WorkerContext } from '../worker-context.ts'

/** A recipient or debtor that the operator has to check. */
export interface LeftOut {
  because: 'no_debtor' | 'cannot_be_asked' | 'failed'
  channel: Channel
  provider: string
  at: Instant
  tenantId: string | null
  debtorId: string | null
  /** As the provider names the recipient: an address, a number, the reference of a letter. */
  recipient: string | null
  providerId: string | null
}

export interface Reconciliation {
  /** Messages that providers have listed. */
  listed: number
  /** Those that the database knows as sent. */
  known: number
  /** Messages without an outcome in the database that are now settled as sent. */
  settled: number
  /** Recorded contacts; several for one message if several debtors have its address. */
  recorded: number
  /** Debtors that count as contacted because the provider cannot be asked. */
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
