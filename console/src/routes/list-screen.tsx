import type { Page, Pagination } from '@relance/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListProps } from '../features/lists/list-frame.tsx'
import { companyQuery, useApi } from '../lib/api.ts'
import { Failure } from '../ui/failure.tsx'

interface Props<Item, Position> {
  readonly kind: 'debtor' | 'invoice' | 'message'
  readonly search: Readonly<Record<string, string>>
  readonly onSearch: (search: Readonly<Record<string, string>>) => void
  /** The values come from the URL. The API validates them and names the invalid one. */
  readonly read: (filters: object, signal: AbortSignal) => PromiseLike<Page<Item, Position>>
  readonly list: (props: ListProps<Item, Position>) => ReactNode
}

/** The list for the filters of the URL, fifty entries per page. */
export function ListScreen<Item, Position = Pagination>({
  kind,
  search,
  onSearch,
  read,
  list: List,
}: Props<Item, Position>) {
  const { data: company } = useQuery(companyQuery(useApi()))
  const { data, error, refetch } = useQuery({
    queryKey: [kind, 'list', search],
    queryFn: async ({ signal }) => await read({ ...search, limit: 50 }, signal),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || !company) return <div aria-busy="true" className="min-h-[45rem]" />
  return (
    <List
      page={data}
      search={search}
      timeZone={company.timeZone}
      onSort={(sortBy, sortOrder) => {
        const { cursor, ...filters } = search
        onSearch({ ...filters, sortBy, sortOrder })
      }}
    />
  )
}
