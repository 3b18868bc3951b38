import type { Channel, ContactCalendar } from '@relance/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarFor } from '../../../../server/src/domain/contact/calendar.ts'
import { channels } from '../../../../server/src/domain/contact/channel.ts'
import {
  calendarDays,
  closedBecause,
  contactBehind,
  contactPieces,
  type Obstacle,
  openingsAfter,
} from '../../../../server/src/domain/contact/contact-calendar.ts'
import { type ContactFile, defaultCaps } from '../../../../server/src/domain/contact/contact-rules.ts'
import { nextLegalSlot } from '../../../../server/src/domain/contact/next-legal-slot.ts'
import { addDays, type Instant, instantOf, iso } from '../../../../server/src/domain/time.ts'
import { names } from '../../lib/names.ts'
import { layoutCalendar, moveDay } from './calendar-layout.ts'
import { type CalendarCause, calendarTable, daysOf, sentenceOfCell } from './calendar-sentences.ts'
import type { CalendarLayout } from './calendar-shapes.ts'
import { calendarWords } from './calendar-words.ts'
import { patternOf } from './contact-signs.ts'

const states = ['reserved', 'sending', 'sent', 'delivered', 'unknown', 'bounced', 'failed'] as const
const places = { Colmar: '68000', 'La Réunion': '97400', Lyon: '69003', 'Saint-Pierre': '97500' }
/** Two of them hold a change of the clocks. */
const beginnings = ['2026-10-12', '2026-11-02', '2026-12-21', '2027-03-15', '2027-04-26']

/** The days and the pieces of a debtor, by the rules of the server. */
function calendarBy(
  rules: ContactFile,
  span: { from: Instant; until: Instant },
  now: Instant,
  obstaclesOf: (channel: Channel) => Obstacle[] = () => [],
) {
  const zone = rules.calendar!.zones[0]
  return {
    debtorId: 'd',
    from: iso(span.from),
    until: iso(span.until),
    timeZone: zone,
    region: rules.calendar!.region,
    now: iso(now),
    days: calendarDays(rules, zone, span, now).map(day => ({
      ...day,
      isToday: now >= day.from && now < day.until,
      from: iso(day.from),
      opens: iso(day.opens),
      closes: iso(day.closes),
      until: iso(day.until),
      countedAt: iso(day.countedAt),
    })),
    caps: rules.caps,
    cooldownMinutes: 72 * 60 + 15,
    stopped: null,
    channels: channels.map(channel => {
      const obstacles = obstaclesOf(channel)
      const pieces = contactPieces(rules, channel, span, obstacles)
      const openings = openingsAfter(rules, channel, pieces, obstacles)
      const isoOrNull = (at: Instant | null) => (at === null ? null : iso(at))
      return {
        channel,
        closed: closedBecause(rules, channel, obstacles, span.from) as CalendarCause | null,
        pieces: pieces.map((piece, i) => ({
          ...piece,
          because: piece.because as CalendarCause | null,
          from: iso(piece.from),
          until: iso(piece.until),
          opensAt: isoOrNull(openings[i]!),
          contactAt: isoOrNull(contactBehind(rules, channel, piece)),
        })),
      }
    }),
    contacts: [],
    planned: [],
    outlook: { next: 'nothing' as const, at: null, channel: null, because: [] },
  } satisfies ContactCalendar
}

