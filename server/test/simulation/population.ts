import type { Channel } from '../../src/domain/contact/channel.ts'
import type { Caps } from '../../src/domain/contact/contact-rules.ts'
import type { DebtorType } from '../../src/domain/debtor-type.ts'
import type { Cascade, Step } from '../../src/domain/recovery/cascade.ts'
import type { Random } from '../chaos/random.ts'
import type { Judge } from './judge.ts'

export const DAY = 86_400_000

export const chance = (random: Random, share: number): boolean => random.between(1, 10_000) <= share * 10_000
export const oneOf = <T>(random: Random, items: readonly T[]): T =>
  items[Math.min(random.between(0, items.length - 1), items.length - 1)]!

/** Places chosen because their rules differ, not by population. */
export const places: readonly (readonly [country: string, postalCode: string])[] = [
  ...['69003', '75011', '20000', '13001'].map(code => ['FR', code] as const),
  ...['57000', '67000', '68000'].map(code => ['FR', code] as const),
  ...['97110', '97133', '97150', '97200', '97300', '97400', '97500', '97600', '98600', '98714', '98800'].map(
    code => ['FR', code] as const,
  ),
  ['BE', '1000'],
  ['LU', '1855'],
  ['NL', '1011'],
  ['DE', '80331'],
  ['CH', '1204'],
  ['IT', '20121'],
  ['ES', '28001'],
  ['ES', '35001'],
  ['PT', '1000-205'],
  ['PT', '9500-150'],
]

/** Days on which rules are most likely to break: clock changes, a leap day, Easter, May, Christmas, new year. */
const specialDays = [
  '2026-03-29',
  '2026-04-03',
  '2026-05-14',
  '2026-10-25',
  '2026-12-25',
  '2027-03-28',
  '2027-05-06',
  '2027-10-31',
  '2028-02-29',
  '2028-04-14',
  '2028-12-25',
  '2029-12-25',
  '2030-05-30',
  '2030-12-31',
].map(date => Date.parse(`${date}T00:00:00Z`))

export function randomStart(random: Random): number {
  const ms = random.between(0, DAY)
  if (chance(random, 0.5)) return oneOf(random, specialDays) - random.between(0, 60) * DAY + ms
  return Date.UTC(2026, 0, 5) + random.between(0, 5 * 365) * DAY + ms
}

/** Half of them so wide that the law itself is met, not the caps. */
const allCaps: readonly (Caps | null)[] = [
  { perWeek: 2, perMonth: 8 },
  { perWeek: 2, perMonth: 8 },
  { perWeek: 1, perMonth: 3 },
  { perWeek: 3, perMonth: 5 },
  { perWeek: 6, perMonth: 26 },
  { perWeek: 6, perMonth: 26 },
  null,
  null,
]

export interface Person {
  id: string
  country: string
  postalCode: string
  type: DebtorType
  points: string[]
  caps: Caps | null
  hasPhone: boolean
  hasMobile: boolean
  hasAddress: boolean
  closed: Channel[]
  missing: Channel[]
}

/** One record, or two that share an address or a number: the law takes them for one person. */
export function household(random: Random, index: number): Person[] {
  const [country, postalCode] = oneOf(random, places)
  const size = chance(random, 0.2) ? 2 : 1
  const shared = oneOf(random, ['email', 'phone'])
  return Array.from({ length: size }, (_, i) => {
    const id = `${index}-${i}`
    // Two records of one person need not have the same address: the clocks differ, and the days with them.
    const [ownCountry, ownCode] = i > 0 && chance(random, 0.3) ? oneOf(random, places) : [country, postalCode]
    const hasPhone = chance(random, 0.85)
    return {
      id,
      country: ownCountry,
      postalCode: ownCode,
      type: oneOf(random, ['business', 'consumer', 'consumer', 'public_body'] as const),
      points: [`record ${id}`, `${shared} ${index}`, ...(hasPhone ? [`other ${id}`] : [])],
      caps: oneOf(random, allCaps),
      hasPhone,
      hasMobile: hasPhone && chance(random, 0.85),
      hasAddress: chance(random, 0.85),
      closed: [],
      missing: chance(random, 0.05) ? [oneOf(random, ['sms', 'voice', 'lrar'] as const)] : [],
    }
  })
}

/** The built-in cascades, and dense ones that would break every rule without the checks. */
export function cascadeFor(judge: Judge, random: Random, type: DebtorType): Cascade {
  if (chance(random, 0.4)) {
    const fitting = judge.builtInCascades.filter(({ name }) =>
      type === 'consumer'
        ? name === 'fr_consumer'
        : type === 'public_body'
          ? name === 'fr_public_body'
          : name.startsWith('fr_b2b'),
    )
    return oneOf(random, fitting)
  }
  const all = Object.keys(judge.knownSteps).filter(name => name !== 'revue_judiciaire')
  // One that only calls meets the cap of calls, which others seldom reach.
  const names = chance(random, 0.4) ? ['ai_call', 'ai_call_2'] : all
  let day = 0
  const steps: Step[] = Array.from({ length: random.between(4, 14) }, () => {
    const name = oneOf(random, names) as keyof Judge['knownSteps']
    const step = { name, channel: judge.knownSteps[name], day }
    day += random.between(0, 4)
    return step
  })
  steps.push({ name: 'revue_judiciaire', channel: null, day })
  return judge.cascadeOf('hasty', 1, steps)
}
