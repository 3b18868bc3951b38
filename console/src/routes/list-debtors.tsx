import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi, usePlace } from '../lib/api.ts'
import { defineWords, useWords } from '../lib/language.tsx'

const words = defineWords({ title: 'Débiteurs' }, { title: 'Debtors' })

export default function ListDebtors() {
  const { title } = useWords(words)
  const { company, environment } = usePlace()
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['debtor', 'list'],
    queryFn: async ({ signal }) => await api.debtors.list({}, { signal }),
  })
  return (
    <>
      <h1 className="text-screen font-semibold">{title}</h1>
      <ul>
        {data?.data.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/$company/$environment/debtors/$id"
              params={{ company, environment, id }}
              className="underline"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
