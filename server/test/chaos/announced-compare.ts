import { addDays, DAY, instantOf, localTime, MINUTE } from '../../src/domain/time.ts'
import { type Fact, factBetween } from './announced-facts.ts'
import {
  companyZone,
  dayOnPage,
  daysAhead,
  messagesIn,
  type NextContact,
  type Notes,
  type PlannedMessage,
  type Said,
  type SampledDebtor,
  type SampledInvoice,
  saidBy,
  saidByList,
  silentUntilOnPage,
} from './announced-notes.ts'
import type { Tally } from './announced-tally.ts'

const quarterHour = 15 * MINUTE
const minuteOf = (at: number) => Math.floor(at / MINUTE)

export const shownMoment = (at: number, zone: string = companyZone): string => {
  const { date, minuteOfDay: minute } = localTime(zone, at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

const shown = (said: Said): string =>
  said.kind === 'message'
    ? `${said.channel} ${shownMoment(said.at)} (${said.because})`
    : said.kind === 'skip'
      ? `left out ${shownMoment(said.at)} (${said.because})`
      : `nothing (${said.because})`

const isSame = (left: Said, right: Said): boolean =>
  left.kind === 'none' || right.kind === 'none'
    ? left.kind === right.kind
    : left.kind === right.kind &&
      minuteOf(left.at) === minuteOf(right.at) &&
      (left.kind === 'skip' || right.kind === 'skip' || left.channel === right.channel)

/** What kind of difference it is. */
function causeOf(left: Said, right: Said): string {
  const nameOf = (said: Said) => `${said.kind === 'skip' ? 'left out' : said.kind} (${said.because})`
  if (left.kind !== 'message' || right.kind !== 'message') return `${nameOf(left)} / ${nameOf(right)}`
  const isSameDay = localTime(companyZone, left.at).date === localTime(companyZone, right.at).date
  const how =
    minuteOf(left.at) === minuteOf(right.at) ? 'other channel' : isSameDay ? 'other minute' : 'other day'
  return `${how}; the second: ${right.because}`
}

const saidByContact = (contact: NextContact | null): Said =>
  contact
    ? saidBy(contact.at, contact.channel, contact.because ?? 'cascade')
    : { kind: 'none', because: 'nothing' }

const saidByMessage = (message: PlannedMessage | undefined, stopped: string | null): Said =>
  message
    ? saidBy(message.at, message.channel, message.shifts.at(-1)?.because ?? 'cascade')
    : { kind: 'none', because: stopped ?? 'nothing' }

const besideCascade = (action: string) =>
  action === 'extra_message' || /receipt|confirmed|dispute|closing/.test(action)

interface Compared {
  tally: Tally
  facts: readonly Fact[]
  /** Debtors with a message while the notes were taken: what was read before and after it differs rightly. */
  disturbed: ReadonlySet<string>
}

/** Every surface says the same of the same thing at the same moment. */
export function compareSurfaces(notes: Notes, compared: Compared): void {
  for (const sample of notes.samples)
    if (!compared.disturbed.has(sample.debtor.id)) compareSample(notes, sample, compared.tally)
  compareContacts(notes, compared)
  compareSlots(notes, compared)
}

function compareSample(notes: Notes, sample: SampledDebtor, tally: Tally): void {
  const { debtor, calendar, invoices } = sample
  const compare = (pair: string, about: string, left: Said, right: Said) => {
    const isEqual = isSame(left, right)
    tally.compared(pair, isEqual)
    if (!isEqual)
      tally.differs(
        pair,
        causeOf(left, right),
        () => `${shownMoment(notes.from)} ${notes.company.name} ${about}: ${shown(left)} / ${shown(right)}`,
      )
  }
  const end = Date.parse(calendar.until)
  for (const invoice of invoices) {
    const { id, detail, nextAction, workflow } = invoice
    const listed = saidByList(notes.invoices.get(id)!)
    const about = `invoice ${id}`
    const next = saidByList({
      ...nextAction,
      nextActionAt: nextAction.scheduledAt,
      nextChannel: nextAction.channel,
    })
    compare('list of invoices = invoice', about, listed, saidByList(detail))
    compare('list of invoices = next-action', about, listed, next)
    const isAtSame = nextAction.scheduledAt === workflow.nextActionAt
    tally.compared('next-action = workflow', isAtSame)
    if (!isAtSame)
      tally.differs(
        'next-action = workflow',
        `${nextAction.scheduledAt === null ? 'no moment' : 'moment'} (${nextAction.reasonCode}) / ${workflow.nextActionAt === null ? 'no moment' : 'moment'}`,
        () => `${shownMoment(notes.from)} ${about}: ${nextAction.scheduledAt} / ${workflow.nextActionAt}`,
      )
    compare('list of invoices = first action of its plan', about, listed, firstOfPlan(invoice, listed))
    if (listed.kind === 'skip' || (listed.kind === 'message' && listed.at >= end)) continue
    const named = calendar.planned.find(
      ({ action, invoiceIds }) => invoiceIds.includes(id) && !besideCascade(action),
    )
    compare('list of invoices = calendar', about, listed, saidByMessage(named, calendar.stopped))
  }
  const about = `debtor ${debtor.id}`
  const listed = saidByContact(notes.debtors.get(debtor.id) ?? null)
  compare('list of debtors = debtor', about, listed, saidByContact(sample.nextContact))
  if (listed.kind !== 'message' || listed.at < end)
    compare('list of debtors = calendar', about, listed, saidByMessage(calendar.planned[0], calendar.stopped))
  comparePlans(notes, sample, tally)
  comparePage(notes, sample, tally)
}

/** Messages that were asked for beside the cascade are no step of the invoice. */
function firstOfPlan({ plan }: SampledInvoice, listed: Said): Said {
  const steps = plan.actions.filter(({ communicationId }) => communicationId === null)
  const next =
    listed.kind === 'skip'
      ? steps[0]
      : steps.find(({ skipped, scheduledAt }) => !skipped && scheduledAt !== null)
  if (!next) return { kind: 'none', because: steps[0]?.reasonCode ?? plan.reasonCode }
  const said = saidBy(next.scheduledAt, next.channel, next.reasonCode)
  return next.skipped && said.kind === 'message' ? { ...said, kind: 'skip' } : said
}

/** Every message of the plans is one of the calendar, and the other way round. */
function comparePlans(notes: Notes, { debtor, calendar, invoices }: SampledDebtor, tally: Tally): void {
  const end = Date.parse(calendar.until)
  const inPlans = new Map(
    invoices.flatMap(({ id, plan }) =>
      messagesIn(plan)
        .filter(({ at }) => at < end)
        .map(({ at, channel, reasonCode }) => [
          `${minuteOf(at)} ${channel} ${id}`,
          { at, channel, because: reasonCode, id },
        ]),
    ),
  )
  const inCalendar = new Map(
    calendar.planned.flatMap(({ at, channel, invoiceIds }) =>
      invoiceIds.map(id => [
        `${minuteOf(Date.parse(at))} ${channel} ${id}`,
        { at: Date.parse(at), channel, because: 'calendar', id },
      ]),
    ),
  )
  const pair = 'plans of all invoices = calendar'
  for (const key of new Set([...inPlans.keys(), ...inCalendar.keys()])) {
    const [planned, kept] = [inPlans.get(key), inCalendar.get(key)]
    tally.compared(pair, planned !== undefined && kept !== undefined)
    const only = planned && !kept ? planned : !planned && kept ? kept : null
    if (!only) continue
    const { plan } = invoices.find(({ id }) => id === only.id)!
    tally.differs(
      pair,
      planned ? `only in the plan (${only.because})` : `only in the calendar (plan: ${plan.reasonCode})`,
      () =>
        `${shownMoment(notes.from)} ${notes.company.name} debtor ${debtor.id} invoice ${only.id}: ${only.channel} ${shownMoment(only.at)}`,
    )
  }
}

function comparePage(notes: Notes, { debtor, calendar, page }: SampledDebtor, tally: Tally): void {
  if (!page || !/write again|No reminder/.test(page.sentence)) return
  const [named] = calendar.planned
  const [onPage, inCalendar] = [
    dayOnPage(page.sentence),
    named ? localTime(debtor.zone, Date.parse(named.at)).date : null,
  ]
  const pair = 'page of the debtor = calendar (day)'
  const silentUntil = silentUntilOnPage(page.sentence)
  if (silentUntil !== null) {
    const isKept = inCalendar === null || inCalendar >= silentUntil
    tally.compared(pair, isKept)
    if (!isKept)
      tally.differs(
        pair,
        'a message before the day on the page',
        () => `${shownMoment(notes.from)} debtor ${debtor.id}: ${page.sentence} / ${inCalendar}`,
      )
    return
  }
  // The calendar ends after some weeks.
  const isBeyond =
    inCalendar === null &&
    onPage !== null &&
    onPage >= localTime(debtor.zone, Date.parse(calendar.until)).date
  if (isBeyond) return
  tally.compared(pair, onPage === inCalendar)
  if (onPage !== inCalendar)
    tally.differs(
      pair,
      onPage === null
        ? /No reminder/.test(page.sentence)
          ? 'the page says that none is planned'
          : 'the page names no day'
        : inCalendar === null
          ? `the calendar has none (${calendar.stopped ?? 'nothing'})`
          : 'other day',
      () => `${shownMoment(notes.from)} debtor ${debtor.id}: ${onPage ?? page.sentence} / ${inCalendar}`,
    )
}

/** Of every debtor: its next contact is the earliest message of its invoices. */
function compareContacts(notes: Notes, { tally, facts, disturbed }: Compared): void {
  const pair = 'list of debtors = earliest of its invoices'
  for (const { id, invoiceIds } of notes.company.debtors) {
    // Extra messages and answers are messages of the debtor that no invoice announces.
    const hasRequest = facts.some(fact => fact.debtorId === id && fact.kind === 'extra message')
    const isRecent = factBetween(facts, id, notes.from - 12 * DAY, notes.until)?.debtorId === id
    if (disturbed.has(id) || hasRequest || isRecent) continue
    const said = saidByContact(notes.debtors.get(id) ?? null)
    const [earliest] = invoiceIds
      .map(invoice => saidByList(notes.invoices.get(invoice)!))
      .filter(each => each.kind === 'message')
      .sort((left, right) => left.at - right.at)
    const other: Said = earliest ?? { kind: 'none', because: 'no invoice has a message' }
    tally.compared(pair, isSame(said, other))
    if (!isSame(said, other))
      tally.differs(
        pair,
        causeOf(said, other),
        () =>
          `${shownMoment(notes.from)} ${notes.company.name} debtor ${id}: ${shown(said)} / ${shown(other)}`,
      )
  }
}

/** The counts of today and the next days are the next contacts of all debtors. */
function compareSlots(notes: Notes, { tally }: Compared): void {
  const pair = 'counts per quarter hour = list of debtors'
  const keyOf = (at: number, channel: string) => `${Math.floor(at / quarterHour)} ${channel}`
  const end = instantOf(companyZone, addDays(notes.today, daysAhead), 0)
  const counted = new Map(
    notes.slots.map(({ at, channel, planned }) => [keyOf(Date.parse(at), channel), planned]),
  )
  const announced = new Map<string, number>()
  for (const contact of notes.debtors.values()) {
    if (!contact || Date.parse(contact.at) >= end) continue
    const key = keyOf(Date.parse(contact.at), contact.channel)
    announced.set(key, (announced.get(key) ?? 0) + 1)
  }
  for (const key of new Set([...counted.keys(), ...announced.keys()])) {
    const [slot, channel] = key.split(' ') as [string, string]
    const at = Number(slot) * quarterHour
    if (at + quarterHour > notes.from && at <= notes.until) continue
    const [left, right] = [counted.get(key) ?? 0, announced.get(key) ?? 0]
    tally.compared(pair, left === right)
    if (left !== right)
      tally.differs(
        pair,
        left > right ? 'more in the counts' : 'more in the list',
        () =>
          `${shownMoment(notes.from)} ${notes.company.name} ${channel} ${shownMoment(at)}: ${left} / ${right}`,
      )
  }
}
