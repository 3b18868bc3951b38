import { declarationWarning } from '../../../domain/recovery/insolvency.ts'
import { daysBetween } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { declarationDue } from '../../recovery/case/debtor-events.ts'
import { recordDebtorEvent } from '../../recovery/holds/hold-debtor.ts'
import type { ProgramContext } from './day-of-tenant.ts'

const saveWarned = sql(
  'debtors.save-declaration-warning',
  'update debtors set insolvency_warned_days = $2 where id = $1',
)

interface ToDeclare {
  id: string
  insolvency_kind: string | null
  insolvency_declare_by: string | null
  insolvency_warned_days: number | null
}

/** Records the warning that is due for one debtor, by the program, whoever recorded the proceedings. The caller holds its lock. */
export async function warnOfDeclaration(
  context: ProgramContext,
  { id, insolvency_kind: kind, insolvency_declare_by: declareBy, insolvency_warned_days: warned }: ToDeclare,
  today: string,
): Promise<void> {
  if (kind === null || declareBy === null) return
  const due = declarationWarning(declareBy, today, warned)
  if (due === null) return
  await context.tx.rows(saveWarned, [id, due])
  const byProgram = { ...context, actor: { kind: 'worker' as const, id: 'declaration' }, requestId: null }
  const daysLeft = daysBetween(today, declareBy)
  await recordDebtorEvent(byProgram, id, declarationDue, { kind, declareBy, daysLeft })
}
