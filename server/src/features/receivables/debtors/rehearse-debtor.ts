import { z } from 'zod'
import { optional } from '../../../kit/fields.ts'
import { type Answer, type Call, WithWarnings } from '../../../kit/operation.ts'
import { lockAgenda } from '../../recovery/case/agenda-store.ts'
import { contactFile } from '../../recovery/case/debtor-file.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import { selectWaitingExtras } from '../../recovery/case/recovery-store.ts'
import { forecastDebtor } from '../../recovery/workflow/forecast-debtor.ts'
import { selectRecoveriesToForecast } from '../../recovery/workflow/forecast-store.ts'
import { dryRunMark, PlannedMessage, toPlannedMessage } from '../../recovery/workflow/plan-schema.ts'

export const dryRun = optional(z.boolean()).meta({
  default: false,
  description: 'Answers what would become of the debtor, and changes nothing',
})

/** The fields of a reply about a debtor that only a dry run has. */
export const ofDebtorDryRun = {
  dryRun: dryRunMark,
  plan: z
    .object({ before: z.array(PlannedMessage), after: z.array(PlannedMessage) })
    .optional()
    .meta({
      description:
        'With dryRun and the scope workflow:read: the messages planned now, and those there would be',
    }),
}

type DebtorCall = Pick<Call<{ id: string }, unknown, unknown>, 'tx' | 'actor' | 'params' | 'now'>

/** The planned messages of the debtor, in the current state of this transaction. */
async function plannedFor({ tx, actor, params, now }: DebtorCall): Promise<z.input<typeof PlannedMessage>[]> {
  const [[agenda], [file], waiting, extras] = await Promise.all([
    tx.rows(lockAgenda, [actor.tenantId, params.id]),
    tx.rows(selectDebtorFile, [params.id]),
    tx.rows(selectRecoveriesToForecast, [params.id]),
    tx.rows(selectWaitingExtras, [params.id]),
  ])
  if (!file) throw debtorUnknown.make()
  const rules = contactFile(file, agenda ?? null)
  return forecastDebtor({ file, rules, waiting, extras }, now).map(toPlannedMessage)
}

/** Adds the plans only for callers that may read them. */
export async function withPlannedMessages<Reply extends object>(
  call: DebtorCall,
  perform: () => Promise<Answer<Reply>>,
): Promise<Answer<Reply>> {
  if (!call.actor.scopes.includes('workflow:read')) return perform()
  const before = await plannedFor(call)
  const answer = await perform()
  const plan = { before, after: await plannedFor(call) }
  return answer instanceof WithWarnings
    ? new WithWarnings({ ...answer.data, plan }, answer.warnings)
    : { ...answer, plan }
}
