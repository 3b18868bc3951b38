import type { Answer } from '../../../domain/recovery/cascade.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { openCase, type World } from '../../recovery/case/case.ts'
import { planExtra } from '../../recovery/case/extra-message.ts'
import type { Answered } from '../../recovery/messages/texts/notice.ts'

const countRecent = sql(
  'debtor-page.count-recent-confirmations',
  'select count(*) as n from extra_messages where invoice_id = $1 and step = $2 and created_at > $3',
).as<{ n: number }>()

/** No cap counts answers, and whoever holds a link can ask for them: more than so many a day are not written. */
const aDayMost = 3

/** What was said on the page is confirmed by email, so that there is something to keep. */
export async function confirmAnswer(
  world: World,
  invoiceId: string,
  step: Answer,
  about: Answered = {},
): Promise<void> {
  const { tx, actor, now } = world
  const of = await openCase(tx, actor.tenantId, invoiceId)
  const [recent] = await tx.rows(countRecent, [invoiceId, step, iso(now - DAY)])
  if (of && recent!.n < aDayMost)
    planExtra(world, of, { step, channel: 'email', at: now, because: null, about })
}
