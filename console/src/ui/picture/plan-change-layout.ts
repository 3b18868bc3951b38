import type { Channel, MessageName, PlanChange, PlannedMessage, ReasonCode } from '@relance/sdk'
import { momentText, weekday } from '../../lib/format.ts'
import { defineWords, type Language } from '../../lib/language.tsx'
import { nameOf, names } from '../../lib/names.ts'
import { addDays, localTime, midnightOf } from '../../lib/zone.ts'
import type { TableData } from './picture.tsx'

export const planWords = defineWords(
  {
    label: 'Ce qui change dans le plan',
    message: 'Message',
    before: 'Avant',
    after: 'Après',
    why: 'Pourquoi',
    nothing: '–',
    kinds: { falls: 'Ne part plus', moves: 'Se décale', new: 'Nouveau', stays: 'Inchangé' },
    times: (name: string, invoices: number) => (invoices > 1 ? `${name} (${invoices} factures)` : name),
    because: (text: string, why: string) => `${text} (${why})`,
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    at: (name: string, when: string) => `${name}, ${when}`,
    line: (kind: string, items: string) => `${kind}\u00a0: ${items}.`,
    separator: ' ; ',
    andMore: (count: number) => `et ${count} autres`,
    noChange: 'Le plan ne change pas.',
    empty: 'Rien n’est prévu.',
    emptyAfter: (why: string) => `Ensuite, plus rien n’est prévu\u00a0: ${why}.`,
  },
  {
    label: 'What changes in the plan',
    message: 'Message',
    before: 'Before',
    after: 'After',
    why: 'Why',
    nothing: '–',
    kinds: { falls: 'No longer leaves', moves: 'Moves', new: 'New', stays: 'Unchanged' },
    times: (name: string, invoices: number) => (invoices > 1 ? `${name} (${invoices} invoices)` : name),
    because: (text: string, why: string) => `${text} (${why})`,
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    at: (name: string, when: string) => `${name}, ${when}`,
    line: (kind: string, items: string) => `${kind}: ${items}.`,
    separator: '; ',
    andMore: (count: number) => `and ${count} more`,
    noChange: 'The plan does not change.',
    empty: 'Nothing is planned.',
    emptyAfter: (why: string) => `Then nothing more is planned: ${why}.`,
  },
)

/** The two plans from the API: steps of invoices, or messages of a debtor. */
export type TwoPlans =
  | PlanChange
  | { readonly before: readonly PlannedMessage[]; readonly after: readonly PlannedMessage[] }

export interface Change {
  readonly kind: 'falls' | 'moves' | 'new' | 'stays'
  readonly action: MessageName
  readonly channel: Channel | null
  readonly before: number | null
  readonly after: number | null
  readonly because: ReasonCode | null
  /** How many invoices have the same change. */
  readonly invoices: number
}

interface Planned {
  /** Identifies the same message in both plans. */
  readonly key: string
  readonly action: MessageName
  readonly channel: Channel | null
  /** Null if the step is skipped or not scheduled. */
  readonly at: number | null
  readonly because: ReasonCode
}

/** Matches messages by invoice, name and position: the nth in one plan is the nth in the other. */
function plannedOf(plans: TwoPlans['before'] | TwoPlans['after']): Planned[] {
  const seen = new Map<string, number>()
  const keyOf = (name: string) => {
    const nth = seen.get(name) ?? 0
    seen.set(name, nth + 1)
    return `${name} ${nth}`
  }
  return plans.flatMap(plan =>
    'actions' in plan
      ? plan.actions.map(({ action, channel, scheduledAt, skipped, reasonCode }) => ({
          key: keyOf(`${plan.invoiceId} ${action}`),
          action,
          channel,
          at: skipped || scheduledAt === null ? null : Date.parse(scheduledAt),
          because: reasonCode,
        }))
      : [
          {
            key: keyOf(`${plan.invoiceIds.toSorted().join(' ')} ${plan.action}`),
            action: plan.action as MessageName,
            channel: plan.channel,
            at: Date.parse(plan.at),
            because: plan.shifts.at(-1)?.because ?? 'cascade',
          },
        ],
  )
}

/** Reasons that mean only that the message is planned. */
const plain: readonly ReasonCode[] = ['cascade', 'planned', 'requested']
const spoken = (because: ReasonCode | undefined) =>
  because === undefined || plain.includes(because) ? null : because

