import { z } from 'zod'
import { paymentInstruments, paymentMethods } from '../../../domain/money/payment-state.ts'
import { proposeSplit } from '../../../domain/money/split.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { refusedField } from '../../../kit/errors.ts'
import { centsInput, dateTime, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { currencyCode } from '../../platform/code-fields.ts'
import { debtorUnknown, invoiceAlreadyPaid, invoiceNotFound } from '../../recovery/case/errors.ts'
import { balanceColumn, isOpenSql } from '../../recovery/case/invoice-facts.ts'
import { lockDebtor } from '../../recovery/case/lock-debtor.ts'
import { type OpenRecovery, type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { type InFlight, inFlightOnce } from '../../recovery/case/stop-messages.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from '../debtors/rehearse-debtor.ts'
import { paymentRecorded } from './audit-events.ts'
import {
  nothingToSplitOver,
  paymentAboveOwed,
  paymentReferenceTaken,
  receiptLeavesOver,
  tooManyToSplitOver,
} from './errors.ts'
import { planReceipt, type ReceiptPart } from './plan-receipt.ts'
import {
  bookPayment,
  insolvencyPayment,
  receivedFields,
  refuseFaults,
  refuseOverpayment,
} from './record-payment.ts'
import { paidOff } from './schema.ts'

/** Each part is booked under one lock, so their number has a limit. */
const partsMax = 100

const ReceiptInput = z
  .strictObject({
    debtorId: uuid,
    ...receivedFields,
    currency: optional(currencyCode).meta({
      description: "The company's unless given; invoices in other currencies are not paid",
    }),
    split: optional(
      z
        .array(z.strictObject({ invoiceId: uuid, amountCents: centsInput }).meta({ id: 'ReceiptPartInput' }))
        .min(1)
        .max(partsMax),
    ).meta({
      description:
        'What each invoice gets, each invoice once; together at most the sum. Left out, the invoices that are due first are paid first',
    }),
    allowOverpayment: optional(z.boolean()).meta({
      default: false,
      description:
        'Record money beyond what is owed. What the split leaves over is recorded on its last invoice. A dry run with it tells the excess',
    }),
    dryRun,
  })
  .meta({ id: 'ReceiptInput' })

const invoiceFields = {
  invoiceId: outputUuid,
  invoiceNumber: z.string(),
  dueDate: z.string().meta({ format: 'date' }),
}

const RecordedReceipt = z
  .object({
    receiptId: outputUuid.nullable().meta({
      description:
        'The same in all its payments; `GET /api/v1/payments?receiptId=` lists them. Null in a dry run',
    }),
    debtorId: outputUuid,
    amountCents: z.int(),
    currency: z.string(),
    method: z.enum(paymentMethods),
    instrument: z.enum(paymentInstruments).nullable(),
    paidAt: dateTime,
    externalReference: z.string().nullable(),
    split: z
      .array(
        z
          .object({
            ...invoiceFields,
            paymentId: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
            amountCents: z.int().meta({ description: 'What of the sum this invoice gets' }),
            ...paidOff,
          })
          .meta({ id: 'ReceiptPart' }),
      )
      .meta({
        description: 'One payment per invoice, the invoice that is due first at the beginning unless given',
      }),
    leftOverCents: z.int().meta({
      description: 'What the split gave to no invoice, and its last invoice got with `allowOverpayment`',
    }),
    excessCents: z.int().meta({ description: 'What of the sum is more than what its invoices owed' }),
    otherInvoices: z
      .array(
        z
          .object({ ...invoiceFields, owedCents: z.int().meta({ description: 'What is owed of it' }) })
          .meta({ id: 'InvoiceWithoutPart' }),
      )
      .optional()
      .meta({
        description: `Only in a dry run: open invoices of the debtor that get no part, at most ${partsMax}`,
      }),
    inFlight: inFlightMessages,
    ...ofDebtorDryRun,
  })
  .meta({ id: 'RecordedReceipt' })

// Not what a court decides about, and nothing that is closed: such an invoice is paid only where it is named.
const selectOpen = sql(
  'payments.list-open-invoices',
  `select i.id, i.number, i.due_date, greatest(0, ${balanceColumn}) as balance, i.disputed_at is not null as is_disputed,
          i.claimed_cents - least(i.claimed_cents, greatest(0, -(${balanceColumn}))) as accessories
     from invoices i
    where i.debtor_id = $1 and i.currency = $2 and ${isOpenSql('i')}
    order by i.due_date, i.id limit ${partsMax + 1}`,
).as<{
  id: string
  number: string
  due_date: string
  balance: number
  is_disputed: boolean
  accessories: number
}>()

interface Open {
  id: string
  number: string
  dueDate: string
  balance: number
  accessories: number
  isDisputed: boolean
}

interface Split {
  parts: { id: string; cents: number }[]
  leftOver: number
}

export const receivePayment = operation({
  id: 'payments.receive',
  method: 'POST',
  path: '/api/v1/receipts',
  summary: 'Record one sum that pays several invoices of a debtor',
  description:
    'A transfer or a cheque for several invoices. It is stored as one payment per invoice, all with the same `receiptId`, in one transaction; each can be refunded by itself. Without `split` the invoices that are due first are paid first, disputed ones last; no invoice that is closed or before a court is proposed. More than is owed is refused unless `allowOverpayment` is true.',
  scopes: ['payments:write'],
  body: ReceiptInput,
  status: 201,
  reply: RecordedReceipt,
  errors: [
    debtorUnknown,
    invoiceNotFound,
    invoiceAlreadyPaid,
    paymentAboveOwed,
    receiptLeavesOver,
    nothingToSplitOver,
    tooManyToSplitOver,
    paymentReferenceTaken,
  ],
  assistant: 'confirm',
  audit: [paymentRecorded],
  example: {
    body: {
      debtorId: '01a1c2e7-7b00-7e9a-8c54-1f0d9b3a6e21',
      amountCents: 120_000,
      method: 'bank_transfer',
      instrument: 'cheque',
      externalReference: 'CHQ 7741203',
    },
  },
  rehearse: (call, perform) => withPlannedMessages({ ...call, params: { id: call.body.debtorId } }, perform),
  async run(call) {
    const { reply, isInsolvent } = await receive(call, call.body)
    return isInsolvent ? new WithWarnings(reply, [insolvencyPayment]) : reply
  },
})

type Input = z.output<typeof ReceiptInput>

async function receive(
  context: OperationContext,
  body: Input,
): Promise<{ reply: z.input<typeof RecordedReceipt>; isInsolvent: boolean }> {
  const { tx, actor, now, newId } = context
  const company = await findCompany(tx, actor.companyId)
  const currency = body.currency ?? company.currency
  // What is owed is read under the lock of the debtor: of two sums received at once the second sees what the first has paid.
  await lockDebtor(context, body.debtorId)
  const open = body.split && !body.dryRun ? [] : await openInvoicesOf(tx, body.debtorId, currency)
  const { parts, leftOver } = withLeftOver(body, body.split ? givenSplit(body) : proposedSplit(body, open))
  const receiptId = newId()
  const paidAt = body.paidAt ?? now
  const booked = new Map<string, Booked>()
  // In the order of their ids: all who lock several invoices lock them in this order.
  for (const { id, cents } of parts.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const recovery = await openRecovery(context, id)
    if (recovery?.row.debtor_id !== body.debtorId) throw invoiceNotFound.make()
    const at = body.split
      ? `split[${body.split.findIndex(part => part.invoiceId === id)}].amountCents`
      : undefined
    refuseFaults({ ...body, currency, amountCents: cents }, recovery, now, at)
    if (body.allowOverpayment !== true) refuseOverpayment(recovery, cents)
    const payment = await bookPayment(context, company, recovery, {
      amountCents: cents,
      method: body.method,
      instrument: body.instrument ?? null,
      status: 'completed',
      paidAt,
      externalReference: body.externalReference ?? null,
      receiptId,
    })
    if (!payment) throw paymentReferenceTaken.make(body.externalReference ?? '')
    booked.set(id, { ...payment, recovery })
  }
  const inOrder = parts.map(({ id }) => booked.get(id)!)
  planReceipt(
    context,
    inOrder.map(({ receiptPart }) => receiptPart),
  )
  const reply = {
    receiptId: body.dryRun ? null : receiptId,
    debtorId: body.debtorId,
    amountCents: body.amountCents,
    currency,
    method: body.method,
    instrument: body.instrument ?? null,
    paidAt: iso(paidAt),
    externalReference: body.externalReference ?? null,
    split: inOrder.map(({ row, recovery, paidOff }) => ({
      invoiceId: row.invoice_id,
      invoiceNumber: recovery.row.number,
      dueDate: recovery.row.due_date,
      paymentId: body.dryRun ? null : row.id,
      amountCents: row.amount_cents,
      ...paidOff,
    })),
    leftOverCents: leftOver,
    excessCents: inOrder.reduce((sum, { paidOff }) => sum + paidOff.excessCents, 0),
    ...(body.dryRun && { otherInvoices: withoutPart(open, booked) }),
    inFlight: inFlightOnce(inOrder.flatMap(({ inFlight }) => inFlight)),
  }
  return { reply, isInsolvent: inOrder[0]!.recovery.file.insolvency_kind !== null }
}

interface Booked {
  recovery: OpenRecovery
  row: { id: string; invoice_id: string; amount_cents: number }
  inFlight: InFlight[]
  paidOff: Record<keyof typeof paidOff, number>
  receiptPart: ReceiptPart | null
}

async function openInvoicesOf(tx: Tx, debtorId: string, currency: string): Promise<Open[]> {
  const rows = await tx.rows(selectOpen, [debtorId, currency])
  return rows.map(({ due_date, is_disputed, ...row }) => ({
    ...row,
    dueDate: due_date,
    isDisputed: is_disputed,
  }))
}

function givenSplit({ split = [], amountCents }: Input): Split {
  const parts = split.map(part => ({ id: part.invoiceId, cents: part.amountCents }))
  if (new Set(parts.map(({ id }) => id)).size < parts.length)
    throw refusedField('split', 'invoice_twice', 'names an invoice twice')
  const leftOver = parts.reduce((left, { cents }) => left - cents, amountCents)
  if (leftOver < 0) throw refusedField('split', 'above_sum', `is ${-leftOver} cents more than amountCents`)
  return { parts, leftOver }
}

function proposedSplit({ amountCents }: Input, open: readonly Open[]): Split {
  const { parts, leftOver } = proposeSplit(amountCents, open.slice(0, partsMax))
  if (parts.length === 0) throw nothingToSplitOver.make()
  if (leftOver > 0 && open.length > partsMax) throw tooManyToSplitOver.make(partsMax)
  return { parts, leftOver }
}

/** What is left over goes to the last invoice, if the money really arrived. */
function withLeftOver({ split, allowOverpayment }: Input, { parts, leftOver }: Split): Split {
  if (leftOver === 0) return { parts, leftOver }
  if (allowOverpayment !== true) throw receiptLeavesOver.make(leftOver, split !== undefined)
  const last = parts.at(-1)!
  return { parts: parts.with(-1, { ...last, cents: last.cents + leftOver }), leftOver }
}

const withoutPart = (open: readonly Open[], booked: ReadonlyMap<string, Booked>) =>
  open
    .filter(({ id }) => !booked.has(id))
    .slice(0, partsMax)
    .map(({ id, number, dueDate, balance, accessories }) => ({
      invoiceId: id,
      invoiceNumber: number,
      dueDate,
      owedCents: balance + accessories,
    }))
