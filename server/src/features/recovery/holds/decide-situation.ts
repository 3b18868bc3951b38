import {
  isSituation,
  type Situation,
  type SituationDecision,
  situations,
} from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { AgendaLock } from '../case/agenda-store.ts'
import { startQuietPeriod } from '../case/change-recovery.ts'
import { situationDecided } from '../case/debtor-events.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import {
  addHistoryToRunning,
  recordDebtorEvent,
  refreshAgendas,
  releaseAllRecoveries,
} from './hold-debtor.ts'

interface SituationRow {
  id: string
  debtor_id: string
  /** Null: a person recorded what they were told. */
  communication_id: string | null
  said: string | null
  received_at: number
  read_at: number | null
  decision: SituationDecision | null
}

export interface ReportedSituation extends SituationRow {
  said: Situation
}

const columns = 'id, debtor_id, communication_id, said, received_at, read_at, decision'
const selectSituation = sql(
  'holds.get-situation',
  `select ${columns} from replies where id = $1 and debtor_id = $2`,
).as<SituationRow>()
const listOpenSituations = sql(
  'holds.list-open-situations',
  `select ${columns} from replies
    where debtor_id = $1 and read_at is null and said = any ('{${situations}}') order by id`,
).as<ReportedSituation>()
const saveDecision = sql(
  'holds.save-decision',
  'update replies set read_at = $2, decision = $3 where id = any ($1::uuid[]) and read_at is null',
)

export async function findSituation(
  { tx }: OperationContext,
  debtorId: string,
  id: string,
): Promise<ReportedSituation | null> {
  const [row] = await tx.rows(selectSituation, [id, debtorId])
  return row && isSituation(row.said) ? { ...row, said: row.said } : null
}

interface Decided {
  situations: readonly ReportedSituation[]
  decision: SituationDecision
  note?: string
}

/**
 * Ends reported situations by a decision of a person. After the last one the reminders go on, a quiet period later, unless
 * something else holds them. The caller holds the lock of the debtor.
 */
export async function endSituations(
  context: OperationContext,
  debtorId: string,
  agenda: AgendaLock | null,
  { situations: ended, decision, note }: Decided,
): Promise<void> {
  const { tx, now } = context
  if (ended.length === 0) return
  await tx.rows(saveDecision, [ended.map(({ id }) => id), iso(now), decision])
  await addHistoryToRunning(context, debtorId, {
    action: 'situation',
    channel: null,
    code: 'situation_decided',
    params: { decision, ...(note !== undefined && { reason: note }) },
  })
  for (const { id: situationId, said: situation } of ended)
    await recordDebtorEvent(context, debtorId, situationDecided, { situationId, situation, decision })
  startQuietPeriod(context, debtorId)
  const [open] = await tx.rows(listOpenSituations, [debtorId])
  if (!open) await releaseAllRecoveries(context, debtorId, agenda, 'situation')
  refreshAgendas(context, [debtorId])
}

/** The opening of proceedings is on record: it decides what was reported about them, with the same hold in its place. */
export async function endInsolvencyReports(
  context: OperationContext,
  debtorId: string,
  agenda: AgendaLock | null,
): Promise<void> {
  const open = await context.tx.rows(listOpenSituations, [debtorId])
  const reported = open.filter(({ said }) => said === 'insolvency')
  await endSituations(context, debtorId, agenda, { situations: reported, decision: 'insolvency' })
}
