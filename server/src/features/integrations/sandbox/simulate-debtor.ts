import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { paymentMethods } from '../../../domain/money/payment-state.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { day, line, optional, uuid } from '../../../kit/fields.ts'
import { type Operation, operation } from '../../../kit/operation.ts'
import { closeChannel, optOut } from '../../receivables/debtors/close-channel.ts'
import { markWrongPerson, reportWrongPerson } from '../../receivables/debtors/report-wrong-person.ts'
import { disputeInvoice, openDispute } from '../../receivables/invoices/open-dispute.ts'
import { promisePayment, recordPromise } from '../../receivables/invoices/record-promise.ts'
import { pay, recordPayment } from '../../receivables/payments/record-payment.ts'
import { RecordedPayment } from '../../receivables/payments/schema.ts'
import {
  debtorUnknown,
  disputeIsOpen,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
  noPromiseAfterTimeBar,
  noRemindersToPause,
} from '../../recovery/case/errors.ts'
import { balanceColumn } from '../../recovery/case/invoice-facts.ts'

/*
 * Simulated actions of the debtor. Each calls the same function as the real operation, with defaults for fields that do not
 * matter in a test.
 */

const simulationDefaults = {
  method: 'POST',
  description: 'Sandbox credentials only. It happens at the current time of the sandbox.',
  scopes: ['workflow:trigger'],
  environment: 'sandbox',
  status: 200,
  assistant: 'confirm',
} as const

const someInvoice = '01a1dd16-6edd-7dd9-b7f7-4014cd39872c'
const someDebtor = '01a1dd16-6edd-7e8a-a3c5-5a2f0b0f9e11'
const cents = z.int().min(1).max(1_000_000_000_000)

const readBalance = sql(
  'sandbox.get-balance',
  `select ${balanceColumn} as balance_cents from invoices i where i.id = $1`,
).as<{ balance_cents: number }>()

const simulatePayment = operation({
  ...simulationDefaults,
  id: 'sandbox.simulatePayment',
  audit: recordPayment.audit!,
  path: '/api/v1/sandbox/simulate/payment',
  summary: 'Let the debtor pay',
  body: z
    .strictObject({
      invoiceId: uuid,
      amountCents: optional(cents).meta({ description: 'All that is owed unless given' }),
      method: optional(z.enum(paymentMethods)).meta({ default: 'bank_transfer' }),
    })
    .meta({ id: 'SimulatedPaymentInput' }),
  reply: RecordedPayment,
  errors: [invoiceNotFound, invoiceAlreadyPaid],
  example: { body: { invoiceId: someInvoice } },
  async run(call) {
    const { invoiceId, amountCents, method = 'bank_transfer' } = call.body
    const [invoice] = await call.tx.rows(readBalance, [invoiceId])
    if (!invoice) throw invoiceNotFound.make()
    // For a paid invoice the operation itself answers that nothing is left to pay.
    const paid = amountCents ?? Math.max(1, invoice.balance_cents)
    return pay(call, { invoiceId, amountCents: paid, method })
  },
})

const simulatePromise = operation({
  ...simulationDefaults,
  id: 'sandbox.simulatePromise',
  audit: recordPromise.audit!,
  path: '/api/v1/sandbox/simulate/promise',
  summary: 'Let the debtor promise to pay on a day',
  body: z
    .strictObject({
      invoiceId: uuid,
      date: optional(day).meta({ description: 'In a week unless given' }),
      amountCents: optional(cents).meta({ description: 'All that is owed unless given' }),
    })
    .meta({ id: 'SimulatedPromiseInput' }),
  reply: recordPromise.reply,
  errors: [invoiceNotFound, invoiceAlreadyPaid, noRemindersToPause, noPromiseAfterTimeBar],
  example: { body: { invoiceId: someInvoice } },
  run: call => {
    const { invoiceId, date = iso(call.now + 7 * DAY).slice(0, 10), amountCents } = call.body
    return promisePayment(call, invoiceId, { date, ...(amountCents !== undefined && { amountCents }) })
  },
})

const simulateDispute = operation({
  ...simulationDefaults,
  id: 'sandbox.simulateDispute',
  audit: openDispute.audit!,
  path: '/api/v1/sandbox/simulate/dispute',
  summary: 'Let the debtor dispute an invoice',
  body: z
    .strictObject({ invoiceId: uuid, reason: optional(line(500)) })
    .meta({ id: 'SimulatedDisputeInput' }),
  reply: openDispute.reply,
  errors: [invoiceNotFound, invoiceAlreadyPaid, invoiceIsClosed, disputeIsOpen],
  example: { body: { invoiceId: someInvoice, reason: 'Two of the ten chairs arrived broken' } },
  run: call =>
    disputeInvoice(call, call.body.invoiceId, { reason: call.body.reason ?? 'The goods never arrived' }),
})

const simulateOptOut = operation({
  ...simulationDefaults,
  id: 'sandbox.simulateOptOut',
  audit: closeChannel.audit!,
  path: '/api/v1/sandbox/simulate/opt-out',
  summary: 'Let the debtor close a channel',
  body: z.strictObject({ debtorId: uuid, channel: z.enum(channels) }).meta({ id: 'SimulatedOptOutInput' }),
  reply: closeChannel.reply,
  errors: [debtorUnknown],
  example: { body: { debtorId: someDebtor, channel: 'sms' } },
  run: call => optOut(call, call.body.debtorId, { channel: call.body.channel }),
})

const simulateWrongPerson = operation({
  ...simulationDefaults,
  id: 'sandbox.simulateWrongPerson',
  audit: reportWrongPerson.audit!,
  path: '/api/v1/sandbox/simulate/wrong-person',
  summary: 'Let somebody answer who is not the debtor',
  body: z
    .strictObject({ debtorId: uuid, point: z.enum(['email', 'phone']) })
    .meta({ id: 'SimulatedWrongPersonInput' }),
  reply: reportWrongPerson.reply,
  errors: [debtorUnknown],
  example: { body: { debtorId: someDebtor, point: 'email' } },
  run: call => markWrongPerson(call, call.body.debtorId, { point: call.body.point }),
})

export const simulatedDebtor: readonly Operation[] = [
  simulatePayment,
  simulatePromise,
  simulateDispute,
  simulateOptOut,
  simulateWrongPerson,
]
