import type { Channel } from '../contact/channel.ts'
import { type ContactFile, capDays, forAnswers, type PastContact } from '../contact/contact-rules.ts'
import { nextLegalSlot, type Shift } from '../contact/next-legal-slot.ts'
import { DAY, type Instant, type LocalDate } from '../time.ts'
import { reachAfter, type Step } from './cascade.ts'
import { type Due, type Released, wishOf } from './hold.ts'
import { type Advance, decideLook } from './look.ts'
import { afterSend, type CascadeProgress, type NextStep, type PlanningContext, replan } from './next-step.ts'
import { planFirstStep } from './plan-step.ts'
import type { Hold } from './recovery-state.ts'
import type { LookContext, WaitingExtra, WaitingRecovery } from './waiting.ts'

/** A planned moment, with everything that moved it. */
export interface ExplainedDue extends Due {
  readonly shifts: readonly Shift[]
}

/** A recovery whose next moment is explained. */
export interface OngoingRecovery extends WaitingRecovery {
  readonly due: ExplainedDue
}

export interface FutureAction {
  readonly invoiceId: string
  readonly step: string
  /** Of a message outside the cascade; null for a step of it. */
  readonly communicationId: string | null
  /** The day of the cascade; null for a message outside it. */
  readonly day: number | null
  readonly channel: Channel | null
  /** Of a message: the invoice that leads it. Another invoice than its own: the step is executed by that message too. */
  readonly leadInvoiceId: string | null
  /** `stand`: the step cannot be sent and must not be skipped, so nothing follows. */
  readonly kind: 'send' | 'skip' | 'decide' | 'stand'
  readonly at: Instant | null
  readonly because: string | null
  readonly shifts: readonly Shift[]
}

/** The simulated state of a recovery. */
type SimulatedRecovery = { -readonly [Field in keyof WaitingRecovery]: WaitingRecovery[Field] } & {
  /** The planned moment, before any delay. */
  planned: ExplainedDue
}

interface Beside extends WaitingExtra {
  at: Instant
  readonly plannedAt: Instant
}

/** The state of the simulation. */
interface Simulation extends LookContext {
  recoveries: SimulatedRecovery[]
  extras: Beside[]
  readonly actions: FutureAction[]
  /** With the contacts that still count. */
  rules: ContactFile
  /** The same with every contact: they explain why a message was moved that was planned long before. */
  allContacts: ContactFile
  now: Instant
  hold: Hold | null
}

/** Longer than any rule counts a contact. Without older ones a long forecast takes linear time, not quadratic. */
const countedFor = (Math.max(...capDays) + 1) * DAY

/** More rounds than any cascade needs. A forecast that is not finished by then is cut off. */
const roundsMax = 2_000

/**
 * The future actions for a debtor if nothing else happens: every message is accepted at its planned moment, and the debtor
 * neither responds nor pays. Each look is decided as on the day itself.
 */
export function forecastActions(
  ongoing: readonly OngoingRecovery[],
  extras: readonly WaitingExtra[],
  context: LookContext,
  /** Whether enough is known; default: everything is played to its end. */
  isEnough: (actions: readonly FutureAction[]) => boolean = () => false,
): FutureAction[] {
  const simulation: Simulation = {
    ...context,
    allContacts: context.rules,
    recoveries: ongoing
      .filter(({ due }) => due.at !== null)
      .map(recovery => ({ ...recovery, planned: recovery.due })),
    extras: extras.map(extra => ({ ...extra, plannedAt: extra.at, wish: extra.wish ?? extra.at })),
    actions: [],
  }
  for (let rounds = 0; rounds < roundsMax; rounds++) {
    simulation.recoveries.sort((left, right) => left.due.at! - right.due.at!)
    simulation.extras.sort((left, right) => left.at - right.at)
    const moments = [simulation.recoveries[0]?.due.at, simulation.extras[0]?.at].filter(at => at != null)
    if (moments.length === 0 || isEnough(simulation.actions)) break
    simulation.now = Math.max(simulation.now, Math.min(...moments))
    playLook(simulation)
  }
  return simulation.actions
}

