import type { Today } from '@relance/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { count } from '../../lib/format.ts'
import { type Column, layoutRibbon, type Ribbon, ribbonTable, stackOrder } from './ribbon-layout.ts'

type Slot = Today['slots'][number]
const quarter = 15 * 60_000

/** Days with the moments of midnight and of 08:00, and their number of quarter hours, as almanacs give them. */
const days = [
  {
    timeZone: 'Europe/Paris',
    date: '2026-11-16',
    begin: '2026-11-15T23:00:00Z',
    opens: '2026-11-16T07:00:00Z',
    quarters: 96,
  },
  {
    timeZone: 'Europe/Paris',
    date: '2027-03-28',
    begin: '2027-03-27T23:00:00Z',
    opens: '2027-03-28T06:00:00Z',
    quarters: 92,
  },
  {
    timeZone: 'Europe/Paris',
    date: '2026-10-25',
    begin: '2026-10-24T22:00:00Z',
    opens: '2026-10-25T07:00:00Z',
    quarters: 100,
  },
  {
    timeZone: 'Indian/Reunion',
    date: '2026-11-16',
    begin: '2026-11-15T20:00:00Z',
    opens: '2026-11-16T04:00:00Z',
    quarters: 96,
  },
  {
    timeZone: 'America/Cayenne',
    date: '2026-11-16',
    begin: '2026-11-16T03:00:00Z',
    opens: '2026-11-16T11:00:00Z',
    quarters: 96,
  },
  {
    timeZone: 'Asia/Kathmandu',
    date: '2026-11-16',
    begin: '2026-11-15T18:15:00Z',
    opens: '2026-11-16T02:15:00Z',
    quarters: 96,
  },
  {
    timeZone: 'Pacific/Kiritimati',
    date: '2026-11-16',
    begin: '2026-11-15T10:00:00Z',
    opens: '2026-11-15T18:00:00Z',
    quarters: 96,
  },
]

/** As the API says it: twelve hours from 08:00, and whole hours more where something lies outside. */
function axisOf(opens: number, slots: readonly Slot[]): Ribbon['axis'] {
  const hour = 4 * quarter
  const closes = opens + 12 * hour
  const moments = slots.map(({ at }) => Date.parse(at))
  const early = Math.max(0, ...moments.map(at => Math.ceil((opens - at) / hour)))
  const late = Math.max(0, ...moments.map(at => Math.ceil((at + quarter - closes) / hour)))
  return {
    from: new Date(opens - early * hour).toISOString(),
    until: new Date(closes + late * hour).toISOString(),
  }
}

const counts = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(20_000))

/** An answer of the API: in the order of time, then of channels; no entry without a number. */
const ribbons = fc
  .record({
    day: fc.constantFrom(...days),
    cells: fc.uniqueArray(
      fc.record({
        quarter: fc.nat(99),
        channel: fc.nat(3),
        planned: counts,
        sent: counts,
        delivered: counts,
        bounced: counts,
        failed: counts,
        unknown: counts,
      }),
      { maxLength: 120, selector: cell => cell.quarter * 4 + cell.channel },
    ),
    now: fc.integer({ min: -200, max: 2_000 }),
  })
  .map(({ day, cells, now }): Ribbon => {
    const begin = Date.parse(day.begin)
    const slots = cells
      .filter(cell => cell.quarter < day.quarters)
      .sort((a, b) => a.quarter - b.quarter || a.channel - b.channel)
      .map(({ quarter: at, channel, ...numbers }) => ({
        at: new Date(begin + at * quarter).toISOString(),
        channel: stackOrder[channel]!,
        ...numbers,
        left: numbers.sent + numbers.delivered + numbers.bounced,
      }))
      .filter(({ at, channel, ...numbers }) => Object.values(numbers).some(n => n > 0))
    return {
      date: day.date,
      timeZone: day.timeZone,
      axis: axisOf(Date.parse(day.opens), slots),
      now: new Date(begin + now * 60_000).toISOString(),
      slots,
    }
  })
