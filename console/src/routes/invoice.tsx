import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useApi } from '../lib/api.ts'

export default function Invoice() {
  const { id } = useParams({ from: '/$company/$environment/invoices/$id' })
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['invoice', id],
    queryFn: ({ signal }) => api.invoices.get(id, undefined, { signal }),
  })
  return <h1 className="text-screen font-semibold">{data?.invoiceNumber}</h1>
}
