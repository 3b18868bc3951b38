import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { DAY, MINUTE } from '../time.ts'
import { channels } from './channel.ts'
import { calendarDays, closedBecause, contactPieces, openingsAfter } from './contact-calendar.ts'
import { COOLDOWN, evidenceOf, judgeContact, type PastContact } from './contact-rules.ts'
import { nextLegalSlot } from './next-legal-slot.ts'

const lyon = fileOf('69003')
const week = { from: paris('2026-11-16 00:00'), until: paris('2026-11-23 00:00') }
const openOf = (pieces: ReturnType<typeof contactPieces>) =>
  pieces.filter(({ allowed }) => allowed).map(({ from, until }) => [from, until])

test('a week of letters: six days from 08:00 to 20:00, and a closed Sunday with its date', () => {
  const pieces = contactPieces(lyon, 'email', week)
  expect(openOf(pieces)).toEqual(
    [16, 17, 18, 19, 20, 21].map(day => [paris(`2026-11-${day} 08:00`), paris(`2026-11-${day} 20:00`)]),
  )
  expect(pieces.at(-1)).toEqual({
    from: paris('2026-11-22 00:00'),
    until: week.until,
    allowed: false,
    because: 'sunday',
    params: { on: '2026-11-22' },
  })
})

test('a contact closes its day for every channel, and its own channel to the minute before and after', () => {
  const at = paris('2026-11-18 10:20:30.123')
  const contacted = fileOf('69003', [{ at, channel: 'email' }])
  const emails = openOf(contactPieces(contacted, 'email', week))
  expect(emails.some(([from]) => from === paris('2026-11-21 10:36'))).toBe(true)
  expect(emails.every(([, until]) => until! <= at - COOLDOWN + 1 || until! > at + COOLDOWN)).toBe(true)
  const texts = openOf(contactPieces(contacted, 'sms', week))
  expect(texts).toHaveLength(5)
  expect(texts.some(([from]) => from === paris('2026-11-18 08:00'))).toBe(false)
})

test('an obstacle with an end stands before the rules until then, one without an end closes the channel', () => {
  const until = paris('2026-11-18 12:00')
  const paused = contactPieces(lyon, 'sms', week, [{ because: 'debtor', until }])
  expect(paused[0]).toMatchObject({ from: week.from, until, because: 'debtor' })
  expect(paused[1]).toMatchObject({ from: until, allowed: true })
  const obstacles = [{ because: 'channel_closed', until: null }]
  expect(contactPieces(lyon, 'sms', week, obstacles)).toEqual([
    { ...week, allowed: false, because: 'channel_closed', params: {} },
  ])
  expect(closedBecause(lyon, 'sms', obstacles, week.from)).toBe('channel_closed')
  expect(closedBecause(lyon, 'sms', [{ because: 'debtor', until }], week.from)).toBeNull()
})

test('without a calendar, and for consumers abroad, a channel is closed for good', () => {
  const nowhere = fileOf(null, [], { country: 'US' })
  expect(contactPieces(nowhere, 'email', week)).toMatchObject([{ ...week, because: 'calendar_missing' }])
  expect(closedBecause(nowhere, 'email', [], week.from)).toBe('calendar_missing')
  const abroad = fileOf('80331', [], { country: 'DE', isConsumer: true })
  expect(closedBecause(abroad, 'email', [], week.from)).toBe('foreign_consumer')
  expect(closedBecause(lyon, 'email', [], paris('2026-11-22 10:00'))).toBeNull()
})

test('where several clocks hold, a piece is open when all of them are', () => {
  const spain = fileOf(null, [], { country: 'ES' })
  const day = { from: paris('2026-11-17 00:00'), until: paris('2026-11-17 00:00') + DAY }
  // 09:00 in Madrid is 08:00 on the Canaries.
  expect(openOf(contactPieces(spain, 'email', day))).toEqual([
    [paris('2026-11-17 09:00'), paris('2026-11-17 20:00')],
  ])
})

