import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useApi } from '../lib/api.ts'

export default function Debtor() {
  const { id } = useParams({ from: '/$company/$environment/debtors/$id' })
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['debtor', id],
    queryFn: ({ signal }) => api.debtors.get(id, undefined, { signal }),
  })
  return <h1 className="text-screen font-semibold">{data?.name}</h1>
}
