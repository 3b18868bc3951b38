import { z } from 'zod'
import { channels } from '../../../../domain/contact/channel.ts'
import { triggerActions } from '../../../../domain/recovery/recovery-state.ts'
import type { Scope } from '../../../../kit/actor.ts'
import { line, moment, note, optional, uuid } from '../../../../kit/fields.ts'
import type { Operation } from '../../../../kit/operation.ts'
import { InvoiceFilter } from '../../../receivables/invoices/filter-schema.ts'
import { anrBases } from '../../../recovery/case/events.ts'
import { requestMessage } from '../../../recovery/workflow/request-message.ts'
import { triggerWorkflow } from '../../../recovery/workflow/trigger-workflow.ts'
import { writeOffInvoice } from '../../../recovery/workflow/write-off-invoice.ts'

export const bulkActions = [...triggerActions, 'write_off', 'message'] as const
type BulkAction = (typeof bulkActions)[number]

const idsMax = 1_000

/** The fields that an action takes in addition to the invoices. */
const fieldsOf = {
  reason: triggerActions as readonly BulkAction[],
  until: ['pause'],
  basis: ['write_off'],
  note: ['write_off'],
  channel: ['message'],
  at: ['message'],
} as const satisfies Record<string, readonly BulkAction[]>
const requiredFields: Partial<Record<BulkAction, keyof typeof fieldsOf>> = {
  write_off: 'basis',
  message: 'channel',
}

export const BulkInput = z
  .strictObject({
    action: z.enum(bulkActions),
    ids: optional(z.array(uuid).min(1).max(idsMax)).meta({
      description: 'Invoices; either these or a filter',
    }),
    filter: optional(InvoiceFilter).meta({
      description:
        'Every invoice there is now that matches: the filters of `GET /api/v1/invoices`, at least one. Needs `invoices:read`, and `workflow:read` for those that show where a recovery stands',
    }),
    dryRun: optional(z.boolean()).meta({
      default: false,
      description: 'Judge every item and change nothing; the task then waits in review until it is started',
    }),
    reason: optional(line(500)).meta({ description: 'Kept in the history; not with write_off and message' }),
    until: optional(moment).meta({ description: 'With pause only: when it ends by itself' }),
    basis: optional(z.enum(anrBases)).meta({
      description: 'With write_off: why the debts are irrecoverable',
    }),
    note: optional(note(2_000)).meta({ description: 'With write_off: printed in the attestations' }),
    channel: optional(z.enum(channels)).meta({ description: 'With message' }),
    at: optional(moment).meta({ description: 'With message: not before' }),
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if ((body.ids === undefined) === (body.filter === undefined))
      refuse('ids', 'or filter is needed, and not both')
    if (body.filter && Object.values(body.filter).every(value => value === undefined))
      refuse('filter', 'needs at least one field')
    for (const [field, actions] of Object.entries(fieldsOf))
      if (
        body[field as keyof typeof fieldsOf] !== undefined &&
        !(actions as readonly string[]).includes(body.action)
      )
        refuse(field, `goes with ${actions.join(', ')} only`)
    const required = requiredFields[body.action]
    if (required && body[required] === undefined) refuse(required, `is needed for ${body.action}`)
  })
  .meta({ id: 'BulkInput' })
export type BulkInput = z.output<typeof BulkInput>

/** What each item of a bulk task does: an operation of the API, with the body it would be called with. */
export interface BulkAct {
  operation: Pick<Operation, 'run'>
  paramsOf(invoiceId: string): Record<string, string>
  body: Record<string, unknown>
  scopes: readonly Scope[]
  /** Whether items may share a transaction: the operation is fast, and no limit is counted over several items. */
  isShared: boolean
}

export function actOf({ action, reason, until, basis, note: words, channel, at }: BulkInput): BulkAct {
  if (action === 'write_off')
    return {
      operation: writeOffInvoice,
      paramsOf: id => ({ id }),
      body: { basis, note: words },
      scopes: writeOffInvoice.scopes,
      // It draws a document, which takes time.
      isShared: false,
    }
  if (action === 'message')
    return {
      operation: requestMessage,
      paramsOf: invoiceId => ({ invoiceId }),
      body: { channel, at },
      scopes: [channel === 'lrar' ? 'lrar:send' : 'notifications:send'],
      isShared: true,
    }
  return {
    operation: triggerWorkflow,
    paramsOf: invoiceId => ({ invoiceId }),
    body: { action, reason, until },
    scopes: triggerWorkflow.scopes,
    isShared: true,
  }
}
