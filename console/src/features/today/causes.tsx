import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../lib/api.ts'
import { count, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import {
  type HeldLine,
  type Queue,
  type QueueLine,
  queueOrder,
  type Unit,
  unitOrder,
  words,
} from './words.ts'

/** The API counts replies, messages and parked debtors up to this number, and one more if there are more. */
const countedMax = 10_000

const listOfInvoices = (standing: string) =>
  ({ to: '/$company/$environment/invoices', search: { standing } }) as const
/** Queues without a standing do not contain invoices. */
const listOfQueue = (kind: Queue, standing: string | null) => {
  // An address is corrected on the debtor.
  if (kind === 'addressRefused' && standing !== null)
    return { to: '/$company/$environment/debtors', search: { standing } } as const
  if (standing !== null) return listOfInvoices(standing)
  return kind === 'unknown'
    ? ({ to: '/$company/$environment/messages', search: { state: 'unknown' } } as const)
    : ({ to: '/$company/$environment/debtors', search: { parked: 'true' } } as const)
}
type ListLink = ReturnType<typeof listOfQueue>

interface Cause {
  readonly key: string
  readonly name: string
  readonly hint: string
  readonly count: string
  /** Every figure with its unit: `5 réponses, 5 débiteurs, 16 factures`. */
  readonly figures: string
  readonly openCents: number | null
  readonly otherCurrencies: HeldLine['otherCurrencies']
  /** The list with the same entries. */
  readonly list: ListLink
}

/** The figure of a line, and all its figures with their units. */
function useFigures() {
  const { moreThan, units } = useWords(words)
  const language = useLanguage()
  const counted = (line: Partial<QueueLine>, unit: Unit) => {
    const n = line[unit] ?? 0
    const isCapped = unit === 'replies' || unit === 'messages' || !line.standing
    return isCapped && n > countedMax ? moreThan(count(countedMax, language)) : count(n, language)
  }
  return (line: Partial<QueueLine>, main: Unit) => ({
    count: counted(line, main),
    figures: unitOrder
      .filter(unit => (line[unit] ?? 0) > 0)
      .map(unit => units[unit](line[unit]!, counted(line, unit)))
      .join(', '),
  })
}

/** The queues of work for users; those in which debtors wait come first. */
export function Queues({
  queues,
  currency,
}: {
  readonly queues: readonly QueueLine[]
  readonly currency: string
}) {
  const text = useWords(words)
  const figuresOf = useFigures()
  const causes = queueOrder.flatMap(kind =>
    queues
      .filter(queue => queue.kind === kind)
      .map(
        (queue): Cause => ({
          key: kind,
          name: text.queues.names[kind],
          hint: text.queues.hints[kind],
          ...figuresOf(queue, queue.unit),
          openCents: queue.openCents,
          otherCurrencies: queue.otherCurrencies,
          list: listOfQueue(kind, queue.standing),
        }),
      ),
  )
  return (
    <Sheet title={text.queues.title} className={causes.length > 0 ? 'border-l-4 border-l-warn' : ''}>
      <Causes causes={causes} currency={currency} empty={text.queues.empty} tone="warn" />
    </Sheet>
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
      ...figuresOf(line, 'invoices'),
      openCents,
      otherCurrencies,
      list: listOfInvoices(standing),
    }
  })
  return (
    <Sheet title={text.held.title}>
      <Causes causes={causes} currency={currency} empty={text.held.empty} tone="plain" />
    </Sheet>
  )
}

interface CausesProps {
  readonly causes: readonly Cause[]
  readonly currency: string
  readonly empty: string
  readonly tone: 'warn' | 'plain'
}

function Causes({ causes, currency, empty, tone }: CausesProps) {
  const language = useLanguage()
  if (causes.length === 0) return <p className="text-soft">{empty}</p>
  const most = Math.max(1, ...causes.map(({ openCents }) => openCents ?? 0))
  return (
    <ul className="-mx-4 -mb-4">
      {causes.map(cause => (
        <li key={cause.key} className="border-t border-line">
          <Row list={cause.list}>
            <span
              className={`min-w-10 text-right text-screen font-[650] ${tone === 'warn' ? 'text-warn' : 'text-ink'}`}
              aria-hidden="true"
            >
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
                  <Share of={cause.openCents / most} tone={tone} />
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
function Share({ of, tone }: { readonly of: number; readonly tone: 'warn' | 'plain' }) {
  const width = 96
  return (
    <svg width={width} height={4} aria-hidden="true" className="block">
      <rect width={width} height={4} rx={2} className="fill-sunken" />
      <rect
        x={width - Math.max(2, of * width)}
        width={Math.max(2, of * width)}
        height={4}
        rx={2}
        className={`${tone === 'warn' ? 'fill-warn' : 'fill-edge'} forced-colors:fill-[CanvasText]`}
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
