import type { Debtor } from '@relance/sdk'
import { day, money, weekday } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { words } from './words.ts'

type Account = NonNullable<Debtor['account']>

/** What is due, what is not, what is promised and what is disputed. An unknown sum is a dash. */
export function DebtorSums({ account }: { readonly account: Account }) {
  const text = useWords(words)
  const language = useLanguage()
  const { currency, ageing, oldestDaysOverdue } = account
  const sum = (cents: number | null | undefined) =>
    cents === null || cents === undefined ? text.unknown : money(cents, currency, language)
  const [notDue, ...due] = ageing ?? []
  const dueInvoices = due.reduce((count, { invoices }) => count + invoices, 0)
  const isLate = (oldestDaysOverdue ?? 0) > 0
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-sheet border border-line bg-sheet lg:grid-cols-[1.35fr_1fr_1fr_1fr]">
      <Sum
        name={text.due}
        isFirst
        value={sum(account.dueCents)}
        about={[text.invoiceCount(dueInvoices), isLate && text.oldestDays(oldestDaysOverdue!)]}
      />
      <Sum
        name={text.notDue}
        value={sum(account.notDueCents)}
        about={[
          text.invoiceCount(notDue?.invoices ?? 0),
          account.nextDueDate && text.onDay(day(account.nextDueDate, language)),
        ]}
      />
      <Sum
        name={text.promised}
        value={sum(account.promisedCents)}
        about={[
          account.promisedOn && text.forDay(weekday(`${account.promisedOn}T12:00:00Z`, 'UTC', language)),
        ]}
      />
      <Sum
        name={text.disputed}
        value={sum(account.disputedCents)}
        about={[account.disputedInvoices && text.invoiceCount(account.disputedInvoices)]}
      />
    </dl>
  )
}

function Sum({
  name,
  value,
  about,
  isFirst = false,
}: {
  readonly name: string
  readonly value: string
  readonly about: readonly (string | number | false | null | undefined)[]
  readonly isFirst?: boolean
}) {
  const told = about.filter(Boolean).join(', ')
  return (
    <div className="min-w-0 border-line px-4 py-2.5 not-first:border-l max-lg:nth-3:border-l-0 max-lg:nth-[n+3]:border-t">
      <dt className="text-head text-soft">{name}</dt>
      <dd>
        <span
          className={`block font-[650] break-words ${isFirst ? 'text-section md:text-amount' : 'text-section md:leading-9'}`}
        >
          {value}
        </span>
        {told && <span className="block text-mark text-soft">{told}</span>}
      </dd>
    </div>
  )
}

const fills = ['bg-age-0', 'bg-age-1', 'bg-age-2', 'bg-age-3', 'bg-age-4'] as const

/** What is open by its age: five parts as long as their sums, each with its sum in words. */
export function AgeingBar({ account }: { readonly account: Account }) {
  const text = useWords(words)
  const language = useLanguage()
  const buckets = (account.ageing ?? []).map((bucket, i) => ({ ...bucket, fill: fills[i]! }))
  const shown = buckets.filter(({ openCents }) => openCents > 0)
  if (shown.length === 0) return null
  return (
    <div className="mb-3">
      <div aria-hidden data-bar="ageing" className="mb-2 flex h-2.5 gap-px overflow-hidden rounded-bar">
        {shown.map(({ fromDays, openCents, fill }) => (
          <span
            key={fromDays ?? 0}
            data-cents={openCents}
            className={`min-w-0.5 forced-colors:bg-[CanvasText] print:bg-[gray] ${fill}`}
            style={{ flexGrow: openCents, flexBasis: 0 }}
          />
        ))}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-mark">
        {shown.map(({ fromDays, toDays, openCents, fill }) => (
          <div key={fromDays ?? 0}>
            <dt className="flex items-center gap-1.5 text-soft">
              <span
                aria-hidden
                className={`size-2 rounded-bar forced-colors:border forced-colors:border-[CanvasText] ${fill}`}
              />
              {fromDays === null
                ? text.notDue
                : toDays === null
                  ? text.moreThanDays(fromDays - 1)
                  : text.fromToDays(fromDays, toDays)}
            </dt>
            <dd className="font-[650]">{money(openCents, account.currency, language)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
