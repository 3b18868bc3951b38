import type { ListedDebtor } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../../lib/api.ts'
import { count, day, money, placedMoment } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import type { Column } from '../../ui/table.tsx'
import { filterWords } from './filter-words.ts'
import { ListFrame, type ListProps, linkClass } from './list-frame.tsx'
import { sortable } from './sortable.ts'
import { words } from './words.ts'

/** Debtors, each with what is open and what comes next. */
export function DebtorList({ page, search, timeZone: zone, onSort }: ListProps<ListedDebtor>) {
  const text = useWords(words)
  const name = useWords(names)
  const language = useLanguage()
  const { company, environment } = usePlace()
  const currency = page.data[0]?.account?.currency ?? 'EUR'
  const { columns } = text

  const sorting = { search, onSort }

  const shown: Column<ListedDebtor>[] = [
    {
      key: 'name',
      head: columns.debtor,
      cell: ({ id, name: debtorName }) => (
        <Link
          to="/$company/$environment/debtors/$id"
          params={{ company, environment, id }}
          className={linkClass}
        >
          {debtorName}
        </Link>
      ),
      ...sortable(sorting, 'name', 'asc'),
    },
    { key: 'city', head: columns.city, cell: ({ city }) => city ?? text.unknown },
    {
      key: 'open',
      head: columns.open,
      isNumber: true,
      cell: ({ account }) => (account ? money(account.openCents, account.currency, language) : text.unknown),
      ...sortable(sorting, 'balance', 'desc'),
    },
    {
      key: 'count',
      head: columns.count,
      isNumber: true,
      cell: ({ account }) => (account ? count(account.openInvoices, language) : text.unknown),
    },
    {
      key: 'oldest',
      head: columns.oldest,
      isNumber: true,
      cell: ({ account }) => (account?.oldestDueDate ? day(account.oldestDueDate, language) : text.unknown),
    },
    {
      key: 'next',
      head: columns.next,
      cell: ({ account, timeZone, city, name: debtorName }) =>
        account?.nextContact
          ? `${placedMoment(account.nextContact.at, { home: zone, local: timeZone ?? zone, place: city ?? debtorName }, language)}, ${name.channels[account.nextContact.channel]}`
          : text.unknown,
      ...sortable(sorting, 'next_contact', 'asc'),
    },
    {
      key: 'held',
      head: columns.held,
      cell: ({ account }) => account?.heldBy.map(hold => name.reasons[hold]).join(', ') || text.unknown,
    },
    {
      key: 'risk',
      head: columns.risk,
      cell: ({ account }) => (
        <span className="whitespace-nowrap">
          {account && account.attention.level !== 'none'
            ? name.attention[account.attention.level]
            : account?.riskLevel
              ? name.risks[account.riskLevel]
              : text.unknown}
        </span>
      ),
      ...sortable(sorting, 'score', 'desc'),
    },
  ]
  return (
    <ListFrame
      of="debtors"
      filters={filterWords(search, zone, currency, language)}
      search={search}
      page={page}
      columns={shown}
    />
  )
}
