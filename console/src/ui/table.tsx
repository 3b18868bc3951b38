import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly key: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Amounts and counts are right-aligned. */
  readonly isNumber?: boolean
  /** Left out where the screen is narrow. */
  readonly isOnlyWide?: boolean
  readonly sort?: 'ascending' | 'descending' | 'none'
  readonly onSort?: () => void
}

interface Props<Row> {
  /** The name of the table, for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** The row a panel shows. */
  readonly chosen?: string | undefined
  /** Instead of the rows when there are none. */
  readonly empty: string
}

const signs = { ascending: '▲', descending: '▼', none: '' } as const

/** A list; the first column stays when the rest is moved sideways. */
export function DataTable<Row>({ caption, columns, rows, rowKey, chosen, empty }: Props<Row>) {
  return (
    // A keyboard must be able to move the table sideways.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto print:overflow-visible">
      <table className="w-full border-collapse text-body">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column.sort}
                className={`h-9 px-3 print:px-1.5 text-head font-normal whitespace-nowrap text-soft ${side(column)} ${stays(index)}`}
              >
                {column.onSort ? (
                  <button type="button" className="min-h-6 underline" onClick={column.onSort}>
                    {column.head} <span aria-hidden>{signs[column.sort ?? 'none']}</span>
                  </button>
                ) : (
                  column.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => {
            const key = rowKey(row)
            return (
              <tr
                key={key}
                aria-current={key === chosen || undefined}
                className="group border-t border-line hover:bg-calm aria-[current]:shadow-[inset_3px_0_var(--brand)]"
              >
                {columns.map((column, index) => (
                  <td
                    key={column.key}
                    className={`h-9 px-3 print:px-1.5 max-md:h-11 ${side(column)} ${stays(index)} group-hover:bg-calm`}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          {rows.length === 0 && (
            <tr className="border-t border-line">
              <td colSpan={columns.length} className="h-9 px-3 text-soft">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

const side = ({ isNumber, isOnlyWide }: { readonly isNumber?: boolean; readonly isOnlyWide?: boolean }) =>
  `${isNumber ? 'text-right whitespace-nowrap' : 'text-left'} ${isOnlyWide ? 'max-md:hidden' : ''}`
const stays = (index: number) => (index === 0 ? 'sticky left-0 bg-sheet' : '')
