import type { Channel } from '../../../domain/contact/channel.ts'
import type { ContactFile, Shift } from '../../../domain/contact/contact-rules.ts'
import { explainDue, type FutureAction, forecastActions } from '../../../domain/recovery/forecast.ts'
import { sql } from '../../../kit/db/statement.ts'
import {
  type DebtorFile,
  type ExtraMessage,
  lookContextOf,
  type RecoveryRow,
  recoveryColumns,
  waitingExtraOf,
  waitingRecoveryOf,
} from '../case/debtor-file.ts'

type WaitingRow = RecoveryRow & { started_at: number }

/** The first waiting recoveries of a debtor, as many as a forecast plays through. */
export const selectRecoveriesToForecast = sql(
  'workflow.list-to-forecast',
  `select ${recoveryColumns}, r.started_at
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.debtor_id = $1 and r.ended_at is null and r.due_at is not null and r.communication_id is null
    order by r.due_at limit 60`,
).as<WaitingRow>()

/** A message that is still to come, with every invoice it is about. */
export interface PlannedMessage {
  readonly at: number
  readonly channel: Channel
  readonly step: string
  readonly invoiceIds: readonly string[]
  readonly shifts: readonly Shift[]
}

/** The messages that a debtor will get if each is accepted and nothing else happens. */
export function forecastDebtor(
  file: DebtorFile,
  rules: ContactFile,
  waiting: readonly WaitingRow[],
  extras: readonly ExtraMessage[],
  now: number,
): PlannedMessage[] {
  const context = lookContextOf(file, rules, now)
  const ongoing = waiting.map(row => {
    const recovery = waitingRecoveryOf(row, file)
    const past = { startedAt: row.started_at, dueDate: row.due_date, lastAt: row.last_executed_at }
    const { progress, reach, due } = recovery
    return { ...recovery, due: explainDue(progress, due, past, { rules, reach, now, seed: file.id }) }
  })
  return messagesOf(forecastActions(ongoing, extras.map(waitingExtraOf), context))
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
