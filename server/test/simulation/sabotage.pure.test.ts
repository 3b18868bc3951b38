import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Kind } from './checker.ts'
import { judgeFrom } from './judge.ts'
import { simulate } from './simulate.ts'

interface Sabotage {
  name: string
  file: string
  find: string
  put: string
  /** The test of simulation.test.ts that this must turn red: `nobody is contacted …`. */
  breaks: Kind
}

const sabotages: readonly Sabotage[] = [
  {
    name: 'the hour of UTC instead of the local hour',
    file: 'contact/contact-rules.ts',
    find: 'judgeHour(calendar, hoursFor',
    put: "judgeHour({ ...calendar, zones: ['UTC'] }, hoursFor",
    breaks: 'outside the hours',
  },
  {
    name: 'no check for Sundays',
    file: 'contact/contact-rules.ts',
    find: 'if (weekday === 7) return',
    put: 'if (weekday === 8) return',
    breaks: 'on a Sunday',
  },
  {
    name: 'a cooldown that is a day short',
    file: 'contact/contact-rules.ts',
    find: '72 * HOUR',
    put: '48 * HOUR',
    breaks: 'within 72 hours on one channel',
  },
  {
    name: 'a holiday table that nobody reads',
    file: 'contact/contact-rules.ts',
    find: 'const holiday = holidayOn(calendar, date)',
    put: 'const holiday = holidayOn(calendar, "1900-01-01")',
    breaks: 'on a public holiday',
  },
  {
    name: 'the day of UTC instead of the local day',
    file: 'contact/contact-rules.ts',
    find: 'judgeOnePerDay(calendar, contacts, at)',
    put: "judgeOnePerDay({ ...calendar, zones: ['UTC'] }, contacts, at)",
    breaks: 'twice a day',
  },
  {
    name: 'a window that includes its last minute',
    file: 'contact/contact-hours.ts',
    find: 'minuteOfDay < closes',
    put: 'minuteOfDay <= closes',
    breaks: 'outside the hours',
  },
  {
    name: 'calls at the hours of letters',
    file: 'contact/contact-hours.ts',
    find: "channel !== 'voice' ? written",
    put: "channel !== 'lrar' ? written",
    breaks: 'outside the hours of calls',
  },
  {
    name: 'a week of one contact too many',
    file: 'contact/contact-rules.ts',
    find: 'contacts, caps.perWeek, week',
    put: 'contacts, caps.perWeek + 1, week',
    breaks: 'more than the week allows',
  },
  {
    name: 'a month of 29 days',
    file: 'contact/contact-rules.ts',
    find: 'contacts, caps.perMonth, month',
    put: 'contacts, caps.perMonth, 29',
    breaks: 'more than the month allows',
  },
  {
    name: 'consumers called as often as businesses',
    file: 'contact/contact-rules.ts',
    find: "channel === 'voice' && isConsumer",
    put: "channel === 'voice' && !isConsumer",
    breaks: 'more calls than a consumer takes',
  },
  {
    name: 'consumers abroad written to under French rules',
    file: 'contact/contact-rules.ts',
    find: "isConsumer && calendar.country !== 'FR'",
    put: "isConsumer && calendar.country === 'JP'",
    breaks: 'a consumer abroad',
  },
]

const domain = join(import.meta.dirname, '../../src/domain')

describe('the rules, broken on purpose', () => {
  let scratch: string
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'sabotage-'))
  })
  afterAll(() => rmSync(scratch, { recursive: true }))

  test.each(sabotages)('$name: the checker finds people contacted $breaks', async sabotage => {
    const folder = join(scratch, String(sabotages.indexOf(sabotage)))
    cpSync(domain, folder, { recursive: true, filter: path => !path.endsWith('.test.ts') })
    const source = readFileSync(join(folder, sabotage.file), 'utf8')
    // Where the rules are written anew, the sabotage has to be written anew as well.
    expect(source.split(sabotage.find)).toHaveLength(2)
    writeFileSync(join(folder, sabotage.file), source.replace(sabotage.find, sabotage.put))
    // The same seed and size as simulation.test.ts, so that a violation found here makes that test fail.
    const run = { debtorDays: 20_000, seed: 1, until: sabotage.breaks }
    const { violations } = simulate(await judgeFrom(folder), run)
    expect(violations.map(violation => violation.kind)).toContain(sabotage.breaks)
  })
})