const languages = fc.constantFrom('fr' as const, 'en' as const)
const wide = fc.integer({ min: 600, max: 2_000 })
const narrow = fc.integer({ min: 280, max: 599 })

const slotsOf = ({ slots }: Ribbon, { from, to }: Column) =>
  slots.filter(({ at }) => Date.parse(from) <= Date.parse(at) && Date.parse(at) <= Date.parse(to))
const total = (slots: readonly Slot[], of: (slot: Slot) => number) =>
  slots.reduce((sum, slot) => sum + of(slot), 0)

/** Everything a column draws, as one would count it in the answer. */
function expectedOf(slots: readonly Slot[]) {
  const of = (channel: string) => slots.filter(slot => slot.channel === channel)
  const segments = (kind: 'left' | 'planned') =>
    stackOrder.map(channel => ({
      channel,
      kind,
      n: total(of(channel), slot => slot[kind]),
    }))
  const parts = stackOrder.flatMap(channel =>
    (['bounced', 'failed', 'unknown'] as const).map(state => ({
      channel,
      state,
      n: total(of(channel), slot => slot[state]),
    })),
  )
  return {
    segments: [...segments('left'), ...segments('planned')].filter(({ n }) => n > 0),
    parts: parts.filter(({ n }) => n > 0),
  }
}

function expectDrawn(ribbon: Ribbon, width: number, language: 'fr' | 'en') {
  const { columns } = layoutRibbon(ribbon, width, language)
  // Every entry of the answer is in one column, and every column has an entry.
  expect(columns.flatMap(column => slotsOf(ribbon, column))).toEqual(ribbon.slots)
  for (const column of columns) {
    const slots = slotsOf(ribbon, column)
    const expected = expectedOf(slots)
    expect(column.segments.map(({ channel, kind, n }) => ({ channel, kind, n }))).toEqual(expected.segments)
    expect(column.cap?.parts ?? []).toEqual(expected.parts)
    expect(column.hasPlanned).toBe(total(slots, slot => slot.planned) > 0)
  }
  return columns
}

