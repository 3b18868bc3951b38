import { addDays, type LocalDate } from './time.ts'

/** What a person asks that stops the reminders until it is decided: art. 21 and art. 18 GDPR. */
export const dataRequestKinds = ['objection', 'restriction'] as const
export type DataRequestKind = (typeof dataRequestKinds)[number]

/** `lifted` ends a restriction that was granted. */
export const dataRequestDecisions = ['granted', 'refused', 'lifted'] as const
export type DataRequestDecision = (typeof dataRequestDecisions)[number]

/** The alert leaves this many days before the answer is due. */
export const alertDays = 7

const twoDigits = (value: number) => String(value).padStart(2, '0')

/**
 * The last day of the answer: one month after the request (art. 12(3) GDPR). Where that day does not exist it is the last day of
 * the month. It is never moved to a working day: the shorter time is always right.
 */
export function answerDueOn(receivedOn: LocalDate): LocalDate {
  const [year, month, day] = receivedOn.split('-').map(Number) as [number, number, number]
  const first = (months: number) =>
    `${year + Math.floor((month - 1 + months) / 12)}-${twoDigits(((month - 1 + months) % 12) + 1)}-01`
  const lastDay = addDays(first(2), -1)
  return `${lastDay.slice(0, 8)}${twoDigits(Math.min(day, Number(lastDay.slice(8))))}`
}

/** Open: granted or refused. Granted: lifted, after the person was told (art. 18(3)). Nothing else. */
export const mayDecide = (current: DataRequestDecision | null, next: DataRequestDecision): boolean =>
  current === null ? next !== 'lifted' : current === 'granted' && next === 'lifted'

/** Whether the reminders of the person wait because of a request. */
export const holdsReminders = (decision: DataRequestDecision | null): boolean =>
  decision === null || decision === 'granted'
