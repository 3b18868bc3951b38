import { iso } from '../../../kit/clock.ts'
import { type Statement, sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import { lowestId } from '../../../kit/uuid.ts'
import { openInvoiceCondition } from './gather-score-inputs.ts'
import { lockScores, saveScores } from './save-scores.ts'
import type { ScoringContext } from './scoring-context.ts'

const hour = 3_600_000
/** The nightly run starts at 01:00 UTC: midnight has passed where most companies are. */
const nightStarts = hour
const debtorsMax = 500
const logEvery = 20_000

interface NightlyRunRow {
  night: string
  after_tenant_id: string | null
  after_debtor_id: string | null
  scored: number
  started_at: number
  finished_at: number | null
}
const readNightlyRun = sql(
  'scoring.get-walk',
  'select night, after_tenant_id, after_debtor_id, scored, started_at, finished_at from score_walks',
).as<NightlyRunRow>()
const startNightlyRun = sql(
  'scoring.start-walk',
  `insert into score_walks (night, started_at) values ($1, $2)
   on conflict (only_row) do update
     set night = excluded.night, started_at = excluded.started_at, finished_at = null, after_tenant_id = null, after_debtor_id = null,
         scored = 0
   where score_walks.night < excluded.night`,
)
const finishNightlyRun = sql(
  'scoring.finish-walk',
  'update score_walks set finished_at = $2 where night = $1 and finished_at is null',
)
const nextTenant = sql(
  'scoring.next-tenant',
  'select id from tenants where $1::uuid is null or id > $1 order by id limit 1',
)
// Loose index scan over open invoices: jumps from debtor to debtor, however many invoices each has.
const findDebtors = sql(
  'scoring.list-next-debtors',
  `with recursive walk as (
     (select debtor_id, 1 as n from invoices where ${openInvoiceCondition} and debtor_id > $1 order by debtor_id limit 1)
     union all
     select (select i.debtor_id from invoices i where ${openInvoiceCondition} and i.debtor_id > walk.debtor_id order by i.debtor_id limit 1), walk.n + 1
       from walk where walk.debtor_id is not null and walk.n < ${debtorsMax})
   select debtor_id from walk where debtor_id is not null`,
).as<{ debtor_id: string }>()
// A process that is no longer the leader finds another cursor than it read, and does nothing.
const moveCursor = sql(
  'scoring.advance-walk',
  `update score_walks set after_tenant_id = $2, after_debtor_id = $3, scored = scored + $4
    where night = $1 and after_tenant_id is not distinct from $5 and after_debtor_id is not distinct from $6
   returning night`,
)

/**
 * Scores one batch of tonight's run over all debtors with open invoices, or starts or ends the run; true if there is more.
 * The cursor is written with the scores: after a crash the next leader continues with the next debtor.
 */
export async function scoreNextBatch(context: ScoringContext): Promise<boolean> {
  const { pool, clock } = context
  const query = async <Row>({ name, text }: Statement<Row>, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows as Row[]
  const wall = clock.wall()
  const night = iso(wall - nightStarts).slice(0, 10)
  const [nightlyRun] = await query(readNightlyRun, [])
  if (!nightlyRun || nightlyRun.night < night) {
    await query(startNightlyRun, [night, iso(wall)])
    return true
  }
  if (nightlyRun.finished_at !== null) return false
  const tenantId = nightlyRun.after_debtor_id === null ? null : nightlyRun.after_tenant_id
  const [tenant] =
    tenantId === null ? await query(nextTenant, [nightlyRun.after_tenant_id]) : [{ id: tenantId }]
  if (!tenant) {
    await query(finishNightlyRun, [nightlyRun.night, iso(wall)])
    logProgress(context, nightlyRun, 'nightly scoring finished')
    return false
  }
  const one = {
    idsOf: ({ id }: typeof tenant) => ({ tenantId: id }),
    failure: 'nightly scoring of a tenant skipped',
  }
  const { failed } = await forEachTenant(context.log, [tenant], one, ({ id }) =>
    transact(pool, asWorker(id), [[lockScores, []]], ({ tx, offsetMs }) =>
      scoreTenantBatch(context, tx, nightlyRun, id, wall + offsetMs),
    ),
  )
  // The run goes on with the next tenant; this one is tried again tomorrow.
  if (failed.length > 0)
    await query(moveCursor, [
      nightlyRun.night,
      tenant.id,
      null,
      0,
      nightlyRun.after_tenant_id,
      nightlyRun.after_debtor_id,
    ])
  return true
}

async function scoreTenantBatch(
  context: ScoringContext,
  tx: Tx,
  nightlyRun: NightlyRunRow,
  tenantId: string,
  now: number,
): Promise<void> {
  const debtors = (await tx.rows(findDebtors, [nightlyRun.after_debtor_id ?? lowestId])).map(
    row => row.debtor_id,
  )
  const isOver = debtors.length < debtorsMax
  const moved = await tx.rows(moveCursor, [
    nightlyRun.night,
    tenantId,
    isOver ? null : debtors.at(-1)!,
    debtors.length,
    nightlyRun.after_tenant_id,
    nightlyRun.after_debtor_id,
  ])
  if (moved.length === 0) return
  const scored = await saveScores(tx, debtors, now)
  context.metrics.scores.inc({ because: 'night' }, scored)
  const before = Math.floor(nightlyRun.scored / logEvery)
  if (Math.floor((nightlyRun.scored + scored) / logEvery) > before)
    logProgress(context, { ...nightlyRun, scored: nightlyRun.scored + scored }, 'nightly scoring in progress')
}

function logProgress(
  { log, clock }: ScoringContext,
  { night, scored, started_at }: NightlyRunRow,
  message: string,
): void {
  const seconds = Math.max(0.001, (clock.wall() - started_at) / 1000)
  log.info({ night, scored, seconds: Math.round(seconds), perSecond: Math.round(scored / seconds) }, message)
}
