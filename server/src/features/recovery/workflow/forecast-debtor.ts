import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import {
  explainDue,
  type FutureAction,
  forecastActions,
  type OngoingRecovery,
} from '../../../domain/recovery/forecast.ts'
import { lookContextOf } from '../case/debtor-file.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import { type ExtraMessage, waitingExtraOf, waitingRecoveryOf } from '../case/recovery-store.ts'
import type { WaitingRow } from './forecast-store.ts'
import type { PlannedMessage } from './plan-schema.ts'

/** A debtor with everything that waits for it. */
interface DebtorToForecast {
  readonly file: DebtorFile
  readonly rules: ContactFile
  readonly waiting: readonly WaitingRow[]
  readonly extras: readonly ExtraMessage[]
}

/** What happens to a debtor if each message is accepted and nothing else happens. */
export const actionsOfDebtor = (
  { file, rules, waiting, extras }: DebtorToForecast,
  now: number,
): FutureAction[] =>
  forecastActions(
    waiting.map(row => explainedRecovery(row, file, rules, now)),
    extras.map(extra => waitingExtraOf(extra, file)),
    lookContextOf(file, rules, now),
  )

/** The messages that a debtor will get then. */
export const forecastDebtor = (debtor: DebtorToForecast, now: number): PlannedMessage[] =>
  messagesOf(actionsOfDebtor(debtor, now))

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
export function messagesOf(actions: readonly FutureAction[]): PlannedMessage[] {
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
