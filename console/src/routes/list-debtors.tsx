import { useNavigate, useSearch } from '@tanstack/react-router'
import { DebtorList } from '../features/lists/debtor-list.tsx'
import { useApi } from '../lib/api.ts'
import { ListScreen } from './list-screen.tsx'

export default function ListDebtors() {
  const search = useSearch({ from: '/$company/$environment/debtors' })
  const navigate = useNavigate({ from: '/$company/$environment/debtors' })
  const api = useApi()
  return (
    <ListScreen
      kind="debtor"
      search={search}
      onSearch={next => void navigate({ search: next })}
      read={(filters, signal) => api.debtors.list({ ...filters, include: 'account' }, { signal })}
      list={DebtorList}
    />
  )
}
