import type { DebtorsListQuery } from '@relance/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DebtorList } from '../features/lists/debtor-list.tsx'
import { companyQuery, useApi } from '../lib/api.ts'
import { defineWords, useWords } from '../lib/language.tsx'
import { useTitle } from '../lib/title.ts'
import { Failure } from '../ui/failure.tsx'

const words = defineWords({ title: 'Débiteurs' }, { title: 'Debtors' })

/** The debtors that the filters of the URL ask for. */
export default function ListDebtors() {
  useTitle(useWords(words).title)
  const search = useSearch({ from: '/$company/$environment/debtors' })
  const navigate = useNavigate({ from: '/$company/$environment/debtors' })
  const api = useApi()
  const { data: company } = useQuery(companyQuery(api))
  const { data, error, refetch } = useQuery({
    queryKey: ['debtor', 'list', search],
    queryFn: async ({ signal }) => {
      // Its values are what the URL says; the API judges them, and names the one it does not understand.
      const filters: object = search
      const query: DebtorsListQuery = { ...filters, limit: 50, include: 'account' }
      return await api.debtors.list(query, { signal })
    },
    placeholderData: keepPreviousData,
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || !company) return <div aria-busy="true" className="min-h-[45rem]" />
  return (
    <DebtorList
      page={data}
      search={search}
      timeZone={company.timeZone}
      onSort={(sortBy, sortOrder) => {
        const { cursor, ...filters } = search
        void navigate({ search: { ...filters, sortBy, sortOrder } })
      }}
    />
  )
}
