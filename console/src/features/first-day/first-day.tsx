import type { Today } from '@relance/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { companyQuery, useApi, useMay, usePlace } from '../../lib/api.ts'
import { useWords } from '../../lib/language.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { reachedFacts } from './reached.ts'
import { type Fact, facts, words } from './words.ts'

const SampleOffer = lazyPart(() => import('./sample-offer.tsx'))

/** Shown until all five facts are reached. The frame already loads the company. */
export function FirstDay({ begun }: { readonly begun: Today['begun'] }) {
  const text = useWords(words)
  const may = useMay()
  const [isFilling, setFilling] = useState(false)
  const { environment } = usePlace()
  const { data: company } = useQuery(companyQuery(useApi()))
  if (!company) return null
  const reached = reachedFacts(company.missingToSend, begun)
  if (reached.length === facts.length && !isFilling) return null
  const next = facts.find(fact => !reached.includes(fact))
  return (
    <Sheet title={text.title} aside={<p className="text-soft">{text.about}</p>}>
      <ol className="grid gap-2 sm:grid-cols-2 xl:grid-cols-5">
        {facts.map(fact => (
          <Step key={fact} fact={fact} isReached={reached.includes(fact)} isNext={fact === next} />
        ))}
      </ol>
      {environment === 'sandbox' && (isFilling || may('sandbox.reset')) && (
        <div className="mt-4 min-h-9 border-t border-line pt-4">
          <Suspense>
            <SampleOffer isEmpty={!begun.invoice} onFilling={setFilling} />
          </Suspense>
        </div>
      )}
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
  const { company, environment } = usePlace()
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
        ) : fact === 'invoice' && !isReached ? (
          <Link
            to="/$company/$environment/import"
            params={{ company, environment }}
            className="text-brand underline"
          >
            {name}
          </Link>
        ) : (
          name
        )}
        <span className="sr-only">{` (${isReached ? text.done : text.open})`}</span>
        <span className="block text-mark text-soft">{text.hints[fact]}</span>
      </span>
    </li>
  )
}
