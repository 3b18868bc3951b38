import { MINUTE } from '../../src/domain/time.ts'
import { shownMoment } from './announced-compare.ts'
import { isAnswer, type LeftMessage } from './announced-left.ts'
import { daysAhead, type Notes } from './announced-notes.ts'
import type { Tally } from './announced-tally.ts'

const quarterHour = 15 * MINUTE
const day = 24 * 60 * MINUTE
const surface = 'counts per quarter hour'

/** The counts of a morning against what left; the counts name no debtor, so they are only counted. */
export function judgeSlots(
  notes: Notes,
  passed: {
    left: readonly LeftMessage[]
    /** Messages that a new fact brought about. */
    exempt: ReadonlySet<string>
    /** Of the list of debtors: how many announcements of a quarter hour were set apart, by `slotKey`. */
    apart: ReadonlyMap<string, number>
    tally: Tally
  },
): void {
  const { tally, exempt, apart } = passed
  const isNoted = (at: number) => at + quarterHour > notes.from && at <= notes.until
  const left = new Map<string, { all: number; unexpected: number }>()
  for (const message of passed.left) {
    const slot = slotOf(message.at)
    if (isNoted(slot)) continue
    const key = `${slot} ${message.channel}`
    const counts = left.get(key) ?? { all: 0, unexpected: 0 }
    counts.all++
    if (!exempt.has(message.id) && !isAnswer(message)) counts.unexpected++
    left.set(key, counts)
  }
  for (const { at, channel, planned } of notes.slots) {
    const slot = Date.parse(at)
    const ahead = Math.floor((slot - notes.from) / day)
    if (isNoted(slot) || ahead >= daysAhead) continue
    const key = `${slot} ${channel}`
    const seen = left.get(key)?.all ?? 0
    const asSaid = Math.min(planned, seen)
    const away = Math.min(planned - asSaid, apart.get(slotKey(notes, slot, channel)) ?? 0)
    for (let i = 0; i < planned; i++)
      tally.said(surface, ahead, i < asSaid ? 'as said' : i < asSaid + away ? 'apart' : 'not')
    if (planned > asSaid + away)
      tally.differs(
        surface,
        notes.stopped ? `announced although nothing is sent (${notes.stopped})` : 'fewer left',
        () =>
          `${shownMoment(notes.from)} ${notes.company.name} ${channel} ${shownMoment(slot)}: ${planned} / ${seen}`,
        planned - asSaid - away,
      )
  }
  // Only the first message of a debtor is counted, so the days after are not a promise that nothing else leaves.
  for (const [key, { unexpected }] of left) {
    const [slot, channel] = key.split(' ') as [string, string]
    if (Number(slot) <= notes.from || Number(slot) >= notes.from + day) continue
    const planned =
      notes.slots.find(each => Date.parse(each.at) === Number(slot) && each.channel === channel)?.planned ?? 0
    for (let i = 0; i < unexpected; i++) tally.unannounced(surface, i < planned)
  }
}

export const slotOf = (at: number): number => Math.floor(at / quarterHour) * quarterHour

export const slotKey = (notes: Notes, at: number, channel: string): string =>
  `${notes.company.name} ${notes.dayNumber} ${slotOf(at)} ${channel}`
