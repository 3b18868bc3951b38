import { describe, expect, test } from 'vitest'
import { addDays } from '../time.ts'
import {
  declarationState,
  declarationWarning,
  declareBy,
  type InsolvencyKind,
  reliefUntil,
} from './insolvency.ts'

const paris = { country: 'FR', postalCode: '75001' }
const reunion = { country: 'FR', postalCode: '97400' }
const martinique = { country: 'FR', postalCode: '97200' }
const brussels = { country: 'BE', postalCode: '1000' }
const opened = (kind: InsolvencyKind, publishedOn: string | null = '2026-11-18') => ({
  kind,
  openedOn: '2026-11-10',
  publishedOn,
})

describe('the last day to declare a claim', () => {
  test.each([
    ['in metropolitan France, two months from the publication', paris, paris, '2027-01-18'],
    ['for a creditor overseas, two more', paris, reunion, '2027-03-18'],
    ['for a creditor abroad, two more', paris, brussels, '2027-03-18'],
    ['of a court overseas, two months for who is there', reunion, reunion, '2027-01-18'],
    ['of a court overseas, two more for who is in metropolitan France', reunion, paris, '2027-03-18'],
    ['of a court overseas, two more for who is in another territory', reunion, martinique, '2027-03-18'],
    ['in another country, thirty days', brussels, paris, '2026-12-18'],
  ])('%s', (_name, debtor, creditor, day) => {
    expect(declareBy(opened('liquidation'), debtor, creditor)).toBe(day)
  })

  test('is counted from the opening while the publication is not known', () => {
    expect(declareBy(opened('receivership', null), paris, paris)).toBe('2027-01-10')
    expect(reliefUntil(opened('receivership', null), paris)).toBeNull()
  })

  test('to the commission of an over-indebtedness, thirty days', () => {
    expect(declareBy(opened('over_indebtedness'), paris, paris)).toBe('2026-12-18')
    expect(reliefUntil(opened('over_indebtedness'), paris)).toBeNull()
  })

  test('is the last day of a shorter month', () => {
    const published = { kind: 'liquidation', openedOn: '2026-12-20', publishedOn: '2026-12-31' } as const
    expect(declareBy(published, paris, paris)).toBe('2027-02-28')
    expect(reliefUntil(published, paris)).toBe('2027-06-30')
  })
})

test('a claim is due until the last day, then a court may let it in, then it is late', () => {
  const open = { declaredOn: null, declareBy: '2027-01-18', reliefUntil: '2027-05-18' }
  expect(declarationState(open, '2027-01-18')).toBe('due')
  expect(declarationState(open, '2027-01-19')).toBe('relief')
  expect(declarationState(open, '2027-05-18')).toBe('relief')
  expect(declarationState(open, '2027-05-19')).toBe('late')
  expect(declarationState({ ...open, reliefUntil: null }, '2027-01-19')).toBe('late')
  expect(declarationState({ ...open, declaredOn: '2026-12-01' }, '2027-05-19')).toBe('declared')
})

test('each of the four warnings is given once, the latest one where several are due', () => {
  const lastDay = '2027-01-18'
  const given: [number, number][] = []
  let warnedAt: number | null = null
  for (let left = 40; left >= -3; left--) {
    const due = declarationWarning(lastDay, addDays(lastDay, -left), warnedAt)
    if (due === null) continue
    given.push([left, due])
    warnedAt = due
  }
  expect(given).toEqual([
    [30, 30],
    [14, 14],
    [7, 7],
    [2, 2],
  ])
  expect(declarationWarning(lastDay, '2027-01-12', null)).toBe(7)
})
