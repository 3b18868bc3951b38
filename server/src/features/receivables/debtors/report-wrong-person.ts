import { z } from 'zod'
import { channelsOf } from '../../../domain/contact/channel.ts'
import { refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { debtorReportedWrong } from '../../recovery/case/debtor-events.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import {
  blockAddress,
  closedChannels,
  lockSharingDebtors,
  readClosedChannels,
} from '../../recovery/holds/closed-channels.ts'
import {
  holdAllRecoveries,
  recordDebtorEvent,
  refreshAgendas,
  stopMessagesToDebtors,
} from '../../recovery/holds/hold-debtor.ts'
import { disownCodes } from '../../recovery/messages/compose/message-code.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, firstPlannedOf, withPlans } from '../../recovery/workflow/rehearse.ts'
import { debtorWrongPerson } from './audit-events.ts'

const WrongPersonInput = z
  .strictObject({
    point: z.enum(['email', 'phone']).meta({ description: 'Which address belongs to somebody else' }),
    reason: optional(line(500)).meta({ description: 'What the person said; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'WrongPersonInput' })

const WrongPerson = z
  .object({
    debtorId: outputUuid,
    point: z.enum(['email', 'phone']),
    closedChannels,
    debtors: z.int().meta({ description: 'Records with that address, this one included' }),
    recoveriesHeld: z.int().meta({ description: 'Recoveries that were not already held for this reason' }),
    inFlight: inFlightMessages,
    ...ofDryRun,
  })
  .meta({ id: 'WrongPerson' })

export const reportWrongPerson = operation({
  id: 'debtors.wrongPerson',
  method: 'POST',
  path: '/api/v1/debtors/:id/wrong-person',
  summary: 'Say that an address belongs to somebody else: it is never used again, and recoveries wait',
  description:
    'Every started recovery of every debtor with that email or phone pauses at once. It goes on when the address of its debtor is corrected (`PUT /api/v1/debtors/:id`).',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: WrongPersonInput,
  status: 200,
  reply: WrongPerson,
  errors: [debtorUnknown],
  assistant: 'confirm',
  audit: [debtorWrongPerson],
  example: { body: { point: 'email', reason: 'Left the company two years ago' } },
  rehearse: async (call, perform) => withPlans(call, await firstPlannedOf(call.tx, call.params.id), perform),
  run: call => markWrongPerson(call, call.params.id, call.body),
})

export async function markWrongPerson(
  context: OperationContext,
  debtorId: string,
  { point, reason }: z.output<typeof WrongPersonInput>,
): Promise<z.input<typeof WrongPerson>> {
  const { tx } = context
  const debtorIds = await lockSharingDebtors(context, debtorId, point)
  if (debtorIds.length === 0) throw debtorUnknown.make()
  if (!(await blockAddress(context, debtorId, point))) throw noSuchAddress(point)
  disownCodes(tx, context.actor.tenantId, debtorIds, channelsOf[point])
  const stopScope = { channels: channelsOf[point], everything: true }
  const inFlight = await stopMessagesToDebtors(context, debtorIds, stopScope, 'wrong_person')
  const recoveriesHeld = await holdAllRecoveries(context, debtorIds, 'wrong_person', {
    code: 'wrong_person',
    params: { point, ...(reason !== undefined && { reason }) },
  })
  refreshAgendas(context, debtorIds)
  await recordDebtorEvent(context, debtorId, debtorReportedWrong, { contactPoint: point })
  const about = { debtorId, point, debtors: debtorIds.length }
  recordAudit(tx, [newEvent(debtorWrongPerson, debtorId, about)], context)
  return {
    debtorId,
    point,
    closedChannels: await readClosedChannels(tx, debtorId),
    debtors: debtorIds.length,
    recoveriesHeld,
    inFlight,
  }
}

const noSuchAddress = (point: string) =>
  refusedField('point', 'no_address', `is not known of this debtor: it has no ${point}`)
