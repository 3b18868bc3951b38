import type { SendResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { attemptsMax } from '../../../domain/recovery/motion.ts'

const acceptedInWords: Record<Channel, string> = {
  email: 'Accepted by the mail server.',
  sms: 'Accepted by the SMS provider.',
  lrar: 'Registered letter deposited.',
  voice: 'Call placed.',
}

/** What became of a message, as the history says it. */
export function fateInWords(
  result: SendResult,
  channel: Channel,
  /** The channel the step would have used. */
  meant: Channel | null,
  groupedWith: string | null,
): string {
  const parts: string[] = []
  if (groupedWith !== null) parts.push(`Grouped with ${groupedWith}.`)
  else if (meant === 'lrar' && channel === 'email')
    parts.push('Sent by email: no postal address is known, or the sum is too small for a letter.')
  switch (result.outcome) {
    case 'accepted':
      parts.push(acceptedInWords[channel])
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
