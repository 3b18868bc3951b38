import type {
  Channel,
  MessageName,
  PaymentOfInvoice,
  PlannedAction,
  TimelineEntry,
  WorkflowPlanWithPauses,
} from '@relance/sdk'
import { clockTime, day, shortMoney, weekday } from '../../lib/format.ts'
import { type Language, wordsIn } from '../../lib/language.tsx'
import { messageNameOf } from '../../lib/message-name.ts'
import { nameOf, names } from '../../lib/names.ts'
import { daysBetween, localTime, midnightOf, weekdayOf } from '../../lib/zone.ts'
import type { MarkSign } from './contact-signs.ts'
import { ladderWords } from './ladder-words.ts'
import type { TableData } from './picture.tsx'

const dayMs = 86_400_000
const phoneBelow = 600
const axisHeight = 22
const levelHeight = 32
const sidePad = 20
const phoneRow = 44
/** Width of a character in pixels, enough for the system fonts. */
const nameWidth = 7.4
const detailWidth = 6.3

export interface LadderInput {
  readonly now: number
  readonly timeZone: string
  /** What happened, in any order. */
  readonly history: readonly TimelineEntry[]
  readonly planned: readonly PlannedAction[]
  readonly pauses: WorkflowPlanWithPauses['pauses']
  readonly payments: readonly PaymentOfInvoice[]
  /** The last day on which a court accepts the claim. */
  readonly limitationEndsOn: string | null
}

export type LadderKind = 'done' | 'skipped' | 'next' | 'later' | 'decision' | 'payment'

export interface LadderMark {
  readonly id: string
  readonly kind: LadderKind
  readonly at: number
  readonly x: number
  readonly y: number
  readonly channel: Channel | null
  readonly sign: MarkSign | null
  readonly name: string
  readonly detail: string
  /** The full text, for screen readers. */
  readonly sentence: string
  readonly communicationId: string | null
  readonly text: { x: number; y: number; anchor: 'start' | 'middle' | 'end'; isAbove: boolean }
  /** The position of its original date; null if it was not moved. */
  readonly ownX: number | null
}

interface Band {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly text: string
  /** Where its words begin: they end before the edge, and lie on no other words. */
  readonly textX: number
  readonly textY: number
}

export interface LadderLayout {
  readonly form: 'wide' | 'phone'
  readonly width: number
  readonly height: number
  readonly lineY: number
  readonly ticks: readonly { x: number; text: string | null }[]
  readonly marks: readonly LadderMark[]
  readonly bands: readonly Band[]
  readonly today: { x: number; y: number } | null
  readonly wall: { x: number; text: string } | null
}

const signs: Readonly<Record<string, MarkSign>> = {
  sent: 'sent',
  delivered: 'delivered',
  bounced: 'refused',
  failed: 'refused',
  unknown: 'unknown',
  refused: 'refused',
  unclaimed: 'refused',
}

const wordsOf = (language: Language) => ({
  words: wordsIn(ladderWords, language),
  known: wordsIn(names, language),
})

/** A step or a payment, before it has a position. */
interface Happening {
  readonly id: string
  readonly kind: LadderKind
  readonly at: number
  readonly ownAt: number | null
  readonly channel: Channel | null
  readonly sign: MarkSign | null
  readonly name: string
  readonly detail: string
  readonly state: string
  readonly communicationId: string | null
}

