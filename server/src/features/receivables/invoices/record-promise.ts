import { z } from 'zod'
import { calendarFor, type LocalCalendar } from '../../../domain/contact/calendar.ts'
import { mayPromise } from '../../../domain/recovery/account.ts'
import {
  gracePeriodEnds,
  judgePayDay,
  lastOwnPromiseDay,
  promiseDaysMax,
} from '../../../domain/recovery/promise.ts'
import { recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { isTimeBarred } from '../../../domain/recovery/time-bar.ts'
import { type LocalDate, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { centsInput, dateTime, day, days, line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { holdRecovery, recordDebtorResponse, restateTimeBar } from '../../recovery/case/change-recovery.ts'
import { promiseBroken, promiseRecorded, type SaidOn } from '../../recovery/case/debtor-events.ts'
import {
  invoiceAlreadyPaid,
  invoiceNotFound,
  noPromiseAfterTimeBar,
  noRemindersToPause,
  ownPromisesUsedUp,
  proceedingsAreOpen,
} from '../../recovery/case/errors.ts'
import { addActions } from '../../recovery/case/history.ts'
import {
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  openRecovery,
} from '../../recovery/case/open-recovery.ts'
import { balanceOfRecovery } from '../../recovery/case/recovery-store.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { invoicePromised } from './audit-events.ts'

const PromiseInput = z
  .strictObject({
    date: day.meta({
      ...days(0, promiseDaysMax),
      description: `Today or later where the debtor is, at most ${promiseDaysMax} days ahead`,
    }),
    amountCents: optional(centsInput).meta({
      description: 'What is promised; the balance unless given',
    }),
    note: optional(line(500)).meta({ description: 'What was said; kept in the history' }),
    dryRun,
  })
  .meta({ id: 'PromiseInput' })

const PaymentPromise = z
  .object({
    id: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
    invoiceId: outputUuid,
    date: z.string().meta({ format: 'date' }),
    amountCents: z.int(),
    status: z.literal('open'),
    waitsUntil: dateTime.meta({ description: 'When the reminders go on if the money has not come' }),
    createdAt: dateTime,
    workflowStatus: z.enum(recoveryStatuses),
    inFlight: inFlightMessages,
    ...ofDryRun,
  })
  .meta({ id: 'PaymentPromise' })

// A promise that is replaced on its day or later was not kept.
const replaceOpenPromises = sql(
  'invoices.replace-promise',
  `update promises set status = case when pay_on <= $3 then 'broken' else 'replaced' end, settled_at = $2
    where invoice_id = $1 and status = 'open'
   returning id, pay_on, amount_cents, status`,
).as<{ id: string; pay_on: LocalDate; amount_cents: number; status: string }>()
const selectOwnPromises = sql(
  'invoices.count-own-promises',
  'select count(*)::integer as made, min(created_at) as first_at from promises where invoice_id = $1 and by_debtor',
).as<{ made: number; first_at: number | null }>()
const insertPromise = sql(
  'invoices.insert-promise',
  `insert into promises (tenant_id, id, invoice_id, debtor_id, pay_on, amount_cents, paid_before_cents, status, created_at, by_debtor)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, 'open', $7, $8)`,
)

export const recordPromise = operation({
  id: 'invoices.promise',
  method: 'POST',
  path: '/api/v1/invoices/:id/promise',
  summary: 'Record that the debtor promises to pay on a day: the reminders wait for it',
  description:
    'They wait until two working days after that day. Money that reaches the promised sum keeps the promise; otherwise it is broken, and the reminders go on. A new promise takes the place of an open one, which counts as broken if its day has come. Debtors themselves move a promise once and within 90 days; here it may be moved as often as you agree to.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: PromiseInput,
  status: 201,
  reply: PaymentPromise,
  errors: [
    invoiceNotFound,
    invoiceAlreadyPaid,
    noRemindersToPause,
    noPromiseAfterTimeBar,
    proceedingsAreOpen,
  ],
  assistant: 'confirm',
  audit: [invoicePromised],
  example: { body: { date: '2026-11-30', note: 'Said on the phone, after the payroll' } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  run: call => promisePayment(call, call.params.id, call.body),
})

/**
 * A promise to pay counts as a response, and pauses the recovery until a given day. Only one that the debtor makes itself, on its
 * page or in a call, acknowledges the debt: what the creditor notes about it does not.
 */
export async function promisePayment(
  context: OperationContext,
  invoiceId: string,
  { date, amountCents: promised, note }: z.output<typeof PromiseInput>,
  channel: SaidOn = 'api',
): Promise<z.input<typeof PaymentPromise>> {
  const { tx, actor, now, newId } = context
  const recovery = await openRecovery(context, invoiceId)
  if (!recovery) throw invoiceNotFound.make()
  const { row } = recovery
  const calendar = calendarOf(recovery)
  const verdict = mayPromiseNow(recovery, now)
  if (!verdict.allowed) {
    if (verdict.because === 'paid') throw invoiceAlreadyPaid.make('; there is nothing left to promise')
    if (verdict.because === 'time_barred') throw noPromiseAfterTimeBar.make(row.limitation_ends_on)
    throw noRemindersToPause.make(row.status)
  }
  if (recovery.file.insolvency_kind !== null) throw proceedingsAreOpen.make()
  const balance = balanceOfRecovery(row)
  const zone = calendar.zones[0]
  const today = localTime(zone, now).date
  refuseFaults(date, promised, today, balance)
  const isOwn = actor.kind === 'debtor'
  if (isOwn) {
    const [own] = await tx.rows(selectOwnPromises, [row.invoice_id])
    const firstOn = own!.first_at === null ? null : localTime(zone, own!.first_at).date
    const last = lastOwnPromiseDay({ made: own!.made, firstOn }, today)
    if (last === null || date > last) throw ownPromisesUsedUp.make()
  }
  const amountCents = promised ?? balance
  const end = gracePeriodEnds(calendar, date)
  const id = newId()
  const [replaced] = await Promise.all([
    tx.rows(replaceOpenPromises, [row.invoice_id, iso(now), today]),
    tx.rows(insertPromise, [
      id,
      row.invoice_id,
      row.debtor_id,
      date,
      amountCents,
      row.paid_cents,
      iso(now),
      isOwn,
    ]),
  ])
  addActions(tx, [
    {
      id: newId(),
      invoiceId: row.invoice_id,
      action: 'promise',
      channel: null,
      status: 'done',
      code: 'promised',
      params: { amountCents, currency: row.currency, date, ...(note !== undefined && { note }) },
      debtorId: row.debtor_id,
      actor,
      communicationId: null,
      at: now,
    },
  ])
  const eventData = invoiceEventData(recovery)
  const broken = replaced
    .filter(({ status }) => status === 'broken')
    .map(({ id: promiseId, pay_on, amount_cents }) => {
      const about = { promiseId, date: pay_on, amountCents: amount_cents, brokenOn: today }
      return newEvent(promiseBroken, row.invoice_id, { ...eventData, ...about })
    })
  const promise = { ...eventData, promiseId: id, date, amountCents, channel }
  recordEvents(tx, [...broken, newEvent(promiseRecorded, row.invoice_id, promise)], context)
  const about = { invoiceId: row.invoice_id, promiseId: id }
  recordAudit(tx, [newEvent(invoicePromised, row.invoice_id, about)], context)
  recordDebtorResponse(context, recovery)
  if (isOwn) restateTimeBar(context, recovery, { own_promises_at: [...row.own_promises_at, now] })
  const { inFlight } = await holdRecovery(context, recovery, 'promise', { at: end, because: 'promise' })
  return {
    id,
    invoiceId: row.invoice_id,
    date,
    amountCents,
    status: 'open',
    waitsUntil: iso(recovery.row.due_at!),
    createdAt: iso(now),
    workflowStatus: 'paused',
    inFlight,
  }
}

/** Whether a promise can be recorded for an invoice as things stand. */
export const mayPromiseNow = (recovery: OpenRecovery, now: number): ReturnType<typeof mayPromise> => {
  const { row } = recovery
  const limited = { limitationEndsOn: row.limitation_ends_on }
  const isOver = isTimeBarred({ calendar: calendarOf(recovery) }, limited, now)
  return mayPromise(row.invoice_status, row.status, isOver)
}

/** Without a calendar for the debtor nothing is sent; the days of the promise are then counted by the creditor's calendar. */
function calendarOf({ file }: OpenRecovery): LocalCalendar {
  const { creditor } = file
  const calendar =
    calendarFor({ country: file.country, postalCode: file.postal_code }) ??
    calendarFor({ country: creditor.country, postalCode: creditor.postalCode }) ??
    calendarFor({ country: 'FR', postalCode: null })
  return calendar!
}

function refuseFaults(
  date: LocalDate,
  promised: number | undefined,
  today: LocalDate,
  balance: number,
): void {
  const payDay = judgePayDay(date, today)
  const faults = [
    ...(payDay === 'past'
      ? [{ field: 'date', code: payDay, message: `is before today, ${today} where the debtor is` }]
      : []),
    ...(payDay === 'too_far'
      ? [
          {
            field: 'date',
            code: payDay,
            message: `is more than ${promiseDaysMax} days ahead; agree on a nearer day`,
          },
        ]
      : []),
    ...(promised !== undefined && promised > balance
      ? [
          {
            field: 'amountCents',
            code: 'above_balance' as const,
            message: `is more than the balance, ${balance}`,
          },
        ]
      : []),
  ]
  const [first] = faults
  if (first) throw new ApiError('VAL_001', `${first.field} ${first.message}.`, { details: faults })
}
