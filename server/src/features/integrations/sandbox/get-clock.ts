import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { countDueDebtors } from './idle-sandbox.ts'

const SandboxClock = z
  .object({
    now: dateTime.meta({ description: 'The time in the sandbox' }),
    offsetMs: z.int().meta({ description: 'How far it was advanced, in all' }),
    status: z.enum(['idle', 'running']),
    due: z.int().meta({ description: 'Debtors still to be looked at, 1000 at most' }),
    nextContact: z
      .object({ at: dateTime, channel: z.enum(channels), debtorId: outputUuid })
      .nullable()
      .meta({ description: 'The next planned message, by its quarter hour' }),
  })
  .meta({ id: 'SandboxClock' })

const readOffset = sql('sandbox.get-clock-offset', 'select clock_offset_ms from tenants where id = $1')

// Agendas have no row-level policy, so this filters by the tenant.
const selectNextContact = sql(
  'sandbox.find-next-contact',
  `select contact_at, contact_channel, debtor_id from agendas
    where tenant_id = $1 and contact_channel is not null order by contact_slot, debtor_id limit 1`,
).as<{ contact_at: number; contact_channel: Channel; debtor_id: string }>()

export const getClock = operation({
  id: 'sandbox.clock',
  method: 'GET',
  path: '/api/v1/sandbox/clock',
  summary: 'Read the clock of the sandbox, and whether it is still processing',
  description: 'Sandbox credentials only.',
  scopes: ['workflow:read'],
  environment: 'sandbox',
  status: 200,
  reply: SandboxClock,
  errors: [],
  usesNow: true,
  assistant: 'read',
  async run({ tx, actor, now, wall }) {
    const [[tenant], [next], due] = await Promise.all([
      tx.rows(readOffset, [actor.tenantId]),
      tx.rows(selectNextContact, [actor.tenantId]),
      countDueDebtors(tx, actor.tenantId, wall),
    ])
    return {
      now: iso(now),
      offsetMs: tenant!.clock_offset_ms,
      status: due > 0 ? ('running' as const) : ('idle' as const),
      due,
      nextContact: next
        ? { at: iso(next.contact_at), channel: next.contact_channel, debtorId: next.debtor_id }
        : null,
    }
  },
})
