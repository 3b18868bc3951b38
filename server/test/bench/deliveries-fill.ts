import type pg from 'pg'
import { asAdmin } from '../../dev/database.ts'
import { newSecret, secretPurpose } from '../../src/features/integrations/webhooks/signature.ts'
import { invoiceCreated } from '../../src/features/recovery/case/invoice-events.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import type { BenchInstallation } from './environment.ts'

export interface Endpoint {
  tenantId: string
  webhookId: string
}

/** Webhooks that are not due, half of them in each environment, because the places of one tenant are limited. */
export async function insertEndpoints(
  installation: BenchInstallation,
  url: string,
  count: number,
): Promise<Endpoint[]> {
  const { production, sandbox } = installation.company.tenants
  const ring = keyring(installation.env.KEYRING!)
  const at = new Date().toISOString()
  const endpoints = Array.from({ length: count }, (_, i) => ({
    tenantId: i % 2 === 0 ? production : sandbox,
    webhookId: uuidv7(Date.now()),
  }))
  await asAdmin(installation.database.adminUrl, async admin => {
    for (const { tenantId, webhookId } of endpoints) {
      const sealed = ring.seal(secretPurpose(webhookId), newSecret())
      await admin.query(
        `insert into webhooks (tenant_id, id, url, secret_sealed, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
        [tenantId, webhookId, url, sealed, at],
      )
      await admin.query(
        `insert into webhook_endpoints (tenant_id, webhook_id, events, enabled) values ($1, $2, $3, true)`,
        [tenantId, webhookId, [invoiceCreated.type]],
      )
    }
  })
  return endpoints
}

let inserts = 0

/** Inserts `each` events per endpoint, and a row in `table` for each event: queued, or already delivered. */
export async function insertEvents(
  admin: pg.Client,
  endpoints: readonly Endpoint[],
  each: number,
  table: 'webhook_queue' | 'webhook_deliveries',
): Promise<void> {
  const at = new Date().toISOString()
  const time = Date.now().toString(16).padStart(12, '0')
  const line = {
    webhook_queue: `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, created_at)
      select tenant_id, $2, id, $1, $1 from made`,
    webhook_deliveries: `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, response_status,
        duration_ms, last_attempt_at, created_at)
      select tenant_id, $2, id, type, 'delivered', 1, 204, 3, $1, $1 from made`,
  }[table]
  for (const [i, { tenantId, webhookId }] of endpoints.entries()) {
    const kind = `7${(i & 0xfff).toString(16).padStart(3, '0')}-8${(++inserts & 0xfff).toString(16).padStart(3, '0')}`
    await admin.query(
      `with made as (
         insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
         select $3, ($4 || lpad(i::text, 12, '0'))::uuid, $5, 1, $6, i, $7, '{"kind": "worker", "id": "bench"}', $1, $1
           from generate_series(1, $8::integer) i
         returning tenant_id, id, type)
       ${line}`,
      [
        at,
        webhookId,
        tenantId,
        `${time.slice(0, 8)}-${time.slice(8)}-${kind}-`,
        invoiceCreated.type,
        uuidv7(Date.now()),
        JSON.stringify(invoiceCreated.example),
        each,
      ],
    )
  }
}
