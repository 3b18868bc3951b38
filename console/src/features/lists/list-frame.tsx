import type { FeedPagination, Page, Pagination } from '@relance/sdk'
import { Link } from '@tanstack/react-router'
import { useMay, usePlace } from '../../lib/api.ts'
import { count } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { useTitle } from '../../lib/title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { words } from './words.ts'

/** What a list gets from its route. */
export interface ListProps<Item, Position = Pagination> {
  readonly page: Page<Item, Position>
  readonly search: Readonly<Record<string, string>>
  /** The company's: a list has debtors of many zones. */
  readonly timeZone: string
  readonly onSort: (sortBy: string, sortOrder: 'asc' | 'desc') => void
}

interface Props<Item> {
  readonly of: 'invoices' | 'debtors' | 'messages'
  /** The filters as text. */
  readonly filters: readonly string[]
  /** The query of the URL, with the page it names. */
  readonly search: Readonly<Record<string, string>>
  readonly page: Page<Item, Pagination | FeedPagination>
  readonly columns: readonly Column<Item>[]
}

/** A link in a row. */
export const linkClass = 'inline-flex min-h-6 items-center text-brand underline-offset-2 hover:underline'

/** The filters of a list, its count, its rows, and the link to the next page. */
export function ListFrame<Item extends { id: string }>({ of, filters, search, page, columns }: Props<Item>) {
  const text = useWords(words)
  const { company, environment } = usePlace()
  const may = useMay()
  useTitle(text[of])
  const { data, pagination } = page
  const nextCursor = pagination.hasNext && pagination.nextCursor
  const { cursor, ...filtered } = search
  const link = (query: Readonly<Record<string, string>>) => ({
    to: `/$company/$environment/${of}` as const,
    params: { company, environment },
    search: query,
  })
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-screen font-[650]">{text[of]}</h1>
        {filters.map(filter => (
          <Chip key={filter} tone="brand">
            {filter}
          </Chip>
        ))}
        {filters.length > 0 && Object.keys(filtered).length > 0 && (
          <Link {...link({})} className={buttonClass('quiet')}>
            {of === 'messages' ? text.lastDay : text.removeFilters}
          </Link>
        )}
        {of !== 'messages' && 'total' in pagination && <Found of={of} {...pagination} />}
        {of !== 'messages' && (
          // Its place is there before it is known what the role allows.
          <Link
            to="/$company/$environment/import"
            params={{ company, environment }}
            className={`${buttonClass()} ${may('tasks.import') ? '' : 'invisible'}`}
          >
            {text.import}
          </Link>
        )}
      </header>
      <div className="rounded-sheet border border-line bg-sheet">
        <DataTable
          caption={text[of]}
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          empty={filters.length > 0 || cursor ? text.none : text.empty[of]}
        />
      </div>
      {(cursor || nextCursor) && (
        <nav aria-label={text.pages} className="flex gap-2">
          {cursor && (
            <Link {...link(filtered)} className={buttonClass()}>
              {text.firstPage}
            </Link>
          )}
          {nextCursor && (
            <Link {...link({ ...filtered, cursor: nextCursor })} className={buttonClass()}>
              {text.nextPage}
            </Link>
          )}
        </nav>
      )}
    </div>
  )
}

function Found({ of, total, totalIsExact }: { readonly of: 'invoices' | 'debtors' } & Pagination) {
  const text = useWords(words)
  const language = useLanguage()
  const found = text[`${of}Found`](total, count(total, language))
  return (
    <p role="status" className="ml-auto text-soft">
      {totalIsExact === false ? text.moreThan(found) : found}
    </p>
  )
}
