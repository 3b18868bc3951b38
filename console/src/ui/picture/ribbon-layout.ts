import type { Channel, Today } from '@relance/sdk'
import { clockTime, count } from '../../lib/format.ts'
import { defineWords, type Language, wordsIn } from '../../lib/language.tsx'
import { localTime } from '../../lib/zone.ts'
import type { TableData } from './picture.tsx'

/** What the ribbon needs of `GET /reports/today`. */
export type Ribbon = Pick<Today, 'date' | 'timeZone' | 'now' | 'slots' | 'axis'>
type Slot = Today['slots'][number]
type State = Exclude<keyof Slot, 'at' | 'channel' | 'left'>

/** From the bottom of a bar to its top. */
export const stackOrder = ['email', 'sms', 'voice', 'lrar'] as const satisfies readonly Channel[]
const states = ['delivered', 'sent', 'bounced', 'planned', 'failed', 'unknown'] as const
/** States of messages that failed, or may have failed. */
const troubles = ['bounced', 'failed', 'unknown'] as const satisfies readonly State[]

const s = (n: number) => (n > 1 ? 's' : '')

export const ribbonWords = defineWords(
  {
    channels: { email: 'E-mail', sms: 'SMS', voice: 'Appel', lrar: 'Courrier' } satisfies Record<
      Channel,
      string
    >,
    counted: {
      planned: (n: number, text: string) => `${text} prévu${s(n)}`,
      sent: (n: number, text: string) => `${text} envoyé${s(n)}`,
      delivered: (_n: number, text: string) => `${text} remis`,
      bounced: (n: number, text: string) => `${text} rejeté${s(n)}`,
      failed: (n: number, text: string) => `${text} échec${s(n)}`,
      unknown: (_n: number, text: string) => `${text} sans nouvelle`,
    } satisfies Record<State, unknown>,
    columns: {
      time: 'Heure',
      channel: 'Canal',
      planned: 'Prévus',
      sent: 'Envoyés',
      delivered: 'Remis',
      bounced: 'Rejetés',
      failed: 'Échecs',
      unknown: 'Sans nouvelle',
    } satisfies Record<State | 'time' | 'channel', string>,
    hour: (hour: string) => `${hour} h`,
    ofChannel: (channel: string, counts: string) => `${channel}\u00a0: ${counts}.`,
    empty: {
      past: 'Rien n’a été envoyé ce jour-là.',
      today: 'Rien ne part aujourd’hui, et rien n’a été envoyé.',
      future: 'Rien n’est prévu ce jour-là pour le moment.',
    },
    label: 'Messages par heure et par canal',
    left: 'envoyé',
    planned: 'prévu',
    trouble: 'rejeté, en échec ou sans nouvelle',
    opens: 'Entrée ouvre les clients concernés.',
    opensMessages: 'Entrée ouvre ces messages.',
  },
  {
    channels: { email: 'Email', sms: 'SMS', voice: 'Call', lrar: 'Letter' },
    counted: {
      planned: (_n, text) => `${text} planned`,
      sent: (_n, text) => `${text} sent`,
      delivered: (_n, text) => `${text} delivered`,
      bounced: (_n, text) => `${text} bounced`,
      failed: (_n, text) => `${text} failed`,
      unknown: (_n, text) => `${text} of unknown outcome`,
    },
    columns: {
      time: 'Time',
      channel: 'Channel',
      planned: 'Planned',
      sent: 'Sent',
      delivered: 'Delivered',
      bounced: 'Bounced',
      failed: 'Failed',
      unknown: 'Unknown',
    },
    hour: hour => `${hour}:00`,
    ofChannel: (channel, counts) => `${channel}: ${counts}.`,
    empty: {
      past: 'Nothing was sent on that day.',
      today: 'Nothing is to be sent today, and nothing has been sent.',
      future: 'Nothing is planned for that day so far.',
    },
    label: 'Messages by time and channel',
    left: 'sent',
    planned: 'planned',
    trouble: 'bounced, failed or of unknown outcome',
    opens: 'Enter opens the clients concerned.',
    opensMessages: 'Enter opens these messages.',
  },
)

export interface Segment {
  readonly channel: Channel
  readonly kind: 'left' | 'planned'
  readonly n: number
  readonly y: number
  readonly height: number
}

export interface Column {
  /** The start of its first and of its last quarter hour, as list filters. */
  readonly from: string
  readonly to: string
  /** Whether any message is planned here. */
  readonly hasPlanned: boolean
  /** The area that reacts to the pointer. */
  readonly x: number
  readonly width: number
  readonly bar: { readonly x: number; readonly width: number }
  readonly segments: readonly Segment[]
  /** Over the bar, where something went wrong. */
  readonly cap: {
    readonly y: number
    readonly parts: readonly { channel: Channel; state: State; n: number }[]
  } | null
  /** The full text. */
  readonly text: string
}

