import { z } from 'zod'
import { balanceOf, mayCredit } from '../../../domain/recovery/account.ts'
import { type LocalDate, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type ApiError, refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { centsInput, dateTime, day, days, line, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import {
  creditNumberTaken,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
} from '../../recovery/case/errors.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import { type OpenRecovery, type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import type { InFlight } from '../../recovery/case/stop-messages.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { applyMoney } from '../payments/apply-money.ts'
import { invoiceCredited } from './audit-events.ts'

const CreditInput = z
  .strictObject({
    number: line(100),
    amountCents: centsInput,
    issuedOn: day.meta({ ...days(null, 0), description: 'Not after today in the time zone of the company' }),
    dryRun,
  })
  .meta({ id: 'CreditInput' })

const Credit = z
  .object({
    id: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
    invoiceId: outputUuid,
    number: z.string(),
    amountCents: z.int(),
    issuedOn: z.string().meta({ format: 'date' }),
    balanceCents: z.int(),
    createdAt: dateTime,
    inFlight: inFlightMessages,
    ...ofDryRun,
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
    const { tx, actor, params, body, now } = call
    const [recovery, company] = await Promise.all([
      openRecovery(call, params.id),
      findCompany(tx, actor.companyId),
    ])
    if (!recovery) throw invoiceNotFound.make()
    if (body.issuedOn > localTime(company.time_zone, now).date)
      throw refusedField('issuedOn', 'future', 'is in the future')
    const { id, balanceCents, inFlight } = await creditInvoice(call, recovery, body)
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

/** Records a credit note, and books what it is worth. */
export async function creditInvoice(
  context: OperationContext,
  recovery: OpenRecovery,
  { number, amountCents, issuedOn }: { number: string; amountCents: number; issuedOn: LocalDate },
): Promise<{ id: string; balanceCents: number; inFlight: InFlight[] }> {
  const { tx, now, newId } = context
  const { invoice_id: invoiceId, invoice_status: status } = recovery.row
  const verdict = mayCredit(status, factsOf(recovery.row), amountCents)
  if (!verdict.allowed) throw creditRefused(verdict.because, balanceOf(factsOf(recovery.row)).balance)
  const id = newId()
  const [inserted] = await tx.rows(insertCredit, [id, invoiceId, number, amountCents, issuedOn, iso(now)])
  if (!inserted) throw creditNumberTaken.make(number)
  const { balanceCents, inFlight } = await applyMoney(
    context,
    recovery,
    { kind: 'credit', sourceId: id, cents: amountCents },
    () => [],
  )
  recordAudit(tx, [newEvent(invoiceCredited, invoiceId, { invoiceId, creditId: id })], context)
  return { id, balanceCents, inFlight }
}

function creditRefused(because: 'paid' | 'cancelled' | 'written_off' | 'too_much', left: number): ApiError {
  switch (because) {
    case 'paid':
      return invoiceAlreadyPaid.make('; a credit would change nothing')
    case 'cancelled':
    case 'written_off':
      return invoiceIsClosed.make(because)
    case 'too_much':
      return refusedField(
        'amountCents',
        'above_balance',
        `is more than what is left of the invoice, ${left} cents; record a refund first if money goes back`,
      )
  }
}