describe('the ribbon of a day', () => {
  it('draws each number of the answer once, at its quarter hour', () => {
    fc.assert(
      fc.property(ribbons, wide, languages, (ribbon, width, language) => {
        for (const column of expectDrawn(ribbon, width, language)) expect(column.from).toBe(column.to)
      }),
    )
  })

  it('draws on a phone what the quarter hours of an hour add up to', () => {
    fc.assert(
      fc.property(ribbons, narrow, languages, (ribbon, width, language) => {
        for (const { from, to } of expectDrawn(ribbon, width, language))
          expect(Date.parse(to) - Date.parse(from)).toBe(3 * quarter)
      }),
    )
  })

  it('keeps every bar inside the plot, apart from the next, and higher where there is more', () => {
    fc.assert(
      fc.property(ribbons, fc.oneof(wide, narrow), (ribbon, width) => {
        const { columns, top, baseline } = layoutRibbon(ribbon, width, 'fr')
        for (const [i, { x, bar, segments, cap }] of columns.entries()) {
          expect(x).toBeGreaterThanOrEqual(i === 0 ? 0 : columns[i - 1]!.x + columns[i - 1]!.width)
          expect(bar.x + bar.width).toBeLessThanOrEqual(width)
          expect(bar.width).toBeGreaterThan(0)
          let below = baseline
          for (const { y, height } of segments) {
            expect(height).toBeGreaterThanOrEqual(3)
            expect(y + height).toBeLessThanOrEqual(below + 0.001)
            below = y
          }
          if (cap) expect(cap.y + 4).toBeLessThanOrEqual(below)
          expect(cap?.y ?? below).toBeGreaterThanOrEqual(top - 0.001)
        }
        const all = columns.flatMap(({ segments }) => segments).sort((a, b) => a.n - b.n)
        for (const [i, { height }] of all.entries())
          if (i > 0) expect(height).toBeGreaterThanOrEqual(all[i - 1]!.height)
      }),
    )
  })

  it('says every number of a quarter hour in its sentence, and of the whole answer in its table', () => {
    fc.assert(
      fc.property(ribbons, languages, (ribbon, language) => {
        const { columns } = layoutRibbon(ribbon, 1_200, language)
        for (const column of columns)
          for (const { at, channel, left, ...numbers } of slotsOf(ribbon, column))
            for (const n of Object.values(numbers))
              if (n > 0) expect(column.text).toContain(` ${count(n, language)} `.trimEnd())
        const { rows } = ribbonTable(ribbon, language)
        expect(rows.map(row => row.slice(2))).toEqual(
          ribbon.slots.map(({ planned, sent, delivered, bounced, failed, unknown }) =>
            [planned, sent, delivered, bounced, failed, unknown].map(n => count(n, language)),
          ),
        )
      }),
    )
  })

  it('names the hours of the axis as the clocks of the company show them', () => {
    const paris = { date: '2026-11-16', timeZone: 'Europe/Paris', now: '2026-11-16T09:42:00.000Z', slots: [] }
    const texts = (axis: Ribbon['axis'], width: number) =>
      layoutRibbon({ ...paris, axis }, width, 'fr').hours.map(({ text }) => text)
    const day = { from: '2026-11-16T07:00:00.000Z', until: '2026-11-16T19:00:00.000Z' }
    expect(texts(day, 1_200)).toEqual(
      [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map(h => `${String(h).padStart(2, '0')} h`),
    )
    expect(texts(day, 340).slice(0, 3)).toEqual(['08 h', null, '10 h'])
    // The night in which 02:00 comes twice.
    const night = { from: '2026-10-24T23:00:00.000Z', until: '2026-10-25T03:00:00.000Z' }
    expect(texts(night, 1_200)).toEqual(['01 h', '02 h', '02 h', '03 h', '04 h'])
  })

  it('marks now between the bars it is between, and only on its own day', () => {
    fc.assert(
      fc.property(ribbons, fc.oneof(wide, narrow), (ribbon, width) => {
        const { now, columns } = layoutRibbon(ribbon, width, 'fr')
        if (!now) return
        const at = Date.parse(ribbon.now)
        for (const { from, to, x, width: columnWidth } of columns) {
          if (Date.parse(to) + quarter <= at) expect(now.x).toBeGreaterThanOrEqual(x + columnWidth - 0.5)
          if (Date.parse(from) >= at) expect(now.x).toBeLessThanOrEqual(x + 0.5)
        }
      }),
    )
    const axis = { from: '2026-11-16T07:00:00.000Z', until: '2026-11-16T19:00:00.000Z' }
    const ribbon = { date: '2026-11-16', timeZone: 'Europe/Paris', slots: [], axis }
    const nowOf = (now: string) => layoutRibbon({ ...ribbon, now }, 1_232, 'fr').now
    expect(nowOf('2026-11-16T13:00:00.000Z')).toEqual({ x: 616, text: '14:00', anchor: 'start' })
    expect(nowOf('2026-11-15T13:00:00.000Z')).toBeNull()
    expect(nowOf('2026-11-17T13:00:00.000Z')).toBeNull()
  })

  it('says in a sentence that a day is empty, by whether it is over', () => {
    const emptyOn = (date: string) =>
      layoutRibbon(
        {
          date,
          timeZone: 'Europe/Paris',
          now: '2026-11-16T09:42:00.000Z',
          axis: { from: `${date}T07:00:00.000Z`, until: `${date}T19:00:00.000Z` },
          slots: [],
        },
        1_200,
        'en',
      ).empty
    expect(emptyOn('2026-11-15')).toBe('Nothing was sent on that day.')
    expect(emptyOn('2026-11-16')).toBe('Nothing is to be sent today, and nothing has been sent.')
    expect(emptyOn('2026-11-17')).toBe('Nothing is planned for that day so far.')
  })
})
