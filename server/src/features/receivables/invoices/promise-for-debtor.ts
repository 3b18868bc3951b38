import { z } from 'zod'
import { promiseDaysMax } from '../../../domain/recovery/promise.ts'
import { sql } from '../../../kit/db/statement.ts'
import { dateTime, day, days, line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import {
  debtorUnknown,
  invoiceAlreadyPaid,
  invoiceNotFound,
  noPromiseAfterTimeBar,
  noRemindersToPause,
  proceedingsAreOpen,
} from '../../recovery/case/errors.ts'
import { isOpenSql } from '../../recovery/case/invoice-facts.ts'
import { lockDebtor } from '../../recovery/case/lock-debtor.ts'
import { type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { type InFlight, inFlightOnce } from '../../recovery/case/stop-messages.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from '../debtors/rehearse-debtor.ts'
import { invoicePromised } from './audit-events.ts'
import { nothingToPromise, tooManyToPromise } from './errors.ts'
import { mayPromiseNow, promisePayment } from './record-promise.ts'

/** Each promise is recorded under one lock, so their number has a limit. */
const invoicesMax = 100

const DebtorPromiseInput = z
  .strictObject({
    date: day.meta({
      ...days(0, promiseDaysMax),
      description: `Today or later where the debtor is, at most ${promiseDaysMax} days ahead`,
    }),
    invoiceIds: optional(z.array(uuid).min(1).max(invoicesMax)).meta({
      description:
        'For which invoices of the debtor. Left out, for all that are open: those that take no promise are named in `withoutPromise`',
    }),
    note: optional(line(500)).meta({ description: 'What was said; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'DebtorPromiseInput' })

const invoiceFields = { invoiceId: outputUuid, invoiceNumber: z.string() }

const DebtorPromise = z
  .object({
    debtorId: outputUuid,
    date: z.string().meta({ format: 'date' }),
    waitsUntil: dateTime.meta({ description: 'When the reminders go on if the money has not come' }),
    promises: z
      .array(
        z
          .object({
            ...invoiceFields,
            promiseId: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
            amountCents: z.int().meta({ description: 'What is promised: the balance' }),
            currency: z.string(),
          })
          .meta({ id: 'PromiseOfInvoice' }),
      )
      .meta({ description: 'One for each invoice' }),
    withoutPromise: z
      .array(
        z
          .object({
            ...invoiceFields,
            because: z.enum(['paid', 'time_barred', 'not_running']).meta({ description: 'Why not' }),
          })
          .meta({ id: 'InvoiceWithoutPromise' }),
      )
      .meta({ description: 'Without `invoiceIds`: open invoices for which no promise can be recorded' }),
    inFlight: inFlightMessages,
    ...ofDebtorDryRun,
  })
  .meta({ id: 'DebtorPromise' })

const selectOpen = sql(
  'invoices.list-open-to-promise',
  `select i.id from invoices i
    where i.debtor_id = $1 and ${isOpenSql('i')}
    order by i.due_date limit ${invoicesMax + 1}`,
)

export const promiseForDebtor = operation({
  id: 'debtors.promise',
  method: 'POST',
  path: '/api/v1/debtors/:id/promise',
  summary: 'Record that the debtor promises to pay several invoices on one day',
  description:
    'Each invoice gets a promise of its balance, as with `POST /api/v1/invoices/:id/promise`, and all of them in one transaction. Each is kept or broken by itself.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DebtorPromiseInput,
  status: 201,
  reply: DebtorPromise,
  errors: [
    debtorUnknown,
    invoiceNotFound,
    invoiceAlreadyPaid,
    noRemindersToPause,
    noPromiseAfterTimeBar,
    proceedingsAreOpen,
    nothingToPromise,
    tooManyToPromise,
  ],
  assistant: 'confirm',
  audit: [invoicePromised],
  example: { body: { date: '2026-11-30', note: 'All of it after the payroll' } },
  rehearse: withPlannedMessages,
  run: call => promiseSeveral(call, call.params.id, call.body),
})

async function promiseSeveral(
  context: OperationContext,
  debtorId: string,
  { date, invoiceIds, note, dryRun }: z.output<typeof DebtorPromiseInput>,
): Promise<z.input<typeof DebtorPromise>> {
  const { tx, now } = context
  await lockDebtor(context, debtorId)
  const isAll = invoiceIds === undefined
  const ids = invoiceIds ?? (await tx.rows(selectOpen, [debtorId])).map(({ id }) => id)
  if (ids.length > invoicesMax) throw tooManyToPromise.make(invoicesMax)
  const promises: z.input<typeof DebtorPromise>['promises'] = []
  const withoutPromise: z.input<typeof DebtorPromise>['withoutPromise'] = []
  const inFlight: InFlight[] = []
  let waitsUntil: string | null = null
  // In the order of their ids: all who lock several invoices lock them in this order.
  for (const id of [...new Set(ids)].sort()) {
    const recovery = await openRecovery(context, id)
    if (recovery?.row.debtor_id !== debtorId) throw invoiceNotFound.make()
    const { number, currency } = recovery.row
    const verdict = mayPromiseNow(recovery, now)
    if (isAll && !verdict.allowed) {
      withoutPromise.push({ invoiceId: id, invoiceNumber: number, because: verdict.because })
      continue
    }
    const promised = await promisePayment(context, id, { date, ...(note !== undefined && { note }) })
    waitsUntil = promised.waitsUntil
    inFlight.push(...promised.inFlight)
    promises.push({
      invoiceId: id,
      invoiceNumber: number,
      promiseId: dryRun ? null : promised.id,
      amountCents: promised.amountCents,
      currency,
    })
  }
  if (waitsUntil === null) throw nothingToPromise.make()
  return { debtorId, date, waitsUntil, promises, withoutPromise, inFlight: inFlightOnce(inFlight) }
}
