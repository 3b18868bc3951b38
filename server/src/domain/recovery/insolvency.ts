import { addDays, daysBetween, type LocalDate } from '../time.ts'

export const insolvencyKinds = [
  'safeguard',
  'receivership',
  'liquidation',
  'over_indebtedness',
  'other',
] as const
export type InsolvencyKind = (typeof insolvencyKinds)[number]

export interface Proceedings {
  readonly kind: InsolvencyKind
  readonly openedOn: LocalDate
  /** In the BODACC; of an over-indebtedness, the day of the letter of the commission. Null: not known yet. */
  readonly publishedOn: LocalDate | null
}

export interface Place {
  readonly country: string
  readonly postalCode: string | null
}

const overseasCountries = ['GP', 'MQ', 'GF', 'RE', 'YT', 'BL', 'MF', 'PM', 'WF', 'PF', 'NC']
const isFrench = ({ country }: Place): boolean => country === 'FR' || overseasCountries.includes(country)

/** Metropolitan France, an overseas territory or a country, as the times of R622-24 C. com. tell them apart. */
function territoryOf({ country, postalCode }: Place): string {
  if (country !== 'FR') return country
  return /^9[78]/.test(postalCode ?? '') ? postalCode!.slice(0, 3) : 'metropolitan'
}

function addMonths(date: LocalDate, months: number): LocalDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const first = (count: number): LocalDate =>
    `${year + Math.floor((month - 1 + count) / 12)}-${String(((month - 1 + count) % 12) + 1).padStart(2, '0')}-01`
  const lastDay = addDays(first(months + 1), -1)
  const same = `${lastDay.slice(0, 8)}${String(day).padStart(2, '0')}`
  return same < lastDay ? same : lastDay
}

/** What is known least: the shortest time that a law we know gives, so that nobody is warned too late. */
const shortestDays = 30

/**
 * The last day to declare a claim. In France two months from the publication in the BODACC; two more for a creditor outside
 * metropolitan France, or outside the territory of a court overseas (art. R622-24 C. com.). To the commission of an
 * over-indebtedness, and in another country, thirty days (reg. 2015/848, art. 55(6): at least). Without the day of the publication,
 * counted from the opening, which is never later.
 */
export function declareBy(
  { kind, openedOn, publishedOn }: Proceedings,
  debtor: Place,
  creditor: Place,
): LocalDate {
  const from = publishedOn ?? openedOn
  if (kind === 'over_indebtedness' || kind === 'other' || !isFrench(debtor))
    return addDays(from, shortestDays)
  const isElsewhere = territoryOf(creditor) !== territoryOf(debtor)
  return addMonths(from, isElsewhere ? 4 : 2)
}

/** After the last day: until when the court may still let the claim in (art. L622-26 C. com.). Null where that is not the rule. */
export const reliefUntil = ({ kind, publishedOn }: Proceedings, debtor: Place): LocalDate | null =>
  publishedOn === null || kind === 'over_indebtedness' || kind === 'other' || !isFrench(debtor)
    ? null
    : addMonths(publishedOn, 6)

export const declarationStates = ['declared', 'due', 'relief', 'late'] as const

/** Whether the claim can still be declared: until the last day, after it by a court that lets it in, or not any more. */
export function declarationState(
  {
    declaredOn,
    declareBy: lastDay,
    reliefUntil: lastRelief,
  }: Readonly<Record<'declaredOn' | 'declareBy' | 'reliefUntil', LocalDate | null>>,
  today: LocalDate,
): (typeof declarationStates)[number] {
  if (declaredOn !== null) return 'declared'
  if (lastDay === null || today <= lastDay) return 'due'
  return lastRelief !== null && today <= lastRelief ? 'relief' : 'late'
}

/** How many days before the last day the creditor is warned. */
export const declarationWarningDays = [30, 14, 7, 2] as const

/** The warning that is due today; null if there is none, or it was given. */
export function declarationWarning(
  lastDay: LocalDate,
  today: LocalDate,
  warnedAt: number | null,
): (typeof declarationWarningDays)[number] | null {
  const left = daysBetween(today, lastDay)
  if (left < 0) return null
  const due = declarationWarningDays.findLast(days => left <= days) ?? null
  return due !== null && (warnedAt === null || due < warnedAt) ? due : null
}
