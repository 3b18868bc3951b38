import { expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

const rounds = 15
/** PostgreSQL finds a deadlock after a second; the request is then repeated. */
const deadlockMs = 950
const pendingInvoice = async () => {
  const answer = await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    body: { invoices: [invoiceInput()], autoStartWorkflow: false },
  })
  return answer.body.data.results[0]!.id
}

/** What may be done with a pending invoice while somebody deletes it. */
const others: Record<string, (id: string) => [path: string, body: object]> = {
  payment: id => ['/api/v1/payments', { invoiceId: id, amountCents: 100, method: 'card' }],
  dispute: id => [`/api/v1/invoices/${id}/dispute`, { reason: 'Not delivered' }],
  'write-off': id => [`/api/v1/invoices/${id}/write-off`, { basis: 'untraceable' }],
  credit: id => [
    `/api/v1/invoices/${id}/credits`,
    { number: `A-${id}`, amountCents: 100, issuedOn: '2026-11-01' },
  ],
  start: id => [`/api/v1/workflow/invoice/${id}/trigger`, { action: 'start' }],
}

it.each(Object.keys(others))(
  'a deletion and a %s at the same moment wait for each other',
  async name => {
    let stalls = 0
    for (let round = 0; round < rounds; round++) {
      const id = await pendingInvoice()
      const [path, body] = others[name]!(id)
      const startedAt = performance.now()
      const [deletion, other] = await Promise.all([
        installation.call('DELETE', `/api/v1/invoices/${id}`),
        installation.call('POST', path, { body }),
      ])
      if (performance.now() - startedAt > deadlockMs) stalls++
      const statuses = [deletion.status, other.status]
      // Who comes first decides: nothing is left to act on, or what was done keeps the invoice.
      expect([
        [204, 404],
        [409, 201],
        [409, 200],
        [400, 200],
      ]).toContainEqual(statuses)
      const left = await installation.call('GET', `/api/v1/invoices/${id}`)
      expect(left.status).toBe(deletion.status === 204 ? 404 : 200)
    }
    // One slow round may be the machine's.
    expect(stalls).toBeLessThan(2)
  },
  60_000,
)
