import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { type Channel, channels } from '../contact/channel.ts'
import { defaultCaps, type PastContact } from '../contact/contact-rules.ts'
import { cents } from '../money/money.ts'
import { DAY, HOUR, localTime, MINUTE } from '../time.ts'
import { cascadeOf, fullReach } from './cascade.ts'
import { type FutureAction, forecastActions } from './forecast.ts'
import { nothingDue, wishOf } from './hold.ts'
import { decideLook, type Look } from './look.ts'
import type { LookContext, WaitingExtra, WaitingRecovery } from './waiting.ts'

const monday = paris('2026-11-16 09:30')
const cascade = cascadeOf('fr_b2b_standard', 1)
const stepNamed = (name: string) => cascade.steps.findIndex(step => step.name === name)

const context = (changes: Partial<LookContext> = {}): LookContext => ({
  rules: fileOf('69002'),
  now: monday,
  seed: 'debtor',
  hold: null,
  unusable: [],
  ...changes,
})
const recovery = (
  invoiceId: string,
  step: string,
  changes: Partial<WaitingRecovery> = {},
): WaitingRecovery => ({
  invoiceId,
  status: 'in_recovery',
  holds: [],
  pausedAt: null,
  lastAt: null,
  progress: { cascade, step: stepNamed(step), attempt: 0, anchor: monday - 20 * DAY, notice: null },
  due: { at: monday, because: null },
  reach: fullReach(cents(120_000)),
  dueDate: '2026-10-15',
  limitationEndsOn: '2031-09-15',
  ...changes,
})
const extra = (step: string, changes: Partial<WaitingExtra> = {}): WaitingExtra => ({
  id: 'extra',
  invoiceId: 'one',
  step,
  channel: 'email',
  at: monday,
  dueDate: '2026-10-15',
  limitationEndsOn: '2031-09-15',
  recovery: 'in_recovery',
  ...changes,
})
const look = (
  recoveries: readonly WaitingRecovery[],
  extras: readonly WaitingExtra[] = [],
  changes: Partial<LookContext> = {},
) => decideLook(recoveries, extras, context(changes))
const served = ({ next }: Look<WaitingRecovery, WaitingExtra>) =>
  next?.kind === 'contact' ? [next.lead, ...next.grouped].map(one => one.invoiceId).join(' ') : null
const advances = ({ advanced }: Look<WaitingRecovery, WaitingExtra>) =>
  advanced.map(({ recovery: { invoiceId }, advance }) => `${invoiceId} ${advance.kind}`)

