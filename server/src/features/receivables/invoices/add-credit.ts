import { z } from 'zod'
import { mayCredit } from '../../../domain/recovery/account.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { centsInput, dateTime, day, line, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import {
  creditNumberTaken,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
} from '../../recovery/case/errors.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import { openRecovery } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { planChange } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { applyMoney } from '../payments/apply-money.ts'
import { invoiceCredited } from './audit-events.ts'

const CreditInput = z
  .strictObject({
    number: line(100),
    amountCents: centsInput,
    issuedOn: day,
    dryRun,
  })
  .meta({ id: 'CreditInput' })

const Credit = z
  .object({
    id: outputUuid,
    invoiceId: outputUuid,
    number: z.string(),
    amountCents: z.int(),
    issuedOn: z.string().meta({ format: 'date' }),
    balanceCents: z.int(),
    createdAt: dateTime,
    inFlight: inFlightMessages,
    plan: planChange,
  })
  .meta({ id: 'Credit' })

const insertCredit = sql(
  'invoices.insert-credit',
  `insert into credits (tenant_id, id, invoice_id, number, amount_cents, issued_on, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6)
   on conflict (tenant_id, number) do nothing returning id`,
)

export const addCredit = operation({
  id: 'invoices.credit',
  method: 'POST',
  path: '/api/v1/invoices/:id/credits',
  summary: 'Record a credit note: it lowers what is owed and never counts as collected',
  scopes: ['invoices:write'],
  params: z.strictObject({ id: uuid }),
  body: CreditInput,
  status: 201,
  reply: Credit,
  errors: [invoiceNotFound, creditNumberTaken, invoiceAlreadyPaid, invoiceIsClosed],
  assistant: 'confirm',
  audit: [invoiceCredited],
  example: { body: { number: 'A-2026-0007', amountCents: 1_000, issuedOn: '2026-11-01' } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  async run(call) {
    const { tx, params, body, now, newId } = call
    const recovery = await openRecovery(call, params.id)
    if (!recovery) throw invoiceNotFound.make()
    const verdict = mayCredit(recovery.row.invoice_status, factsOf(recovery.row), body.amountCents)
    if (!verdict.allowed) throw creditRefused(verdict.because)
    const id = newId()
    const [inserted] = await tx.rows(insertCredit, [
      id,
      recovery.row.invoice_id,
      body.number,
      body.amountCents,
      body.issuedOn,
      iso(now),
    ])
    if (!inserted) throw creditNumberTaken.make(body.number)
    const { balanceCents, inFlight } = await applyMoney(
      call,
      recovery,
      { kind: 'credit', sourceId: id, cents: body.amountCents },
      () => [],
    )
    const { invoice_id: invoiceId } = recovery.row
    recordAudit(tx, [newEvent(invoiceCredited, invoiceId, { invoiceId, creditId: id })], call)
    return {
      id,
      invoiceId: recovery.row.invoice_id,
      number: body.number,
      amountCents: body.amountCents,
      issuedOn: body.issuedOn,
      balanceCents,
      createdAt: iso(now),
      inFlight,
    }
  },
})

function creditRefused(because: 'paid' | 'cancelled' | 'written_off' | 'too_much'): ApiError {
  switch (because) {
    case 'paid':
      return invoiceAlreadyPaid.make('; a credit would change nothing')
    case 'cancelled':
    case 'written_off':
      return invoiceIsClosed.make(because)
    case 'too_much': {
      const message = 'is more than what is left of the invoice'
      return new ApiError('VAL_001', `amountCents ${message}.`, {
        details: [{ field: 'amountCents', code: 'invalid', message }],
      })
    }
  }
}
