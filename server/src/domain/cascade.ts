import type { LocalCalendar } from './calendar.ts'
import type { Channel } from './channel.ts'
import { type Because, type ContactFile, nextLegalSlot } from './contact-rules.ts'
import type { Cents } from './money.ts'
import { addDays, type Instant, instantOf, type LocalDate, localTime } from './time.ts'

export interface Step {
  readonly name: string
  /** None: a person decides, nothing is sent. */
  readonly channel: Channel | null
  /** Days from the anchor: the start, or the day after the due date if that is later. */
  readonly day: number
  /** A first or formal notice: if its fate is unknown it is given again, as a new message in a new slot. */
  readonly hasLegalEffect?: true
}

export interface Cascade {
  readonly name: string
  readonly version: number
  readonly steps: readonly Step[]
}

const first = (name = 'email_prise_en_charge'): Step => ({
  name,
  channel: 'email',
  day: 0,
  hasLegalEffect: true,
})
const email = (name: string, day: number): Step => ({ name, channel: 'email', day })
const sms = (day: number): Step => ({ name: 'sms_reminder', channel: 'sms', day })
const call = (name: string, day: number): Step => ({ name, channel: 'voice', day })
const letter = (day: number): Step => ({
  name: 'lrar_mise_en_demeure',
  channel: 'lrar',
  day,
  hasLegalEffect: true,
})
const review = (day: number): Step => ({ name: 'revue_judiciaire', channel: null, day })

/** A published version never changes: running recoveries name it. A new idea is a new version beside the old one. */
const cascades: readonly Cascade[] = [
  {
    name: 'fr_b2b_standard',
    version: 1,
    steps: [
      first(),
      email('relance_email_1', 5),
      sms(9),
      email('relance_email_2', 14),
      call('ai_call', 18),
      email('relance_email_3', 23),
      letter(28),
      call('ai_call_2', 40),
      email('email_dernier_avis', 45),
      review(52),
    ],
  },
  {
    name: 'fr_b2b_small',
    version: 1,
    steps: [
      first(),
      email('relance_email_1', 7),
      sms(12),
      email('relance_email_2', 20),
      email('relance_email_3', 30),
      review(40),
    ],
  },
  {
    name: 'fr_consumer',
    version: 1,
    steps: [
      first(),
      email('relance_email_1', 8),
      sms(15),
      email('relance_email_2', 23),
      letter(32),
      email('email_dernier_avis', 45),
      review(60),
    ],
  },
  {
    name: 'fr_public_body',
    version: 1,
    steps: [first(), email('relance_email_1', 14), email('relance_email_2', 30), letter(45), review(60)],
  },
]

export const debtorTypes = ['business', 'consumer', 'public_body'] as const
export type DebtorType = (typeof debtorTypes)[number]

const smallInvoice = 150_00

export function selectCascade(type: DebtorType, amount: Cents): Cascade {
  const name =
    type === 'consumer'
      ? 'fr_consumer'
      : type === 'public_body'
        ? 'fr_public_body'
        : amount < smallInvoice
          ? 'fr_b2b_small'
          : 'fr_b2b_standard'
  return cascades.findLast(cascade => cascade.name === name)!
}

export function cascadeOf(name: string, version: number): Cascade {
  const found = cascades.find(cascade => cascade.name === name && cascade.version === version)
  if (!found) throw new Error(`no cascade ${name} version ${version}`)
  return found
}

const gapDaysAfterContact = 3
const gapDaysAfterSkip = 1

export type Planned = { at: Instant; because: Because | null } | { at: null; because: Because }

/**
 * The moment a step may happen: its own if the law allows it, else the next that does, spread over that day.
 * Of several obstacles the last is the one that decides the moment.
 */
function planFrom(file: ContactFile, channel: Channel, from: Instant, seed: string): Planned {
  const plan = nextLegalSlot(file, channel, from, { spreadSeed: seed })
  return plan.at === null ? plan : { at: plan.at, because: plan.shifts.at(-1)?.because ?? null }
}

/** A step planned for a day: that its midnight is outside the hours is no reason worth telling. */
function planOn(file: ContactFile, channel: Channel, zone: string, date: LocalDate, seed: string): Planned {
  const plan = nextLegalSlot(file, channel, instantOf(zone, date, 0), { spreadSeed: seed })
  if (plan.at === null) return plan
  return {
    at: plan.at,
    because: plan.shifts.findLast(shift => shift.because !== 'outside_hours')?.because ?? null,
  }
}

/** The first step: at once if the debt is overdue and the window open; a debt not yet due waits for the day after. */
export function planFirst(
  file: ContactFile,
  cascade: Cascade,
  dueDate: LocalDate,
  now: Instant,
  seed: string,
): Planned {
  const zone = zoneOf(file.calendar)
  const step = cascade.steps[0]!
  const overdueOn = addDays(dueDate, 1)
  return zone && localTime(zone, now).date < overdueOn
    ? planOn(file, step.channel ?? 'email', zone, overdueOn, seed)
    : planFrom(file, step.channel ?? 'email', now, seed)
}

/** A later step: anchored to the start, so that one shift does not push all that follow, but never on the heels of the last. */
export function planNext(
  file: ContactFile,
  step: Step,
  anchor: Instant,
  last: { at: Instant; wasContact: boolean },
  seed: string,
): Planned {
  const zone = zoneOf(file.calendar)
  if (!zone) return { at: null, because: 'calendar_missing' }
  const offsetDay = addDays(localTime(zone, anchor).date, step.day)
  const gapDay = addDays(
    localTime(zone, last.at).date,
    last.wasContact ? gapDaysAfterContact : gapDaysAfterSkip,
  )
  return planOn(file, step.channel ?? 'email', zone, offsetDay > gapDay ? offsetDay : gapDay, seed)
}

/** The same step once more: at a given moment or the next legal one. */
export function planAgain(file: ContactFile, step: Step, from: Instant, seed: string): Planned {
  return planFrom(file, step.channel ?? 'email', from, seed)
}

/** Where the recovery counts its days from. */
export function anchorOf(calendar: LocalCalendar | null, startedAt: Instant, dueDate: LocalDate): Instant {
  const zone = zoneOf(calendar)
  if (!zone) return startedAt
  const overdueOn = addDays(dueDate, 1)
  return localTime(zone, startedAt).date < overdueOn ? instantOf(zone, overdueOn, 0) : startedAt
}

const zoneOf = (calendar: LocalCalendar | null) => calendar?.zones[0] ?? null

const ranks: Record<Channel, number> = { email: 1, sms: 2, voice: 3, lrar: 4 }
export const rankOf = (step: Step): number => (step.channel === null ? 5 : ranks[step.channel])
