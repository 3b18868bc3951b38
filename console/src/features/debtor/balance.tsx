import type { Invoice, Page } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../../lib/api.ts'
import { day, momentText, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { standingLine } from '../../lib/standing.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { words } from './words.ts'

/** The open balance of each invoice: the amount, and a bar compared with the largest invoice. */
export function Balance({ page, timeZone }: { page: Page<Invoice>; timeZone: string }) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const largest = Math.max(1, ...page.data.map(({ amountCents }) => amountCents))
  const nextOf = (recovery: Invoice['recovery']) => {
    if (!recovery) return text.nothingNext
    if (recovery.holds.length > 0) return recovery.holds.map(hold => known.reasons[hold]).join(', ')
    if (recovery.nextActionAt && recovery.nextAction)
      return `${known.steps[recovery.nextAction]} · ${momentText(recovery.nextActionAt, timeZone, language)}`
    return known.reasons[recovery.reasonCode]
  }
  const columns: Column<Invoice>[] = [
    {
      key: 'number',
      head: text.number,
      cell: ({ id, invoiceNumber }) => (
        <Link
          to="/$company/$environment/invoices/$id"
          params={{ company, environment, id }}
          className="inline-block min-h-6 whitespace-nowrap text-brand underline"
        >
          {invoiceNumber}
        </Link>
      ),
    },
    {
      key: 'balance',
      head: text.balance,
      isNumber: true,
      cell: ({ balanceCents, currency }) => (
        <strong className="font-[650]">{money(balanceCents, currency, language)}</strong>
      ),
    },
    {
      key: 'bar',
      head: '',
      isOnlyWide: true,
      cell: invoice => <BalanceBar invoice={invoice} largest={largest} />,
    },
    {
      key: 'next',
      head: text.next,
      cell: ({ recovery }) => <span className="block min-w-36">{nextOf(recovery)}</span>,
    },
    { key: 'due', head: text.due, cell: ({ dueDate }) => day(dueDate, language) },
    { key: 'status', head: text.status, cell: invoice => standingLine(invoice, language) },
    {
      key: 'amount',
      head: text.amount,
      isNumber: true,
      cell: ({ amountCents, currency }) => money(amountCents, currency, language),
    },
    {
      key: 'paid',
      head: text.paid,
      isNumber: true,
      cell: ({ paidCents, currency }) => money(paidCents, currency, language),
    },
  ]
  return (
    <Sheet title={text.invoices}>
      <DataTable
        caption={text.invoicesCaption}
        columns={columns}
        rows={page.data}
        rowKey={({ id }) => id}
        empty={text.noInvoices}
      />
      {page.pagination.hasNext && <p className="mt-2 text-soft">{text.moreInvoices(page.data.length)}</p>}
    </Sheet>
  )
}

/** The paid part is solid, the open part is an outline; lengths are proportional to the amounts. */
function BalanceBar({ invoice, largest }: { invoice: Invoice; largest: number }) {
  const width = 120
  const share = (cents: number) => (cents / largest) * width
  const paid = share(invoice.amountCents - invoice.balanceCents)
  return (
    <svg width={width} height={12} aria-hidden="true" className="block">
      <rect
        x={0.5}
        y={0.5}
        width={Math.max(0, share(invoice.amountCents) - 1)}
        height={11}
        rx={2}
        className="fill-calm stroke-brand forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText] print:fill-[white] print:stroke-[black]"
      />
      <rect
        width={Math.max(0, paid)}
        height={12}
        rx={2}
        className="fill-brand forced-colors:fill-[CanvasText] print:fill-[black]"
      />
    </svg>
  )
}
