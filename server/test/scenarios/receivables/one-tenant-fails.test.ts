import { afterAll, beforeAll, expect, it } from 'vitest'
import { announceEndedWebhooks } from '../../../src/features/integrations/webhooks/announce-ended-webhooks.ts'
import { replayEvents } from '../../../src/features/integrations/webhooks/replay-events.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createPool, type Pool } from '../../../src/kit/db/pool.ts'
import type { Log } from '../../../src/kit/log.ts'
import { deliveryContextOf } from '../../harness/deliveries.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })
let pool: Pool
const warned: unknown[] = []
const messages: string[] = []
const warn = (facts: unknown, message: string) => {
  warned.push(facts)
  messages.push(message)
}
const log = { debug() {}, info() {}, warn, error() {} }
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

/** Endpoints of a tenant, switched off with their maker or replaying; the oldest first. */
const insertEndpoints = (tenantId: string, count: number, state: 'ended' | 'replaying') =>
  installation.sql<{ webhook_id: string }>(
    `insert into webhook_endpoints (tenant_id, webhook_id, events, enabled, disabled_because, recover_from, recover_to)
     select $1, gen_random_uuid(), '{invoice.created}', $3::boolean, case when $3 then null else 'maker_ended' end,
            case when $3 then lpad(n::text, 32, '0')::uuid end, case when $3 then $4::uuid end
       from generate_series(1, $2) n returning webhook_id`,
    [tenantId, count, state === 'replaying', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  )
const delivery = () => ({ ...deliveryContextOf(installation, systemClock), log: log as unknown as Log })

it('an ended webhook is announced, though more of another tenant than a batch cannot be', async () => {
  messages.length = 0
  await insertEndpoints(installation.company.tenants.sandbox, 51, 'ended')
  const [ended] = await insertEndpoints(healthy.id, 1, 'ended')
  const context = delivery()
  expect(await announceEndedWebhooks(context)).toBe(false)
  await context.stop()
  const notices = await installation.sql(
    'select tenant_id, subject_id from account_mails where tenant_id = any ($1)',
    [[healthy.id, installation.company.tenants.sandbox]],
  )
  expect(notices).toEqual([{ tenant_id: healthy.id, subject_id: ended!.webhook_id }])
  expect(new Set(messages)).toEqual(new Set(['an ended webhook was not announced; it is retried']))
})

it('a webhook is replayed, though more of another tenant than a batch cannot be', async () => {
  messages.length = 0
  const { sandbox } = installation.company.tenants
  await installation.sql(
    `create function fail_replay() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  )
  await installation.sql(
    `create trigger fail_replay before update of recover_from on webhook_endpoints
       for each row when (old.tenant_id = '${sandbox}') execute function fail_replay()`,
  )
  await insertEndpoints(sandbox, 5, 'replaying')
  const [replaying] = await insertEndpoints(healthy.id, 1, 'replaying')
  const context = delivery()
  while (await replayEvents(context));
  await context.stop()
  const [left] = await installation.sql('select recover_from from webhook_endpoints where webhook_id = $1', [
    replaying!.webhook_id,
  ])
  expect(left).toEqual({ recover_from: null })
  expect(messages).toContain('replay of a webhook failed; it is retried')
})