/** Why a plan is empty. */
const emptyReason = (plans: TwoPlans['after']): ReasonCode | null =>
  spoken(plans.flatMap(plan => ('reasonCode' in plan ? plan.reasonCode : [])).at(0))

const minuteOf = (at: number) => Math.floor(at / 60_000)

/** Times are shown to the minute: a smaller difference is not a move. */
const kindOf = (before: number | null, after: number | null): Change['kind'] =>
  before === null
    ? 'new'
    : after === null
      ? 'falls'
      : minuteOf(before) === minuteOf(after)
        ? 'stays'
        : 'moves'

/** The differences between the two plans, in order of time. */
export function changesOf(plans: TwoPlans): Change[] {
  const before = new Map(plannedOf(plans.before).map(one => [one.key, one]))
  const after = new Map(plannedOf(plans.after).map(one => [one.key, one]))
  const changes = new Map<string, Change>()
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(key), after.get(key)]
    const times = { before: old?.at ?? null, after: next?.at ?? null }
    if (times.before === null && times.after === null) continue
    const { action, channel } = (next ?? old)!
    const kind = kindOf(times.before, times.after)
    const because = kind === 'stays' ? null : spoken(next?.because)
    // The steps of several invoices that go together are one message.
    const same = [action, channel, times.before, times.after, because].join(' ')
    const known = changes.get(same)
    changes.set(same, { kind, action, channel, ...times, because, invoices: (known?.invoices ?? 0) + 1 })
  }
  return [...changes.values()].sort((a, b) => (a.after ?? a.before)! - (b.after ?? b.before)!)
}

/** The channel of a step that names one. A formal notice is one by email too. */
const ownChannels: Partial<Record<MessageName, Channel>> = {
  relance_email_1: 'email',
  relance_email_2: 'email',
  relance_email_3: 'email',
  sms_reminder: 'sms',
  ai_call: 'voice',
  ai_call_2: 'voice',
}

/** Formats the names, times and reasons of changes in one language and one zone. */
function speaker(language: Language, timeZone: string) {
  const words = planWords[language]
  const { steps, channels, reasons, unknownReason } = names[language]
  const when = (at: number | null) => (at === null ? words.nothing : momentText(at, timeZone, language))
  // A step that goes with the message of another invoice is that message: a letter is not called a call.
  const nameOfChange = ({ action, channel, invoices }: Change) => {
    const own = ownChannels[action]
    const isCarried = channel !== null && own !== undefined && own !== channel
    return words.times(isCarried ? channels[channel] : nameOf(steps, action, action), invoices)
  }
  const why = ({ because }: Change) => (because === null ? null : nameOf(reasons, because, unknownReason))
  return {
    words,
    when,
    nameOfChange,
    why,
    reason: (code: ReasonCode) => nameOf(reasons, code, unknownReason),
  }
}

/** A sentence names at most this many messages; the table lists all. */
const namedMax = 4

/** The differences in sentences: removed, moved and new messages. */
export function sentencesOf(plans: TwoPlans, language: Language, timeZone: string): string[] {
  const { words, when, nameOfChange, why, reason } = speaker(language, timeZone)
  const changes = changesOf(plans)
  if (changes.length === 0) return [words.empty]
  const text = (change: Change) => {
    const name = nameOfChange(change)
    const moments =
      change.kind === 'moves'
        ? words.fromTo(when(change.before), when(change.after))
        : when(change.after ?? change.before)
    const because = why(change)
    return because === null ? words.at(name, moments) : words.because(words.at(name, moments), because)
  }
  const line = (kind: 'falls' | 'moves' | 'new') => {
    const some = changes.filter(change => change.kind === kind)
    if (some.length === 0) return []
    const more = some.length - namedMax
    const items = some.slice(0, more > 1 ? namedMax : some.length).map(text)
    return words.line(
      words.kinds[kind],
      [...items, ...(more > 1 ? [words.andMore(more)] : [])].join(words.separator),
    )
  }
  const because = changes.some(({ after }) => after !== null) ? null : emptyReason(plans.after)
  const lines = (['falls', 'moves', 'new'] as const).flatMap(line)
  if (lines.length === 0) return [words.noChange]
  return because === null ? lines : [...lines, words.emptyAfter(reason(because))]
}

