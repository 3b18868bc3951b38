import type { Invoice } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../../lib/api.ts'
import { day, money, placedMoment } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { standingLine } from '../../lib/standing.ts'
import type { Column } from '../../ui/table.tsx'
import { filterWords } from './filter-words.ts'
import { ListFrame, type ListProps, linkClass } from './list-frame.tsx'
import { sortable } from './sortable.ts'
import { words } from './words.ts'

/** Invoices, each with its debtor, its balance, its status and its next action. */
export function InvoiceList({ page, search, timeZone: zone, onSort }: ListProps<Invoice>) {
  const text = useWords(words)
  const name = useWords(names)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const place = { company, environment }
  const currency = page.data[0]?.currency ?? 'EUR'
  const { columns } = text

  const sorting = { search, onSort }
  const next = ({ recovery, debtor }: Invoice) => {
    if (!recovery?.nextActionAt) return text.unknown
    const channel = recovery.nextChannel ? `, ${name.channels[recovery.nextChannel]}` : ''
    const clocks = { home: zone, local: debtor.timeZone ?? zone, place: debtor.city ?? debtor.name }
    return placedMoment(recovery.nextActionAt, clocks, language) + channel
  }

  const shown: Column<Invoice>[] = [
    {
      key: 'number',
      head: columns.number,
      cell: ({ id, invoiceNumber }) => (
        <Link to="/$company/$environment/invoices/$id" params={{ ...place, id }} className={linkClass}>
          {invoiceNumber}
        </Link>
      ),
    },
    {
      key: 'debtor',
      head: columns.debtor,
      cell: ({ debtor: { id, name: debtorName } }) => (
        <Link to="/$company/$environment/debtors/$id" params={{ ...place, id }} className={linkClass}>
          {debtorName}
        </Link>
      ),
    },
    {
      key: 'balance',
      head: columns.balance,
      isNumber: true,
      cell: ({ balanceCents, currency: own }) => money(balanceCents, own, language),
      ...sortable(sorting, 'balance', 'desc'),
    },
    {
      key: 'due',
      head: columns.due,
      isNumber: true,
      cell: ({ dueDate }) => day(dueDate, language),
      ...sortable(sorting, 'due_date', 'desc'),
    },
    { key: 'standing', head: columns.standing, cell: invoice => standingLine(invoice, language) },
    { key: 'next', head: columns.next, cell: next, ...sortable(sorting, 'next_action_at', 'desc') },
  ]
  return (
    <ListFrame
      of="invoices"
      filters={filterWords(search, zone, currency, language)}
      search={search}
      page={page}
      columns={shown}
    />
  )
}
