import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { forgetConversations } from '../assistant/forget-conversations.ts'
import { sandboxReset } from './audit-events.ts'
import { sandboxIsRunning } from './errors.ts'
import { lockIdleSandbox, lockRetryMs } from './idle-sandbox.ts'

const emptySandbox = sql('sandbox.reset', 'select reset_sandbox() as is_empty').as<{ is_empty: boolean }>()
const rewindClock = sql('sandbox.rewind-clock', 'select rewind_clock() as is_rewound').as<{
  is_rewound: boolean
}>()
const readInstallationOffset = sql(
  'sandbox.get-installation-offset',
  'select clock_offset_ms from installation',
)

export const resetSandbox = operation({
  id: 'sandbox.reset',
  method: 'POST',
  path: '/api/v1/sandbox/reset',
  summary: 'Reset the sandbox: delete its debtors, invoices and messages',
  description:
    'Sandbox credentials only. Its clock is set back to real time. Its keys, settings and cascades are kept; production is not affected.',
  scopes: ['invoices:delete'],
  environment: 'sandbox',
  status: 200,
  reply: z.object({ now: dateTime }).meta({ id: 'SandboxReset' }),
  errors: [sandboxIsRunning],
  lockRetryMs,
  assistant: 'never',
  audit: [sandboxReset],
  async run(call) {
    const { tx, actor, wall } = call
    await lockIdleSandbox(tx, actor.tenantId, wall)
    await tx.rows(emptySandbox, [])
    const [, [installation]] = await Promise.all([
      tx.rows(rewindClock, []),
      tx.rows(readInstallationOffset, []),
    ])
    forgetConversations(tx)
    recordAudit(tx, [newEvent(sandboxReset, actor.tenantId, {})], call)
    return { now: iso(wall + installation!.clock_offset_ms) }
  },
})
