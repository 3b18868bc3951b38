import type { Company, Today } from '@relance/sdk'
import { type Fact, facts } from './words.ts'

/** Which of the five facts are reached: two come from the company record, three from its activity. */
export function reachedFacts(missing: Company['missingToSend'], begun: Today['begun']): Fact[] {
  const isReached: Record<Fact, boolean> = {
    address: !missing.includes('address') && !missing.includes('siren'),
    account: !missing.includes('means_of_payment'),
    ...begun,
  }
  return facts.filter(fact => isReached[fact])
}
