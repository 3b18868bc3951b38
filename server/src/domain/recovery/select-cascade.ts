import type { Channel } from '../contact/channel.ts'
import type { DebtorType } from '../debtor-type.ts'
import type { Cents } from '../money/money.ts'
import { riskLevelOf } from '../score/score.ts'
import { builtInCascades, type Cascade } from './cascade.ts'

/** For which recoveries a company's own cascade is used. A condition that is absent matches all. */
export interface Selection {
  readonly debtorTypes?: readonly DebtorType[]
  readonly minAmountCents?: number
  readonly maxAmountCents?: number
  readonly minScore?: number
  readonly maxScore?: number
}

export interface OwnCascade extends Cascade {
  readonly applies: Selection
}

export interface RecoveryProfile {
  readonly type: DebtorType
  /** A consumer or a sole trader. */
  readonly isNaturalPerson: boolean
  readonly amount: Cents
  readonly score: number | null
}

/** A cascade with a condition on the score does not apply to a debtor without a score. */
function isApplicable(applies: Selection, { type, amount, score }: RecoveryProfile): boolean {
  if (applies.debtorTypes && !applies.debtorTypes.includes(type)) return false
  if (amount < (applies.minAmountCents ?? 0)) return false
  if (amount > (applies.maxAmountCents ?? Number.POSITIVE_INFINITY)) return false
  if (applies.minScore === undefined && applies.maxScore === undefined) return true
  return score !== null && score >= (applies.minScore ?? 0) && score <= (applies.maxScore ?? 195)
}

/** The number of conditions: the cascade with the most conditions wins. */
const specificity = (applies: Selection) => Object.values(applies).filter(value => value !== undefined).length

const smallInvoice = 150_00

/** A risky debtor gets the fast cascade. Small sums keep the cascade without a letter. */
const isRisky = ({ score }: RecoveryProfile) =>
  score !== null && ['high', 'critical'].includes(riskLevelOf(score))

function closestCascade(profile: RecoveryProfile, own: readonly OwnCascade[]): Cascade {
  const [closest] = own
    .filter(cascade => isApplicable(cascade.applies, profile))
    .sort(
      (left, right) =>
        specificity(right.applies) - specificity(left.applies) || (left.name < right.name ? -1 : 1),
    )
  if (closest) return closest
  const name =
    profile.type === 'consumer'
      ? 'fr_consumer'
      : profile.type === 'public_body'
        ? 'fr_public_body'
        : profile.amount < smallInvoice
          ? 'fr_b2b_small'
          : isRisky(profile)
            ? 'fr_b2b_fast'
            : 'fr_b2b_standard'
  return builtInCascades.findLast(cascade => cascade.name === name)!
}

/** The first day with a step on this channel; null: with a step that a person decides. */
const firstDay = ({ steps }: Cascade, channel: Channel | null) =>
  Math.min(...steps.filter(each => each.channel === channel).map(each => each.day))

/**
 * The company's own cascade that fits best, then by name; otherwise a built-in one. The score of a natural person must not make a
 * registered letter or the court come earlier (art. 22 GDPR, CJEU C-634/21): if it would, the choice without a score is used.
 */
export function selectCascade(profile: RecoveryProfile, own: readonly OwnCascade[] = []): Cascade {
  const chosen = closestCascade(profile, own)
  if (!profile.isNaturalPerson || profile.score === null) return chosen
  const unscored = closestCascade({ ...profile, score: null }, own)
  const isNearer = (['lrar', null] as const).some(
    channel => firstDay(chosen, channel) < firstDay(unscored, channel),
  )
  return isNearer ? unscored : chosen
}
