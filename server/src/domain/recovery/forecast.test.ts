import { expect, it } from 'vitest'
import { calendarFor } from '../contact/calendar.ts'
import { type ContactFile, defaultCaps, judgeContact } from '../contact/contact-rules.ts'
import { cents } from '../money/money.ts'
import { type Instant, localTime } from '../time.ts'
import { cascadeOf, fullReach } from './cascade.ts'
import { explainDue, type FutureAction, forecastActions, type OngoingRecovery } from './forecast.ts'
import { type CascadeProgress, replan } from './next-step.ts'
import { planFirstStep } from './plan-step.ts'
import { selectCascade } from './select-cascade.ts'
import type { LookContext, WaitingExtra } from './waiting.ts'

const at = (text: string) => Date.parse(text)
const monday = at('2026-11-16T09:00:00+01:00')
const cascade = selectCascade({
  type: 'business',
  isNaturalPerson: false,
  amount: cents(120_000),
  score: null,
})
const rules = (changes: Partial<ContactFile> = {}): ContactFile => ({
  calendar: calendarFor({ country: 'FR', postalCode: '69002' }),
  contacts: [],
  month: [],
  caps: defaultCaps,
  isConsumer: false,
  quietUntil: null,
  ...changes,
})
const start: CascadeProgress = { cascade, step: 0, attempt: 0, anchor: monday, notice: null }
const recovery = (changes: Partial<OngoingRecovery> = {}): OngoingRecovery => ({
  invoiceId: 'one',
  status: 'in_recovery',
  holds: [],
  pausedAt: null,
  lastAt: null,
  progress: start,
  due: { at: monday, because: null, shifts: [] },
  reach: fullReach(cents(120_000)),
  dueDate: '2026-10-15',
  limitationEndsOn: '2031-09-15',
  ...changes,
})
const planning: LookContext = { rules: rules(), now: monday, seed: 'debtor', hold: null, unusable: [] }
const dated = ({ at: moment, step, kind }: FutureAction) =>
  `${moment === null ? 'never' : localTime('Europe/Paris', moment).date} ${step} ${kind}`

it('the worked example: Lyon, started on Monday 16 November 2026, up to the formal notice of 14 December', () => {
  expect(forecastActions([recovery()], [], planning).slice(0, 7).map(dated)).toEqual([
    '2026-11-16 email_prise_en_charge send',
    '2026-11-21 relance_email_1 send',
    '2026-11-25 sms_reminder send',
    '2026-11-30 relance_email_2 send',
    '2026-12-04 ai_call send',
    '2026-12-09 relance_email_3 send',
    '2026-12-14 lrar_mise_en_demeure send',
  ])
})

it('without a receipt of the letter the next call waits until 23 days after posting', () => {
  expect(forecastActions([recovery()], [], planning).slice(7).map(dated)).toEqual([
    '2027-01-06 ai_call_2 send',
    '2027-01-09 email_dernier_avis send',
    '2027-01-12 revue_judiciaire decide',
  ])
})

it('the letter signed on 18 December: a call on Monday the 28th, the last email on the 31st, the review on 7 January', () => {
  const letterAt = forecastActions([recovery()], [], planning)[6]!.at!
  const notice = { at: letterAt, receiptAt: at('2026-12-18T10:00:00+01:00') }
  const progress = { ...start, step: 7, notice }
  const now = notice.receiptAt
  const before = forecastActions([recovery()], [], planning)
    .slice(0, 7)
    .map(({ at: moment, channel }) => ({ at: moment!, channel: channel! }))
  const planningThen = { ...planning, rules: rules({ contacts: before, month: before }), now }
  const due = replan(
    progress,
    { at: letterAt, wasContact: true },
    { ...planningThen, reach: recovery().reach },
  )
  const actions = forecastActions([recovery({ progress, due })], [], planningThen)
  expect(actions.map(dated)).toEqual([
    '2026-12-28 ai_call_2 send',
    '2026-12-31 email_dernier_avis send',
    '2027-01-07 revue_judiciaire decide',
  ])
  // The 26th, eight days after the signature, is a Saturday: nobody is called, and the plan says so.
  expect(actions[0]!.shifts.map(shift => shift.because)).toContain('call_hours')
})

it('what cannot be sent is named with its reason, and a formal notice without an address goes by email', () => {
  const reach = { ...fullReach(cents(20_000)), hasMobile: false, hasAddress: false }
  const actions = forecastActions([recovery({ reach })], [], planning)
  expect(
    actions.filter(action => action.kind === 'skip').map(action => [action.step, action.because]),
  ).toEqual([
    ['sms_reminder', 'no_mobile'],
    ['ai_call', 'small_balance'],
    ['ai_call_2', 'small_balance'],
  ])
  const letter = actions.find(action => action.step === 'lrar_mise_en_demeure')
  expect(letter).toMatchObject({ kind: 'send', channel: 'email' })
})

