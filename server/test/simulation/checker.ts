import { regionOf } from './independent-holidays.ts'
import { nameOfDay, wallClock } from './local-clock.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** A contact that reached a person, without any data of the rules. */
export interface LoggedContact {
  debtorId: string
  /** Whatever this person can be recognised by; two records that share one are one person. */
  points: readonly string[]
  channel: 'email' | 'sms' | 'lrar' | 'voice'
  at: number
  country: string
  postalCode: string
  isConsumer: boolean
  caps: { perWeek: number; perMonth: number } | null
}

export const kinds = [
  'outside the hours',
  'outside the hours of calls',
  'on a Sunday',
  'on a public holiday',
  'twice a day',
  'within 72 hours on one channel',
  'more than the week allows',
  'more than the month allows',
  'more calls than a consumer takes',
  'a consumer abroad',
] as const
export type Kind = (typeof kinds)[number]

export interface Violation {
  kind: Kind
  debtorId: string
  description: string
}

/**
 * Checks a log of contacts against the law and the caps. It is written from the text of the rules and shares nothing with
 * the code under test: own clock, own calendar, own counting.
 */
export function violationsIn(log: readonly LoggedContact[]): Violation[] {
  const found: Violation[] = []
  const atPoint = new Map<string, { latest: number; byChannel: Map<string, number> }>()
  const ofDebtor = new Map<string, LoggedContact[]>()
  for (const contact of log.toSorted((left, right) => left.at - right.at)) {
    const report = (kind: Kind, more = '') => {
      const description = `${contact.channel} at ${new Date(contact.at).toISOString()}, ${contact.postalCode} ${more}`
      found.push({ kind, debtorId: contact.debtorId, description })
    }
    checkMoment(contact, report)
    if (contact.isConsumer && contact.country !== 'FR') report('a consumer abroad', contact.country)
    const isToday = (other: number) =>
      regionOf(contact.country, contact.postalCode).zones.some(
        zone => wallClock(zone, other).day === wallClock(zone, contact.at).day,
      )
    const reported = new Set<Kind>()
    for (const point of contact.points) {
      const before = atPoint.get(point)
      if (!before) {
        atPoint.set(point, { latest: contact.at, byChannel: new Map([[contact.channel, contact.at]]) })
        continue
      }
      if (isToday(before.latest)) reported.add('twice a day')
      const last = before.byChannel.get(contact.channel)
      if (last !== undefined && contact.at - last < 3 * DAY) reported.add('within 72 hours on one channel')
      before.latest = contact.at
      before.byChannel.set(contact.channel, contact.at)
    }
    for (const kind of reported) report(kind)
    const own = ofDebtor.get(contact.debtorId) ?? []
    ofDebtor.set(contact.debtorId, own)
    own.push(contact)
    checkCaps(contact, own, report)
  }
  return found
}

type Report = (kind: Kind, more?: string) => void

function checkMoment(contact: LoggedContact, report: Report): void {
  const region = regionOf(contact.country, contact.postalCode)
  const reported = new Set<Kind>()
  for (const zone of region.zones) {
    const { day, msOfDay, weekday } = wallClock(zone, contact.at)
    const between = (from: number, to: number) => msOfDay >= from * MINUTE && msOfDay < to * MINUTE
    if (!between(8 * 60, 20 * 60)) reported.add('outside the hours')
    if (contact.channel === 'voice') {
      const isCallTime = contact.isConsumer
        ? between(10 * 60, 13 * 60) || between(14 * 60, 20 * 60)
        : between(9 * 60, 12.5 * 60) || between(14 * 60, 18.5 * 60)
      if (!isCallTime || weekday === 6 || weekday === 0) reported.add('outside the hours of calls')
    }
    if (weekday === 0) reported.add('on a Sunday')
    if (region.isHoliday(day)) reported.add('on a public holiday')
  }
  for (const kind of reported)
    report(kind, region.zones.map(zone => nameOfDay(wallClock(zone, contact.at).day)).join(' '))
}

function checkCaps(contact: LoggedContact, own: readonly LoggedContact[], report: Report): void {
  const { caps, at } = contact
  if (!caps) return
  let week = 0
  let month = 0
  let calls = 0
  for (let i = own.length - 1; i >= 0 && own[i]!.at > at - 30 * DAY; i--) {
    month++
    if (own[i]!.at > at - 7 * DAY) week++
    if (own[i]!.channel === 'voice') calls++
  }
  if (week > caps.perWeek) report('more than the week allows', `${week} of ${caps.perWeek}`)
  if (month > caps.perMonth) report('more than the month allows', `${month} of ${caps.perMonth}`)
  if (contact.isConsumer && contact.channel === 'voice' && calls > 4)
    report('more calls than a consumer takes', String(calls))
}
