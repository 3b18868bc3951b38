import type { Relance } from '@relance/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Language } from '../../lib/language.tsx'
import { addDays } from '../../lib/zone.ts'

export const debtorQuery = (api: Relance, id: string, language: Language) =>
  queryOptions({
    queryKey: ['debtor', id, 'head', language],
    queryFn: ({ signal }) =>
      api.debtors.get(id, { include: 'account,sameAddress,people', language }, { signal }),
  })

const daysShown = 42

/** Two weeks back and four ahead; or from a day on. */
export const calendarQuery = (api: Relance, id: string, from: string | undefined, language: Language) =>
  queryOptions({
    queryKey: ['debtor', id, 'calendar', from ?? null, language],
    queryFn: ({ signal }) => {
      const days = from ? { from, to: addDays(from, daysShown - 1) } : { back: 14 }
      return api.debtors.calendar(id, { ...days, language }, { signal })
    },
    placeholderData: keepPreviousData,
  })

export const debtorInvoicesQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['debtor', id, 'invoices'],
    queryFn: async ({ signal }) =>
      await api.invoices.list(
        { debtorId: id, include: 'recovery', sortBy: 'due_date', sortOrder: 'asc', limit: 50 },
        { signal },
      ),
  })