/** Everything on the line, in order of time. */
export function happeningsOf(input: LadderInput, language: Language): Happening[] {
  const { words, known } = wordsOf(language)
  const { timeZone, now } = input
  const date = (at: number) => weekday(at, timeZone, language)
  const past = input.history.flatMap((line): Happening[] => {
    const isSkipped = line.code === 'step_skipped'
    if (line.kind !== 'message' && !isSkipped) return []
    const cause = nameOf(known.reasons, String(line.params.because ?? ''), '')
    const state =
      isSkipped && cause ? words.skipped(cause) : nameOf(known.historyStatuses, line.status ?? '', '')
    return [
      {
        id: line.id,
        kind: isSkipped ? 'skipped' : 'done',
        at: Date.parse(line.at),
        ownAt: null,
        channel: line.channel,
        sign: isSkipped ? null : (signs[line.status ?? ''] ?? 'sent'),
        name: messageNameOf(line, language, known.steps.extra_message),
        detail: isSkipped ? cause || state : state,
        state,
        communicationId: line.communicationId,
      },
    ]
  })
  const future = input.planned.flatMap((action): Happening[] => {
    if (action.scheduledAt === null) return []
    const at = Date.parse(action.scheduledAt)
    const ownAt = action.ownAt === null ? null : Date.parse(action.ownAt)
    const reasons = [...new Set(action.shifts.map(({ because }) => known.reasons[because]))]
    const isMoved = ownAt !== null && reasons.length > 0 && date(ownAt) !== date(at)
    const kind = action.skipped
      ? 'skipped'
      : action.channel === null
        ? 'decision'
        : action.isNext
          ? 'next'
          : 'later'
    const days = daysBetween(localTime(now, timeZone).date, localTime(at, timeZone).date)
    const when = words.next(`${date(at)} ${clockTime(at, timeZone)}`, words.inDays(days))
    return [
      {
        id: `${action.action} ${action.scheduledAt}`,
        kind,
        at,
        ownAt: isMoved ? ownAt : null,
        channel: action.channel,
        sign: null,
        name: known.steps[action.action],
        detail:
          kind === 'skipped'
            ? known.reasons[action.reasonCode]
            : kind === 'next'
              ? when
              : kind === 'decision'
                ? `${words.you} · ${date(at)}`
                : isMoved
                  ? `${date(at)} ${words.moved(reasons.at(-1)!)}`
                  : date(at),
        state: [
          kind === 'skipped' ? words.skipped(known.reasons[action.reasonCode]) : words.planned,
          ...(isMoved ? [words.movedFrom(date(ownAt), reasons.join(', '))] : []),
        ].join(', '),
        communicationId: null,
      },
    ]
  })
  const money = input.payments.flatMap(({ id, status, paidAt, amountCents, currency }): Happening[] =>
    status === 'completed' && paidAt !== null
      ? [
          {
            id,
            kind: 'payment',
            at: Date.parse(paidAt),
            ownAt: null,
            channel: null,
            sign: null,
            name: shortMoney(amountCents, currency, language),
            detail: '',
            state: words.payment,
            communicationId: null,
          },
        ]
      : [],
  )
  return [...past, ...future, ...money].sort((left, right) => left.at - right.at)
}

const bandHeight = 10
const bandRow = 14

/** The pauses under the line, and their words in as many rows as they need. */
function bandsOf(
  { pauses, now, timeZone }: LadderInput,
  {
    width,
    y,
    xOf,
    language,
  }: {
    readonly width: number
    readonly y: number
    readonly xOf: (at: number) => number
    readonly language: Language
  },
): Band[] {
  const { words, known } = wordsOf(language)
  const bands: Band[] = []
  for (const { from, until, because } of pauses) {
    const x = Math.max(0, xOf(Date.parse(from)))
    const end = until === null ? Math.max(now, Date.parse(from)) : Date.parse(until)
    const text =
      until === null
        ? words.pause(known.reasons[because])
        : words.pauseUntil(known.reasons[because], weekday(end, timeZone, language))
    const wide = text.length * nameWidth
    const textX = Math.max(0, Math.min(x, width - wide))
    const rowOf = (row: number) => y + bandHeight + 13 + row * bandRow
    let row = 0
    const isTaken = (at: number) =>
      bands.some(
        other =>
          other.textY === at &&
          other.textX < textX + wide &&
          textX < other.textX + other.text.length * nameWidth,
      )
    while (isTaken(rowOf(row))) row++
    bands.push({ x, y, width: Math.max(4, xOf(end) - x), text, textX, textY: rowOf(row) })
  }
  return bands
}