export interface RibbonLayout {
  readonly width: number
  readonly height: number
  readonly top: number
  readonly baseline: number
  readonly columns: readonly Column[]
  readonly hours: readonly { x: number; text: string | null; anchor: 'start' | 'middle' | 'end' }[]
  /** A reference line at a round number of messages; null if there are so few messages that users can count them. */
  readonly scale: { y: number; text: string } | null
  readonly now: { x: number; text: string; anchor: 'start' | 'end' } | null
  /** The sentence in place of bars. */
  readonly empty: string | null
  readonly channels: readonly Channel[]
  readonly hasTrouble: boolean
}

const quarter = 15 * 60_000

/** The end of the quarter hour that begins then, as a list filter. */
export const endOfQuarter = (begin: string) => new Date(Date.parse(begin) + quarter).toISOString()

const hour = 4 * quarter
const quartersPerHour = 4
const capHeight = 4
const gap = 1
const segmentMin = 3
/** A single message is a low block, not a full-height bar. */
const unitMax = 14

/** The start times of the quarter hours of the axis: one per bin, four on a phone. The axis has whole hours. */
function binsOf({ axis }: Ribbon, isPhone: boolean): number[][] {
  const bins: number[][] = []
  const perBin = isPhone ? quartersPerHour : 1
  const until = Date.parse(axis.until)
  for (let at = Date.parse(axis.from); at < until; at += perBin * quarter)
    bins.push(Array.from({ length: perBin }, (_, i) => at + i * quarter))
  return bins
}

interface Bin {
  readonly quarters: readonly number[]
  readonly slots: readonly Slot[]
  readonly parts: readonly Pick<Segment, 'channel' | 'kind' | 'n'>[]
  readonly troubles: readonly { channel: Channel; state: State; n: number }[]
}

const sumOf = (slots: readonly Slot[], channel: Channel, of: (slot: Slot) => number) =>
  slots.reduce((sum, slot) => (slot.channel === channel ? sum + of(slot) : sum), 0)

function fillBin(quarters: readonly number[], slotsAt: ReadonlyMap<number, readonly Slot[]>): Bin {
  const slots = quarters.flatMap(at => slotsAt.get(at) ?? [])
  const parts = (['left', 'planned'] as const).flatMap(kind =>
    stackOrder.flatMap(channel => {
      const n = sumOf(slots, channel, slot => slot[kind])
      return n > 0 ? [{ channel, kind, n }] : []
    }),
  )
  const wrong = stackOrder.flatMap(channel =>
    troubles.flatMap(state => {
      const n = sumOf(slots, channel, slot => slot[state])
      return n > 0 ? [{ channel, state, n }] : []
    }),
  )
  return { quarters, slots, parts, troubles: wrong }
}

/** Pixels per message, so that the highest bar fits with its smallest parts enlarged. */
function unitOf(bins: readonly Bin[], plot: number): number {
  const units = bins.flatMap(({ parts, troubles: wrong }) => {
    const n = parts.reduce((sum, part) => sum + part.n, 0)
    const fixed = parts.length * (segmentMin + gap) + (wrong.length > 0 ? capHeight + gap : 0)
    return n > 0 ? [(plot - fixed) / n] : []
  })
  return Math.min(unitMax, ...units)
}

/** The largest of 1, 2, 5, 10, 20, 50 … that is not above n. */
function roundBelow(n: number): number {
  const power = 10 ** Math.floor(Math.log10(n))
  return [5, 2, 1].map(digit => digit * power).find(round => round <= n)!
}

function textOf(bin: Bin, timeZone: string, language: Language): string {
  const words = wordsIn(ribbonWords, language)
  const from = clockTime(bin.quarters[0]!, timeZone)
  const until = clockTime(bin.quarters.at(-1)! + quarter, timeZone)
  const sentences = stackOrder.flatMap(channel => {
    const counts = states.flatMap(state => {
      const n = sumOf(bin.slots, channel, slot => slot[state])
      return n > 0 ? [words.counted[state](n, count(n, language))] : []
    })
    return counts.length > 0 ? [words.ofChannel(words.channels[channel], counts.join(', '))] : []
  })
  return `${from}–${until}. ${sentences.join(' ')}`
}

