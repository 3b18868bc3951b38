import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { startQuietPeriod } from '../../recovery/case/change-recovery.ts'
import { debtorOptedOut } from '../../recovery/case/debtor-events.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import {
  addressOf,
  closeChannelFor,
  closedChannels,
  lockSharingDebtors,
  readClosedChannels,
} from '../../recovery/holds/closed-channels.ts'
import {
  addHistoryToRunning,
  recordDebtorEvent,
  refreshAgendas,
  stopMessagesToDebtors,
} from '../../recovery/holds/hold-debtor.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, firstPlannedOf, withPlans } from '../../recovery/workflow/rehearse.ts'
import { debtorChannelClosed } from './audit-events.ts'

const OptOutInput = z
  .strictObject({
    channel: z.enum(channels),
    reason: optional(line(500)).meta({ description: 'What the person said; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'OptOutInput' })

const OptOut = z
  .object({
    debtorId: outputUuid,
    channel: z.enum(channels),
    closedChannels,
    inFlight: inFlightMessages,
    ...ofDryRun,
  })
  .meta({ id: 'OptOut' })

export const closeChannel = operation({
  id: 'debtors.optOut',
  method: 'POST',
  path: '/api/v1/debtors/:id/opt-out',
  summary: 'Close a channel for a debtor who does not want to be contacted that way',
  description:
    'It holds for the record and for the address the channel uses, so also for other records with the same email or phone. Messages on that channel not yet handed to a provider are cancelled; steps that need it are skipped, except the formal notice, which falls back to another channel if there is one.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: OptOutInput,
  status: 200,
  reply: OptOut,
  errors: [debtorUnknown],
  assistant: 'confirm',
  audit: [debtorChannelClosed],
  example: { body: { channel: 'sms', reason: 'Answered STOP' } },
  rehearse: async (call, perform) => withPlans(call, await firstPlannedOf(call.tx, call.params.id), perform),
  run: call => optOut(call, call.params.id, call.body),
})

/** The person closes a channel. That is a response too, so a quiet period starts on the other channels. */
export async function optOut(
  context: OperationContext,
  debtorId: string,
  { channel, reason }: z.output<typeof OptOutInput>,
): Promise<z.input<typeof OptOut>> {
  const { tx } = context
  const debtorIds = await lockSharingDebtors(context, debtorId, addressOf[channel])
  if (debtorIds.length === 0) throw debtorUnknown.make()
  await closeChannelFor(context, debtorId, channel)
  const inFlight = await stopMessagesToDebtors(
    context,
    debtorIds,
    { channels: [channel], everything: false },
    'opt_out',
  )
  await addHistoryToRunning(context, debtorId, {
    action: 'opt_out',
    channel,
    code: 'opted_out',
    params: { channel, ...(reason !== undefined && { reason }) },
  })
  for (const id of debtorIds) startQuietPeriod(context, id)
  refreshAgendas(context, debtorIds)
  await recordDebtorEvent(context, debtorId, debtorOptedOut, { channel })
  recordAudit(tx, [newEvent(debtorChannelClosed, debtorId, { debtorId, channel })], context)
  return { debtorId, channel, closedChannels: await readClosedChannels(tx, debtorId), inFlight }
}