export function tableOfPlans(plans: TwoPlans, language: Language, timeZone: string): TableData {
  const { words, when, nameOfChange, why } = speaker(language, timeZone)
  return {
    columns: [words.message, words.before, words.after, words.why],
    rows: changesOf(plans).map(change => [
      nameOfChange(change),
      when(change.before),
      when(change.after),
      why(change) ?? words.kinds[change.kind],
    ]),
  }
}

export interface PlanMark {
  readonly id: string
  /** Of which plan. */
  readonly plan: 'before' | 'after'
  readonly kind: Change['kind']
  readonly channel: Channel | null
  readonly at: number
  readonly x: number
  readonly y: number
  /** Read aloud when it has the focus. */
  readonly text: string
}

interface Label {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly text: string
  readonly isOld: boolean
}

export interface PlanPicture {
  readonly width: number
  readonly height: number
  /** In reading order. */
  readonly marks: readonly PlanMark[]
  readonly labels: readonly Label[]
  /** Arrows from the old position of a message to the new one. */
  readonly moves: readonly {
    readonly id: string
    readonly x1: number
    readonly y1: number
    readonly x2: number
    readonly y2: number
  }[]
  readonly lines: readonly {
    readonly x1: number
    readonly y1: number
    readonly x2: number
    readonly y2: number
    readonly isOld: boolean
  }[]
  readonly ticks: readonly { readonly x: number; readonly text: string }[]
  /** Where the ticks begin and end; null in the vertical layout, where each mark shows its own time. */
  readonly tickSpan: { readonly y1: number; readonly y2: number } | null
}

const dayMs = 86_400_000
/** The radius of a mark, with a little air. */
const air = 12
const rows = { before: 56, after: 104 }
/** Room for the names of the two plans at the left, and for half a message name at the right. */
const left = 72
const right = 32
/** As wide as the text of a day. */
const tickRoom = 72

/** Two plans on one time axis, the old one above the new one; on a phone the axis is vertical. */
export function layoutPlans(
  plans: TwoPlans,
  width: number,
  language: Language,
  timeZone: string,
): PlanPicture {
  const changes = changesOf(plans)
  return width < 600
    ? layoutDown(changes, width, language, timeZone)
    : layoutAcross(changes, width, language, timeZone)
}

const marksOfChange = (change: Change, index: number, text: string) =>
  (['before', 'after'] as const).flatMap(plan => {
    const at = change[plan]
    const { kind, channel } = change
    return at === null ? [] : { id: `${plan} ${index}`, plan, kind, channel, at, text }
  })

/** The full text of a change, for screen readers. */
function textOf(change: Change, { words, when, nameOfChange, why }: ReturnType<typeof speaker>): string {
  const moments =
    change.kind === 'moves'
      ? words.fromTo(when(change.before), when(change.after))
      : when(change.after ?? change.before)
  const text = words.at(`${words.kinds[change.kind]}\u00a0: ${nameOfChange(change)}`, moments)
  const because = why(change)
  return because === null ? text : words.because(text, because)
}

function layoutAcross(
  changes: readonly Change[],
  width: number,
  language: Language,
  timeZone: string,
): PlanPicture {
  const speech = speaker(language, timeZone)
  const moments = changes.flatMap(({ before, after }) => [before, after]).filter(at => at !== null)
  const first = Math.min(...moments)
  const last = Math.max(Math.max(...moments), first + 7 * dayMs)
  const xOf = (at: number) => Math.round(left + ((at - first) / (last - first)) * (width - left - right))
  const marks = changes
    .flatMap((change, index) => marksOfChange(change, index, textOf(change, speech)))
    .map(mark => ({ ...mark, x: xOf(mark.at), y: rows[mark.plan] }))
  return {
    width,
    height: 152,
    marks,
    labels: labelsOf(changes, marks, width, speech),
    moves: changes.flatMap((change, index) =>
      change.kind === 'moves'
        ? {
            id: `move ${index}`,
            x1: xOf(change.before!),
            y1: rows.before + air,
            x2: xOf(change.after!),
            y2: rows.after - air,
          }
        : [],
    ),
    lines: [
      { x1: left - 20, y1: rows.before, x2: width, y2: rows.before, isOld: true },
      { x1: left - 20, y1: rows.after, x2: width, y2: rows.after, isOld: false },
    ],
    ticks: changes.length === 0 ? [] : ticksOf(first, last, xOf, width, language, timeZone),
    tickSpan: { y1: 20, y2: 116 },
  }
}