function playLook(simulation: Simulation): void {
  const { hold, pausedUntil = null, now } = simulation
  if (hold === 'debtor' && pausedUntil !== null && now >= pausedUntil) simulation.hold = null
  const { advanced, undeliverable, postponed, next } = decideLook(
    simulation.recoveries,
    simulation.extras,
    simulation,
  )
  for (const { recovery, advance } of advanced) playAdvance(simulation, recovery, advance)
  for (const extra of undeliverable) drop(simulation, extra)
  for (const { recovery, extra, at, because } of postponed)
    if (recovery) applyNextStep(simulation, recovery, { at, because, wish: wishOf(recovery.due) })
    else if (at !== null) extra!.at = at
    else drop(simulation, extra!)
  if (next?.kind === 'answer') addExtraAction(simulation, next.extra, forAnswers(simulation.rules))
  else if (next?.kind === 'contact') playContact(simulation, next)
  else if (next?.kind === 'park') {
    for (const recovery of [...simulation.recoveries]) blockRecovery(simulation, recovery, next.because)
    simulation.extras = []
  }
}

const stepOf = ({ progress }: SimulatedRecovery): Step => progress.cascade.steps[progress.step]!

type ActionDetails = Pick<FutureAction, 'channel' | 'kind' | 'at' | 'because' | 'shifts'> & {
  readonly leadInvoiceId?: string
}

function addAction({ actions }: Simulation, recovery: SimulatedRecovery, details: ActionDetails): void {
  const { name, day } = stepOf(recovery)
  const ids = { invoiceId: recovery.invoiceId, communicationId: null, leadInvoiceId: null }
  actions.push({ ...ids, step: name, day, ...details })
}

function removeRecovery(simulation: Simulation, recovery: SimulatedRecovery): void {
  simulation.recoveries = simulation.recoveries.filter(other => other !== recovery)
}

function drop(simulation: Simulation, extra: Beside): void {
  simulation.extras = simulation.extras.filter(other => other !== extra)
}

/** Blocks the recovery until a person acts. */
function blockRecovery(simulation: Simulation, recovery: SimulatedRecovery, because: string): void {
  addAction(simulation, recovery, {
    channel: stepOf(recovery).channel,
    kind: 'stand',
    at: null,
    because,
    shifts: [],
  })
  removeRecovery(simulation, recovery)
}

/** Moves the recovery to its next moment. Without one it is blocked, or its cascade is over. */
function applyNextStep(simulation: Simulation, recovery: SimulatedRecovery, due: Due): void {
  recovery.due = due
  if (due.at !== null) return
  if (due.because !== null) blockRecovery(simulation, recovery, due.because)
  else removeRecovery(simulation, recovery)
}

function planAnew(
  simulation: Simulation,
  recovery: SimulatedRecovery,
  due: Due & { readonly shifts?: readonly Shift[] },
): void {
  recovery.planned = { at: due.at, because: due.because, shifts: due.shifts ?? [] }
  applyNextStep(simulation, recovery, due)
}

function follow(
  simulation: Simulation,
  recovery: SimulatedRecovery,
  { step, attempt, notice, plan: next }: NextStep,
): void {
  recovery.progress = { ...recovery.progress, step, attempt, notice }
  recovery.lastAt = simulation.now
  planAnew(simulation, recovery, next)
}

function become(recovery: SimulatedRecovery, { status, holds, pausedAt, anchor }: Released): void {
  recovery.status = status
  recovery.holds = holds
  recovery.pausedAt = pausedAt
  recovery.progress = { ...recovery.progress, anchor }
}