describe('what is due', () => {
  it('what is due later today goes with what is due now, and wakes nobody by itself', () => {
    const later = recovery('two', 'relance_email_1', { due: { at: monday + 6 * HOUR, because: null } })
    expect(served(look([recovery('one', 'relance_email_2'), later]))).toBe('one two')
    expect(look([later])).toEqual({ advanced: [], undeliverable: [], postponed: [], next: null })
  })

  it('what is due tomorrow is left alone, and so is everything behind it', () => {
    const tomorrow = recovery('two', 'relance_email_1', { due: { at: monday + DAY, because: null } })
    expect(served(look([recovery('one', 'relance_email_2'), tomorrow]))).toBe('one')
  })

  it('today ends at midnight where the debtor is, and without a calendar at once', () => {
    const late = (text: string) =>
      recovery('two', 'relance_email_1', { due: { at: paris(text), because: null } })
    const one = recovery('one', 'relance_email_2')
    expect(served(look([one, late('2026-11-16 23:59:59.999')]))).toBe('one two')
    expect(served(look([one, late('2026-11-17 00:00')]))).toBe('one')
    const nowhere = { rules: { ...fileOf('69002'), calendar: null } }
    expect(look([one, late('2026-11-16 10:00')], [], nowhere).next).toEqual({
      kind: 'park',
      because: 'calendar_missing',
    })
  })

  it('a step left out, a decision and a message happen in one look', () => {
    const noMobile = { ...fullReach(cents(120_000)), hasMobile: false }
    const seen = look([
      recovery('one', 'sms_reminder', { reach: noMobile }),
      recovery('two', 'revue_judiciaire'),
      recovery('three', 'relance_email_1'),
    ])
    expect(advances(seen)).toEqual(['one skip', 'two decide'])
    expect(seen.advanced[0]!.advance).toMatchObject({
      because: 'no_mobile',
      nextStep: { step: stepNamed('sms_reminder') + 1 },
    })
    expect(served(seen)).toBe('three')
  })

  it('what sends nothing waits for its own moment, also on its day', () => {
    const noMobile = { ...fullReach(cents(120_000)), hasMobile: false }
    const due = { at: monday + HOUR, because: null }
    expect(advances(look([recovery('one', 'sms_reminder', { reach: noMobile, due })]))).toEqual([])
  })

  it('a formal notice without a provider stands', () => {
    const reach = { ...fullReach(cents(120_000)), missing: ['lrar' as const] }
    const [first] = look([recovery('one', 'lrar_mise_en_demeure', { reach })]).advanced
    expect(first!.advance).toEqual({ kind: 'stand', because: 'no_provider' })
  })

  it('a consumer is reminded on the last day of the limitation, and not on the next', () => {
    const rules = fileOf('69002', [], { isConsumer: true })
    const on = (limitationEndsOn: string) =>
      look([recovery('one', 'relance_email_1', { limitationEndsOn })], [], { rules })
    expect(served(on('2026-11-16'))).toBe('one')
    expect(on('2026-11-15').advanced[0]!.advance).toEqual({ kind: 'stand', because: 'time_barred' })
    const business = look([recovery('one', 'relance_email_1', { limitationEndsOn: '2019-11-15' })])
    expect(served(business)).toBe('one')
  })

  it('a message that a person asked for before the time bar of a consumer is not sent after it; an answer is', () => {
    const rules = fileOf('69002', [], { isConsumer: true })
    const asked = extra('extra_message', { limitationEndsOn: '2026-11-15' })
    const answer = extra('dispute_received', { limitationEndsOn: '2026-11-15' })
    expect(look([], [asked], { rules }).undeliverable).toEqual([asked])
    expect(look([], [answer], { rules }).next).toEqual({ kind: 'answer', extra: answer })
    expect(look([], [asked]).undeliverable).toEqual([])
  })
})

describe('holds', () => {
  it('what holds the debtor holds whatever is due, and nothing is sent', () => {
    const promised = recovery('two', 'relance_email_1', {
      status: 'paused',
      holds: ['promise'],
      pausedAt: monday - DAY,
      due: { at: monday, because: 'promise' },
    })
    const seen = look([recovery('one', 'relance_email_1'), promised], [], { hold: 'insolvency' })
    expect(seen.advanced.map(({ advance }) => advance)).toEqual([
      {
        kind: 'held',
        by: 'insolvency',
        breaksPromise: false,
        change: { status: 'paused', holds: ['insolvency'], pausedAt: monday, due: nothingDue },
      },
      {
        kind: 'held',
        by: 'insolvency',
        breaksPromise: true,
        change: {
          status: 'paused',
          holds: ['promise', 'insolvency'],
          pausedAt: monday - DAY,
          due: nothingDue,
        },
      },
    ])
    expect(seen.next).toBeNull()
  })

  it('a pause whose moment has come is over, and sends nothing in the same look', () => {
    const paused = (because: 'promise' | 'resume', hold: 'promise' | 'asked') =>
      recovery('one', 'relance_email_1', {
        status: 'paused',
        holds: [hold],
        pausedAt: monday - DAY,
        due: { at: monday, because },
      })
    expect(look([paused('promise', 'promise')])).toMatchObject({
      advanced: [{ advance: { kind: 'pause_over', breaksPromise: true, change: { status: 'in_recovery' } } }],
      next: null,
    })
    expect(look([paused('resume', 'asked')]).advanced[0]!.advance).toMatchObject({ breaksPromise: false })
  })
})

