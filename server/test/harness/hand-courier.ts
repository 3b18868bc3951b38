import { afterAll, beforeAll } from 'vitest'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { armPumps } from '../../src/features/integrations/webhooks/arm-pumps.ts'
import type { Courier } from '../../src/features/integrations/webhooks/courier.ts'
import { fanOut } from '../../src/features/integrations/webhooks/fan-out.ts'
import { type PumpTask, pumpAll } from '../../src/features/integrations/webhooks/pump.ts'
import { tellAgain } from '../../src/features/integrations/webhooks/tell-again.ts'
import { invoiceCreated } from '../../src/features/recovery/case/invoice-events.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { type Notifier, sendNotices } from '../../src/start/mail-loop.ts'
import { courierOf } from './couriers.ts'
import type { House } from './house.ts'

export interface HandCourier {
  /** Its world: a test that wants another resolver or another end takes it apart. */
  world: Courier
  /** By the courier's own clock; everybody else's stays where it is. */
  letPass(ms: number): void
  /** What is due now, as it would be handed over. */
  due(): Promise<PumpTask[]>
  /** One look at everything there is to do, until it is done. */
  pass(world?: Courier): Promise<PumpTask[]>
  /** Writes to the owners whatever they have to be told. */
  sendMail(): Promise<void>
}

/** A courier of a house without a worker, moved by hand: nothing is delivered until a test says so. */
export function useHandCourier(house: House): HandCourier {
  let aheadMs = 0
  let notifier: Notifier
  let close: () => Promise<void>
  const clock = { wall: () => Date.now() + aheadMs }
  const hand = {} as HandCourier
  beforeAll(() => {
    const courier = courierOf(house, clock)
    hand.world = courier
    const smtp = new URL(house.installation.mailbox.smtpUrl)
    const email = smtpEmail({ host: smtp.hostname, port: Number(smtp.port), secure: false })
    const { pool, log, keyring } = courier
    const { config, baseUrl: publicUrl } = house.installation
    notifier = { pool, clock, keyring, publicUrl, email, mailFrom: config.MAIL_FROM!, log }
    close = async () => {
      await email.close()
      await courier.stop()
    }
  })
  afterAll(() => close())

  async function due(world = hand.world): Promise<PumpTask[]> {
    const tasks: PumpTask[] = []
    const hold = async (handed: readonly PumpTask[]) => void tasks.push(...handed)
    await armPumps(world, { name: 'hand', hand: hold })
    return tasks
  }
  return Object.assign(hand, {
    letPass(ms: number) {
      aheadMs += ms
    },
    due,
    async pass(world = hand.world) {
      await fanOut(world)
      await tellAgain(world)
      const tasks = await due(world)
      await pumpAll(world, tasks)
      return tasks
    },
    sendMail: async () => void (await sendNotices(notifier)),
  })
}

interface Happened {
  count: number
  type?: string
  /** By the wall; now, unless it is given. */
  at?: number
}

/** Events of a tenant that nobody was told of. Their ids, as they happened. */
export async function makeHappen(
  house: House,
  tenantId: string,
  { count, type = invoiceCreated.type, at = Date.now() }: Happened,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(at)).sort()
  await house.sql(
    `insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
     select $1, id, $3, 1, $4, i, $5, '{"kind": "worker", "id": "test"}', $6, $6 from unnest($2::uuid[]) with ordinality as x(id, i)`,
    [tenantId, ids, type, uuidv7(at), JSON.stringify(invoiceCreated.example), new Date(at).toISOString()],
  )
  return ids
}

/** Lines of the queue for one endpoint, due at a moment; it is woken with the first of them. */
export async function queueFor(
  house: House,
  { tenantId, webhookId }: { tenantId: string; webhookId: string },
  eventIds: readonly string[],
  { dueAt = Date.now(), attempts = 0 } = {},
): Promise<void> {
  const at = new Date(dueAt).toISOString()
  await house.sql(
    `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, attempts, created_at)
     select $1, $2, id, $4, $5, $4 from unnest($3::uuid[]) id`,
    [tenantId, webhookId, eventIds, at, attempts],
  )
  await house.sql(
    'update webhook_pumps set wake_at = least(coalesce(wake_at, $3), $3) where tenant_id = $1 and webhook_id = $2',
    [tenantId, webhookId, at],
  )
}
