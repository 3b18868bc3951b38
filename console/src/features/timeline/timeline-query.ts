import type { Relance, TimelineEntry } from '@relance/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Language } from '../../lib/language.tsx'

export type TimelineKind = 'debtor' | 'invoice'

/** The newest lines first; each further page is older. */
export const timelineQuery = (
  api: Relance,
  kind: TimelineKind,
  id: string,
  language: Language,
  limit: number,
  only?: TimelineEntry['kind'],
) =>
  infiniteQueryOptions({
    queryKey: [kind, id, 'timeline', language, limit, only ?? null],
    queryFn: async ({ pageParam, signal }) => {
      const query = { lang: language, limit, cursor: pageParam }
      return kind === 'debtor'
        ? await api.debtors.timeline(id, { ...query, kind: only }, { signal })
        : await api.invoices.timeline(id, query, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNext ? pagination.nextCursor : undefined),
  })
