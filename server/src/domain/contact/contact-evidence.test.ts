import { expect, test } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { DAY } from '../time.ts'
import { defaultCaps, evidenceOf, RULES_VERSION } from './contact-rules.ts'

test('what a verdict was based on is stored: the local time of the debtor, the last contact of each channel, the counts', () => {
  const at = paris('2026-11-25 10:30')
  const month = [
    { at: at - 40 * DAY, channel: 'lrar' as const },
    { at: at - 30 * DAY, channel: 'sms' as const },
    { at: at - 20 * DAY, channel: 'email' as const },
    { at: at - 7 * DAY, channel: 'email' as const },
    { at: at - 7 * DAY + 1, channel: 'voice' as const },
  ]
  const contacts = [{ at: at - 4 * DAY, channel: 'sms' as const }]
  expect(evidenceOf(fileOf('68000', contacts, { month, caps: defaultCaps }), 'sms', at)).toEqual({
    rules: RULES_VERSION,
    at,
    zone: 'Europe/Paris',
    localDate: '2026-11-25',
    localMinute: 630,
    calendar: 'FR-AM',
    lastByChannel: {
      lrar: at - 40 * DAY,
      sms: at - 4 * DAY,
      email: at - 7 * DAY,
      voice: at - 7 * DAY + 1,
    },
    inSevenDays: 1,
    inThirtyDays: 3,
    caps: defaultCaps,
    channel: 'sms',
  })
  const mixed = fileOf('68000', [], { month: month.toReversed() })
  expect(evidenceOf(mixed, 'sms', at).lastByChannel.email).toBe(at - 7 * DAY)
  expect(evidenceOf(fileOf('1', [], { country: 'US' }), 'email', at)).toMatchObject({
    zone: null,
    localDate: null,
    localMinute: null,
    calendar: null,
    lastByChannel: {},
    caps: null,
  })
})
