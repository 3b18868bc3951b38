import type { Today } from '@relance/sdk'
import { useQuery } from '@tanstack/react-query'
import { companyQuery, useApi, usePlace } from '../../lib/api.ts'
import { useWords } from '../../lib/language.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { reachedFacts } from './reached.ts'
import { type Fact, facts, words } from './words.ts'

/** Shown until all five facts are reached. The frame already loads the company. */
export function FirstDay({ begun }: { readonly begun: Today['begun'] }) {
  const text = useWords(words)
  const { data: company } = useQuery(companyQuery(useApi()))
  if (!company) return null
  const reached = reachedFacts(company.missingToSend, begun)
  if (reached.length === facts.length) return null
  const next = facts.find(fact => !reached.includes(fact))
  return (
    <Sheet title={text.title} aside={<p className="text-soft">{text.about}</p>}>
      <ol className="grid gap-2 sm:grid-cols-2 xl:grid-cols-5">
        {facts.map(fact => (
          <Step key={fact} fact={fact} isReached={reached.includes(fact)} isNext={fact === next} />
        ))}
      </ol>
    </Sheet>
  )
}

interface StepProps {
  readonly fact: Fact
  readonly isReached: boolean
  readonly isNext: boolean
}

function Step({ fact, isReached, isNext }: StepProps) {
  const text = useWords(words)
  const { company } = usePlace()
  const name = <span className={isReached ? 'text-soft' : 'font-medium'}>{text.names[fact]}</span>
  // The address and the bank account are changed on the company page, outside the console.
  const isOfCompany = fact === 'address' || fact === 'account'
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={`flex gap-2 rounded-control border p-3 ${isNext ? 'border-brand bg-calm' : 'border-line'}`}
    >
      <span aria-hidden="true" className={isReached ? 'text-brand' : 'text-edge'}>
        {isReached ? '✓' : '○'}
      </span>
      <span className="min-w-0">
        {isOfCompany && !isReached ? (
          <a href={`/account/company?company=${company}`} className="text-brand underline">
            {name}
          </a>
        ) : (
          name
        )}
        <span className="sr-only">{` (${isReached ? text.done : text.open})`}</span>
        <span className="block text-mark text-soft">{text.hints[fact]}</span>
      </span>
    </li>
  )
}
