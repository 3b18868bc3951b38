import { expect } from 'vitest'
import { invoiceInput, type TestInstallation } from './use-installation.ts'

/** Due in the future: nothing is sent unless a test asks for it. */
export const notYetDue = { dueDate: '2027-02-01' }

export interface WorkflowReply {
  invoiceId: string
  status: string
  previousStatus: string
  currentStep: string | null
  startedAt: string | null
  nextActionAt: string | null
  inFlight: { communicationId: string; channel: string; action: string }[]
  /** Both of a dry run. */
  dryRun?: true
  plan?: unknown
}

/** Workflow calls of the installation's company. */
export function workflowCalls(installation: TestInstallation) {
  const trigger = (id: string, body: Record<string, unknown>) =>
    installation.call<WorkflowReply>('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body })
  return {
    trigger,
    create: async (changes: Record<string, unknown> = {}) =>
      (
        await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
          body: invoiceInput({ ...notYetDue, ...changes }),
        })
      ).body.data,
    importWithoutStart: async (changes: Record<string, unknown> = {}) =>
      (
        await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
          body: { invoices: [invoiceInput({ ...notYetDue, ...changes })], autoStartWorkflow: false },
        })
      ).body.data.results[0]!.id,
    async triggerOk(id: string, body: Record<string, unknown>) {
      const answer = await trigger(id, body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    pay: (invoiceId: string, amountCents = 120_000) =>
      installation.call('POST', '/api/v1/payments', {
        body: { invoiceId, amountCents, method: 'bank_transfer' },
      }),
    workflow: async (id: string) =>
      (await installation.call<WorkflowReply>('GET', `/api/v1/workflow/invoice/${id}`)).body.data,
    history: async (id: string) =>
      (
        await installation.call<
          { action: string; channel: string | null; status: string; details: string }[]
        >('GET', `/api/v1/workflow/invoice/${id}/history`)
      ).body.data,
    recoveryOf: async (id: string) =>
      (
        await installation.sql<Record<string, unknown>>('select * from recoveries where invoice_id = $1', [
          id,
        ])
      )[0]!,
  }
}
