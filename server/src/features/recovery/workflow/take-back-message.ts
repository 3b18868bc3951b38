import { z } from 'zod'
import { newEvent } from '../../../kit/events.ts'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { invoiceNotFound, messageIsOver, messageLeaving, plannedMessageUnknown } from '../case/errors.ts'
import { addActions } from '../case/history.ts'
import { openRecovery } from '../case/open-recovery.ts'
import { takeBack } from '../case/stop-messages.ts'
import { messageTakenBack } from './audit-events.ts'

export const takeBackMessage = operation({
  id: 'workflow.takeBack',
  method: 'DELETE',
  path: '/api/v1/workflow/invoice/:invoiceId/communications/:communicationId',
  summary: 'Take back a message beside the cascade that has not left yet',
  description:
    'The id is that of the answer to the request for the message. Once it is being handed to its provider, it cannot be taken back (RES_004, then BIZ_004).',
  scopes: ['notifications:send'],
  orScopes: [['lrar:send']],
  params: z.strictObject({ invoiceId: uuid, communicationId: uuid }),
  status: 204,
  reply: z.null(),
  errors: [invoiceNotFound, plannedMessageUnknown, messageIsOver, messageLeaving],
  assistant: 'confirm',
  audit: [messageTakenBack],
  async run(call) {
    const { tx, actor, params, now, newId } = call
    const recovery = await openRecovery(call, params.invoiceId)
    if (!recovery) throw invoiceNotFound.make()
    const taken = await takeBack(call, recovery, params.communicationId)
    if (!taken) throw plannedMessageUnknown.make()
    const { step, channel } = taken
    if (!taken.isTakenBack)
      throw taken.status === 'sending' ? messageLeaving.make() : messageIsOver.make(taken.status)
    const { invoice_id: invoiceId, debtor_id: debtorId } = recovery.row
    addActions(tx, [
      {
        id: newId(),
        invoiceId,
        debtorId,
        actor,
        action: step,
        channel,
        status: 'cancelled',
        code: 'message_taken_back',
        params: { channel },
        communicationId: null,
        at: now,
      },
    ])
    const about = { invoiceId, messageId: params.communicationId, channel }
    recordAudit(tx, [newEvent(messageTakenBack, invoiceId, about)], call)
    return null
  },
})
