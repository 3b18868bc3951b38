import { expect, test } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { DAY } from '../time.ts'
import { closedBecause, contactPieces } from './contact-calendar.ts'
import { COOLDOWN } from './contact-rules.ts'

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

test('a contact closes its day for every channel, and its own channel to the millisecond before and after', () => {
  const at = paris('2026-11-18 10:20:30.123')
  const contacted = fileOf('69003', [{ at, channel: 'email' }])
  const emails = openOf(contactPieces(contacted, 'email', week))
  expect(emails.some(([from]) => from === at + COOLDOWN)).toBe(true)
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
