import type { Relance } from '@relance/sdk'
import { queryOptions } from '@tanstack/react-query'

export const invoiceQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['invoice', id, 'head'],
    queryFn: ({ signal }) => api.invoices.get(id, { include: 'recovery' }, { signal }),
  })

export const planQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['invoice', id, 'plan'],
    queryFn: ({ signal }) => api.workflow.plan(id, { signal }),
  })

export const paymentsQuery = (api: Relance, id: string) =>
  queryOptions({
    queryKey: ['invoice', id, 'payments'],
    queryFn: async ({ signal }) => await api.payments.ofInvoice(id, undefined, { signal }),
  })