it('after a skipped step the gap is one day, not three', () => {
  const own = cascadeOf('ours', 1, [
    { name: 'email_prise_en_charge', channel: 'email', day: 0 },
    { name: 'sms_reminder', channel: 'sms', day: 5 },
    { name: 'relance_email_1', channel: 'email', day: 6 },
  ])
  const reach = { ...fullReach(cents(120_000)), hasMobile: false }
  expect(
    forecastActions([recovery({ reach, progress: { ...start, cascade: own } })], [], planning).map(dated),
  ).toEqual([
    '2026-11-16 email_prise_en_charge send',
    '2026-11-21 sms_reminder skip',
    '2026-11-23 relance_email_1 send',
  ])
})

it('a step that must not be left out and has no provider is where the plan ends', () => {
  const reach = { ...fullReach(cents(120_000)), missing: ['lrar' as const] }
  const last = forecastActions([recovery({ reach })], [], planning).at(-1)
  expect(last).toMatchObject({
    step: 'lrar_mise_en_demeure',
    kind: 'stand',
    at: null,
    because: 'no_provider',
  })
})

it('a consumer is not reminded past the last day of the limitation', () => {
  const consumer = { ...planning, rules: rules({ isConsumer: true }) }
  const actions = forecastActions([recovery({ limitationEndsOn: '2026-12-01' })], [], consumer)
  expect(actions.at(-1)).toMatchObject({ step: 'ai_call', kind: 'stand', because: 'time_barred' })
  expect(
    actions.slice(0, -1).every(action => localTime('Europe/Paris', action.at!).date <= '2026-12-01'),
  ).toBe(true)
})

it('an extra message takes its day: the step due on it waits, and says that the cool-down moved it', () => {
  const extra: WaitingExtra = {
    id: 'extra',
    invoiceId: 'one',
    step: 'extra_message',
    channel: 'email',
    at: at('2026-11-20T10:00:00+01:00'),
    dueDate: '2026-10-15',
    limitationEndsOn: '2031-09-15',
    recovery: 'in_recovery',
  }
  const [, asked, reminder] = forecastActions([recovery()], [extra], planning)
  expect(asked).toMatchObject({
    step: 'extra_message',
    communicationId: 'extra',
    day: null,
    at: extra.at,
    because: 'requested',
  })
  expect(reminder).toMatchObject({ step: 'relance_email_1', because: 'channel_cooldown' })
  expect(reminder!.at! - extra.at).toBeGreaterThanOrEqual(72 * 3_600_000)
  expect(reminder!.shifts.at(-1)!.because).toBe('channel_cooldown')
})

it('several invoices share the one contact a day: the highest rank leads, the other is grouped into its message', () => {
  const other = recovery({ invoiceId: 'two', dueDate: '2026-09-01' })
  const actions = forecastActions([recovery(), other], [], planning)
  const days = (invoiceId: string) => actions.filter(action => action.invoiceId === invoiceId).map(dated)
  expect(days('two')).toEqual(days('one'))
  expect(actions.filter(action => action.because === 'grouped')).toHaveLength(9)
})

it('every planned message is legal when those before it were sent, and what it was asked about is left as it was', () => {
  const asked = recovery()
  const contacts: { at: Instant; channel: 'email' }[] = []
  const before = structuredClone(asked)
  for (const action of forecastActions([asked], [], planning)) {
    if (action.kind !== 'send') continue
    const file = rules({ contacts, month: contacts })
    expect(judgeContact(file, action.channel!, action.at!), action.step).toEqual({ allowed: true })
    contacts.push({ at: action.at!, channel: action.channel as 'email' })
  }
  expect(contacts).toHaveLength(9)
  expect(asked).toEqual(before)
})

it('a country without a calendar has no future, and one beyond the calendar ends there', () => {
  const nowhere = { ...planning, rules: rules({ calendar: null }) }
  const due = { at: null, because: 'calendar_missing', shifts: [] }
  expect(forecastActions([recovery({ due })], [], nowhere)).toEqual([])
  const late = at('2100-01-04T10:00:00+01:00')
  const far = recovery({ due: { at: late, because: null, shifts: [] } })
  expect(forecastActions([far], [], { ...planning, now: late })).toMatchObject([
    { kind: 'stand', at: null, because: 'calendar_horizon' },
  ])
})

it('the shifts of a waiting step are computed again: the same moment, with each reason it was moved', () => {
  const sunday = at('2026-11-15T10:00:00+01:00')
  const planned = planFirstStep(rules(), cascade, '2026-10-15', sunday, 'debtor')
  const past = { startedAt: sunday, dueDate: '2026-10-15', lastAt: null }
  const explained = explainDue(start, planned, past, { ...planning, reach: recovery().reach })
  expect(explained.shifts.map(shift => shift.because)).toEqual(['sunday'])
  // A moment that something else decided is not explained by what did not.
  const elsewhere = { at: planned.at! + 1, because: 'escalated' }
  expect(explainDue(start, elsewhere, past, { ...planning, reach: recovery().reach }).shifts).toEqual([])
})

it('the plan of a cascade of one’s own has its own days', () => {
  const own = cascadeOf('ours', 1, [
    { name: 'email_prise_en_charge', channel: 'email', day: 0 },
    { name: 'revue_judiciaire', channel: null, day: 10 },
  ])
  expect(
    forecastActions([recovery({ progress: { ...start, cascade: own } })], [], planning).map(dated),
  ).toEqual(['2026-11-16 email_prise_en_charge send', '2026-11-26 revue_judiciaire decide'])
})
