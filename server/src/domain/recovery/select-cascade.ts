import type { Channel } from '../contact/channel.ts'
import type { DebtorType } from '../debtor-type.ts'
import type { Cents } from '../money/money.ts'
import { riskLevelOf } from '../score/score.ts'
import { builtIn, type Cascade } from './cascade.ts'

/** For which recoveries a cascade of one's own is meant; what is not said matches everybody. */
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

export interface Case {
  readonly type: DebtorType
  readonly amount: Cents
  readonly score: number | null
}

/** Without a score, a cascade that asks for one is not meant. */
function isMeant(applies: Selection, { type, amount, score }: Case): boolean {
  if (applies.debtorTypes && !applies.debtorTypes.includes(type)) return false
  if (amount < (applies.minAmountCents ?? 0)) return false
  if (amount > (applies.maxAmountCents ?? Number.POSITIVE_INFINITY)) return false
  if (applies.minScore === undefined && applies.maxScore === undefined) return true
  return score !== null && score >= (applies.minScore ?? 0) && score <= (applies.maxScore ?? 195)
}

/** The more a rule says, the closer it fits. */
const precision = (applies: Selection) => Object.values(applies).filter(value => value !== undefined).length

const smallInvoice = 150_00

/** A debtor who is likely not to pay is not given weeks more. Small sums stay with the cascade that has no letter. */
const isRisky = ({ score }: Case) => score !== null && ['high', 'critical'].includes(riskLevelOf(score))

function fitting(of: Case, own: readonly OwnCascade[]): Cascade {
  const [closest] = own
    .filter(cascade => isMeant(cascade.applies, of))
    .sort(
      (left, right) =>
        precision(right.applies) - precision(left.applies) || (left.name < right.name ? -1 : 1),
    )
  if (closest) return closest
  const name =
    of.type === 'consumer'
      ? 'fr_consumer'
      : of.type === 'public_body'
        ? 'fr_public_body'
        : of.amount < smallInvoice
          ? 'fr_b2b_small'
          : isRisky(of)
            ? 'fr_b2b_fast'
            : 'fr_b2b_standard'
  return builtIn.findLast(cascade => cascade.name === name)!
}

/** The first day of a step by a channel; of one a person decides on when it is null. */
const firstDay = ({ steps }: Cascade, channel: Channel | null) =>
  Math.min(...steps.filter(each => each.channel === channel).map(each => each.day))

/**
 * One's own first, the closest fit, then by name; else the house's. No score of a person brings a registered letter or the
 * court nearer (art. 22 GDPR, CJEU C-634/21): where it would, what fits without a score is taken.
 */
export function selectCascade(of: Case, own: readonly OwnCascade[] = []): Cascade {
  const chosen = fitting(of, own)
  if (of.type !== 'consumer' || of.score === null) return chosen
  const unscored = fitting({ ...of, score: null }, own)
  const isNearer = (['lrar', null] as const).some(
    channel => firstDay(chosen, channel) < firstDay(unscored, channel),
  )
  return isNearer ? unscored : chosen
}
