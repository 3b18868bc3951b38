import type { Message, SettledResult } from '../../../../adapters/channel.ts'
import type { Channel } from '../../../../domain/contact/channel.ts'
import type { SendOutcome } from '../../../../domain/recovery/next-step.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { AgendaLock } from '../../case/agenda-store.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import { type ExtraMessage, type RecoveryRow, wakeBatchSize } from '../../case/recovery-store.ts'
import type { SentCommunication } from '../communication-store.ts'
import type { CountedSend } from '../count-send.ts'
import type { WorkerContext } from '../worker-context.ts'
import type { SettlementWrites } from './settlement-writes.ts'

/** What an outcome means for the steps of a message. */
export const sendOutcomeOf = (result: SettledResult): SendOutcome =>
  result.outcome === 'permanent' && result.isAddressRefused ? 'refused' : result.outcome

/** The state of a message by its outcome. */
export const messageState = {
  accepted: 'sent',
  retryable: 'failed',
  permanent: 'failed',
  refused: 'failed',
  unknown: 'unknown',
} as const

/** The debtor's file, read when the message was claimed. As long as the debtor has this generation, it is not read again. */
export interface KnownFile {
  file: DebtorFile
  generation: number
  hasFewInvoices: boolean
}

export interface MessageIds {
  tenantId: string
  debtorId: string
  communicationId: string
  /**
   * The token of the claim; null if the sender was lost, or if the message is settled and only some of its recoveries are not.
   */
  token: string | null
  /** What the claim counted against the daily limits. */
  counted?: CountedSend | null
  /** How long the provider took, the fence included. */
  providerMs?: number
  /** The file that the claim read. */
  known?: KnownFile
  /** What was handed to the provider; unknown if its sender was lost. */
  message?: Message
  /** Only the outcome was asked for: the message was composed again, and may have another date than the sent one. */
  isLookup?: true
}

/** A message and its outcome. */
export interface Outcome {
  worker: WorkerContext
  tenantId: string
  ids: MessageIds
  result: SettledResult
}

/** The data of one message and its debtor, read under the debtor's lock. */
export interface Settlement extends Outcome {
  tx: Tx
  writes: SettlementWrites
  agenda: AgendaLock
  file: DebtorFile
  communication: SentCommunication
  recoveries: readonly RecoveryRow[]
  extra: ExtraMessage | undefined
  salt: Buffer | undefined
  now: number
  wall: number
  /** The offset of the tenant's clock to ours. */
  offsetMs: number
}

/** The limit of one transaction is reached: more recoveries may remain. */
export const isFullBatch = (recoveries: readonly RecoveryRow[]) => recoveries.length === wakeBatchSize

/** The work after the commit of the transaction. */
export class AfterSettlement {
  /** Sandbox debtors, which continue at once with what was due on skipped days, and the wall time of their settlement. */
  readonly sandboxWalls = new Map<string, number>()
  readonly reports: (() => void)[] = []
  readonly answeredProviders = new Map<Channel, string>()
  /** Contacted debtors of whose person a record was locked when the plans of its records were marked. */
  readonly unmarked: string[] = []
  readonly #generations = new Map<string, number>()

  readonly noteContacts = (debtorIds: readonly string[], leftOut: number): void => {
    if (leftOut > 0) this.unmarked.push(...debtorIds)
  }

  readonly noteAgenda = (row: {
    debtor_id: string
    wake_generation: number
    wake_at: number | null
  }): void => {
    const wall = this.sandboxWalls.get(row.debtor_id)
    if (wall !== undefined && row.wake_at !== null && row.wake_at <= wall)
      this.#generations.set(row.debtor_id, row.wake_generation)
  }

  report(): void {
    for (const reportOne of this.reports) reportOne()
  }

  dueAgain(debtorId: string): number | null {
    return this.#generations.get(debtorId) ?? null
  }
}

export function settlementOf(
  outcome: Outcome,
  opened: Pick<Settlement, 'tx' | 'writes' | 'agenda' | 'communication' | 'file' | 'offsetMs'>,
  ends: AfterSettlement,
  read: Pick<Settlement, 'recoveries' | 'extra' | 'salt'>,
): Settlement {
  const { file, communication, offsetMs } = opened
  const wall = outcome.worker.clock.wall()
  const isSandbox = file.environment === 'sandbox'
  if (isSandbox) ends.sandboxWalls.set(outcome.ids.debtorId, wall)
  return {
    ...outcome,
    ...opened,
    ...read,
    wall,
    now: isSandbox ? communication.reserved_at : wall + offsetMs,
  }
}
