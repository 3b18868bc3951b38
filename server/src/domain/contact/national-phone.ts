/**
 * How numbers are dialled inside the countries that have a calendar, checked on 2026-11-18 against their numbering plans: the
 * digits as they are written there, without spaces. Only forms with one meaning: no local numbers without their area, and no
 * digits that may be a country code without its plus.
 */
const dialled: Readonly<Record<string, { code: string; shape: RegExp; keepsZero?: true }>> = {
  FR: { code: '33', shape: /^0[1-9]\d{8}$/ },
  // Nine digits, or ten of a mobile.
  BE: { code: '32', shape: /^0(?:[1-9]\d{7}|4\d{8})$/ },
  LU: { code: '352', shape: /^(?:6\d{8}|2\d{7})$/ },
  NL: { code: '31', shape: /^0[1-9]\d{8}$/ },
  DE: { code: '49', shape: /^0[1-9]\d{6,10}$/ },
  CH: { code: '41', shape: /^0[1-9]\d{8}$/ },
  ES: { code: '34', shape: /^[6-9]\d{8}$/ },
  // A landline keeps its zero abroad. Numbers with 39 first may have the country code without its plus.
  IT: { code: '39', shape: /^(?:0\d{6,10}|3[0-8]\d{8})$/, keepsZero: true },
  PT: { code: '351', shape: /^[29]\d{8}$/ },
}

/** French numbers with these prefixes belong to territories with a country code of their own. */
const overseas: readonly [RegExp, string][] = [
  [/^0(590|690|691)/, '590'],
  [/^0(594|694)/, '594'],
  [/^0(596|696|697)/, '596'],
  [/^0(262|263|269|639|692|693)/, '262'],
  // Saint-Pierre and Miquelon: the country code is dialled like an area.
  [/^0508/, ''],
]

/** The parts of France with a country code of their own that share its national numbers. */
const french = new Set(['GP', 'BL', 'MF', 'MQ', 'GF', 'RE', 'YT', 'PM'])

/** E.164 of ten digits as they are dialled in France. */
export const frenchNumber = (digits: string): string =>
  `+${overseas.find(([start]) => start.test(digits))?.[1] ?? '33'}${digits.slice(1)}`

/** E.164 of a number as it is dialled in a country: national, or with 00 and a country code. Null: it has not one meaning. */
export function numberDialledIn(country: string, digits: string): string | null {
  const home = french.has(country) ? 'FR' : country
  const plan = dialled[home]
  if (!plan) return null
  if (/^00[1-9]\d{6,14}$/.test(digits)) return `+${digits.slice(2)}`
  if (!plan.shape.test(digits)) return null
  if (home === 'FR') return frenchNumber(digits)
  return `+${plan.code}${plan.keepsZero ? digits : digits.replace(/^0/, '')}`
}
