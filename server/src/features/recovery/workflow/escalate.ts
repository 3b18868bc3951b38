import { courtObstacles, deadlineOf, routeOf } from '../../../domain/recovery/formal-notice.ts'
import { channelOf, escalation } from '../../../domain/recovery/motion.ts'
import { lastDayInCourt } from '../../../domain/recovery/time-bar.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import {
  about,
  type Case,
  type CaseRow,
  changeCase,
  changeFacts,
  groundOf,
  type World,
} from '../case/case.ts'
import { stopMessages } from '../case/change.ts'
import { balanceOfStep, contactFile, positionOf } from '../case/debtor-file.ts'
import { courtNotPossible, messageLeaving } from '../case/errors.ts'
import { judicialStarted } from '../case/events.ts'
import { planOverdue } from '../case/extra-message.ts'
import { addActions } from '../case/history.ts'

export interface Escalation {
  next: CaseRow
  details: string
  carryOut(): Promise<void>
}

const ownMessage = sql(
  'workflow.find-own-message',
  `select c.id, c.state, c.lead_invoice_id = $1
            or not exists (select from communication_invoices o where o.communication_id = c.id and o.invoice_id <> $1) as is_over
     from recoveries r join communications c on c.tenant_id = r.tenant_id and c.id = r.communication_id
    where r.invoice_id = $1`,
).as<{ id: string; state: string; is_over: boolean }>()

/** To the next more intrusive step that can be sent, or to the court when none is left or the letter's time is over. */
export async function escalate(world: World, of: Case): Promise<Escalation> {
  const { now } = world
  const position = positionOf(of.row)
  const isNoticeOver = position.notice !== null && now >= deadlineOf(position.notice)
  const target = isNoticeOver ? null : escalation(position, of.row.last_action, groundOf(of, now))
  return target === null ? toCourt(world, of) : toStep(world, of, target)
}

async function toStep(world: World, of: Case, target: number): Promise<Escalation> {
  const { tx, now, newId } = world
  const { row } = of
  const { cascade } = positionOf(row)
  const [message] = await tx.rows(ownMessage, [row.invoice_id])
  if (message && message.state !== 'reserved') throw messageLeaving.make()
  const { reach } = groundOf(of, now)
  // The message that now does not leave gives its day back.
  const rules = contactFile(of.file, of.agenda, message?.is_over ? message.id : undefined)
  const step = cascade.steps[target]!
  const planned = planOverdue(rules, of, { name: step.name, channel: channelOf(step, reach) }, now)
  const changes = {
    step: target,
    attempt: 0,
    due_at: planned.at,
    due_because: planned.because ?? 'escalated',
  }
  return {
    next: { ...row, ...changes },
    details: `On to ${step.name}.`,
    async carryOut() {
      await stopMessages(world, of, 'escalated', 'step')
      changeCase(world, of, changes)
      addActions(
        tx,
        cascade.steps.slice(row.step, target).map(jumped => ({
          id: newId(),
          invoiceId: row.invoice_id,
          action: jumped.name,
          channel: jumped.channel,
          status: 'skipped',
          details: 'Jumped over by an escalation.',
          communicationId: null,
          at: now,
        })),
      )
    },
  }
}

const routeInWords = { small_claims: 'the small claims procedure', payment_order: 'an order to pay' } as const

async function toCourt(world: World, of: Case): Promise<Escalation> {
  const { now } = world
  const { row, file } = of
  const zone = contactFile(file, null).calendar?.zones[0] ?? 'UTC'
  const debt = { dueDate: row.due_date, acknowledgedAt: row.acknowledged_at }
  const missing = courtObstacles({
    notice: positionOf(row).notice,
    isDisputed: row.disputed_at !== null,
    limitationEnds: lastDayInCourt(file.type, debt, zone),
    today: localTime(zone, now).date,
    now,
  })
  if (missing.length > 0) throw courtNotPossible.make(missing)
  const route = routeOf(balanceOfStep(row))
  const changes = { status: 'judicial' as const, due_at: null, due_because: null }
  return {
    next: { ...row, ...changes },
    details: `Taken to court by ${routeInWords[route]}; no more messages are sent.`,
    async carryOut() {
      await stopMessages(world, of, 'judicial')
      changeFacts(world, of, { judicial_at: now }, 'escalate')
      changeCase(world, of, changes)
      const started = newEvent(judicialStarted, row.invoice_id, {
        ...about(of),
        route,
        startedAt: iso(now),
      })
      recordEvents(world.tx, [started], world)
    },
  }
}