describe('messages beside the cascade', () => {
  it('is dropped when its recovery does not run, its debtor is held, or its channel is closed', () => {
    const asked = extra('extra_message')
    const dropped = (one: WaitingExtra, changes: Partial<LookContext> = {}) => {
      const { undeliverable, next } = look([], [one], changes)
      if (undeliverable.length > 0) expect(next).toBeNull()
      return undeliverable.length
    }
    expect(dropped(asked)).toBe(0)
    expect(dropped({ ...asked, recovery: 'paused' })).toBe(1)
    expect(dropped(asked, { hold: 'wrong_person' })).toBe(1)
    expect(dropped(asked, { unusable: ['email'] })).toBe(1)
    expect(dropped(asked, { unusable: ['sms'] })).toBe(0)
    expect(dropped({ ...asked, at: monday + 1, recovery: 'paused' })).toBe(0)
    const closing = extra('closing_notice', { recovery: 'cancelled' })
    expect(dropped(closing, { hold: 'insolvency' })).toBe(0)
    expect(dropped(extra('promise_confirmed', { recovery: 'completed' }))).toBe(1)
    expect(dropped(extra('dispute_received', { recovery: 'completed' }))).toBe(0)
  })

  it('makes no step of later today leave earlier, whatever its rank: it goes alone, or waits alone', () => {
    const notice = recovery('two', 'lrar_mise_en_demeure', { due: { at: monday + 6 * HOUR, because: null } })
    const asked = extra('extra_message')
    expect(served(look([notice], [asked]))).toBe('one')
    expect(look([notice], [asked]).postponed).toEqual([])
    const early = look([notice], [asked], { now: monday - 2 * HOUR })
    expect(early.next).toBeNull()
    const tooSoon = look([notice], [{ ...asked, at: monday - 3 * HOUR }], { now: monday - 2 * HOUR })
    expect(tooSoon.next).toBeNull()
    expect(tooSoon.postponed.map(one => one.recovery)).toEqual([null])
    // A step that is due now takes the notice with it, as it does without the message.
    const step = recovery('three', 'relance_email_1')
    expect(served(look([step, notice], [asked]))).toBe(served(look([step, notice])))
  })

  it('an answer goes first and competes with nothing; the steps are left as they are', () => {
    const seen = look([recovery('one', 'relance_email_1')], [extra('dispute_received')], {
      rules: fileOf('69002', [{ at: monday - HOUR, channel: 'email' }]),
    })
    expect(seen).toMatchObject({ advanced: [], postponed: [], next: { kind: 'answer' } })
  })

  it('an answer waits for the day, the receipt of a payment does not', () => {
    const night = paris('2026-11-16 22:00')
    const confirmed = extra('promise_confirmed', { at: night })
    const seen = look([], [confirmed], { now: night })
    expect(seen).toMatchObject({ next: null, postponed: [{ extra: confirmed, because: 'outside_hours' }] })
    expect(localTime('Europe/Paris', seen.postponed[0]!.at!).date).toBe('2026-11-17')
    const receipt = extra('payment_receipt', { at: night })
    expect(look([], [confirmed, receipt], { now: night })).toMatchObject({
      next: { kind: 'answer', extra: receipt },
      postponed: [{ extra: confirmed }],
    })
  })
})

