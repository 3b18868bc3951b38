import { anchorOf, planFirst } from '../../../domain/recovery/plan.ts'
import { selectCascade } from '../../../domain/recovery/select-cascade.ts'
import { iso } from '../../../kit/clock.ts'
import { newEvent } from '../../../kit/events.ts'
import { findCompanyWithCascades } from '../../access/companies/company.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import {
  about,
  type Case,
  type CaseRow,
  changeCase,
  groundOf,
  standingHolds,
  type World,
} from '../case/case.ts'
import { balanceOfStep } from '../case/debtor-file.ts'
import { workflowStarted } from '../case/invoice-events.ts'
import { keptScore } from '../case/kept-score.ts'

export interface Start {
  next: CaseRow
  carryOut(): void
}

/** From pending to running: the cascade that fits today, its days counted from now, its first step planned. */
export async function startRecovery(world: World, of: Case): Promise<Start> {
  const { tx, actor, now } = world
  const { row, file } = of
  const [company, score] = await Promise.all([
    findCompanyWithCascades(tx, actor.companyId),
    keptScore(tx, row.debtor_id),
  ])
  const amount = balanceOfStep(row)
  const cascade = selectCascade({ type: file.type, amount, score }, company.own_cascades)
  const { rules, seed } = groundOf(of, now)
  // What holds the debtor, or was disputed before it was ever pursued, holds it at once: nobody is reminded of it.
  const holds = standingHolds(of)
  const isHeld = holds.length > 0
  const planned = isHeld ? { at: null, because: null } : planFirst(rules, cascade, row.due_date, now, seed)
  const changes: Partial<CaseRow> = {
    status: isHeld ? 'paused' : 'in_recovery',
    holds,
    paused_at: isHeld ? now : null,
    cascade: cascade.name,
    cascade_version: cascade.version,
    step: 0,
    attempt: 0,
    started_at: now,
    anchor_at: anchorOf(rules.calendar, now, row.due_date),
    due_at: planned.at,
    due_because: planned.because,
  }
  const isOwn = company.own_cascades.some(own => own.name === cascade.name)
  return {
    next: { ...row, ...changes, cascade_steps: isOwn ? [...cascade.steps] : null },
    carryOut() {
      changeCase(world, of, changes)
      const started = newEvent(workflowStarted, row.invoice_id, {
        ...about(of),
        cascade: cascade.name,
        cascadeVersion: cascade.version,
        startedAt: iso(now),
        nextAction: planned.at === null ? null : cascade.steps[0]!.name,
        nextActionAt: planned.at === null ? null : iso(planned.at),
      })
      recordEvents(tx, [started], world)
    },
  }
}
