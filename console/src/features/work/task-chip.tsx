import type { WorkTask } from '@relance/sdk'
import { clockTime, day, shortDay } from '../../lib/format.ts'
import { type Language, useLanguage, wordsIn } from '../../lib/language.tsx'
import { localTime } from '../../lib/zone.ts'
import { type Group, words } from './words.ts'

const tones: Record<Group, string> = {
  replies: 'bg-calm text-brand',
  promises: 'bg-alarm-ground text-alarm',
  addresses: 'bg-alarm-ground text-alarm',
  disputes: 'bg-warn-ground text-warn',
  decisions: 'bg-neutral text-ink',
  messages: 'bg-neutral text-ink',
  follow_ups: 'bg-neutral text-ink',
}

/** Drawn with lines, 16 units wide. */
const shapes: Record<Group, string> = {
  replies: 'M7 3 3 7l4 4M3 7h7a3 3 0 0 1 3 3v3',
  promises: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 3v4m0 2v.5',
  addresses: 'M2 4h12v9H2zM2 4l6 5 6-5M3 2l10 12',
  disputes: 'M8 2v12M4 14h8M3 5l10-1M1 10l2-5 2 5a2 2 0 0 1-4 0Zm10-1 2-5 2 5a2 2 0 0 1-4 0Z',
  decisions: 'M4 14V3h8l-2 3 2 3H4',
  messages: 'M2 4h12v9H2zM2 4l6 5 6-5',
  follow_ups: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 3v3l2 2',
}

interface Times {
  /** The present where the company is. */
  readonly now: string
  readonly timeZone: string
}

/** Why the debtor is in the list, and since when: `A répondu à 08:12`. */
export function reasonOf(task: WorkTask, { now, timeZone }: Times, language: Language): string {
  const text = wordsIn(words, language)
  const since = Date.parse(task.since)
  const isToday = localTime(since, timeZone).date === localTime(Date.parse(now), timeZone).date
  const on = isToday ? text.at(clockTime(since, timeZone)) : text.on(shortDay(since, timeZone, language))
  if (task.kind === 'decision' && task.because !== null) return text.because[task.because]
  if (task.kind === 'claim' && task.dueOn !== null) return text.dueBy(day(task.dueOn, language))
  if (task.kind === 'data_request' && task.dueOn !== null) return text.answerBy(day(task.dueOn, language))
  if (task.kind === 'promise_broken' && task.dueOn !== null)
    return text.brokenOf(shortDay(`${task.dueOn}T00:00:00Z`, 'UTC', language))
  if (task.kind === 'address_refused' && task.channel !== null) return text.refused[task.channel](on)
  return text.reasons[task.kind](on)
}

export function TaskChip({ task, ...times }: Times & { readonly task: WorkTask }) {
  const language = useLanguage()
  return (
    <span
      className={`inline-flex min-h-6 items-center gap-1.5 rounded-control border border-transparent px-2 text-mark ${tones[task.group]}`}
    >
      <svg
        aria-hidden
        viewBox="0 0 16 16"
        className="size-3.5 shrink-0 fill-none stroke-current"
        strokeWidth={1.6}
        strokeLinejoin="round"
      >
        <path d={shapes[task.group]} />
      </svg>
      {reasonOf(task, times, language)}
    </span>
  )
}
