import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { dateTime, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { situationNotDecided } from '../../recovery/holds/errors.ts'
import { readReply } from '../../recovery/holds/record-reply.ts'
import { replyNotFound } from './errors.ts'

const Reply = z
  .object({
    id: outputUuid,
    debtorId: outputUuid,
    channel: z.enum(channels),
    receivedAt: dateTime,
    readAt: dateTime,
  })
  .meta({ id: 'Reply' })

export const markReplyRead = operation({
  id: 'debtors.readReply',
  method: 'POST',
  path: '/api/v1/debtors/:id/replies/:replyId/read',
  summary: 'Mark the reply of a debtor as read: the reminders continue',
  description:
    'A reply holds every recovery of the debtor from the moment it was heard (`reply.received`), because it may be a dispute. With the last unread reply the hold ends, and what is planned is moved by its length. Marking it again gives the same answer and changes nothing.',
  scopes: ['debtors:write'],
  params: z.strictObject({ id: uuid, replyId: uuid }),
  status: 200,
  reply: Reply,
  errors: [replyNotFound, situationNotDecided],
  assistant: 'confirm',
  audit: 'none: nothing of the debtor’s data changes, and the history says when the reminders went on',
  async run(call) {
    const reply = await readReply(call, call.params.id, call.params.replyId)
    if (!reply) throw replyNotFound.make()
    return {
      id: reply.id,
      debtorId: reply.debtor_id,
      channel: reply.channel,
      receivedAt: iso(reply.received_at),
      readAt: iso(reply.read_at!),
    }
  },
})
