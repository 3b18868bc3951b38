import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { dateTime } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { countDueDebtors } from './idle-sandbox.ts'

const SandboxClock = z
  .object({
    now: dateTime.meta({ description: 'The time in the sandbox' }),
    offsetMs: z.int().meta({ description: 'How far it was advanced, in all' }),
    status: z.enum(['idle', 'running']),
    due: z.int().meta({ description: 'Debtors still to be looked at, 1000 at most' }),
  })
  .meta({ id: 'SandboxClock' })

const readOffset = sql('sandbox.get-clock-offset', 'select clock_offset_ms from tenants where id = $1')

export const getClock = operation({
  id: 'sandbox.clock',
  method: 'GET',
  path: '/api/v1/sandbox/clock',
  summary: 'Read what time it is in the sandbox, and whether something is under way',
  description: 'Sandbox credentials only.',
  scopes: ['workflow:read'],
  environment: 'sandbox',
  status: 200,
  reply: SandboxClock,
  errors: [],
  usesNow: true,
  assistant: 'read',
  async run({ tx, actor, now, wall }) {
    const [[tenant], due] = await Promise.all([
      tx.rows(readOffset, [actor.tenantId]),
      countDueDebtors(tx, actor.tenantId, wall),
    ])
    return {
      now: iso(now),
      offsetMs: tenant!.clock_offset_ms,
      status: due > 0 ? ('running' as const) : ('idle' as const),
      due,
    }
  },
})
