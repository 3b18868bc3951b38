import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import type { World } from '../../recovery/case/case.ts'
import { leaveInPeace } from '../../recovery/case/change.ts'
import { debtorUnknown } from '../../recovery/case/debtor-errors.ts'
import { inFlightMessages } from '../../recovery/case/in-flight.ts'
import {
  addressOf,
  closedChannels,
  closeFor,
  lockSharing,
  readClosed,
} from '../../recovery/holds/closed-channels.ts'
import { lookAgain, stopMessagesTo, tellRunning } from '../../recovery/holds/hold-debtor.ts'

const OptOutInput = z
  .strictObject({
    channel: z.enum(channels),
    reason: optional(line(500)).meta({ description: 'What the person said; kept in the history' }),
  })
  .meta({ id: 'OptOutInput' })

const OptOut = z
  .object({
    debtorId: outputUuid,
    channel: z.enum(channels),
    closedChannels,
    inFlight: inFlightMessages,
  })
  .meta({ id: 'OptOut' })

const inWords: Record<Channel, string> = {
  email: 'The debtor does not want to be written to by email any more',
  sms: 'The debtor does not want text messages any more',
  voice: 'The debtor does not want to be called any more',
  lrar: 'The debtor does not want registered letters any more',
}

export const closeChannel = operation({
  id: 'debtors.optOut',
  method: 'POST',
  path: '/api/v1/debtors/:id/opt-out',
  summary: 'Close a channel for a debtor who does not want to be contacted that way',
  description:
    'It holds for the record and for the address the channel uses, so also for other records with the same email or phone. Messages on that channel not yet handed to a provider are cancelled; steps that need it are left out, but for the formal notice, which takes another way where there is one.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: OptOutInput,
  status: 200,
  reply: OptOut,
  errors: [debtorUnknown],
  assistant: 'confirm',
  example: { body: { channel: 'sms', reason: 'Answered STOP' } },
  run: call => optOut(call, call.params.id, call.body),
})

/** The person closes a channel, which is an answer too: it is left in peace for some days on the others. */
export async function optOut(
  world: World,
  debtorId: string,
  { channel, reason }: z.output<typeof OptOutInput>,
): Promise<z.input<typeof OptOut>> {
  const { tx } = world
  const person = await lockSharing(world, debtorId, addressOf[channel])
  if (person.length === 0) throw debtorUnknown.make()
  await closeFor(world, debtorId, channel)
  const inFlight = await stopMessagesTo(world, person, { channels: [channel], everything: false }, 'opt_out')
  const details = `${inWords[channel]}${reason === undefined ? '.' : `: ${reason}`}`
  await tellRunning(world, [debtorId], { action: 'opt_out', channel, details })
  for (const id of person) leaveInPeace(world, id)
  lookAgain(world, person)
  return { debtorId, channel, closedChannels: await readClosed(tx, debtorId), inFlight }
}
