import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { subjectOfInvoice } from '../features/acts/acts.ts'
import { ActsMenu } from '../features/acts/acts-menu.tsx'
import { useApi } from '../lib/api.ts'

export default function Invoice() {
  const { id } = useParams({ from: '/$company/$environment/invoices/$id' })
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['invoice', id],
    queryFn: ({ signal }) => api.invoices.get(id, { include: 'recovery' }, { signal }),
  })
  return (
    <header className="flex justify-between gap-4">
      <h1 className="text-screen font-semibold">{data?.invoiceNumber}</h1>
      {data && <ActsMenu subject={subjectOfInvoice(data)} />}
    </header>
  )
}
