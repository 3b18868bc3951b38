import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { lockAgenda } from '../../recovery/case/agenda-store.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import {
  addressOf,
  closedChannels,
  lockSharingDebtors,
  readClosedChannels,
  reopenRefused,
} from '../../recovery/holds/closed-channels.ts'
import { refreshAgendas, releaseAllRecoveries } from '../../recovery/holds/hold-debtor.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, firstPlannedOf, withPlans } from '../../recovery/workflow/rehearse.ts'
import { debtorAddressRetried } from './audit-events.ts'

const RetryAddressInput = z
  .strictObject({
    channel: z
      .enum(channels)
      .meta({ description: 'The channel that is closed because its address refused a message' }),
    reason: optional(line(500)).meta({ description: 'Why the address is right; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'RetryAddressInput' })

const RetriedAddress = z
  .object({
    debtorId: outputUuid,
    channel: z.enum(channels),
    closedChannels,
    recoveriesReleased: z.int().meta({
      description: 'Recoveries that waited for the address, of every debtor that has it',
    }),
    ...ofDryRun,
  })
  .meta({ id: 'RetriedAddress' })

export const retryAddress = operation({
  id: 'debtors.retryAddress',
  method: 'POST',
  path: '/api/v1/debtors/:id/retry-address',
  summary: 'Say that an address that refused a message is right: it is tried again',
  description:
    'What waited for it is planned from today, for every debtor that has that email or phone. A wrong address is corrected with `PUT /api/v1/debtors/:id`, which releases it too. An address that refused nothing answers the same, and nothing changes.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: RetryAddressInput,
  status: 200,
  reply: RetriedAddress,
  errors: [debtorUnknown],
  assistant: 'confirm',
  audit: [debtorAddressRetried],
  example: { body: { channel: 'email', reason: 'Their mailbox was full' } },
  rehearse: async (call, perform) => withPlans(call, await firstPlannedOf(call.tx, call.params.id), perform),
  async run(call) {
    const { tx, actor, params, body } = call
    const { channel, reason } = body
    const debtorIds = await lockSharingDebtors(call, params.id, addressOf[channel])
    if (debtorIds.length === 0) throw debtorUnknown.make()
    await reopenRefused(tx, params.id, channel)
    let recoveriesReleased = 0
    for (const id of debtorIds) {
      const [agenda] = await tx.rows(lockAgenda, [actor.tenantId, id])
      recoveriesReleased += await releaseAllRecoveries(call, id, agenda ?? null, 'address_refused', reason)
    }
    refreshAgendas(call, debtorIds)
    recordAudit(tx, [newEvent(debtorAddressRetried, params.id, { debtorId: params.id, channel })], call)
    return {
      debtorId: params.id,
      channel,
      closedChannels: await readClosedChannels(tx, params.id),
      recoveriesReleased,
    }
  },
})
