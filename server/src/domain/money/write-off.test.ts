import { expect, test } from 'vitest'
import { isCauseOnRecord } from './write-off.ts'

const nothing = {
  contacts: 0,
  insolvencyKind: null,
  lastDayInCourt: '2026-11-16',
  today: '2026-11-16',
} as const

test.each(['amicable_failed', 'liquidation', 'untraceable', 'enforcement_failed', 'time_barred'])(
  '%s is not on record where nothing is',
  basis => expect(isCauseOnRecord(basis, nothing)).toBe(false),
)

test('each cause is shown by its own record, and by no other', () => {
  const records = {
    amicable_failed: { contacts: 1 },
    liquidation: { insolvencyKind: 'liquidation' },
    time_barred: { today: '2026-11-17' },
  } as const
  for (const [shown, record] of Object.entries(records))
    for (const basis of [...Object.keys(records), 'untraceable', 'enforcement_failed'])
      expect(isCauseOnRecord(basis, { ...nothing, ...record }), `${basis} by ${shown}`).toBe(basis === shown)
})

test('other proceedings are no liquidation, and the last day is not over on its own day', () => {
  expect(isCauseOnRecord('liquidation', { ...nothing, insolvencyKind: 'receivership' })).toBe(false)
  expect(isCauseOnRecord('time_barred', nothing)).toBe(false)
})
