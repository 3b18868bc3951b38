import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { count, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { type HeldLine, type QueueLine, type Unit, unitOrder, words } from './words.ts'

/** The API counts parked debtors up to this number, and one more if there are more. */
const countedMax = 10_000

const listOfInvoices = (standing: string) =>
  ({ to: '/$company/$environment/invoices', search: { standing } }) as const
type ListLink = ReturnType<typeof listOfInvoices>

interface Cause {
  readonly key: string
  readonly name: string
  readonly hint: string
  readonly count: string
  /** Every figure with its unit: `5 réponses, 5 clients, 16 factures`. */
  readonly figures: string
  readonly openCents: number | null
  readonly otherCurrencies: HeldLine['otherCurrencies']
  /** The list with the same entries. */
  readonly list: ListLink
}

/** The figure of a line, and all its figures with their units. */
function useFigures() {
  const { units } = useWords(words)
  const language = useLanguage()
  const counted = (line: HeldLine, unit: Unit) => count(line[unit], language)
  return (line: HeldLine) => ({
    count: counted(line, 'invoices'),
    figures: unitOrder
      .filter(unit => line[unit] > 0)
      .map(unit => units[unit](line[unit], counted(line, unit)))
      .join(', '),
  })
}

/** Debtors whose processing failed. Nothing on the list of work ends that: the operator starts it again. */
export function Parked({ queues }: { readonly queues: readonly QueueLine[] }) {
  const text = useWords(words)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const n = queues.find(({ kind }) => kind === 'parked')?.debtors ?? 0
  if (n === 0) return null
  const figure = n > countedMax ? text.moreThan(count(countedMax, language)) : count(n, language)
  return (
    <Link
      to="/$company/$environment/debtors"
      params={{ company, environment }}
      search={{ parked: 'true' }}
      className="block rounded-sheet border border-warn bg-warn-ground px-4 py-2 text-warn"
    >
      <span className="font-medium">{text.parked(n, figure)}</span>{' '}
      <span className="block text-mark">{text.parkedHint}</span>
    </Link>
  )
}

/** The held invoices, by cause. */
export function Held({ held, currency }: { readonly held: readonly HeldLine[]; readonly currency: string }) {
  const text = useWords(words)
  const figuresOf = useFigures()
  const causes = held.map((line): Cause => {
    const { because, standing, openCents, otherCurrencies } = line
    return {
      key: because,
      name: text.held.names[because],
      hint: text.held.until[because],
      ...figuresOf(line),
      openCents,
      otherCurrencies,
      list: listOfInvoices(standing),
    }
  })
  return (
    <Sheet title={text.held.title}>
      <Causes causes={causes} currency={currency} empty={text.held.empty} />
    </Sheet>
  )
}

interface CausesProps {
  readonly causes: readonly Cause[]
  readonly currency: string
  readonly empty: string
}

function Causes({ causes, currency, empty }: CausesProps) {
  const language = useLanguage()
  if (causes.length === 0) return <p className="text-soft">{empty}</p>
  const most = Math.max(1, ...causes.map(({ openCents }) => openCents ?? 0))
  return (
    <ul className="-mx-4 -mb-4">
      {causes.map(cause => (
        <li key={cause.key} className="border-t border-line">
          <Row list={cause.list}>
            <span className="min-w-10 text-right text-screen font-[650] text-ink" aria-hidden="true">
              {cause.count}
            </span>
            <span className="min-w-0 flex-1">
              <span className="font-medium">{cause.name}</span>{' '}
              <span className="block text-mark">{cause.figures}</span>{' '}
              <span className="block text-mark text-soft">{cause.hint}</span>
            </span>
            <span className="flex flex-col items-end gap-1">
              {cause.openCents !== null && (
                <>
                  <span className="whitespace-nowrap">{money(cause.openCents, currency, language)}</span>
                  {cause.otherCurrencies.map(other => (
                    <span key={other.currency} className="text-mark whitespace-nowrap text-soft">
                      {money(other.openCents, other.currency, language)}
                    </span>
                  ))}
                  <Share of={cause.openCents / most} />
                </>
              )}
            </span>
          </Row>
        </li>
      ))}
    </ul>
  )
}

/** A bar of the amount, compared with the largest one in the list. */
function Share({ of }: { readonly of: number }) {
  const width = 96
  return (
    <svg width={width} height={4} aria-hidden="true" className="block">
      <rect width={width} height={4} rx={2} className="fill-sunken" />
      <rect
        x={width - Math.max(2, of * width)}
        width={Math.max(2, of * width)}
        height={4}
        rx={2}
        className="fill-edge forced-colors:fill-[CanvasText]"
      />
    </svg>
  )
}

const rowClass = 'flex min-h-13 items-center gap-3 px-4 py-2'

/** The whole row links to the list of exactly these entries. */
function Row({ list, children }: { readonly list: ListLink; readonly children: ReactNode }) {
  const { company, environment } = usePlace()
  return (
    <Link
      {...list}
      params={{ company, environment }}
      className={`${rowClass} group -outline-offset-2 hover:bg-calm`}
    >
      {children}
      <span aria-hidden="true" className="text-soft group-hover:text-ink">
        ›
      </span>
    </Link>
  )
}
