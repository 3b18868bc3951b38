import type { Relance, WorkListQuery, WorkSummaryQuery } from '@relance/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Place } from './api.ts'

/** The filters of the list of work, as the URL and the API name them. */
export interface WorkFilters {
  readonly group?: string | undefined
  readonly inCharge?: string | undefined
  readonly later?: string | undefined
}

const rowsShown = 25

/** The debtors with open work, the largest and oldest first. The API checks the values of the URL. */
export const workQuery = (api: Relance, { group, inCharge, later }: WorkFilters) =>
  infiniteQueryOptions({
    queryKey: ['work', 'rows', group ?? null, inCharge ?? null, later ?? null],
    queryFn: async ({ pageParam, signal }) => {
      const query = { group, inCharge, later, limit: rowsShown, cursor: pageParam }
      return await api.work.list(query as WorkListQuery, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNext ? pagination.nextCursor : undefined),
    placeholderData: keepPreviousData,
  })

export const workSummaryQuery = (api: Relance, { inCharge }: WorkFilters) =>
  queryOptions({
    queryKey: ['work', 'summary', inCharge ?? null],
    queryFn: ({ signal }) => api.work.summary({ inCharge } as WorkSummaryQuery, { signal }),
    placeholderData: keepPreviousData,
  })

/** What is overdue, promised and collected. */
export const sumsQuery = (api: Relance) =>
  queryOptions({
    queryKey: ['today', 'sums'],
    queryFn: ({ signal }) => api.reports.sums({ signal }),
  })

/** Not awaited: the requests run while the code of the screen loads. */
export function prefetchWork({ api, queries }: Place, filters: WorkFilters): void {
  void queries.prefetchInfiniteQuery(workQuery(api, filters))
  void queries.prefetchQuery(workSummaryQuery(api, filters))
  void queries.prefetchQuery(sumsQuery(api))
}
