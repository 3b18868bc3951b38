import type { Relance } from '@relance/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Language } from '../../lib/language.tsx'
import { addDays } from '../../lib/zone.ts'

export const debtorQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['debtor', id, 'head'],
    queryFn: ({ signal }) => api.debtors.get(id, { include: 'account,sameAddress' }, { signal }),
  })

const daysShown = 42

/** Two weeks back and four ahead; or from a day on. */
export const calendarQuery = (api: Relance, id: string, from: string | undefined) =>
  queryOptions({
    queryKey: ['debtor', id, 'calendar', from ?? null],
    queryFn: ({ signal }) =>
      api.debtors.calendar(id, from ? { from, to: addDays(from, daysShown - 1) } : { back: 14 }, { signal }),
    placeholderData: keepPreviousData,
  })

export const debtorInvoicesQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['debtor', id, 'invoices'],
    queryFn: async ({ signal }) =>
      await api.invoices.list(
        { debtorId: id, include: 'recovery', sortBy: 'due_date', sortOrder: 'asc', limit: 100 },
        { signal },
      ),
  })

export const scoreQuery = (api: Relance, id: string, language: Language) =>
  queryOptions({
    queryKey: ['debtor', id, 'score', language],
    queryFn: ({ signal }) => api.debtors.score(id, { language }, { signal }),
  })