describe('what has to wait', () => {
  it('what may still go today waits together', () => {
    const early = paris('2026-11-16 08:10')
    const due = { at: early, because: null }
    const seen = look(
      [recovery('one', 'ai_call', { due }), recovery('two', 'relance_email_1', { due })],
      [],
      {
        now: early,
      },
    )
    const [call, email] = seen.postponed
    expect(call).toMatchObject({ because: 'call_hours' })
    expect(email).toMatchObject({ at: call!.at, because: 'call_hours' })
  })

  it('beyond today each waits for its own channel, and does not go with what goes before', () => {
    const contacts: PastContact[] = [{ at: monday - HOUR, channel: 'email' }]
    const seen = look([recovery('one', 'relance_email_1'), recovery('two', 'sms_reminder')], [], {
      rules: fileOf('69002', contacts),
    })
    const days = seen.postponed.map(({ recovery: one, at }) => [
      one!.invoiceId,
      localTime('Europe/Paris', at!).date,
    ])
    expect(days).toEqual([
      ['one', '2026-11-19'],
      ['two', '2026-11-17'],
    ])
    expect(seen.next).toBeNull()
  })
})

describe('what waited because of a contact', () => {
  // 72 hours and a quarter after the email of an hour ago.
  const thursday = monday - HOUR + 3 * DAY + 15 * MINUTE
  const waiting = (changes: Partial<WaitingRecovery> = {}) =>
    recovery('one', 'relance_email_1', {
      due: { at: thursday, because: 'channel_cooldown', wish: monday - HOUR },
      ...changes,
    })

  it('goes at once when the contact turns out to be none', () => {
    expect(served(look([waiting()]))).toBe('one')
    const message = extra('extra_message', { at: thursday, wish: monday - HOUR })
    expect(look([], [message]).next).toMatchObject({ kind: 'contact', lead: { extra: message } })
  })

  it('goes earlier when less is in the way than was thought', () => {
    const today = { rules: fileOf('69002', [{ at: monday - HOUR, channel: 'sms' }]) }
    const { next, postponed } = look([waiting()], [], today)
    expect(next).toBeNull()
    expect(postponed).toMatchObject([{ recovery: { invoiceId: 'one' }, because: 'one_contact_a_day' }])
    expect(localTime('Europe/Paris', postponed[0]!.at!).date).toBe('2026-11-17')
  })

  it('gets the moment it wished as soon as nothing is in the way, however far that moment is', () => {
    const wish = monday + DAY
    const later = waiting({ due: { at: thursday, because: 'channel_cooldown', wish } })
    expect(look([later])).toMatchObject({
      next: null,
      postponed: [{ recovery: { invoiceId: 'one' }, at: wish }],
    })
    const message = extra('extra_message', { at: thursday, wish })
    expect(look([], [message])).toMatchObject({ next: null, postponed: [{ extra: message, at: wish }] })
  })

  it('keeps its moment while the contact stands', () => {
    const stands = { rules: fileOf('69002', [{ at: monday - HOUR, channel: 'email' }]) }
    expect(look([waiting()], [], stands)).toMatchObject({ next: null, postponed: [] })
    const far = waiting({ due: { at: thursday, because: 'channel_cooldown', wish: monday + DAY } })
    expect(look([far], [], stands)).toMatchObject({ next: null, postponed: [] })
  })

  it('is not postponed because of a message that has no outcome yet', () => {
    const onItsWay = { rules: fileOf('69002', [{ at: monday - MINUTE, channel: 'email' }]) }
    const due = [recovery('one', 'relance_email_1')]
    const withoutOpen = { ...onItsWay, rulesWithoutOpen: fileOf('69002') }
    expect(look(due, [], withoutOpen)).toMatchObject({ next: { kind: 'wait_for_outcome' }, postponed: [] })
    expect(look(due, [], onItsWay)).toMatchObject({
      next: null,
      postponed: [{ because: 'channel_cooldown' }],
    })
  })

  it('does not wait for an outcome that changes nothing', () => {
    const sent: PastContact = { at: monday - HOUR, channel: 'email' }
    const both = fileOf('69002', [sent, { at: monday - MINUTE, channel: 'email' }])
    const changes = { rules: both, rulesWithoutOpen: fileOf('69002', [{ ...sent, at: monday - MINUTE }]) }
    expect(look([recovery('one', 'relance_email_1')], [], changes).next).toBeNull()
  })
})

