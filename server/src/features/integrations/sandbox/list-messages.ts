import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import { iso } from '../../../kit/clock.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import { dateTime, outputUuid, uuid } from '../../../kit/fields.ts'
import {
  conditions,
  countUpTo,
  idShape,
  listQuery,
  pageOf,
  positionOf,
  writeCursor,
} from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'

const SandboxMessage = z
  .object({
    communicationId: outputUuid,
    channel: z.enum(channels),
    recipient: z.string(),
    subject: z.string().nullable(),
    body: z.string().meta({ description: 'What would have been written or said, word for word' }),
    debtorId: outputUuid,
    action: z.enum(messageNames).meta({ description: 'The step of the cascade, or what else it is' }),
    executedAt: dateTime.meta({ description: 'The same as `createdAt`, by its name in the history' }),
    createdAt: dateTime.meta({ description: 'In the time of the sandbox' }),
    invoiceIds: z.array(outputUuid),
  })
  .meta({ id: 'SandboxMessage' })

interface MessageRow {
  communication_id: string
  channel: Channel
  recipient: string
  subject: string | null
  body: string
  debtor_id: string
  step: z.output<typeof SandboxMessage>['action']
  created_at: number
  invoice_ids: string[]
}

const order = 'created_at desc'
const momentShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const listMessages = operation({
  id: 'sandbox.messages',
  method: 'GET',
  path: '/api/v1/sandbox/messages',
  summary: 'List the messages the sandbox would have sent, the newest first',
  description: 'Sandbox credentials only.',
  scopes: ['workflow:read'],
  environment: 'sandbox',
  query: z
    .strictObject({ ...listQuery(20), invoiceId: uuid.optional(), channel: z.enum(channels).optional() })
    .meta({ id: 'SandboxMessageListQuery' }),
  status: 200,
  reply: SandboxMessage,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, query }) {
    const filter = () => {
      const filter = conditions()
      if (query.channel) filter.add(`m.channel = ${filter.bind(query.channel)}`)
      if (query.invoiceId)
        filter.add(
          `m.communication_id = any (array(select l.communication_id from communication_invoices l
             where l.invoice_id = ${filter.bind(query.invoiceId)}))`,
        )
      return filter
    }
    const position = positionOf(query, order, [momentShape, idShape])
    const shown = filter()
    if (position.after) {
      const [at, id] = position.after.map(value => shown.bind(value))
      shown.add(`(m.created_at, m.communication_id) < (${at}::timestamptz, ${id}::uuid)`)
    }
    const counted = filter()
    const [rows, total] = await Promise.all([
      tx.rows(
        adHoc<MessageRow>(
          `select m.communication_id, m.channel, m.recipient, m.subject, m.body, m.created_at, c.debtor_id, c.step,
                  array(select l.invoice_id::text from communication_invoices l
                         where l.communication_id = m.communication_id order by l.invoice_id) as invoice_ids
             from sandbox_messages m
             join communications c on c.tenant_id = m.tenant_id and c.id = m.communication_id
            ${shown.where()} order by m.created_at desc, m.communication_id desc
            limit ${shown.bind(position.limit + 1)} offset ${shown.bind(position.offset)}`,
        ),
        shown.values,
      ),
      // The order only guides the planner: else it would scan the table from its start, which may hold another tenant's rows.
      countUpTo(tx, `sandbox_messages m ${counted.where()} order by m.created_at`, counted.values),
    ])
    return pageOf(position, rows, total, toMessage, (row, nextPage) =>
      writeCursor(position.order, nextPage, [iso(row.created_at), row.communication_id]),
    )
  },
})

const toMessage = (row: MessageRow): z.input<typeof SandboxMessage> => ({
  communicationId: row.communication_id,
  channel: row.channel,
  recipient: row.recipient,
  subject: row.subject,
  body: row.body,
  debtorId: row.debtor_id,
  action: row.step,
  executedAt: iso(row.created_at),
  createdAt: iso(row.created_at),
  invoiceIds: row.invoice_ids,
})
