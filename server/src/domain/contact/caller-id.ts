export type CallerIdVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly because: 'not_e164' | 'outside_automated_ranges' }

/**
 * National numbers open to automated calling systems in France (numbering plan of the regulator, ARCEP), without their
 * leading zero; the last are those of the overseas departments. A call by a machine from any other number is forbidden.
 */
const automatedRanges = [
  '162',
  '163',
  '270',
  '271',
  '377',
  '378',
  '424',
  '425',
  '568',
  '569',
  '948',
  '949',
  '9475',
  '9476',
  '9477',
  '9478',
  '9479',
]

const e164 = /^\+[1-9]\d{6,14}$/
// The overseas departments have their own country codes and share the national plan.
const frenchPlan = /^\+(?:33|262|590|594|596)(\d{9})$/
const frenchCountry = /^\+(?:33|262|590|594|596)/

const isInAutomatedRange = (callerId: string): boolean => {
  const national = frenchPlan.exec(callerId)?.[1]
  return national !== undefined && automatedRanges.some(range => national.startsWith(range))
}

/**
 * Whether an automated call may show this number. The rule is French: it applies to calls to France and its overseas
 * departments. For calls to other countries any valid number of ours is allowed. Without `to` the French rule applies.
 */
export function judgeCallerId(callerId: string, to?: string): CallerIdVerdict {
  if (!e164.test(callerId)) return { allowed: false, because: 'not_e164' }
  if (to !== undefined && !frenchCountry.test(to)) return { allowed: true }
  return isInAutomatedRange(callerId)
    ? { allowed: true }
    : { allowed: false, because: 'outside_automated_ranges' }
}
