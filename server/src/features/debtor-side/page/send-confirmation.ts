import type { Answer } from '../../../domain/recovery/cascade.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import type { AnswerFacts } from '../../recovery/messages/compose/texts/message-content.ts'

const countRecent = sql(
  'debtor-page.count-recent-confirmations',
  'select count(*) as n from extra_messages where invoice_id = $1 and step = $2 and created_at > $3',
).as<{ n: number }>()

/** Confirmations are not limited by the contact caps, and anyone with the link can cause them, so there is a limit per day. */
const confirmationsPerDayMax = 3

/** Confirms by email what the debtor did on the page or said on the telephone. */
export async function confirmAnswer(
  context: OperationContext,
  invoiceId: string,
  step: Answer,
  about: AnswerFacts = {},
): Promise<void> {
  const { tx, now } = context
  const recovery = await openRecovery(context, invoiceId)
  const [recent] = await tx.rows(countRecent, [invoiceId, step, iso(now - DAY)])
  if (recovery && recent!.n < confirmationsPerDayMax)
    planExtraMessage(context, recovery, { step, channel: 'email', at: now, because: null, about })
}
