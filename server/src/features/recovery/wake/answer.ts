import { type ContactFile, forAnswers, judgeContact } from '../../../domain/contact/contact-rules.ts'
import { isAnswer, isImmediate } from '../../../domain/recovery/cascade.ts'
import { planAt } from '../../../domain/recovery/plan.ts'
import type { Instant } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ExtraMessage } from '../case/debtor-file.ts'

const postpone = sql(
  'wake.postpone-answer',
  'update extra_messages set due_at = $2, due_because = $3 where id = $1',
)

/**
 * The answer to give now, if one is due: it competes with nothing, since it is no contact. One that may not go at this hour
 * waits for the next.
 */
export async function nextAnswer(
  tx: Tx,
  extras: readonly ExtraMessage[],
  rules: ContactFile,
  now: Instant,
  seed: string,
): Promise<ExtraMessage | null> {
  const due = extras.filter(extra => isAnswer(extra.step) && extra.due_at! <= now)
  for (const extra of due) {
    if (isImmediate(extra.step) || judgeContact(forAnswers(rules), extra.channel, now).allowed) return extra
    const later = planAt(forAnswers(rules), extra.channel, now, seed)
    await tx.rows(postpone, [extra.id, later.at === null ? null : iso(later.at), later.because])
  }
  return null
}