test('a day says how many contacts count at its opening, and today how many count now', () => {
  const made = [
    { at: paris('2026-11-09 09:00'), channel: 'email' as const },
    { at: paris('2026-11-12 12:13:20'), channel: 'email' as const },
    { at: paris('2026-11-16 09:00'), channel: 'lrar' as const },
  ]
  const file = fileOf('69003', made, { caps: { perWeek: 2, perMonth: 8 } })
  const daysAt = (now: number) => calendarDays(file, 'Europe/Paris', week, now)
  const [monday, tuesday] = daysAt(paris('2026-11-16 10:00'))
  expect(monday).toMatchObject({ countedAt: paris('2026-11-16 10:00'), inSevenDays: 2 })
  expect(tuesday).toMatchObject({ countedAt: paris('2026-11-17 08:00'), inSevenDays: 2 })
  const thursdayAt = (time: string) => daysAt(paris(`2026-11-19 ${time}`))[3]!.inSevenDays
  expect([thursdayAt('12:13'), thursdayAt('12:13:59.999'), thursdayAt('12:14')]).toEqual([2, 2, 1])
  expect(contactPieces(file, 'sms', week)).toContainEqual(
    expect.objectContaining({ allowed: true, from: paris('2026-11-19 12:14') }),
  )
})

/** A file whose contacts were each allowed when they were added, in any order: some were reserved for later. */
const keptFiles = fc
  .record({
    postalCode: fc.constantFrom('69003', '68000', '97400'),
    isConsumer: fc.boolean(),
    caps: fc.record({ perWeek: fc.integer({ min: 1, max: 6 }), perMonth: fc.integer({ min: 1, max: 26 }) }),
    quiet: fc.option(fc.integer({ min: 0, max: 10 * DAY })),
    wishes: fc.array(
      fc.record({
        offset: fc.integer({ min: -35 * DAY, max: 10 * DAY }),
        channel: fc.constantFrom(...channels),
        isFirstLegal: fc.boolean(),
      }),
      { maxLength: 40 },
    ),
  })
  .map(({ postalCode, isConsumer, caps, quiet, wishes }) => {
    const contacts: PastContact[] = []
    for (const { offset, channel, isFirstLegal } of wishes) {
      const file = fileOf(postalCode, contacts, { isConsumer, caps })
      const wish = week.from + offset
      const at = isFirstLegal ? nextLegalSlot(file, channel, wish).at! : wish
      if (judgeContact(file, channel, at).allowed) contacts.push({ at, channel })
    }
    const quietUntil = quiet === null ? null : week.from + quiet
    return { file: fileOf(postalCode, contacts, { isConsumer, caps, quietUntil }), caps }
  })

const fortnight = { from: week.from - 7 * DAY, until: week.until }

test('where every contact kept the rules, no count that is shown is above its cap', () => {
  fc.assert(
    fc.property(keptFiles, fc.integer({ min: 0, max: 14 * DAY }), ({ file, caps }, offset) => {
      const zone = file.calendar!.zones[0]
      for (const day of calendarDays(file, zone, fortnight, fortnight.from + offset)) {
        expect(day.inSevenDays).toBeLessThanOrEqual(caps.perWeek)
        const verdict = judgeContact({ ...file, contacts: [], quietUntil: null }, 'email', day.countedAt)
        if (!verdict.allowed && verdict.because === 'weekly_cap') expect(day.inSevenDays).toBe(caps.perWeek)
        else if (verdict.allowed) expect(day.inSevenDays).toBeLessThan(caps.perWeek)
      }
      const evidence = evidenceOf(file, 'email', fortnight.from + offset)
      expect(evidence.inSevenDays).toBeLessThanOrEqual(caps.perWeek)
      expect(evidence.inThirtyDays).toBeLessThanOrEqual(caps.perMonth)
    }),
    { numRuns: 300 },
  )
})

test('a closed piece opens at the first allowed moment after it, on a whole minute', () => {
  fc.assert(
    fc.property(keptFiles, fc.constantFrom(...channels), ({ file }, channel) => {
      const pieces = contactPieces(file, channel, fortnight)
      const openings = openingsAfter(file, channel, pieces, [])
      for (const [i, piece] of pieces.entries()) {
        if (piece.allowed) continue
        expect(openings[i]).toBe(nextLegalSlot(file, channel, piece.from).at)
        expect(openings[i]! % MINUTE).toBe(0)
      }
    }),
    { numRuns: 300 },
  )
})

test('a rest that ends in the last minutes of the hours opens the channel on the next day', () => {
  const file = fileOf('69003', [], { quietUntil: paris('2026-11-16 19:59') })
  const opening = openingsAfter(file, 'email', contactPieces(file, 'email', week), [])[0]
  expect(opening).toBe(paris('2026-11-17 08:00'))
})
