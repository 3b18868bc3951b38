import { useNavigate, useSearch } from '@tanstack/react-router'
import { InvoiceList } from '../features/lists/invoice-list.tsx'
import { useApi } from '../lib/api.ts'
import { ListScreen } from './list-screen.tsx'

export default function ListInvoices() {
  const search = useSearch({ from: '/$company/$environment/invoices' })
  const navigate = useNavigate({ from: '/$company/$environment/invoices' })
  const api = useApi()
  return (
    <ListScreen
      kind="invoice"
      search={search}
      onSearch={next => void navigate({ search: next })}
      read={(filters, signal) => api.invoices.list({ ...filters, include: 'recovery' }, { signal })}
      list={InvoiceList}
    />
  )
}