describe('the plan and the wake', () => {
  const reach = fc.record({
    hasPhone: fc.boolean(),
    hasMobile: fc.boolean(),
    hasAddress: fc.boolean(),
    closed: fc.subarray<Channel>([...channels], { maxLength: 2 }),
    balance: fc.constantFrom(cents(50_00), cents(200_00), cents(1_200_00)),
    missing: fc.subarray<Channel>(['sms', 'lrar']),
  })
  const moment = fc.integer({ min: -2 * DAY, max: 6 * DAY }).map(after => monday + after)
  const waiting = fc
    .record({
      step: fc.constantFrom(...cascade.steps.map(step => step.name)),
      at: moment,
      dueDate: fc.constantFrom('2024-11-10', '2024-11-18', '2026-10-01', '2026-10-02'),
      held: fc.constantFrom('none', 'none', 'none', 'promise', 'asked'),
      reach,
    })
    .map(
      ({ step, at, dueDate, held, reach: by }): WaitingRecovery =>
        recovery('', step, {
          dueDate,
          reach: by,
          due: { at, because: held === 'promise' ? 'promise' : held === 'asked' ? 'resume' : null },
          ...(held !== 'none' && {
            status: 'paused',
            holds: [held as 'promise' | 'asked'],
            pausedAt: monday - 3 * DAY,
          }),
        }),
    )
  const beside = fc
    .record({
      step: fc.constantFrom('extra_message', 'closing_notice', 'payment_receipt', 'dispute_received'),
      channel: fc.constantFrom<Channel>('email', 'sms'),
      at: moment,
      recovery: fc.constantFrom('in_recovery' as const, 'paused' as const),
    })
    .map(({ step, channel, at, recovery: status }) => extra(step, { channel, at, recovery: status }))
  const past = fc.array(
    fc.record({
      channel: fc.constantFrom<Channel>(...channels),
      at: fc.integer({ min: 0, max: 4 * DAY }).map(ago => monday - 2 * DAY - ago),
    }),
    { maxLength: 3 },
  )

  /** What one look does that anybody could see, as the plan would say it. */
  const visible = ({ advanced, next }: Look<WaitingRecovery, WaitingExtra>, now: number): string[] => {
    const stepOf = ({ progress }: WaitingRecovery) => progress.cascade.steps[progress.step]!.name
    const said = (id: string, step: string, kind: string, at: number | null) => `${id} ${step} ${kind} ${at}`
    const withoutMessage = advanced.flatMap(({ recovery: one, advance }) => {
      if (advance.kind === 'pause_over') return []
      const stands = advance.kind === 'stand' || advance.kind === 'held'
      return [said(one.invoiceId, stepOf(one), stands ? 'stand' : advance.kind, stands ? null : now)]
    })
    if (next?.kind === 'answer')
      return [...withoutMessage, said(next.extra.invoiceId, next.extra.step, 'send', now)]
    if (next?.kind !== 'contact') return withoutMessage
    return [
      ...withoutMessage,
      ...[next.lead, ...next.grouped].map(({ invoiceId, step }) => said(invoiceId, step.name, 'send', now)),
    ]
  }
  const asSaid = ({ invoiceId, step, kind, at }: FutureAction) => `${invoiceId} ${step} ${kind} ${at}`

  it('the next entries of a plan are what the wake decides for the same debtor at the same moment', () => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.array(waiting, { minLength: 1, maxLength: 5 }),
        fc.array(beside, { maxLength: 2 }),
        past,
        fc.constantFrom(null, null, null, 'insolvency' as const),
        fc.boolean(),
        (some, extras, contacts, hold, isConsumer) => {
          let recoveries = some.map((one, i) => ({ ...one, invoiceId: `i${i}` }))
          let others = extras
          const rules = fileOf('69002', contacts, { caps: defaultCaps, isConsumer })
          const seen = context({ rules, hold, now: monday - 2 * DAY })
          const pursuits = recoveries.map(one => ({ ...one, due: { ...one.due, shifts: [] } }))
          const plan = forecastActions(pursuits, others, seen).map(asSaid)
          // As the wake does: at the earliest moment, and again where a look only put off what is due.
          let { now } = seen
          for (let looks = 0; looks < 20; looks++) {
            recoveries.sort((left, right) => left.due.at! - right.due.at!)
            others = others.toSorted((left, right) => left.at - right.at)
            const dues = [...recoveries.map(({ due }) => due.at!), ...others.map(({ at }) => at)]
            if (dues.length === 0) return
            now = Math.max(now, Math.min(...dues))
            const decided = decideLook(recoveries, others, { ...seen, now })
            if (decided.next?.kind === 'park') return
            const visibleActions = visible(decided, now)
            if (visibleActions.length > 0) {
              compared++
              expect(plan.slice(0, visibleActions.length)).toEqual(visibleActions)
              return
            }
            others = others.flatMap(one => {
              if (decided.undeliverable.includes(one)) return []
              const put = decided.postponed.find(each => each.extra === one)
              return put ? (put.at === null ? [] : [{ ...one, at: put.at, wish: one.wish ?? one.at }]) : [one]
            })
            recoveries = recoveries.flatMap(one => {
              const put = decided.postponed.find(each => each.recovery === one)
              const moved = decided.advanced.find(each => each.recovery === one)?.advance
              if (moved?.kind === 'pause_over') {
                const { anchor, ...change } = moved.change
                const next = { ...one, ...change, progress: { ...one.progress, anchor } }
                return next.due.at === null ? [] : [next]
              }
              if (!put) return [one]
              const { at, because } = put
              return at === null ? [] : [{ ...one, due: { at, because, wish: wishOf(one.due)! } }]
            })
          }
        },
      ),
      { numRuns: 500 },
    )
    expect(compared).toBeGreaterThan(300)
  })

  it('a plan and a look a minute apart agree, whoever asks first', () => {
    const one = recovery('one', 'relance_email_1', { due: { at: monday + MINUTE, because: null } })
    const [first] = forecastActions([{ ...one, due: { ...one.due, shifts: [] } }], [], context())
    const { next } = look([one], [], { now: monday + MINUTE })
    expect(first).toMatchObject({ kind: 'send', at: monday + MINUTE, channel: 'email' })
    expect(next).toMatchObject({ kind: 'contact', lead: { channel: 'email' } })
  })
})

