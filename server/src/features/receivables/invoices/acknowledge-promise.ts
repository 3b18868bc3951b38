import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { forgetBrokenPromise } from '../../recovery/case/broken-promise.ts'
import { invoicePromiseSeen } from './audit-events.ts'
import { promiseNotFound } from './errors.ts'

const statuses = ['open', 'kept', 'broken', 'replaced', 'void'] as const

const SeenPromise = z
  .object({
    id: outputUuid,
    invoiceId: outputUuid,
    date: z.string().meta({ format: 'date' }),
    amountCents: z.int(),
    status: z.enum(statuses).meta({ description: 'What became of the promise' }),
  })
  .meta({ id: 'SeenPromise' })

const selectPromise = sql(
  'invoices.get-promise',
  'select id, invoice_id, debtor_id, pay_on, amount_cents, status from promises where id = $1 and invoice_id = $2',
).as<{
  id: string
  invoice_id: string
  debtor_id: string
  pay_on: string
  amount_cents: number
  status: (typeof statuses)[number]
}>()

export const acknowledgePromise = operation({
  id: 'invoices.acknowledgePromise',
  method: 'POST',
  path: '/api/v1/invoices/:id/promises/:promiseId/seen',
  summary: 'A person has seen that a promise was broken: the reminders go on as planned',
  description:
    'It leaves the list of work and changes nothing else. It also leaves it with a new promise, a dispute, a pause, an end of the recovery, or a message that a person asks for. Doing it again changes nothing.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid, promiseId: uuid }),
  status: 200,
  reply: SeenPromise,
  errors: [promiseNotFound],
  assistant: 'confirm',
  audit: [invoicePromiseSeen],
  async run(call) {
    const { tx, params } = call
    const [row] = await tx.rows(selectPromise, [params.promiseId, params.id])
    if (!row) throw promiseNotFound.make()
    if (row.status === 'broken' && (await forgetBrokenPromise(tx, row.invoice_id))) {
      const about = { invoiceId: row.invoice_id, promiseId: row.id, debtorId: row.debtor_id }
      recordAudit(tx, [newEvent(invoicePromiseSeen, row.invoice_id, about)], call)
    }
    return {
      id: row.id,
      invoiceId: row.invoice_id,
      date: row.pay_on,
      amountCents: row.amount_cents,
      status: row.status,
    }
  },
})
