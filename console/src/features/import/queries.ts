import type { Relance, Task } from '@relance/sdk'
import { queryOptions } from '@tanstack/react-query'

/** How often a task under way is read. */
const readEveryMs = 1_000
export const isUnderWay = ({ status }: Task) => status === 'waiting' || status === 'running'

export const taskQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: ({ signal }) => api.tasks.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? readEveryMs : false),
  })

/** The last imports. */
export const importsQuery = (api: Relance) =>
  queryOptions({
    queryKey: ['tasks', 'list', 'import'],
    queryFn: async ({ signal }) => (await api.tasks.list({ kind: 'import', limit: 5 }, { signal })).data,
  })