describe('a debtor that a person paused', () => {
  const until = monday + 10 * DAY
  const held = { hold: 'debtor' as const, pausedUntil: until }

  it('holds what comes due until the pause ends, and what was started later too', () => {
    const [advanced] = look([recovery('one', 'relance_email_1')], [], held).advanced
    expect(advanced!.advance).toMatchObject({
      kind: 'held',
      by: 'debtor',
      change: { status: 'paused', holds: ['debtor'], due: { at: until, because: 'debtor' } },
    })
    const [forGood] = look([recovery('one', 'relance_email_1')], [], { hold: 'debtor' }).advanced
    expect(forGood!.advance).toMatchObject({ change: { due: nothingDue } })
  })

  it('keeps a promise that is broken meanwhile broken once, and a pause that is over meanwhile over', () => {
    const promised = recovery('one', 'relance_email_1', {
      status: 'paused',
      holds: ['promise', 'debtor'],
      pausedAt: monday - DAY,
      due: { at: monday, because: 'promise' },
    })
    expect(look([promised], [], held).advanced[0]!.advance).toMatchObject({
      breaksPromise: true,
      change: { holds: ['debtor'], pausedAt: monday - DAY, due: { at: until, because: 'debtor' } },
    })
  })

  it('goes on when the pause is over, unless something else holds it', () => {
    const paused = (holds: WaitingRecovery['holds']) =>
      recovery('one', 'relance_email_1', {
        status: 'paused',
        holds,
        pausedAt: monday - DAY,
        due: { at: monday, because: 'debtor' },
      })
    const after = (holds: WaitingRecovery['holds']) => look([paused(holds)]).advanced[0]!.advance
    expect(after(['debtor'])).toMatchObject({ kind: 'pause_over', change: { status: 'in_recovery' } })
    expect(after(['debtor', 'dispute'])).toMatchObject({ change: { status: 'paused', holds: ['dispute'] } })
  })

  it('is planned from the end of its pause', () => {
    const one = recovery('one', 'relance_email_1')
    const actions = forecastActions([{ ...one, due: { ...one.due, shifts: [] } }], [], context(held))
    expect(actions[0]!.at).toBeGreaterThanOrEqual(until)
    expect(actions.length).toBeGreaterThan(2)
    const forGood = forecastActions(
      [{ ...one, due: { ...one.due, shifts: [] } }],
      [],
      context({ hold: 'debtor' }),
    )
    expect(forGood).toMatchObject([{ kind: 'stand', because: 'debtor', at: null }])
  })
})

