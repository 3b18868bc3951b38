import { z } from 'zod'
import { criterionCodes, maxPerCriterion, riskLevels } from '../../../domain/score/score.ts'
import type { ScoreLanguage } from '../../../domain/score/score-sentences.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'

export const scoreLanguages = ['fr', 'en'] as const satisfies readonly ScoreLanguage[]

export const RiskScore = z
  .object({
    debtorId: outputUuid,
    score: z
      .int()
      .min(0)
      .max(maxPerCriterion * criterionCodes.length),
    riskLevel: z.enum(riskLevels),
    factors: z.array(z.string()).meta({ description: 'What weighs most, the heaviest first' }),
    criteria: z
      .array(
        z
          .object({
            code: z.enum(criterionCodes),
            points: z.int().min(0).max(maxPerCriterion),
            max: z.int().meta({ description: `Always ${maxPerCriterion}` }),
            explanation: z.string(),
          })
          .meta({ id: 'RiskCriterion' }),
      )
      .meta({ description: 'All thirteen, in their order; the score is the sum of their points' }),
    lastUpdated: dateTime,
  })
  .meta({ id: 'RiskScore' })
