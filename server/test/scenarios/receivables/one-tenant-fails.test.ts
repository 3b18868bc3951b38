import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../../../src/features/platform/metrics.ts'
import { scoreNextBatch } from '../../../src/features/receivables/scoring/nightly-scoring.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createPool, type Pool } from '../../../src/kit/db/pool.ts'
import { startHousekeeping } from '../../../src/start/housekeeping.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })
let pool: Pool
const warned: unknown[] = []
const messages: string[] = []
const warn = (facts: unknown, message: string) => {
  warned.push(facts)
  messages.push(message)
}
const log = { info() {}, warn, error() {} }
let healthy: { id: string; debtorId: string }

beforeAll(async () => {
  pool = createPool({
    url: installation.database.env.WORKER_DATABASE_URL,
    role: 'relance-worker',
    max: 2,
    statementTimeoutMs: 30_000,
    onConnectionLost() {},
  })
  const { sandbox } = installation.company.tenants
  await installation.call('POST', '/api/v1/invoices', {
    body: invoiceInput(),
    key: installation.company.sandboxKey,
  })
  // As if its clock had been moved to the year 10001 before it had an end: no date of it can be written any more.
  await installation.sql('update tenants set clock_offset_ms = $2 where id = $1', [
    sandbox,
    Date.parse('+010001-06-01T00:00:00Z') - Date.now(),
  ])
  // Made later, so its id is higher and every loop comes to it after the other.
  const company = await installation.server.createCompany({
    name: 'Atelier Petit',
    ownerEmail: 'petit@atelier.example',
  })
  const { body } = await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
    key: company.productionKey,
  })
  healthy = { id: company.tenants.production, debtorId: body.data.debtor.id }
})
afterAll(() => pool.end())

it('the nightly scores of the others are computed, and the failure is logged with its tenant', async () => {
  const context = { pool, clock: systemClock, log, metrics: createMetrics() }
  for (let pass = 0; pass < 20; pass++) await scoreNextBatch(context)
  const [run] = await installation.sql<{ finished_at: string | null }>('select finished_at from score_walks')
  expect(run!.finished_at).not.toBeNull()
  const scores = await installation.sql('select from debtor_scores where debtor_id = $1', [healthy.debtorId])
  expect(scores).toHaveLength(1)
  expect(warned).toContainEqual(
    expect.objectContaining({ tenantId: installation.company.tenants.sandbox, err: expect.any(Error) }),
  )
})

it('housekeeping reaches every tenant', async () => {
  messages.length = 0
  // A sandbox that is still catching up is left alone.
  await installation.sql('delete from agendas where tenant_id = $1', [installation.company.tenants.sandbox])
  await startHousekeeping({ pool, clock: systemClock, log }).stop()
  expect(messages).toEqual(['housekeeping of a tenant failed'])
})
