import { z } from 'zod'
import { lateClaimStatus, owedOf } from '../../../domain/recovery/account.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { invoiceNotFound, latePaymentIsOver } from '../../recovery/case/errors.ts'
import { openRecovery } from '../../recovery/case/open-recovery.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { latePaymentWaived } from './audit-events.ts'
import { Invoice, toInvoice, type Waiver } from './schema.ts'
import { findInvoice } from './store.ts'

const WaiverInput = z
  .strictObject({ reason: line(500).meta({ description: 'Why, for your own records' }), dryRun })
  .meta({ id: 'LatePaymentWaiverInput' })

const WaivedInvoice = Invoice.extend(ofDryRun).meta({ id: 'WaivedInvoice' })

// The paid part of the claim stays claimed.
const saveWaiver = sql(
  'invoices.waive-late-payment',
  'update invoices set late_payment_waiver = $2, claimed_cents = $3, updated_at = $4 where id = $1',
)

export const waiveLatePayment = operation({
  id: 'invoices.waiveLatePayment',
  method: 'POST',
  path: '/api/v1/invoices/:id/late-payment/waive',
  summary: 'Give up the 40 € and the interest of an invoice for good',
  description:
    'What was paid of them stays paid. No later message claims them for this invoice. The principal and the status of the invoice do not change.',
  scopes: ['invoices:write'],
  params: z.strictObject({ id: uuid }),
  body: WaiverInput,
  status: 200,
  reply: WaivedInvoice,
  errors: [invoiceNotFound, latePaymentIsOver],
  assistant: 'confirm',
  audit: [latePaymentWaived],
  example: { body: { reason: 'A good customer who was late once' } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  async run(call) {
    const { tx, actor, params, body, now } = call
    // Under the debtor's lock, so that no message that claims them is composed at the same time.
    const recovery = await openRecovery(call, params.id)
    const invoice = recovery && (await findInvoice(tx, params.id))
    if (!invoice) throw invoiceNotFound.make()
    const sums = {
      amount: invoice.amount_cents,
      paid: invoice.paid_cents,
      credited: invoice.credited_cents,
      claimed: invoice.claimed_cents,
    }
    const status = lateClaimStatus(sums, invoice.late_payment_waiver !== null)
    if (status === 'paid' || status === 'waived') throw latePaymentIsOver.make(status)
    const { accessories, paidAccessories } = owedOf(sums)
    const waiver: Waiver = {
      cents: accessories,
      at: now,
      by: { kind: actor.kind, id: actor.id },
      reason: body.reason,
    }
    await tx.rows(saveWaiver, [invoice.id, JSON.stringify(waiver), paidAccessories, iso(now)])
    const about = { invoiceId: invoice.id, amountCents: accessories }
    recordAudit(tx, [newEvent(latePaymentWaived, invoice.id, about)], call)
    return toInvoice({
      ...invoice,
      claimed_cents: paidAccessories,
      late_payment_waiver: waiver,
      updated_at: now,
    })
  },
})
