import type { Company, Today } from '@relance/sdk'
import { type Fact, facts } from './words.ts'

/** Which of the five facts are reached: two are said of the company, three of what has happened. */
export function reachedFacts(missing: Company['missingToSend'], begun: Today['begun']): Fact[] {
  const isReached: Record<Fact, boolean> = {
    address: !missing.includes('address'),
    account: !missing.includes('means_of_payment'),
    ...begun,
  }
  return facts.filter(fact => isReached[fact])
}