/** Names of messages where they fit: removed ones above their marks, those of the new plan below, on two levels. */
function labelsOf(
  changes: readonly Change[],
  marks: readonly PlanMark[],
  width: number,
  { nameOfChange }: ReturnType<typeof speaker>,
): Label[] {
  const taken: { level: number; from: number; until: number }[] = []
  return marks.flatMap(mark => {
    const isOld = mark.plan === 'before'
    if (isOld && mark.kind !== 'falls') return []
    const text = nameOfChange(changes[Number(mark.id.split(' ')[1])]!)
    const half = text.length * 3.6 + 4
    const anchor = mark.x < half ? 'start' : mark.x > width - half ? 'end' : 'middle'
    const from = anchor === 'start' ? 0 : anchor === 'end' ? width - 2 * half : mark.x - half
    const until = from + 2 * half
    const levels = isOld ? [rows.before - 16] : [rows.after + 24, rows.after + 40]
    const level = levels.find(
      y => !taken.some(one => one.level === y && one.from < until && from < one.until),
    )
    if (level === undefined) return []
    taken.push({ level, from, until })
    const x = anchor === 'start' ? 2 : anchor === 'end' ? width - 2 : mark.x
    return { id: mark.id, x, y: level, anchor, text, isOld }
  })
}

/** Days at even distances, at midnight where the debtor is. */
function ticksOf(
  first: number,
  last: number,
  xOf: (at: number) => number,
  width: number,
  language: Language,
  timeZone: string,
) {
  const room = Math.max(1, Math.floor((width - left - right) / 96))
  const days = (last - first) / dayMs
  const step = [1, 2, 7, 14, 28, 91, 182, 364].find(step => days / step <= room) ?? Math.ceil(days / room)
  const ticks: { x: number; text: string }[] = []
  for (let date = localTime(first, timeZone).date; ; date = addDays(date, step)) {
    const midnight = midnightOf(date, timeZone)
    if (midnight > last) return ticks
    const x = xOf(midnight)
    if (x >= left - 20 && x <= width - tickRoom)
      ticks.push({ x, text: weekday(midnight, timeZone, language) })
  }
}

const rowHeight = 44

function layoutDown(
  changes: readonly Change[],
  width: number,
  language: Language,
  timeZone: string,
): PlanPicture {
  const speech = speaker(language, timeZone)
  const { words, when, nameOfChange, why } = speech
  const yOf = (index: number) => 20 + index * rowHeight
  const columns = { before: 12, after: 36 }
  const height = Math.max(24, changes.length * rowHeight)
  return {
    width,
    height,
    marks: changes.flatMap((change, index) =>
      marksOfChange(change, index, textOf(change, speech)).map(mark => ({
        ...mark,
        x: columns[mark.plan],
        y: yOf(index),
      })),
    ),
    labels: changes.flatMap((change, index) => {
      const moments =
        change.kind === 'moves'
          ? words.fromTo(when(change.before), when(change.after))
          : when(change.after ?? change.before)
      const label = { x: 56, anchor: 'start' as const }
      const name = `${nameOfChange(change)} · ${why(change) ?? words.kinds[change.kind]}`
      return [
        { ...label, id: `name ${index}`, y: yOf(index) - 2, text: name, isOld: false },
        { ...label, id: `when ${index}`, y: yOf(index) + 14, text: moments, isOld: change.kind === 'falls' },
      ]
    }),
    moves: changes.flatMap((change, index) =>
      change.kind === 'moves'
        ? {
            id: `move ${index}`,
            x1: columns.before + air,
            y1: yOf(index),
            x2: columns.after - air,
            y2: yOf(index),
          }
        : [],
    ),
    lines: [
      { x1: columns.before, y1: 0, x2: columns.before, y2: height, isOld: true },
      { x1: columns.after, y1: 0, x2: columns.after, y2: height, isOld: false },
    ],
    ticks: [],
    tickSpan: null,
  }
}
