import { beforeAll, expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import type { CreatedCompany } from '../../access/companies/create-company.ts'

const installation = useInstallation()
const largest = 1_000_000_000_000
const bigintMax = '9223372036854775807'

let rich: CreatedCompany
beforeAll(async () => {
  rich = await installation.server.createCompany({
    name: 'Riche',
    ownerEmail: 'o@riche.example',
    tier: 'enterprise',
  })
})

const create = (key: string, amountCents: number) =>
  installation.call<{ id: string }>('POST', '/api/v1/invoices', { key, body: invoiceInput({ amountCents }) })
const summaryOf = async (key: string) => {
  const answer = await installation.call<{ totalInvoices: number; totalAmountCents: number }>(
    'GET',
    '/api/v1/invoices/stats/summary',
    { key },
  )
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const deltasOf = async (tenantId: string) =>
  (await installation.sql('select 1 from count_deltas where tenant_id = $1', [tenantId])).length
const folded = (tenantId: string) =>
  eventually(
    () => deltasOf(tenantId),
    count => count === 0,
  )

it('a sum near the largest number of the database stops neither its tenant nor the others', async () => {
  const key = [rich.tenants.production, 'invoice', 'judicial', 'EUR']
  await installation.sql('insert into count_totals values ($1, $2, $3, $4, 1, $5, $5)', [...key, bigintMax])
  await installation.sql(
    `insert into count_deltas (tenant_id, kind, status, currency, day, n, amount_cents, paid_cents)
     values ($1, $2, $3, $4, '2026-11-16', 1, $5, $5), ($1, $2, $3, $4, '2026-11-16', 1, $5, $5)`,
    [...key, bigintMax],
  )
  await create(installation.company.productionKey, 5_000)
  await folded(installation.company.tenants.production)
  await folded(rich.tenants.production)
  expect(await summaryOf(installation.company.productionKey)).toMatchObject({
    totalInvoices: 1,
    totalAmountCents: 5_000,
  })
  expect((await summaryOf(rich.productionKey)).totalInvoices).toBe(3)
})

it.each(['/api/v1/invoices/stats/summary', '/api/v1/workflow/stats', '/api/v1/payments/stats/summary'])(
  '%s answers with sums beyond what a number holds exactly',
  async path => {
    await installation.sql('update count_totals set amount_cents = $2 where tenant_id = $1', [
      rich.tenants.production,
      9_100 * largest,
    ])
    await installation.sql(
      `insert into count_days (tenant_id, kind, status, day, currency, method, n, amount_cents)
       values ($1, 'payment', 'completed', '2026-11-16', 'EUR', 'card', 1, $2) on conflict do nothing`,
      [rich.tenants.production, 9_100 * largest],
    )
    const answer = await installation.call('GET', path, { key: rich.productionKey })
    expect(answer.status, answer.text).toBe(200)
    if (!path.includes('workflow')) expect(answer.text).toContain('9100000000000000')
  },
)

it('an invoice refuses more money than its sums can hold, with a sentence', async () => {
  const { id } = (await create(rich.productionKey, 1_000)).body.data
  await installation.sql(`update invoices set paid_cents = $2, status = 'paid' where id = $1`, [
    id,
    10 ** 15 - 10,
  ])
  const answer = await installation.call('POST', '/api/v1/payments', {
    key: rich.productionKey,
    body: { invoiceId: id, amountCents: largest, method: 'card', allowOverpayment: true },
  })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.message).toContain('amountCents')
})
