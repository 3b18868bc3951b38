import { iso } from '../../../kit/clock.ts'
import { type Statement, sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { isOpen } from './gather.ts'
import { keepScores, lockScores } from './keep-scores.ts'
import type { Scorer } from './scorer.ts'

const hour = 3_600_000
/** The night begins at one in the morning, UTC: midnight has passed where most companies are. */
const nightStarts = hour
const debtorsMost = 500
const tellEvery = 20_000

interface WalkRow {
  night: string
  after_tenant_id: string | null
  after_debtor_id: string | null
  scored: number
  started_at: number
  finished_at: number | null
}
const readWalk = sql(
  'scoring.get-walk',
  'select night, after_tenant_id, after_debtor_id, scored, started_at, finished_at from score_walks',
).as<WalkRow>()
const startWalk = sql(
  'scoring.start-walk',
  `insert into score_walks (night, started_at) values ($1, $2)
   on conflict (only_row) do update
     set night = excluded.night, started_at = excluded.started_at, finished_at = null, after_tenant_id = null, after_debtor_id = null,
         scored = 0
   where score_walks.night < excluded.night`,
)
const finishWalk = sql(
  'scoring.finish-walk',
  'update score_walks set finished_at = $2 where night = $1 and finished_at is null',
)
const nextTenant = sql(
  'scoring.next-tenant',
  'select id from tenants where $1::uuid is null or id > $1 order by id limit 1',
)
// From debtor to debtor by the index of what is open, however many invoices each has.
const findDebtors = sql(
  'scoring.list-next-debtors',
  `with recursive walk as (
     (select debtor_id, 1 as n from invoices where ${isOpen} and debtor_id > $1 order by debtor_id limit 1)
     union all
     select (select i.debtor_id from invoices i where ${isOpen} and i.debtor_id > walk.debtor_id order by i.debtor_id limit 1), walk.n + 1
       from walk where walk.debtor_id is not null and walk.n < ${debtorsMost})
   select debtor_id from walk where debtor_id is not null`,
).as<{ debtor_id: string }>()
// Whoever lost the lead in between finds another place than it left, and does nothing.
const movePlace = sql(
  'scoring.advance-walk',
  `update score_walks set after_tenant_id = $2, after_debtor_id = $3, scored = scored + $4
    where night = $1 and after_tenant_id is not distinct from $5 and after_debtor_id is not distinct from $6
   returning night`,
)

const firstDebtor = '00000000-0000-0000-0000-000000000000'

/**
 * One batch of tonight's walk over the debtors who owe something, or the start or the end of it; true when there is more. The
 * place is written with the scores: after a crash the next leader goes on with the debtor that follows.
 */
export async function walkOn(scorer: Scorer): Promise<boolean> {
  const { pool, clock } = scorer
  const ask = async <Row>({ name, text }: Statement<Row>, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows as Row[]
  const wall = clock.wall()
  const night = iso(wall - nightStarts).slice(0, 10)
  const [walk] = await ask(readWalk, [])
  if (!walk || walk.night < night) {
    await ask(startWalk, [night, iso(wall)])
    return true
  }
  if (walk.finished_at !== null) return false
  const tenantId = walk.after_debtor_id === null ? null : walk.after_tenant_id
  const [tenant] = tenantId === null ? await ask(nextTenant, [walk.after_tenant_id]) : [{ id: tenantId }]
  if (!tenant) {
    await ask(finishWalk, [walk.night, iso(wall)])
    tell(scorer, walk, 'nightly walk of the scores is done')
    return false
  }
  await transact(pool, asWorker(tenant.id), [[lockScores, []]], ({ tx, offsetMs }) =>
    walkTenant(scorer, tx, walk, tenant.id, wall + offsetMs),
  )
  return true
}

async function walkTenant(
  scorer: Scorer,
  tx: Tx,
  walk: WalkRow,
  tenantId: string,
  now: number,
): Promise<void> {
  const debtors = (await tx.rows(findDebtors, [walk.after_debtor_id ?? firstDebtor])).map(
    row => row.debtor_id,
  )
  const isOver = debtors.length < debtorsMost
  const moved = await tx.rows(movePlace, [
    walk.night,
    tenantId,
    isOver ? null : debtors.at(-1)!,
    debtors.length,
    walk.after_tenant_id,
    walk.after_debtor_id,
  ])
  if (moved.length === 0) return
  const scored = await keepScores(tx, debtors, now)
  scorer.metrics.scores.inc({ because: 'night' }, scored)
  const before = Math.floor(walk.scored / tellEvery)
  if (Math.floor((walk.scored + scored) / tellEvery) > before)
    tell(scorer, { ...walk, scored: walk.scored + scored }, 'nightly walk of the scores')
}

function tell({ log, clock }: Scorer, { night, scored, started_at }: WalkRow, what: string): void {
  const seconds = Math.max(0.001, (clock.wall() - started_at) / 1000)
  log.info({ night, scored, seconds: Math.round(seconds), perSecond: Math.round(scored / seconds) }, what)
}
