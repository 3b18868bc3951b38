import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi, usePlace } from '../lib/api.ts'
import { defineWords, useWords } from '../lib/language.tsx'

const words = defineWords({ title: 'Factures' }, { title: 'Invoices' })

export default function ListInvoices() {
  const { title } = useWords(words)
  const { company, environment } = usePlace()
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['invoice', 'list'],
    queryFn: async ({ signal }) => await api.invoices.list({}, { signal }),
  })
  return (
    <>
      <h1 className="text-screen font-semibold">{title}</h1>
      <ul>
        {data?.data.map(({ id, invoiceNumber }) => (
          <li key={id}>
            <Link
              to="/$company/$environment/invoices/$id"
              params={{ company, environment, id }}
              className="underline"
            >
              {invoiceNumber}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
