import { expect } from 'vitest'
import { type ApiResponse, eventually, invoiceInput, type TestInstallation } from './use-installation.ts'

export interface WrittenOff {
  anrId: string
  invoiceId: string
  basis: string
  note: string | null
  writtenOffCents: number
  createdAt: string
  sha256: string
  previousStatus: string
  newStatus: string
  inFlight: unknown[]
}

type Environment = 'production' | 'sandbox'

/** API calls for tests of write-offs. */
export function writeOffCalls(installation: TestInstallation) {
  const keyOf = (environment: Environment) =>
    environment === 'sandbox' ? installation.company.sandboxKey : installation.company.productionKey

  async function created<Data>(path: string, body: unknown, environment: Environment = 'production') {
    const answer = (await installation.call('POST', path, {
      body,
      key: keyOf(environment),
    })) as ApiResponse<Data>
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data
  }

  const read = async <Data = Record<string, unknown>>(
    path: string,
    environment: Environment = 'production',
  ) => (await installation.call<Data>('GET', path, { key: keyOf(environment) })).body.data

  return {
    created,
    read,
    newInvoice: async (changes: Record<string, unknown> = {}, environment?: Environment) =>
      (await created<{ id: string }>('/api/v1/invoices', invoiceInput(changes), environment)).id,
    writeOff: (
      id: string,
      body: unknown = { basis: 'amicable_failed' },
      { headers = {}, environment = 'production' as Environment } = {},
    ) =>
      installation.call<WrittenOff>('POST', `/api/v1/invoices/${id}/write-off`, {
        body,
        headers,
        key: keyOf(environment),
      }),
    pay: (invoiceId: string, amountCents: number) =>
      created('/api/v1/payments', { invoiceId, amountCents, method: 'bank_transfer' }),
    /** Until its first message has left. */
    untilContacted: (id: string) =>
      eventually(
        () => read<{ status: string }>(`/api/v1/invoices/${id}`),
        invoice => invoice.status === 'in_recovery',
      ),
    async download(id: string, environment: Environment = 'production') {
      const response = await fetch(`${installation.server.baseUrl}/api/v1/invoices/${id}/anr`, {
        headers: { 'x-api-key': keyOf(environment) },
      })
      return { response, pdf: Buffer.from(await response.arrayBuffer()) }
    },
  }
}
