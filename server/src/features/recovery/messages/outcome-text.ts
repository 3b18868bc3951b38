import type { SettledResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { attemptsMax } from '../../../domain/recovery/next-step.ts'

const acceptedTexts: Record<Channel, string> = {
  email: 'Accepted by the mail server.',
  sms: 'Accepted by the SMS provider.',
  lrar: 'Registered letter deposited.',
  voice: 'Call placed.',
}

/** The outcome of a message, as shown in the history. */
export function outcomeText(
  result: SettledResult,
  channel: Channel,
  /** The channel of the step, which may differ from the channel really used. */
  plannedChannel: Channel | null,
  groupedWith: string | null,
): string {
  const parts: string[] = []
  if (groupedWith !== null) parts.push(`Grouped with ${groupedWith}.`)
  else if (plannedChannel === 'lrar' && channel === 'email')
    parts.push('Sent by email: no postal address is known, or the sum is too small for a letter.')
  switch (result.outcome) {
    case 'accepted':
      parts.push(acceptedTexts[channel])
      break
    case 'retryable':
      parts.push(`Given up after ${attemptsMax} attempts: ${result.reason}.`)
      break
    case 'permanent':
      parts.push(`Refused: ${result.reason}.`)
      break
    case 'unknown':
      parts.push('It may or may not have been sent; it counts as a contact and is not repeated today.')
  }
  return parts.join(' ')
}
