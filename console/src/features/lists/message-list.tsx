import type { FeedPagination, ListedCommunication } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../../lib/api.ts'
import { momentText } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { nameOf, names } from '../../lib/names.ts'
import type { Column } from '../../ui/table.tsx'
import { filterWords } from './filter-words.ts'
import { ListFrame, type ListProps, linkClass } from './list-frame.tsx'
import { words } from './words.ts'

interface Props extends Omit<ListProps<ListedCommunication, FeedPagination>, 'onSort'> {
  readonly onOpen: (id: string) => void
}

/** Sent and attempted messages, the newest first. */
export function MessageList({ page, search, timeZone, onOpen }: Props) {
  const text = useWords(words)
  const known = useWords(names)
  const language = useLanguage()
  const place = usePlace()
  const { columns } = text
  // Without a filter the API lists the messages of one day.
  const filters = filterWords(search, timeZone, 'EUR', language)
  const stepOf = (message: ListedCommunication) =>
    nameOf(known.steps, message.step, known.steps.extra_message)
  const shown: Column<ListedCommunication>[] = [
    {
      key: 'time',
      head: columns.time,
      cell: ({ at, sentAt }) => momentText(sentAt ?? at, timeZone, language),
    },
    {
      key: 'debtor',
      head: columns.debtor,
      cell: ({ debtor }) => (
        <Link
          to="/$company/$environment/debtors/$id"
          params={{ ...place, id: debtor.id }}
          className={linkClass}
        >
          {debtor.name}
        </Link>
      ),
    },
    {
      key: 'message',
      head: columns.message,
      cell: message => (
        <button type="button" className={linkClass} onClick={() => onOpen(message.id)}>
          {[...new Set([known.channels[message.channel], stepOf(message)])].join(' · ')}
        </button>
      ),
    },
    { key: 'state', head: columns.state, cell: ({ state }) => known.historyStatuses[state] },
    {
      key: 'invoice',
      head: columns.number,
      cell: ({ invoice, invoiceCount }) =>
        invoice ? (
          <>
            <Link
              to="/$company/$environment/invoices/$id"
              params={{ ...place, id: invoice.id }}
              className={linkClass}
            >
              {invoice.number}
            </Link>
            {invoiceCount > 1 && ` + ${invoiceCount - 1}`}
          </>
        ) : (
          text.unknown
        ),
    },
  ]
  return (
    <ListFrame
      of="messages"
      filters={filters.length > 0 ? filters : [text.lastDay]}
      search={search}
      page={page}
      columns={shown}
    />
  )
}
