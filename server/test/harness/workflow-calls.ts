import { expect } from 'vitest'
import { type House, invoiceInput } from './house.ts'

/** Due in the future: nothing is sent unless a test asks for it. */
export const later = { dueDate: '2027-02-01' }

export interface Triggered {
  invoiceId: string
  status: string
  previousStatus: string
  currentStep: string | null
  startedAt: string | null
  nextActionAt: string | null
  inFlight: { communicationId: string; channel: string; action: string }[]
}

/** What tests of the workflow ask for, in the name of the house's company. */
export function workflowCalls(house: House) {
  const trigger = (id: string, body: Record<string, unknown>) =>
    house.call<Triggered>('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body })
  return {
    trigger,
    create: async (changes: Record<string, unknown> = {}) =>
      (
        await house.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
          body: invoiceInput({ ...later, ...changes }),
        })
      ).body.data,
    asleep: async (changes: Record<string, unknown> = {}) =>
      (
        await house.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
          body: { invoices: [invoiceInput({ ...later, ...changes })], autoStartWorkflow: false },
        })
      ).body.data.results[0]!.id,
    async triggered(id: string, body: Record<string, unknown>) {
      const answer = await trigger(id, body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    pay: (invoiceId: string, amountCents = 120_000) =>
      house.call('POST', '/api/v1/payments', { body: { invoiceId, amountCents, method: 'bank_transfer' } }),
    workflow: async (id: string) =>
      (await house.call<Triggered>('GET', `/api/v1/workflow/invoice/${id}`)).body.data,
    history: async (id: string) =>
      (
        await house.call<{ action: string; channel: string | null; status: string; details: string }[]>(
          'GET',
          `/api/v1/workflow/invoice/${id}/history`,
        )
      ).body.data,
    recoveryOf: async (id: string) =>
      (await house.sql<Record<string, unknown>>('select * from recoveries where invoice_id = $1', [id]))[0]!,
  }
}