function stack({ parts, troubles: wrong }: Bin, unit: number, baseline: number) {
  let y = baseline
  const segments = parts.map(part => {
    const height = Math.max(segmentMin, Math.round(part.n * unit * 100) / 100)
    y -= height
    const segment = { ...part, y, height }
    y -= gap
    return segment
  })
  return { segments, cap: wrong.length > 0 ? { y: y - capHeight, parts: wrong } : null }
}

export function layoutRibbon(ribbon: Ribbon, width: number, language: Language): RibbonLayout {
  const words = wordsIn(ribbonWords, language)
  const { timeZone } = ribbon
  const isPhone = width < 600
  const side = isPhone ? 4 : 16
  const top = 24
  const plot = isPhone ? 56 : 112
  const baseline = top + plot
  const slotsAt = Map.groupBy(ribbon.slots, slot => Date.parse(slot.at))
  const bins = binsOf(ribbon, isPhone).map(quarters => fillBin(quarters, slotsAt))
  const xOf = (i: number) => Math.round(side + (i * (width - 2 * side)) / bins.length)
  const unit = unitOf(bins, plot)

  const columns = bins.flatMap((bin, i): Column[] => {
    if (bin.parts.length === 0 && bin.troubles.length === 0) return []
    const x = xOf(i)
    const columnWidth = xOf(i + 1) - x
    return [
      {
        from: new Date(bin.quarters[0]!).toISOString(),
        to: new Date(bin.quarters.at(-1)!).toISOString(),
        hasPlanned: bin.parts.some(({ kind }) => kind === 'planned'),
        x,
        width: columnWidth,
        bar: { x: x + 1, width: columnWidth - 2 },
        ...stack(bin, unit, baseline),
        text: textOf(bin, timeZone, language),
      },
    ]
  })

  const binsPerHour = isPhone ? 1 : quartersPerHour
  const hourWidth = ((width - 2 * side) * binsPerHour) / bins.length
  const every = hourWidth >= 44 ? 1 : hourWidth >= 22 ? 2 : 3
  const hourCount = bins.length / binsPerHour
  const hours = Array.from({ length: hourCount + 1 }, (_, k) => ({
    x: xOf(k * binsPerHour),
    text:
      k % every === 0
        ? words.hour(clockTime(Date.parse(ribbon.axis.from) + k * hour, timeZone).slice(0, 2))
        : null,
    anchor: anchorOf(k),
  }))

  const highest = Math.max(0, ...bins.map(({ parts }) => parts.reduce((sum, { n }) => sum + n, 0)))
  const round = highest > 8 ? roundBelow(highest) : null
  const at = Date.parse(ribbon.now)
  const nowBin = bins.findIndex(({ quarters }) => quarters[0]! <= at && at < quarters.at(-1)! + quarter)
  const today = localTime(at, timeZone).date
  const when = ribbon.date < today ? 'past' : ribbon.date > today ? 'future' : 'today'

  return {
    width,
    height: baseline + 24,
    top,
    baseline,
    columns,
    hours,
    scale: round === null ? null : { y: baseline - round * unit, text: count(round, language) },
    now: nowBin < 0 ? null : nowMark(bins[nowBin]!, at, xOf(nowBin), xOf(nowBin + 1)),
    empty: columns.length === 0 ? words.empty[when] : null,
    channels: stackOrder.filter(channel => ribbon.slots.some(slot => slot.channel === channel)),
    hasTrouble: columns.some(({ cap }) => cap !== null),
  }

  /** On a phone nothing may reach beyond the edge. */
  function anchorOf(k: number) {
    if (!isPhone) return 'middle' as const
    return k === 0 ? ('start' as const) : k === hourCount ? ('end' as const) : ('middle' as const)
  }

  function nowMark({ quarters }: Bin, moment: number, from: number, until: number) {
    const share = (moment - quarters[0]!) / (quarters.length * quarter)
    const x = Math.round((from + share * (until - from)) * 2) / 2
    const anchor = x > width - 60 ? ('end' as const) : ('start' as const)
    return { x, text: clockTime(moment, timeZone), anchor }
  }
}

/** The answer once more as a table: a line per quarter hour and channel. */
export function ribbonTable({ slots, timeZone }: Ribbon, language: Language): TableData {
  const { columns, channels } = wordsIn(ribbonWords, language)
  const shown = ['planned', 'sent', 'delivered', 'bounced', 'failed', 'unknown'] as const
  return {
    columns: [columns.time, columns.channel, ...shown.map(state => columns[state])],
    rows: slots.map(slot => [
      clockTime(slot.at, timeZone),
      channels[slot.channel],
      ...shown.map(state => count(slot[state], language)),
    ]),
  }
}
