import { afterAll, beforeAll } from 'vitest'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { collectAlerts } from '../../src/features/integrations/alerts/collect-alerts.ts'
import type { DeliveryContext } from '../../src/features/integrations/webhooks/delivery-context.ts'
import { deliverTaken } from '../../src/features/integrations/webhooks/delivery-loop.ts'
import { fanOut } from '../../src/features/integrations/webhooks/fan-out.ts'
import { replayEvents } from '../../src/features/integrations/webhooks/replay-events.ts'
import {
  placesOf,
  type TakenEndpoint,
  takeDueEndpoints,
} from '../../src/features/integrations/webhooks/take-due-endpoints.ts'
import { invoiceCreated } from '../../src/features/recovery/case/invoice-events.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { type AccountMailContext, sendNotices } from '../../src/start/mail-loop.ts'
import { deliveryContextOf } from './deliveries.ts'
import type { TestInstallation } from './use-installation.ts'

export interface ManualDelivery {
  /** The delivery context; tests may pass a modified copy to `deliverDue`. */
  context: DeliveryContext
  /** Advances the delivery clock only. */
  advanceClock(ms: number): void
  /** Takes the endpoints that are due now, as a worker does that delivers to everything taken before. */
  due(): Promise<TakenEndpoint[]>
  /** One pass: fans out events, replays missed ones and delivers everything that is due. */
  deliverDue(context?: DeliveryContext): Promise<TakenEndpoint[]>
  /** Sends the account mails that are waiting. */
  sendMail(): Promise<void>
}

/** Webhook delivery under the test's control, for an installation without a worker. */
export function useManualDelivery(installation: TestInstallation): ManualDelivery {
  let aheadMs = 0
  let notifier: AccountMailContext
  let close: () => Promise<void>
  const clock = { wall: () => Date.now() + aheadMs }
  const delivery = {} as ManualDelivery
  beforeAll(() => {
    const deliveryContext = deliveryContextOf(installation, clock)
    delivery.context = deliveryContext
    const smtp = new URL(installation.server.mailbox.smtpUrl)
    const email = smtpEmail({ host: smtp.hostname, port: Number(smtp.port), secure: false })
    const { pool, log, keyring } = deliveryContext
    const { config, baseUrl: publicUrl } = installation.server
    notifier = { pool, clock, keyring, publicUrl, email, mailFrom: config.MAIL_FROM!, log }
    close = async () => {
      await email.close()
      await deliveryContext.stop()
    }
  })
  afterAll(() => close())

  async function due(context = delivery.context): Promise<TakenEndpoint[]> {
    const [busy] = await installation.sql<{ healthy: number; failing: number }>(
      `select (count(*) filter (where failing = 0))::integer as healthy, (count(*) filter (where failing > 0))::integer as failing
         from webhook_endpoints where busy_until > $1`,
      [new Date(context.clock.wall()).toISOString()],
    )
    const { healthy, failing } = placesOf
    return takeDueEndpoints(context, { healthy: healthy - busy!.healthy, failing: failing - busy!.failing })
  }
  return Object.assign(delivery, {
    advanceClock(ms: number) {
      aheadMs += ms
    },
    due,
    async deliverDue(context = delivery.context) {
      await fanOut(context)
      await replayEvents(context)
      const taken = await due(context)
      await Promise.all(taken.map(one => deliverTaken(context, one)))
      return taken
    },
    async sendMail() {
      while (await collectAlerts(notifier)) {}
      await sendNotices(notifier)
    },
  })
}

interface EventsToInsert {
  count: number
  type?: string
  /** By the wall; now, unless it is given. */
  at?: number
}

/** Inserts events of a tenant without notifying anybody. Returns their ids in order. */
export async function insertEvents(
  installation: TestInstallation,
  tenantId: string,
  { count, type = invoiceCreated.type, at = Date.now() }: EventsToInsert,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(at)).sort()
  await installation.sql(
    `insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
     select $1, id, $3, 1, $4, i, $5, '{"kind": "worker", "id": "test"}', $6, $6 from unnest($2::uuid[]) with ordinality as x(id, i)`,
    [tenantId, ids, type, uuidv7(at), JSON.stringify(invoiceCreated.example), new Date(at).toISOString()],
  )
  return ids
}

/** Queues events for one endpoint, due at a moment, and sets the endpoint's wake time. */
export async function queueEvents(
  installation: TestInstallation,
  { tenantId, webhookId }: { tenantId: string; webhookId: string },
  eventIds: readonly string[],
  { dueAt = Date.now(), attempts = 0 } = {},
): Promise<void> {
  const at = new Date(dueAt).toISOString()
  await installation.sql(
    `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, attempts, created_at)
     select $1, $2, id, $4, $5, $4 from unnest($3::uuid[]) id`,
    [tenantId, webhookId, eventIds, at, attempts],
  )
  await installation.sql(
    'update webhook_endpoints set wake_at = least(coalesce(wake_at, $3), $3) where tenant_id = $1 and webhook_id = $2',
    [tenantId, webhookId, at],
  )
}
