import { z } from 'zod'
import { replyContent } from '../../../adapters/reply-content.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { type ReceiptOutcome, receiptOutcomes } from '../../../domain/contact/receipt.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import { saidReplies, situations } from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, line, note, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { type Operation, operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../../recovery/case/errors.ts'
import { recordReply } from '../../recovery/holds/record-reply.ts'
import { aboutMessage, recordReceipt } from '../../recovery/receipts/record-receipt.ts'
import { messageNotFound, nothingWasSent, receiptIsRefused, sandboxIsRunning } from './errors.ts'
import { lockRetryMs } from './idle-sandbox.ts'

const ReceiptInput = z
  .strictObject({
    invoiceId: optional(uuid).meta({ description: 'Of its last message of that kind' }),
    communicationId: optional(uuid).meta({ description: 'Or of this message' }),
  })
  .superRefine(({ invoiceId, communicationId }, context) => {
    if (invoiceId === undefined && communicationId === undefined)
      context.addIssue({ code: 'custom', path: ['invoiceId'], message: 'is required' })
  })
  .meta({ id: 'SimulatedReceiptInput' })

const ReplyInput = ReceiptInput.safeExtend({
  said: optional(z.enum([...saidReplies, ...situations])).meta({
    description: 'What was chosen on the page or said in a call; else it was written',
  }),
  text: optional(note(20_000)).meta({
    description: 'What was written, stored as that of a real mail or text message',
  }),
  subject: optional(line(200)).meta({ description: 'Its subject' }),
  from: optional(line(200)).meta({ description: 'The address or number of its sender' }),
  attachments: optional(
    z
      .array(
        z.strictObject({
          name: line(200).meta({ description: 'The name of the file' }),
          type: line(100).meta({ description: 'Its media type' }),
          bytes: z.int().min(0).max(100_000_000).meta({ description: 'Its size' }),
        }),
      )
      .max(20),
  ).meta({ description: 'The names and sizes of its attachments' }),
}).meta({ id: 'SimulatedReplyInput' })

const SimulatedReceipt = z
  .object({
    communicationId: outputUuid,
    channel: z.enum(channels),
    action: z.enum(messageNames),
    outcome: z.enum(receiptOutcomes),
    at: dateTime,
    invoiceIds: z.array(outputUuid),
  })
  .meta({ id: 'SimulatedReceipt' })

interface MessageRow {
  id: string
  debtor_id: string
  channel: Channel
  step: string
  invoice_ids: string[]
}
const columns = `c.id, c.debtor_id, c.channel, c.step,
  array(select l.invoice_id::text from communication_invoices l where l.communication_id = c.id order by l.invoice_id) as invoice_ids`
const findMessage = sql(
  'sandbox.find-message',
  `select ${columns} from communications c where c.id = $1`,
).as<MessageRow>()
const findLastMessage = sql(
  'sandbox.find-last-message',
  `select ${columns}
     from communication_invoices l join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id
    where l.invoice_id = $1 and c.channel = any ($2::text[]) and c.state in ('sent', 'delivered', 'bounced', 'unknown')
    order by c.reserved_at desc, c.id desc limit 1`,
).as<MessageRow>()
const findInvoice = sql('sandbox.find-invoice', 'select id from invoices where id = $1')

async function findTargetMessage(
  tx: Tx,
  { invoiceId, communicationId }: z.output<typeof ReceiptInput>,
  allowedChannels: readonly Channel[],
): Promise<MessageRow> {
  if (invoiceId !== undefined && (await tx.rows(findInvoice, [invoiceId])).length === 0)
    throw invoiceNotFound.make()
  if (communicationId !== undefined) {
    const [message] = await tx.rows(findMessage, [communicationId])
    if (!message || (invoiceId !== undefined && !message.invoice_ids.includes(invoiceId)))
      throw messageNotFound.make()
    return message
  }
  const [message] = await tx.rows(findLastMessage, [invoiceId!, allowedChannels])
  if (!message) throw nothingWasSent.make(allowedChannels)
  return message
}

/** An operation that simulates a receipt of a provider. */
const simulateReceipt = (
  name: string,
  event: string,
  outcome: ReceiptOutcome,
  allowedChannels: readonly Channel[],
  summary: string,
): Operation =>
  operation({
    id: `sandbox.${name}`,
    method: 'POST',
    path: `/api/v1/sandbox/simulate/${event}`,
    summary,
    description: 'Sandbox credentials only. It happens at the current time of the sandbox.',
    scopes: ['workflow:trigger'],
    environment: 'sandbox',
    body: ReceiptInput,
    status: 200,
    reply: SimulatedReceipt,
    errors: [invoiceNotFound, messageNotFound, nothingWasSent, receiptIsRefused, sandboxIsRunning],
    lockRetryMs,
    assistant: 'confirm',
    audit: 'none: it stands for what a provider reports, and the history of the message says so',
    example: { body: { communicationId: '01a1dd16-6edd-7dd9-b7f7-4014cd39872c' } },
    async run(call) {
      const message = await findTargetMessage(call.tx, call.body, allowedChannels)
      const recorded = await recordReceipt(call, { communicationId: message.id, outcome, at: call.now })
      if (!recorded.recorded) {
        if (recorded.because === 'not_yet') throw sandboxIsRunning.make()
        if (recorded.because === 'unknown_message') throw messageNotFound.make()
        throw receiptIsRefused.make(recorded.because)
      }
      return {
        communicationId: message.id,
        channel: message.channel,
        action: message.step,
        outcome,
        at: iso(call.now),
        invoiceIds: message.invoice_ids,
      }
    },
  })

const simulateReply = operation({
  id: 'sandbox.simulateReply',
  method: 'POST',
  path: '/api/v1/sandbox/simulate/reply',
  summary: 'Let the debtor answer a message: everything waits until somebody has read it',
  description: 'Sandbox credentials only. It happens at the current time of the sandbox.',
  scopes: ['workflow:trigger'],
  environment: 'sandbox',
  body: ReplyInput,
  status: 200,
  reply: z
    .object({ replyId: outputUuid, communicationId: outputUuid, channel: z.enum(channels), at: dateTime })
    .meta({ id: 'SimulatedReply' }),
  errors: [invoiceNotFound, messageNotFound, nothingWasSent],
  lockRetryMs,
  assistant: 'confirm',
  audit: 'none: it stands for what a debtor does, and the history says so',
  example: {
    body: {
      communicationId: '01a1dd16-6edd-7dd9-b7f7-4014cd39872c',
      text: 'Bonjour, le virement part vendredi.',
      subject: 'Re : votre facture',
    },
  },
  async run(call) {
    const message = await findTargetMessage(call.tx, call.body, ['email', 'sms'])
    const about = await aboutMessage(call, message.id)
    if (!about) throw messageNotFound.make()
    const reply = { ...message, communicationId: message.id, debtorId: message.debtor_id, about }
    const { said, text, subject, from, attachments } = call.body
    const isWritten = [text, subject, from, attachments].some(value => value !== undefined)
    const content = replyContent({ from: { address: from }, subject, text, attachments: attachments ?? [] })
    const { replyId } = await recordReply(call, {
      ...reply,
      receivedAt: call.now,
      ...(said !== undefined && { said }),
      ...(isWritten && { written: { content, keyring: call.keyring } }),
    })
    const { channel, id: communicationId } = message
    return { replyId, communicationId, channel, at: iso(call.now) }
  },
})

export const simulatedReceipts: readonly Operation[] = [
  simulateReply,
  simulateReceipt(
    'simulateDelivered',
    'delivered',
    'delivered',
    ['email', 'sms', 'voice'],
    'Let a message arrive, or a call be answered',
  ),
  simulateReceipt('simulateBounced', 'bounced', 'bounced', channels, 'Let a message come back undelivered'),
  simulateReceipt('simulateNoAnswer', 'no-answer', 'no_answer', ['voice'], 'Let nobody answer a call'),
  simulateReceipt(
    'simulateLrarPresented',
    'lrar-presented',
    'presented',
    ['lrar'],
    'Let a registered letter be presented',
  ),
  simulateReceipt(
    'simulateLrarSigned',
    'lrar-signed',
    'signed',
    ['lrar'],
    'Let a registered letter be signed for',
  ),
  simulateReceipt(
    'simulateLrarRefused',
    'lrar-refused',
    'refused',
    ['lrar'],
    'Let a registered letter be refused',
  ),
  simulateReceipt(
    'simulateLrarUnclaimed',
    'lrar-unclaimed',
    'unclaimed',
    ['lrar'],
    'Let a registered letter lie at the post office until it is returned',
  ),
]