function playAdvance(simulation: Simulation, recovery: SimulatedRecovery, advance: Advance): void {
  const { now } = simulation
  const { because, shifts } = recovery.planned
  switch (advance.kind) {
    case 'held':
      if (advance.change.due.at === null) blockRecovery(simulation, recovery, advance.by)
      else {
        become(recovery, { ...advance.change, anchor: recovery.progress.anchor })
        recovery.due = advance.change.due
      }
      break
    case 'pause_over':
      become(recovery, advance.change)
      planAnew(simulation, recovery, advance.change.due)
      break
    case 'stand':
      blockRecovery(simulation, recovery, advance.because)
      break
    case 'skip':
      addAction(simulation, recovery, {
        channel: stepOf(recovery).channel,
        kind: 'skip',
        at: now,
        because: advance.because,
        shifts,
      })
      follow(simulation, recovery, advance.nextStep)
      break
    case 'decide':
      addAction(simulation, recovery, { channel: null, kind: 'decide', at: now, because, shifts })
      removeRecovery(simulation, recovery)
  }
}

type Contact = Extract<ReturnType<typeof decideLook<SimulatedRecovery, Beside>>['next'], { kind: 'contact' }>

function playContact(simulation: Simulation, { lead, grouped }: Contact): void {
  const { now, rules, seed } = simulation
  const { channel } = lead
  const details = { channel, kind: 'send' as const, at: now, leadInvoiceId: lead.invoiceId }
  if (lead.extra) addExtraAction(simulation, lead.extra, simulation.allContacts)
  if (lead.recovery) {
    const { planned } = lead.recovery
    const moved = shiftsSince(simulation, simulation.allContacts, channel, planned.at!)
    const because = moved.at(-1)?.because ?? planned.because
    addAction(simulation, lead.recovery, { ...details, because, shifts: [...planned.shifts, ...moved] })
  }
  for (const { recovery } of grouped)
    if (recovery)
      addAction(simulation, recovery, { ...details, because: 'grouped', shifts: recovery.planned.shifts })
  const made = { at: now, channel }
  const { allContacts } = simulation
  simulation.allContacts = {
    ...allContacts,
    contacts: [...allContacts.contacts, made],
    month: [...allContacts.month, made],
  }
  const recent = ({ at }: PastContact) => at > now - countedFor
  simulation.rules = {
    ...rules,
    contacts: [...rules.contacts.filter(recent), made],
    month: [...rules.month.filter(recent), made],
  }
  for (const { recovery } of [lead, ...grouped]) {
    if (!recovery) continue
    recovery.reach = reachAfter(recovery.reach, lead.invoiceId, channel)
    const planningContext: PlanningContext = { rules: simulation.rules, reach: recovery.reach, now, seed }
    recovery.notBefore = null
    follow(simulation, recovery, afterSend(recovery.progress, 'accepted', planningContext))
  }
}

function addExtraAction(simulation: Simulation, extra: Beside, rules: ContactFile): void {
  const { id, invoiceId, step, channel, plannedAt } = extra
  const shifts = shiftsSince(simulation, rules, channel, plannedAt)
  const because = shifts.at(-1)?.because ?? 'requested'
  simulation.actions.push({
    invoiceId,
    step,
    communicationId: id,
    day: null,
    channel,
    leadInvoiceId: invoiceId,
    kind: 'send',
    at: simulation.now,
    because,
    shifts,
  })
  drop(simulation, extra)
}

/** The obstacles between the moment something was due and now. */
function shiftsSince(
  { now, seed }: Simulation,
  rules: ContactFile,
  channel: Channel,
  due: Instant,
): readonly Shift[] {
  if (now <= due) return []
  const slot = nextLegalSlot(rules, channel, due, { spreadSeed: seed })
  return slot.at === null ? [] : slot.shifts
}

/** Only the moment of a waiting step and its last reason are stored. The complete list of shifts is computed again. */
export function explainDue(
  progress: CascadeProgress,
  due: Due,
  past: { startedAt: Instant; dueDate: LocalDate; lastAt: Instant | null },
  planningContext: PlanningContext,
): ExplainedDue {
  const { startedAt, dueDate, lastAt } = past
  const { rules, seed } = planningContext
  const plans =
    lastAt === null
      ? [planFirstStep(rules, progress.cascade, dueDate, startedAt, seed)]
      : [true, false].map(wasContact =>
          replan(progress, { at: lastAt, wasContact }, { ...planningContext, now: lastAt }),
        )
  return { ...due, shifts: plans.find(plan => plan.at === due.at)?.shifts ?? [] }
}
