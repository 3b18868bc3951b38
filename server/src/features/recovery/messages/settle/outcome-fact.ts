import type { SettledResult } from '../../../../adapters/channel.ts'
import type { Channel } from '../../../../domain/contact/channel.ts'
import { attemptsMax } from '../../../../domain/recovery/next-step.ts'
import type { HistoryFact } from '../../case/history-codes.ts'

/** The outcome of a message, as the history keeps it. */
export function outcomeFact(
  result: SettledResult,
  channel: Channel,
  /** The channel of the step, which may differ from the channel really used. */
  plannedChannel: Channel | null,
  groupedWith: string | null,
): HistoryFact {
  const message = {
    channel,
    ...(groupedWith !== null && { groupedWith }),
    ...(plannedChannel !== null && plannedChannel !== channel && { insteadOf: plannedChannel }),
  }
  switch (result.outcome) {
    case 'accepted':
      return { code: 'message_accepted', params: message }
    case 'retryable':
      return {
        code: 'message_given_up',
        params: { ...message, attempts: attemptsMax, reason: result.reason },
      }
    case 'permanent':
      return { code: 'message_refused', params: { ...message, reason: result.reason } }
    case 'unknown':
      return { code: 'message_unknown', params: message }
  }
}
