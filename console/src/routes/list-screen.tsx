import type { Page } from '@relance/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { ListProps } from '../features/lists/list-frame.tsx'
import { companyQuery, useApi } from '../lib/api.ts'
import { Failure } from '../ui/failure.tsx'

interface Props<Item> {
  readonly kind: 'debtor' | 'invoice'
  readonly search: Readonly<Record<string, string>>
  readonly onSearch: (search: Readonly<Record<string, string>>) => void
  /** The values are what the URL says; the API judges them, and names the one it does not understand. */
  readonly read: (filters: object, signal: AbortSignal) => PromiseLike<Page<Item>>
  readonly list: ComponentType<ListProps<Item>>
}

/** What the filters of the URL ask for, fifty at a time. */
export function ListScreen<Item>({ kind, search, onSearch, read, list: List }: Props<Item>) {
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
