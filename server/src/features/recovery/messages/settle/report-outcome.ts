import type { SendResult } from '../../../../adapters/channel.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import type { ExtraMessage, RecoveryRow } from '../../case/recovery-store.ts'
import { type Communication, leadOf, type SentCommunication } from '../communication-store.ts'
import type { WorkerContext } from '../worker-context.ts'

/** What is reported of a message that was settled, or that waits because its provider is away. */
interface SettledMessage
  extends Pick<DebtorFile, 'environment'>,
    Pick<Communication, 'channel' | 'provider' | 'step'> {
  /** From the moment its step was due; null if it was not sent. */
  latenessMs: number | null
}

export function settledMessageOf(
  { environment }: Pick<DebtorFile, 'environment'>,
  communication: SentCommunication,
  recoveries: readonly RecoveryRow[],
  extra: ExtraMessage | undefined,
  now: number,
): SettledMessage {
  const { channel, provider, step } = communication
  const dueAt = (leadOf(communication, recoveries) ?? extra)?.due_at ?? null
  return {
    environment,
    channel,
    provider,
    step,
    latenessMs: dueAt === null ? null : Math.max(0, now - dueAt),
  }
}

interface SettledIds {
  tenantId: string
  debtorId: string
  communicationId: string
  /** How long the provider took; undefined if it was not asked. */
  providerMs?: number | undefined
}

/** Reports the outcome of a message: a line of the log, with ids and codes only, and the figures. Sandboxes are not counted. */
export function reportOutcome(
  { log, metrics }: Pick<WorkerContext, 'log' | 'metrics'>,
  { tenantId, debtorId, communicationId, providerMs }: SettledIds,
  { environment, ...message }: SettledMessage,
  result: SendResult,
): void {
  const { channel, provider, latenessMs } = message
  const { outcome } = result
  const isAccepted = outcome === 'accepted'
  const reason = 'reason' in result ? { reason: result.reason } : {}
  const facts = { tenantId, debtorId, communicationId, ...message, outcome, ...reason, providerMs }
  const level = environment === 'sandbox' ? 'debug' : isAccepted ? 'info' : 'warn'
  log[level](facts, 'message settled')
  if (environment === 'sandbox') return
  metrics.sends.inc({ channel, outcome })
  if (isAccepted && latenessMs !== null) metrics.sendLateness.observe({ channel }, latenessMs / 1_000)
  if (providerMs !== undefined && provider !== null)
    metrics.providerCall.observe({ channel, provider }, providerMs / 1_000)
}
