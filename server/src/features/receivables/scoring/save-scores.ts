import { criterionCodes, scoreFormula, scoreOf } from '../../../domain/score/score.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { gatherScoreInputs } from './gather-score-inputs.ts'

const upsertScores = sql(
  'scoring.save-many',
  `insert into debtor_scores (tenant_id, debtor_id, formula, inputs, points, score, computed_at, stale_on)
   select current_setting('relance.tenant')::uuid, debtor_id, $2, inputs, array(select jsonb_array_elements_text(points)::integer), score,
          $3, stale_on
     from jsonb_to_recordset($1::jsonb) as x(debtor_id uuid, inputs jsonb, points jsonb, score integer, stale_on date)
   on conflict (tenant_id, debtor_id) do update
     set formula = excluded.formula, inputs = excluded.inputs, points = excluded.points, score = excluded.score,
         computed_at = excluded.computed_at, stale_on = excluded.stale_on`,
)

/** Computes the scores of these debtors and writes them with the commit; returns how many there are. */
export async function saveScores(tx: Tx, debtorIds: readonly string[], now: number): Promise<number> {
  if (debtorIds.length === 0) return 0
  const rows = (await gatherScoreInputs(tx, debtorIds, now)).map(({ debtor_id, inputs, today, stale_on }) => {
    const { score, points } = scoreOf(inputs, today)
    return { debtor_id, inputs, points: criterionCodes.map(code => points[code]), score, stale_on }
  })
  tx.atCommit(upsertScores, [JSON.stringify(rows), scoreFormula, iso(now)])
  return rows.length
}