export function layoutLadder(input: LadderInput, width: number, language: Language): LadderLayout {
  const { words } = wordsOf(language)
  const { now, timeZone } = input
  const date = (at: number) => weekday(at, timeZone, language)
  const happenings = happeningsOf(input, language)
  const sentenceOf = ({ name, at, state }: Happening) =>
    [`${name}, ${date(at)}`, state].filter(Boolean).join(words.colon)
  if (width < phoneBelow) {
    const before = happenings.filter(({ at }) => at <= now).length
    const rowOf = (index: number) => index * phoneRow + (index >= before ? 24 : 0)
    return {
      form: 'phone',
      width,
      height: rowOf(happenings.length) + 24,
      lineY: 0,
      ticks: [],
      marks: happenings.map((happening, index) => ({
        ...happening,
        x: 16,
        y: rowOf(index) + 20,
        sentence: sentenceOf(happening),
        detail:
          happening.at <= now
            ? [date(happening.at), happening.detail].filter(Boolean).join(' · ')
            : happening.detail,
        text: { x: 40, y: rowOf(index) + 16, anchor: 'start', isAbove: false },
        ownX: null,
      })),
      bands: [],
      today: { x: 0, y: before * phoneRow + 12 },
      wall: null,
    }
  }
  const ends = input.pauses.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]))
  const moments = [
    now,
    ...ends,
    ...happenings.flatMap(({ at, ownAt }) => (ownAt === null ? [at] : [at, ownAt])),
  ]
  const first = Math.min(...moments) - dayMs
  const last = Math.max(...moments, first + 28 * dayMs) + dayMs
  const xOf = (at: number) => sidePad + ((at - first) / (last - first)) * (width - 2 * sidePad)

  // Names alternate above and below the line. A name that does not fit goes to the next level with room. If possible, the line
  // to a name crosses no other name.
  interface Placed {
    readonly happening: Happening
    readonly x: number
    /** Above the line, or below it when negative. */
    readonly level: number
    readonly left: number
    readonly right: number
    readonly anchor: 'start' | 'middle' | 'end'
  }
  const placed: Placed[] = []
  let turn = 0
  for (const happening of happenings) {
    const x = xOf(happening.at)
    if (happening.kind === 'payment') {
      placed.push({ happening, x, level: 0, left: x, right: x, anchor: 'middle' })
      continue
    }
    const wide = Math.max(happening.name.length * nameWidth, happening.detail.length * detailWidth) + 10
    const anchor = x - wide / 2 < 0 ? 'start' : x + wide / 2 > width ? 'end' : 'middle'
    const left = anchor === 'start' ? x - 6 : anchor === 'end' ? x + 6 - wide : x - wide / 2
    const right = left + wide
    const hasRoom = (level: number, isStrict: boolean) =>
      placed.every(other => {
        if (other.level * level <= 0) return true
        if (other.level === level) return other.right <= left || other.left >= right
        if (!isStrict) return true
        const [inner, outer] =
          Math.abs(other.level) < Math.abs(level) ? [other, { x }] : [{ left, right }, other]
        return outer.x < inner.left + 4 || outer.x > inner.right - 4
      })
    const side = turn++ % 2 === 0 ? 1 : -1
    const levels = Array.from(
      { length: 2 * placed.length + 2 },
      (_, step) => side * (step % 2 === 0 ? 1 : -1) * (1 + Math.floor(step / 2)),
    )
    // No line fits between two names that touch: then it passes behind one of them.
    const level =
      levels.slice(0, 6).find(at => hasRoom(at, true)) ?? levels.find(at => hasRoom(at, false)) ?? side
    placed.push({ happening, x, level, left, right, anchor })
  }
  const above = Math.max(1, ...placed.map(({ level }) => level))
  const below = Math.max(1, ...placed.map(({ level }) => -level))
  const lineY = axisHeight + above * levelHeight + 16
  const belowNames = lineY + 16 + below * levelHeight
  const bandsY = belowNames + 4
  const hasPayments = placed.some(({ happening }) => happening.kind === 'payment')
  const bands = bandsOf(input, { width, y: bandsY, xOf, language })
  const paymentY = Math.max(bandsY, ...bands.map(({ textY }) => textY + 9))
  // The word of the present has a row of its own at the bottom.
  const height = paymentY + (hasPayments ? 24 : 0) + 16
  const wallAt = input.limitationEndsOn === null ? null : midnightOf(input.limitationEndsOn, timeZone)

  const ticks: { x: number; text: string | null }[] = []
  let lastLabel = Number.NEGATIVE_INFINITY
  for (let at = first; at <= last; at += dayMs) {
    const local = localTime(at, timeZone).date
    if (weekdayOf(local) !== 1) continue
    const x = xOf(midnightOf(local, timeZone))
    if (x < 0 || x > width) continue
    const isLabelled = x - lastLabel > 64 && x > 42 && x < width - 42
    if (isLabelled) lastLabel = x
    ticks.push({ x, text: isLabelled ? date(midnightOf(local, timeZone)) : null })
  }
  return {
    form: 'wide',
    width,
    height,
    lineY,
    ticks,
    marks: placed.map(({ happening, x, level, anchor }) => ({
      ...happening,
      x,
      y: happening.kind === 'payment' ? paymentY + 8 : lineY,
      sentence: sentenceOf(happening),
      text:
        happening.kind === 'payment'
          ? {
              x: x > width - 90 ? x - 12 : x + 12,
              y: paymentY + 12,
              anchor: x > width - 90 ? 'end' : 'start',
              isAbove: false,
            }
          : {
              x: anchor === 'start' ? x - 6 : anchor === 'end' ? x + 6 : x,
              // The first of two lines.
              y:
                level > 0
                  ? lineY - 16 - (level - 1) * levelHeight - 16
                  : lineY + 16 + (-level - 1) * levelHeight + 14,
              anchor,
              isAbove: level > 0,
            },
      ownX: happening.ownAt === null ? null : xOf(happening.ownAt),
    })),
    bands,
    today: { x: xOf(now), y: height },
    wall:
      wallAt !== null && wallAt >= first && wallAt <= last
        ? { x: xOf(wallAt), text: `${words.limitation} ${day(input.limitationEndsOn!, language)}` }
        : null,
  }
}