describe('a refused address', () => {
  const refused = (...refusedChannels: Channel[]) => ({
    ...fullReach(cents(120_000)),
    refused: refusedChannels,
  })
  const consumer = { rules: fileOf('69002', [], { isConsumer: true }) }

  it.each([
    ['a business', {}],
    ['a consumer', consumer],
  ])('%s: what needs it is held at once, whatever its day, and nothing else', (_, whose) => {
    const later = { at: monday + 9 * DAY, because: null }
    const seen = look(
      [
        recovery('one', 'relance_email_1', { reach: refused('email') }),
        recovery('two', 'relance_email_2', { reach: refused('email'), due: later }),
        recovery('three', 'sms_reminder', { reach: refused('email') }),
      ],
      [],
      whose,
    )
    expect(advances(seen)).toEqual(['one held', 'two held'])
    expect(seen.advanced[1]!.advance).toEqual({
      kind: 'held',
      by: 'address_refused',
      breaksPromise: false,
      change: { status: 'paused', holds: ['address_refused'], pausedAt: monday, due: nothingDue },
    })
    expect(served(seen)).toBe('three')
  })

  it('a formal notice goes by the address that is left, and without one it waits', () => {
    const notice = (...channelsRefused: Channel[]) =>
      look([recovery('one', 'lrar_mise_en_demeure', { reach: refused(...channelsRefused) })])
    expect(notice('lrar').next).toMatchObject({ kind: 'contact', lead: { channel: 'email' } })
    expect(notice('email').next).toMatchObject({ kind: 'contact', lead: { channel: 'lrar' } })
    expect(advances(notice('email', 'lrar'))).toEqual(['one held'])
  })

  it('another hold keeps its own end, and a time-barred debt of a consumer is not a task', () => {
    const one = recovery('one', 'relance_email_1', { reach: refused('email') })
    const [held] = look([one], [], { hold: 'reply' }).advanced
    expect(held!.advance).toMatchObject({ kind: 'held', by: 'reply' })
    const barred = recovery('one', 'relance_email_1', {
      reach: refused('email'),
      limitationEndsOn: '2026-11-15',
    })
    expect(advances(look([barred], [], consumer))).toEqual(['one stand'])
  })

  it('nothing behind the step that waits overtakes it: the forecast ends there, without a moment', () => {
    const forecast = forecastActions(
      [
        {
          ...recovery('one', 'sms_reminder', { reach: refused('email') }),
          due: { at: monday, because: null, shifts: [] },
        },
      ],
      [],
      context(),
    )
    expect(forecast.map(({ kind, step, at, because }) => [kind, step, at, because])).toEqual([
      ['send', 'sms_reminder', monday, null],
      ['stand', 'relance_email_2', null, 'address_refused'],
    ])
  })
})
