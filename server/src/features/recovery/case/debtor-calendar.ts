import { type Channel, channels } from '../../../domain/contact/channel.ts'
import {
  closedBecause,
  contactBehind,
  contactPieces,
  type Obstacle,
  openingsAfter,
  type Piece,
  type Span,
} from '../../../domain/contact/contact-calendar.ts'
import { type ContactFile, contactReasons } from '../../../domain/contact/contact-rules.ts'
import { cents } from '../../../domain/money/money.ts'
import { type Hold, holds } from '../../../domain/recovery/recovery-state.ts'
import { holdOfDebtor, reachOf } from './debtor-file.ts'
import type { DebtorFile } from './debtor-file-store.ts'

/** The reasons that may close a piece of the calendar: the contact rules, and the obstacles checked before them. */
export const contactObstacles: readonly string[] = [
  ...contactReasons,
  'no_mobile',
  'no_phone',
  'no_address',
  'no_provider',
  'channel_closed',
  ...holds,
]

/** A piece, with the moment the channel opens after it and the contact that closes it. */
interface ExplainedPiece extends Piece {
  readonly opensAt: number | null
  readonly contactAt: number | null
}

export interface ChannelCalendar {
  readonly channel: Channel
  /** Why it is closed at any hour; null if it is not. */
  readonly closed: string | null
  readonly pieces: readonly ExplainedPiece[]
}

/** When the debtor may be contacted, on each channel. Stops, failing providers and daily limits are not part of it. */
export const calendarOfDebtor = (file: DebtorFile, rules: ContactFile, span: Span): ChannelCalendar[] =>
  channels.map(channel => {
    const obstacles = obstaclesOf(file, channel)
    const pieces = contactPieces(rules, channel, span, obstacles)
    const openings = openingsAfter(rules, channel, pieces, obstacles)
    return {
      channel,
      closed: closedBecause(rules, channel, obstacles, span.from),
      pieces: pieces.map((piece, i) => ({
        ...piece,
        opensAt: openings[i]!,
        contactAt: contactBehind(rules, channel, piece),
      })),
    }
  })

/** The obstacles checked before the contact rules, in order: no number, no provider, closed, refused, held. */
function obstaclesOf(file: DebtorFile, channel: Channel): Obstacle[] {
  // A pause may end within the span. All other holds come before it and have no end.
  const hold = holdOfDebtor({ ...file, paused_at: null }, 0)
  const { closed, refused = [] } = reachOf(file, cents(0))
  const lasting = [
    unreachableBecause(file, channel),
    file.missing.includes(channel) ? 'no_provider' : null,
    closed.includes(channel) ? 'channel_closed' : null,
    refused.includes(channel) ? 'address_refused' : null,
    hold,
  ]
  return [
    ...lasting.flatMap(because => (because === null ? [] : [{ because, until: null }])),
    ...(file.paused_at === null ? [] : [{ because: 'debtor' satisfies Hold, until: file.paused_until }]),
  ]
}

function unreachableBecause(file: DebtorFile, channel: Channel): string | null {
  const { hasMobile, hasPhone, hasAddress } = reachOf(file, cents(0))
  if (channel === 'sms') return hasMobile ? null : 'no_mobile'
  if (channel === 'voice') return hasPhone ? null : 'no_phone'
  if (channel === 'lrar') return hasAddress ? null : 'no_address'
  return null
}