/** The same as a table: every step and payment, in the order of time. */
export function ladderTable(input: LadderInput, language: Language): TableData {
  const { words, known } = wordsOf(language)
  const { timeZone } = input
  const pauses = input.pauses.map(({ from, until, because }) => ({
    at: Date.parse(from),
    row: [
      weekday(from, timeZone, language),
      until === null
        ? words.pause(known.reasons[because])
        : words.pauseUntil(known.reasons[because], weekday(until, timeZone, language)),
      '–',
      '–',
    ],
  }))
  const steps = happeningsOf(input, language).map(({ at, name, channel, state }) => ({
    at,
    row: [
      `${weekday(at, timeZone, language)} ${clockTime(at, timeZone)}`,
      name,
      channel === null ? '–' : known.channels[channel],
      state,
    ],
  }))
  const undated = input.planned
    .filter(({ scheduledAt }) => scheduledAt === null)
    .map(({ action, channel, reasonCode }) => [
      words.undated,
      known.steps[action satisfies MessageName],
      channel === null ? '–' : known.channels[channel],
      known.reasons[reasonCode],
    ])
  const wall =
    input.limitationEndsOn === null
      ? []
      : [[day(input.limitationEndsOn, language), words.limitation, '–', '–']]
  return {
    columns: [words.heads.when, words.heads.what, words.heads.channel, words.heads.state],
    rows: [
      ...[...pauses, ...steps].sort((left, right) => left.at - right.at).map(({ row }) => row),
      ...undated,
      ...wall,
    ],
  }
}
