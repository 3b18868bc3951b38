import { useId, useState } from 'react'
import { day, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Button } from '../../ui/button.tsx'
import { centsOf } from '../../ui/money-text.ts'
import { type SplitRow, typedSplit } from './act-fields.ts'
import { words } from './words.ts'

interface Props {
  readonly label: string
  readonly hint: string | undefined
  readonly currency: string
  /** The sums that were typed; empty: as the API proposes. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows: readonly SplitRow[] | undefined
  readonly isRefused: boolean
}

/** The open invoices of a debtor, and what each gets of a sum. What is owed before and after is computed by the API. */
export function SplitField({ label, hint, currency, value, onChange, rows, isRefused }: Props) {
  const language = useLanguage()
  const { splitTable: text, notASum } = useWords(words)
  const id = useId()
  // While the API has no answer the fields stay where they are, because one of them may have the focus.
  const [known, setKnown] = useState(rows)
  if (rows !== undefined && rows !== known) setKnown(rows)
  if (known === undefined) return null
  const sum = (cents: number) => money(cents, currency, language)
  const typed = typedSplit(value)
  const textOf = ({ id: row, cents }: SplitRow) => typed?.[row] ?? (cents > 0 && !typed ? sum(cents) : '')
  const type = (row: string, now: string) =>
    onChange(JSON.stringify({ ...Object.fromEntries(known.map(one => [one.id, textOf(one)])), [row]: now }))
  const isSum = (given: string) => given.trim() === '' || centsOf(given, language) !== null
  const areSums = known.every(row => isSum(textOf(row)))
  const fault = areSums ? (isRefused ? text.aboveSum : undefined) : notASum
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={id} className="text-head font-medium">
          {label}
        </p>
        {typed && <Button onClick={() => onChange('')}>{text.propose}</Button>}
      </div>
      <div className="max-h-72 overflow-auto rounded-control border border-line">
        <table aria-labelledby={id} className="w-full text-body tabular-nums">
          <thead className="sticky top-0 bg-sheet text-mark text-soft">
            <tr className="border-b border-line">
              <th scope="col" className="px-2 py-1 text-left font-normal">
                {text.invoice}
              </th>
              <th scope="col" className="px-2 py-1 text-left font-normal max-md:hidden">
                {text.dueDate}
              </th>
              <th scope="col" className="px-2 py-1 text-right font-normal">
                {text.owed}
              </th>
              <th scope="col" className="px-2 py-1 text-right font-normal">
                {text.part}
              </th>
              <th scope="col" className="px-2 py-1 text-right font-normal">
                {text.after}
              </th>
            </tr>
          </thead>
          <tbody>
            {known.map(row => (
              <tr key={row.id} className="border-b border-line last:border-0">
                <th scope="row" className="px-2 py-1 text-left font-normal wrap-anywhere">
                  {row.number}
                </th>
                <td className="px-2 py-1 whitespace-nowrap max-md:hidden">{day(row.dueDate, language)}</td>
                <td className="px-2 py-1 text-right whitespace-nowrap">{sum(row.owedCents)}</td>
                <td className="px-2 py-1 text-right">
                  <input
                    type="text"
                    inputMode="decimal"
                    autoComplete="off"
                    maxLength={40}
                    aria-label={text.partOf(row.number)}
                    aria-invalid={!isSum(textOf(row))}
                    aria-describedby={fault === undefined ? undefined : `${id}-error`}
                    className="min-h-8 w-28 rounded-control border border-edge bg-sheet px-2 text-right text-ink aria-invalid:border-alarm max-md:min-h-11"
                    value={textOf(row)}
                    onChange={event => type(row.id, event.target.value)}
                  />
                </td>
                <td className="px-2 py-1 text-right whitespace-nowrap">{sum(row.afterCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {typed === null && <p className="text-mark text-soft">{hint}</p>}
      {fault !== undefined && (
        <p id={`${id}-error`} className="text-mark text-alarm">
          {fault}
        </p>
      )}
    </div>
  )
}
