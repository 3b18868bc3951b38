import { z } from 'zod'
import {
  criterionCodes,
  maxPerCriterion,
  type ScoreInputs,
  scoreFormula,
  scoreOf,
} from '../../../domain/score/score.ts'
import { explainCriterion, type ScoreLanguage, topCriteria } from '../../../domain/score/score-sentences.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import { gatherScoreInputs } from './gather-score-inputs.ts'
import { RiskScore, scoreLanguages } from './schema.ts'

interface StoredScoreRow {
  inputs: ScoreInputs | null
  formula: number | null
  computed_at: number | null
  computed_on: LocalDate | null
  is_stale: boolean
  is_marked: boolean
  today: LocalDate
  language: ScoreLanguage
}
const findStoredScore = sql(
  'scoring.find-stored',
  `select s.inputs, s.formula, s.computed_at, (s.computed_at at time zone x.time_zone)::date as computed_on,
          coalesce(s.stale_on <= x.today, false) as is_stale, x.today, x.language,
          exists (select from score_marks m where m.tenant_id = d.tenant_id and m.debtor_id = d.id) as is_marked
     from debtors d
     join tenants t on t.id = d.tenant_id
     join companies c on c.id = t.company_id
    cross join lateral (select c.time_zone, c.language, ($2::timestamptz at time zone c.time_zone)::date as today) x
     left join debtor_scores s on s.tenant_id = d.tenant_id and s.debtor_id = d.id
    where d.id = $1`,
).as<StoredScoreRow>()

interface CurrentInputs {
  inputs: ScoreInputs
  at: number
}

/** The stored inputs if they are still valid; gathered again if the debtor is marked or the stored inputs are stale. */
async function currentInputsOf(
  tx: Tx,
  debtorId: string,
  stored: StoredScoreRow,
  now: number,
): Promise<CurrentInputs> {
  const { inputs, formula, computed_at, computed_on, is_stale, is_marked, today } = stored
  if (inputs !== null && formula === scoreFormula && !is_marked && !is_stale)
    return { inputs, at: computed_on === today ? computed_at! : now }
  const [fresh] = await gatherScoreInputs(tx, [debtorId], now)
  if (!fresh) throw debtorUnknown.make()
  return { inputs: fresh.inputs, at: now }
}

export const getScore = operation({
  id: 'debtors.score',
  method: 'GET',
  path: '/api/v1/debtors/:id/score',
  summary: 'Read the risk score of a debtor',
  description:
    'From 0 to 195: thirteen criteria of up to 15 points, from what this debtor did with your invoices in 24 months and from nothing else. Always as of now. `scoring:read` alone is enough, too.',
  scopes: ['debtors:read'],
  orScopes: [['scoring:read']],
  params: z.strictObject({ id: uuid }),
  query: z
    .strictObject({
      language: z.enum(scoreLanguages).optional().meta({
        description: 'Language of the sentences; default that of your company',
      }),
    })
    .meta({ id: 'RiskScoreQuery' }),
  status: 200,
  reply: RiskScore,
  errors: [debtorUnknown],
  usesNow: true,
  assistant: 'read',
  run: ({ tx, params, query, now }) => readScore(tx, params.id, query.language, now),
})

export async function readScore(
  tx: Tx,
  debtorId: string,
  givenLanguage: ScoreLanguage | undefined,
  now: number,
): Promise<z.input<typeof RiskScore>> {
  const [stored] = await tx.rows(findStoredScore, [debtorId, iso(now)])
  if (!stored) throw debtorUnknown.make()
  const { inputs, at } = await currentInputsOf(tx, debtorId, stored, now)
  const scored = scoreOf(inputs, stored.today)
  const language = givenLanguage ?? stored.language
  const explain = (code: (typeof criterionCodes)[number]) =>
    explainCriterion(code, inputs, stored.today, language)
  return {
    debtorId,
    score: scored.score,
    riskLevel: scored.riskLevel,
    factors: topCriteria(scored).map(explain),
    criteria: criterionCodes.map(code => ({
      code,
      points: scored.points[code],
      max: maxPerCriterion,
      explanation: explain(code),
    })),
    lastUpdated: iso(at),
  }
}
