import { z } from 'zod'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { newEvent } from '../../../../kit/events.ts'
import { outputUuid, uuid } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { communicationSeen } from '../audit-events.ts'
import { communicationUnknown } from './errors.ts'
import { communicationStates } from './get-communication.ts'

const SeenCommunication = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    state: z.enum(communicationStates),
  })
  .meta({ id: 'SeenCommunication' })

const selectMessage = sql(
  'messages.get-state',
  'select id, debtor_id, state from communications where id = $1',
).as<{ id: string; debtor_id: string; state: (typeof communicationStates)[number] }>()

const markSeen = sql(
  'messages.mark-unknown-seen',
  `update unknown_messages set seen_at = $2
    where tenant_id = current_setting('relance.tenant')::uuid and communication_id = $1 and seen_at is null returning communication_id`,
)

export const acknowledgeMessage = operation({
  id: 'communications.acknowledge',
  method: 'POST',
  path: '/api/v1/communications/:id/seen',
  summary: 'A person has seen that the outcome of a message is unknown',
  description:
    'It leaves the list of work. Its state stays, until its provider says more. Doing it again changes nothing.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: SeenCommunication,
  errors: [communicationUnknown],
  assistant: 'confirm',
  audit: [communicationSeen],
  async run(call) {
    const { tx, params, now } = call
    const [[message], [marked]] = await Promise.all([
      tx.rows(selectMessage, [params.id]),
      tx.rows(markSeen, [params.id, iso(now)]),
    ])
    if (!message) throw communicationUnknown.make()
    if (marked) {
      const about = { communicationId: message.id, debtorId: message.debtor_id }
      recordAudit(tx, [newEvent(communicationSeen, message.id, about)], call)
    }
    return { id: message.id, debtorId: message.debtor_id, state: message.state }
  },
})
