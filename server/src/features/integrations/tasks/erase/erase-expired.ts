import { debtorTypes } from '../../../../domain/debtor-type.ts'
import { keptMonths } from '../../../../domain/retention.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { lowestId, lowestIdOf } from '../../../../kit/uuid.ts'
import { keepMonths } from '../../../access/companies/settings.ts'
import type { TaskContext } from '../task-context.ts'
import { closedStatuses } from './erase-obstacles.ts'
import { EraseRefused, erasePersons } from './erase-persons.ts'

const lookedAtOnce = 1_000
/** How many persons are erased together: the texts are searched once for all of them. */
const personsAtOnce = 50
/** The rest follows at the next run. */
const runMs = 60_000

const readKeepMonths = sql(
  'erase.read-keep-months',
  'select keep_months, keep_months_consumers from company_settings',
)
// Ids begin with the moment of creation, so debtors that are younger than the shortest retention time are not read.
const findExpired = sql(
  'erase.find-expired',
  `select d.id, d.updated_at < k.before and (d.erased_at is null or d.search_text <> '')
            and not exists (select from invoices i
                             where i.debtor_id = d.id and (i.status not in ${closedStatuses} or i.updated_at >= k.before))
            and not exists (select from communications c
                             where c.debtor_id = d.id and c.state in ('reserved', 'sending')) as is_expired
     from (select * from debtors where id > $1 and id < $2 order by id limit $4) d
    cross join lateral (select ($3::jsonb ->> d.type)::timestamptz as before) k
    order by d.id`,
).as<{ id: string; is_expired: boolean }>()
const purgeBlocked = sql('erase.purge-blocked', 'select purge_blocked_records($1, $2)')

function monthsBefore(now: number, months: number): number {
  const day = new Date(now)
  day.setUTCMonth(day.getUTCMonth() - months)
  return day.getTime()
}

/**
 * Erases the debtors of a tenant whose last case was closed longer ago than the retention time, and deletes blocked records whose
 * time has passed. Safe to run twice, and to stop at any point.
 */
export async function eraseExpired(
  context: Pick<TaskContext, 'pool' | 'clock' | 'newId'>,
  tenantId: string,
): Promise<{ erased: number }> {
  const { pool, clock } = context
  const endAt = clock.wall() + runMs
  let erased = 0
  for (let after: string | undefined = lowestId; after !== undefined && clock.wall() < endAt; ) {
    const from: string = after
    const looked = await transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
      const now = clock.wall() + offsetMs
      await tx.rows(purgeBlocked, [tenantId, iso(now).slice(0, 10)])
      const [settings] = await tx.rows(readKeepMonths, [])
      const chosen = settings?.keep_months ?? keepMonths.usual
      const ofConsumers = settings?.keep_months_consumers ?? keepMonths.usualOfConsumers
      const before = debtorTypes.map(type => {
        const months = keptMonths(type, type === 'consumer' ? ofConsumers : chosen)
        return [type, monthsBefore(now, months)] as const
      })
      const latest = Math.max(...before.map(([, at]) => at))
      const perType = Object.fromEntries(before.map(([type, at]) => [type, iso(at)]))
      return tx.rows(findExpired, [from, lowestIdOf(latest), JSON.stringify(perType), lookedAtOnce])
    })
    after = looked.length < lookedAtOnce ? undefined : looked.at(-1)!.id
    const expired = looked.flatMap(({ id, is_expired: isExpired }) => (isExpired ? [id] : []))
    for (let first = 0; first < expired.length && clock.wall() < endAt; first += personsAtOnce) {
      const debtorIds = expired.slice(first, first + personsAtOnce)
      if (await eraseAll(context, tenantId, debtorIds)) erased += debtorIds.length
    }
  }
  return { erased }
}

/** False: an obstacle appeared; the next run tries again. */
async function eraseAll(
  context: Pick<TaskContext, 'pool' | 'clock' | 'newId'>,
  tenantId: string,
  debtorIds: readonly string[],
): Promise<boolean> {
  const by = { actor: { kind: 'worker' as const, id: 'retention' }, requestId: null }
  try {
    for (
      let cursor = await erasePersons(context, { tenantId, debtorIds, by }, null);
      cursor !== null;
      cursor = await erasePersons(context, { tenantId, debtorIds, by }, cursor)
    );
    return true
  } catch (error) {
    if (error instanceof EraseRefused) return false
    throw error
  }
}
