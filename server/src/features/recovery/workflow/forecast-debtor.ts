import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import type { Shift } from '../../../domain/contact/next-legal-slot.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import {
  explainDue,
  type FutureAction,
  forecastActions,
  type OngoingRecovery,
} from '../../../domain/recovery/forecast.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { type DebtorFile, lookContextOf } from '../case/debtor-file.ts'
import {
  type ExtraMessage,
  type RecoveryRow,
  recoveryColumns,
  waitingExtraOf,
  waitingRecoveryOf,
} from '../case/recovery-rows.ts'
import { PlanShift, toShift } from './planned-action.ts'

type WaitingRow = RecoveryRow & { started_at: number }

/** The first waiting recoveries of a debtor, up to the limit of a forecast. */
export const selectRecoveriesToForecast = sql(
  'workflow.list-to-forecast',
  `select ${recoveryColumns}, r.started_at
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.debtor_id = $1 and r.ended_at is null and r.due_at is not null and r.communication_id is null
    order by r.due_at limit 60`,
).as<WaitingRow>()

/** A message that is still to come, with every invoice it is about. */
interface PlannedMessage {
  readonly at: number
  readonly channel: Channel
  readonly step: string
  readonly invoiceIds: readonly string[]
  readonly shifts: readonly Shift[]
}

export const PlannedMessage = z
  .object({
    at: dateTime,
    channel: z.enum(channels),
    action: z.enum(messageNames),
    invoiceIds: z.array(outputUuid).meta({ description: 'Every invoice it is about, its own first' }),
    shifts: z.array(PlanShift).meta({ description: 'Everything that moved it from its own day and hour' }),
  })
  .meta({ id: 'PlannedMessage' })

export const toPlannedMessage = (message: PlannedMessage): z.input<typeof PlannedMessage> => ({
  at: iso(message.at),
  channel: message.channel,
  action: message.step,
  invoiceIds: [...message.invoiceIds],
  shifts: message.shifts.map(toShift),
})

/** A debtor with everything that waits for it. */
interface DebtorToForecast {
  readonly file: DebtorFile
  readonly rules: ContactFile
  readonly waiting: readonly WaitingRow[]
  readonly extras: readonly ExtraMessage[]
}

/** The messages that a debtor will get if each is accepted and nothing else happens. */
export function forecastDebtor(
  { file, rules, waiting, extras }: DebtorToForecast,
  now: number,
): PlannedMessage[] {
  const ongoing = waiting.map(row => explainedRecovery(row, file, rules, now))
  const actions = forecastActions(ongoing, extras.map(waitingExtraOf), lookContextOf(file, rules, now))
  return messagesOf(actions)
}

function explainedRecovery(
  row: WaitingRow,
  file: DebtorFile,
  rules: ContactFile,
  now: number,
): OngoingRecovery {
  const recovery = waitingRecoveryOf(row, file)
  const past = { startedAt: row.started_at, dueDate: row.due_date, lastAt: row.last_executed_at }
  const { progress, reach, due } = recovery
  return { ...recovery, due: explainDue(progress, due, past, { rules, reach, now, seed: file.id }) }
}

/** Actions of one moment and channel are one message; the first of them leads it. */
function messagesOf(actions: readonly FutureAction[]): PlannedMessage[] {
  const messages = new Map<string, PlannedMessage>()
  for (const { kind, at, channel, step, invoiceId, shifts } of actions) {
    if (kind !== 'send' || at === null || channel === null) continue
    const key = `${at} ${channel}`
    const known = messages.get(key)
    if (!known) messages.set(key, { at, channel, step, invoiceIds: [invoiceId], shifts })
    else if (!known.invoiceIds.includes(invoiceId))
      messages.set(key, { ...known, invoiceIds: [...known.invoiceIds, invoiceId] })
  }
  return [...messages.values()].sort((left, right) => left.at - right.at)
}