/** The calendar of a debtor, by the rules of the server. */
const calendars = fc
  .record({
    postalCode: fc.constantFrom(...Object.values(places)),
    first: fc.constantFrom(...beginnings),
    days: fc.integer({ min: 1, max: 42 }),
    isConsumer: fc.boolean(),
    made: fc.array(
      fc.record({
        minute: fc.integer({ min: 0, max: 42 * 1440 }),
        ms: fc.integer({ min: 0, max: 59_999 }),
        channel: fc.constantFrom(...channels),
        state: fc.constantFrom(...states),
        isOtherRecord: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
    planned: fc.array(
      fc.record({ minute: fc.integer({ min: 0, max: 42 * 1440 }), channel: fc.constantFrom(...channels) }),
      { maxLength: 4 },
    ),
    obstacle: fc.option(
      fc.record({
        channel: fc.constantFrom(...channels),
        because: fc.constantFrom('debtor', 'no_mobile', 'channel_closed', 'insolvency'),
        days: fc.option(fc.integer({ min: 1, max: 30 })),
      }),
    ),
  })
  .map(({ postalCode, first, days, isConsumer, made, planned, obstacle }) => {
    const place = calendarFor({ country: 'FR', postalCode })!
    const zone = place.zones[0]
    const from = instantOf(zone, first, 0)
    const until = instantOf(zone, addDays(first, days), 0)
    const contacts = made
      .map(({ minute, ms, ...contact }, i) => ({ ...contact, at: from + minute * 60_000 + ms, id: `m${i}` }))
      .filter(({ at }) => at < until)
    const counted = contacts.filter(({ state }) => state !== 'bounced' && state !== 'failed')
    const rules: ContactFile = {
      calendar: place,
      contacts: counted,
      month: counted,
      caps: defaultCaps,
      isConsumer,
      quietUntil: null,
    }
    const obstaclesOf = (channel: Channel): Obstacle[] =>
      obstacle?.channel === channel
        ? [
            {
              because: obstacle.because,
              until: obstacle.days === null ? null : from + obstacle.days * 86_400_000,
            },
          ]
        : []
    return {
      ...calendarBy(rules, { from, until }, from, obstaclesOf),
      contacts: contacts.map(({ id, at, channel, state, isOtherRecord }) => ({
        communicationId: id,
        at: iso(at),
        channel,
        action: 'relance_email_1' as const,
        state,
        counts: state !== 'bounced' && state !== 'failed',
        isOtherRecord,
      })),
      planned: planned
        .map(({ minute, channel }) => ({ at: from + minute * 60_000, channel }))
        .filter(({ at }) => at < until)
        .map(({ at, channel }) => ({
          at: iso(at),
          channel,
          action: 'sms_reminder' as const,
          invoiceIds: [],
          shifts: [],
        })),
    } satisfies ContactCalendar
  })

/** A phone shows one channel and two weeks at a time: all of its pictures together show everything. */
function picturesOf(calendar: ContactCalendar, width: number): CalendarLayout[] {
  const days = daysOf(calendar)
  const options = { width, language: 'fr' } as const
  const { shown, form } = layoutCalendar(calendar, { ...options, first: 0 })
  const firsts = Array.from({ length: Math.ceil(days.length / shown) }, (_, page) => page * shown)
  return firsts.flatMap(first =>
    form === 'wide'
      ? [layoutCalendar(calendar, { ...options, first })]
      : channels.map(channel => layoutCalendar(calendar, { ...options, first, channel })),
  )
}

const patternFor = (because: CalendarCause | null) => (because === null ? null : patternOf(because))
const widths = fc.constantFrom(390, 599, 600, 800, 1100, 1600)

describe('the contact calendar', () => {
  it('draws at every minute of every day what the API said of it', () => {
    fc.assert(
      fc.property(calendars, widths, (calendar, width) => {
        const seen = new Set<string>()
        const zone = calendar.timeZone!
        const lines = new Map(
          calendar.channels.map(({ channel, pieces }) => [
            channel,
            pieces.map(piece => ({ ...piece, start: Date.parse(piece.from), end: Date.parse(piece.until) })),
          ]),
        )
        for (const { rows, form } of picturesOf(calendar, width))
          for (const cell of rows.flat()) {
            seen.add(`${cell.channel} ${cell.date}`)
            const opens = instantOf(zone, cell.date, 8 * 60)
            const said: unknown[] = []
            const drawn: unknown[] = []
            for (let minute = 0; minute < 12 * 60; minute += 7) {
              // A little after the minute, so that no rounding of places decides on which side of an edge it lies.
              const share = minute / (12 * 60) + 1e-7
              const at = opens + share * 12 * 60 * 60_000
              const piece = lines.get(cell.channel)!.find(({ start, end }) => start <= at && at < end)!
              said.push([piece.allowed, piece.because, piece.params, patternFor(piece.because)])
              // Where the moment lies in the cell, by its place alone.
              const x = cell.x + share * cell.width
              const y = cell.y + share * cell.height
              for (const segment of cell.segments)
                if (
                  form === 'phone'
                    ? segment.x <= x && x < segment.x + segment.width
                    : segment.y <= y && y < segment.y + segment.height
                )
                  drawn.push([
                    segment.piece.allowed,
                    segment.piece.because,
                    segment.piece.params,
                    segment.pattern,
                  ])
            }
            if (JSON.stringify(drawn) !== JSON.stringify(said)) expect(drawn).toEqual(said)
          }
        expect(seen.size).toBe(daysOf(calendar).length * channels.length)
      }),
      { numRuns: 200 },
    )
  }, 180_000)

  it('draws every contact once, in the cell of its day and channel, with the sign of what became of it', () => {
    const sign = {
      reserved: 'sent',
      sending: 'sent',
      sent: 'sent',
      delivered: 'delivered',
      unknown: 'unknown',
      bounced: 'refused',
      failed: 'refused',
    }
    fc.assert(
      fc.property(calendars, widths, (calendar, width) => {
        // The last pages of two pictures may show a day twice: marks are compared by their day and channel.
        const drawn = new Map<string, { sign: string | null; channel: string; date: string }>()
        for (const { rows } of picturesOf(calendar, width))
          for (const cell of rows.flat())
            for (const mark of cell.marks) {
              drawn.set(mark.id, { sign: mark.sign, channel: mark.channel, date: cell.date })
              expect(mark.x).toBeGreaterThanOrEqual(cell.x)
              expect(mark.x).toBeLessThanOrEqual(cell.x + cell.width)
              expect(mark.y).toBeGreaterThanOrEqual(cell.y)
              expect(mark.y).toBeLessThanOrEqual(cell.y + cell.height)
            }
        const dateOf = (at: string) =>
          daysOf(calendar).find(day => Date.parse(at) >= day.from && Date.parse(at) < day.until)!.date
        const said = new Map<string, { sign: string | null; channel: string; date: string }>([
          ...calendar.contacts.map(
            ({ communicationId, at, channel, state }) =>
              [communicationId, { sign: sign[state], channel, date: dateOf(at) }] as const,
          ),
          ...calendar.planned.map(
            ({ at, channel, action }) =>
              [`${at} ${channel} ${action}`, { sign: null, channel, date: dateOf(at) }] as const,
          ),
        ])
        expect(drawn).toEqual(said)
      }),
      { numRuns: 100 },
    )
  }, 60_000)

  it('keeps targets of 24 pixels, and everything inside its width', () => {
    fc.assert(
      fc.property(calendars, fc.integer({ min: 320, max: 1600 }), (calendar, width) => {
        for (const { rows } of picturesOf(calendar, width))
          for (const cell of rows.flat()) {
            expect(cell.width + 1).toBeGreaterThanOrEqual(24)
            expect(cell.height).toBeGreaterThanOrEqual(24)
            expect(cell.x + cell.width).toBeLessThanOrEqual(width)
          }
      }),
      { numRuns: 50 },
    )
  }, 60_000)

  it('the legend names the patterns that are there and no other', () => {
    fc.assert(
      fc.property(calendars, calendar => {
        const layout = layoutCalendar(calendar, { width: 1600, language: 'fr' })
        const there = new Set(
          layout.rows.flatMap(row => row.flatMap(({ segments }) => segments.map(s => s.pattern ?? 'open'))),
        )
        expect(new Set(layout.legend.map(({ pattern }) => pattern))).toEqual(there)
        for (const { text } of layout.legend) expect(text).toMatch(/\S/)
      }),
      { numRuns: 50 },
    )
  }, 60_000)

  it('the table has a row per day, open and closed as the picture', () => {
    fc.assert(
      fc.property(calendars, calendar => {
        const { rows, columns } = calendarTable(calendar, 'fr')
        expect(columns).toHaveLength(5)
        const days = daysOf(calendar)
        expect(rows).toHaveLength(days.length)
        const pictures = picturesOf(calendar, 1600)
        for (const cell of pictures.flatMap(picture => picture.rows.flat())) {
          const text = rows[cell.day]![1 + channels.indexOf(cell.channel)]!
          const isOpen = cell.segments.some(({ piece }) => piece.allowed)
          expect(text.startsWith(isOpen ? 'ouvert' : 'fermé')).toBe(true)
          for (const mark of cell.marks) expect(text).toContain(mark.time)
        }
      }),
      { numRuns: 50 },
    )
  }, 60_000)

  it('no sentence shows a code, in either language', () => {
    fc.assert(
      fc.property(calendars, fc.constantFrom('fr' as const, 'en' as const), (calendar, language) => {
        for (const { date } of daysOf(calendar))
          for (const channel of channels) {
            const { what, why, when, remedy } = sentenceOfCell(calendar, channel, date, language)
            expect(what).toMatch(/\S/)
            expect(`${what} ${why} ${when} ${remedy}`).not.toMatch(/_|undefined|NaN|Invalid/)
          }
      }),
      { numRuns: 20 },
    )
  }, 60_000)
})

describe('the sentence of a cell', () => {
  const at = instantOf('Europe/Paris', '2026-11-16', 8 * 60 + 31)
  const contacts = [{ at, channel: 'email' as const }]
  const rules: ContactFile = {
    calendar: calendarFor({ country: 'FR', postalCode: '68000' })!,
    contacts,
    month: contacts,
    caps: defaultCaps,
    isConsumer: false,
    quietUntil: null,
  }
  const span = {
    from: instantOf('Europe/Paris', '2026-11-16', 0),
    until: instantOf('Europe/Paris', '2026-11-30', 0),
  }
  const calendar = calendarBy(rules, span, at)

  it('says what, why and until when', () => {
    expect(sentenceOfCell(calendar, 'email', '2026-11-17', 'fr')).toEqual({
      what: 'mar. 17 nov., E-mail\u00a0: fermé.',
      why: 'Délai de 72\u00a0h\u00a015 après l’e-mail du lun. 16 nov. à 08:31.',
      when: 'S’ouvre jeu. 19 nov. à 08:46.',
      remedy: 'Un autre canal peut être ouvert. À 08:00, 1 contact sur 2 en sept jours glissants.',
    })
    expect(sentenceOfCell(calendar, 'email', '2026-11-16', 'en').remedy).toContain(
      'At 08:31, 1 of 2 contacts in seven rolling days.',
    )
    expect(sentenceOfCell(calendar, 'email', '2026-11-19', 'en').what).toBe(
      'Thu 19 Nov, Email: open from 08:46 to 20:00.',
    )
    expect(sentenceOfCell(calendar, 'voice', '2026-11-18', 'fr').what).toBe(
      'mer. 18 nov., Appel\u00a0: ouvert de 09:00 à 12:30 et de 14:00 à 18:30.',
    )
  })

  it('opens at the minute at which a message is planned, and counts no contact that has left the window', () => {
    const made = [
      { at: instantOf('Europe/Paris', '2026-11-09', 9 * 60), channel: 'email' as const },
      { at: instantOf('Europe/Paris', '2026-11-12', 12 * 60 + 13) + 31_500, channel: 'email' as const },
      { at: instantOf('Europe/Paris', '2026-11-16', 9 * 60), channel: 'lrar' as const },
    ]
    const now = made[2]!.at + 60_000
    const capped = { ...rules, contacts: made, month: made }
    const at = nextLegalSlot(capped, 'email', now).at!
    const planned = [{ at: iso(at), channel: 'email', action: 'relance_email_1', shifts: [] }]
    const full = { ...calendarBy(capped, span, now), planned } as unknown as ContactCalendar
    const today = sentenceOfCell(full, 'email', '2026-11-16', 'fr')
    expect(today.remedy).toContain('À 09:01, 2 contacts sur 2 en sept jours glissants.')
    expect(today.when).toBe('S’ouvre jeu. 19 nov. à 12:14.')
    const thursday = sentenceOfCell(full, 'email', '2026-11-19', 'fr')
    expect(thursday.what).toContain('ouvert de 12:14 à 20:00')
    expect(thursday.why).toContain(' à 12:14.')
  })

  it('is walked by day, week and four weeks', () => {
    const days = daysOf(calendar)
    expect([moveDay(days, 3, 'Home'), moveDay(days, 3, 'End')]).toEqual([0, 6])
    expect([moveDay(days, 3, 'previous'), moveDay(days, 3, 'next')]).toEqual([2, 4])
    expect([moveDay(days, 3, 'PageUp'), moveDay(days, 3, 'PageDown')]).toEqual([-25, 31])
  })
})

it('a payment is not told as a reply: what leaves a debtor in peace is one of the two', () => {
  for (const [language, both] of [
    ['fr', /répondre ou de payer/],
    ['en', /answered or paid/],
  ] as const) {
    expect(names[language].reasons.sign_of_life).toMatch(both)
    expect(calendarWords[language].why.sign_of_life()).toMatch(both)
    expect(calendarWords[language].remedy.sign_of_life).toMatch(/^S’il|^If/)
  }
})
