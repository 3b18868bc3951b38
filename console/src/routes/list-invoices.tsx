import type { InvoicesListQuery } from '@relance/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { InvoiceList } from '../features/lists/invoice-list.tsx'
import { companyQuery, useApi } from '../lib/api.ts'
import { defineWords, useWords } from '../lib/language.tsx'
import { useTitle } from '../lib/title.ts'
import { Failure } from '../ui/failure.tsx'

const words = defineWords({ title: 'Factures' }, { title: 'Invoices' })

/** The invoices that the filters of the URL ask for. */
export default function ListInvoices() {
  useTitle(useWords(words).title)
  const search = useSearch({ from: '/$company/$environment/invoices' })
  const navigate = useNavigate({ from: '/$company/$environment/invoices' })
  const api = useApi()
  const { data: company } = useQuery(companyQuery(api))
  const { data, error, refetch } = useQuery({
    queryKey: ['invoice', 'list', search],
    queryFn: async ({ signal }) => {
      // Its values are what the URL says; the API judges them, and names the one it does not understand.
      const filters: object = search
      const query: InvoicesListQuery = { ...filters, limit: 50, include: 'recovery' }
      return await api.invoices.list(query, { signal })
    },
    placeholderData: keepPreviousData,
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || !company) return <div aria-busy="true" className="min-h-[45rem]" />
  return (
    <InvoiceList
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
