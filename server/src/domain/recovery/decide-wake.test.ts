import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clock, fileOf, paris } from '../../../test/simulation/contact-file.ts'
import type { Channel } from '../contact/channel.ts'
import { judgeStart, type PastContact } from '../contact/contact-rules.ts'
import { DAY, HOUR } from '../time.ts'
import { knownSteps, rankOf, type StepName } from './cascade.ts'
import { byPriority, type DueMessage, decideWake } from './decide-wake.ts'

const monday = paris('2026-11-16 09:30')
const lyon = fileOf('69002')

const due = (invoiceId: string, name: StepName, more: Partial<DueMessage> = {}): DueMessage => ({
  invoiceId,
  step: { name, channel: knownSteps[name] },
  channel: knownSteps[name] ?? 'email',
  dueDate: '2026-10-15',
  isExtra: false,
  ...more,
})
const extra = (invoiceId: string, channel: Channel): DueMessage => ({
  ...due(invoiceId, 'relance_email_1'),
  step: { name: 'message', channel },
  channel,
  isExtra: true,
})
/** The formal notice of a small debt, or of somebody without an address. */
const byEmail = (invoiceId: string) => due(invoiceId, 'lrar_mise_en_demeure', { channel: 'email' })

const decide = (messages: DueMessage[], contacts: PastContact[] = [], now = monday) =>
  decideWake(fileOf('69002', contacts), messages as [DueMessage], now, 'seed')
/** The invoice of the lead, then the grouped invoices. */
const contacted = (messages: DueMessage[], contacts: PastContact[] = [], now = monday) => {
  const decision = decide(messages, contacts, now)
  if (decision.kind !== 'contact') return decision.kind
  return [decision.lead.invoiceId, ...decision.grouped.map(one => one.invoiceId)].join(' ')
}

it('the step with the highest rank leads, then a first contact, then the oldest debt, then the smallest id', () => {
  const order = (...messages: DueMessage[]) =>
    messages
      .toSorted(byPriority)
      .map(one => one.invoiceId)
      .join(' ')
  expect(
    order(due('a', 'email_prise_en_charge'), due('b', 'lrar_mise_en_demeure'), due('c', 'sms_reminder')),
  ).toBe('b c a')
  const older = due('b', 'relance_email_1', { dueDate: '2026-10-01' })
  expect(order(due('a', 'email_prise_en_charge'), older)).toBe('a b')
  expect(order(older, due('a', 'email_prise_en_charge'))).toBe('a b')
  expect(order(due('a', 'relance_email_1'), older)).toBe('b a')
  expect(order(due('b', 'relance_email_1'), due('a', 'relance_email_2'))).toBe('a b')
  expect(order(due('a', 'relance_email_1'), due('b', 'relance_email_2'))).toBe('a b')
})

it('nothing begins in the last two minutes of the hours', () => {
  const late = paris('2026-11-16 19:58:45')
  expect(decide([due('a', 'email_prise_en_charge')], [], late)).toMatchObject({
    kind: 'wait',
    because: 'outside_hours',
  })
  expect(contacted([due('a', 'email_prise_en_charge')], [], paris('2026-11-16 19:58:00'))).toBe('a')
})

it('of two formal notices the letter goes before the email, and of two equals the one asked for by hand', () => {
  const order = (...messages: DueMessage[]) =>
    messages
      .toSorted(byPriority)
      .map(one => one.invoiceId)
      .join(' ')
  expect(order(byEmail('a'), due('b', 'lrar_mise_en_demeure'))).toBe('b a')
  expect(order(due('a', 'relance_email_1', { dueDate: '2020-01-01' }), extra('b', 'email'))).toBe('b a')
  expect(order(extra('b', 'email'), due('a', 'sms_reminder'))).toBe('a b')
})

it('one message is led by the highest rank and groups everything of equal or lower rank', () => {
  expect(contacted([due('a', 'relance_email_1'), due('b', 'sms_reminder'), due('c', 'ai_call')])).toBe(
    'c b a',
  )
  expect(contacted([due('a', 'relance_email_1'), due('b', 'relance_email_3')])).toBe('a b')
  expect(contacted([due('a', 'relance_email_1')])).toBe('a')
})

it('a formal notice executes formal notices and nothing else', () => {
  const letter = due('b', 'lrar_mise_en_demeure')
  expect(contacted([due('a', 'relance_email_1'), letter, due('c', 'lrar_mise_en_demeure')])).toBe('b c')
  expect(contacted([letter, byEmail('c')])).toBe('b c')
})

it('a first contact is executed only by the message of another first contact', () => {
  expect(contacted([due('a', 'email_prise_en_charge'), due('b', 'sms_reminder')])).toBe('b')
  expect(contacted([due('a', 'email_prise_en_charge'), due('b', 'ai_call')])).toBe('b')
  expect(contacted([due('a', 'email_prise_en_charge'), due('b', 'relance_email_1')])).toBe('a b')
  expect(contacted([due('a', 'email_prise_en_charge'), due('b', 'email_prise_en_charge')])).toBe('a b')
})

it('one message executes the steps of 500 invoices at most', () => {
  const many = Array.from({ length: 501 }, (_, i) => due(String(i).padStart(3, '0'), 'relance_email_1'))
  expect(contacted(many).split(' ')).toEqual(many.slice(0, 500).map(one => one.invoiceId))
})

it('a formal notice is never replaced by anything less', () => {
  const letterToday = [{ at: monday - 2 * DAY, channel: 'lrar' as const }]
  // The letter has to wait for its channel; the call goes today and leaves it where it is.
  expect(contacted([due('a', 'lrar_mise_en_demeure'), due('b', 'ai_call')], letterToday)).toBe('b')
  expect(contacted([due('a', 'lrar_mise_en_demeure'), byEmail('b')], letterToday)).toBe('b')
  expect(contacted([byEmail('a'), due('b', 'ai_call')], [{ at: monday - 2 * DAY, channel: 'email' }])).toBe(
    'b',
  )
})

it('a reminder by email is skipped if a formal notice leaves by email that day; everything else waits', () => {
  const reminders = [due('b', 'sms_reminder'), due('c', 'relance_email_1'), due('d', 'ai_call')]
  const messages = [byEmail('a'), ...reminders, due('e', 'email_prise_en_charge'), extra('x', 'email')]
  expect(decide(messages)).toMatchObject({
    lead: { invoiceId: 'a' },
    grouped: [],
    dropped: [{ invoiceId: 'c' }],
  })
  const letter = due('a', 'lrar_mise_en_demeure')
  expect(decide([letter, ...reminders])).toMatchObject({ lead: { invoiceId: 'a' }, grouped: [], dropped: [] })
})

it('an extra message is sent alone and is never grouped', () => {
  expect(contacted([extra('x', 'lrar'), due('a', 'relance_email_1')])).toBe('x')
  expect(contacted([extra('x', 'email'), due('a', 'ai_call')])).toBe('a')
  expect(contacted([extra('x', 'email'), extra('y', 'email')])).toBe('x')
})

it('the highest rank does not delay others if it has to wait beyond today', () => {
  const smsYesterday = [{ at: monday - 2 * DAY, channel: 'sms' as const }]
  expect(contacted([due('a', 'sms_reminder'), due('b', 'relance_email_1')], smsYesterday)).toBe('b')
})

it('the others wait for the highest rank if it may still go today', () => {
  const early = paris('2026-11-16 08:10')
  const decision = decide([due('a', 'ai_call'), due('b', 'relance_email_1')], [], early)
  expect(decision).toMatchObject({ kind: 'wait', because: 'call_hours' })
  const { until } = decision as { until: number }
  expect(until).toBeGreaterThanOrEqual(paris('2026-11-16 09:00'))
  expect(until).toBeLessThan(paris('2026-11-16 12:00'))
})

it('today is the day of the debtor', () => {
  const tahiti = (text: string) => clock('Pacific/Tahiti', text)
  const file = fileOf('98714')
  // 13:00 in Papeete is past midnight of the next day in Paris; 14:00 is the same day all the same.
  const messages: [DueMessage, DueMessage] = [due('a', 'ai_call'), due('b', 'relance_email_1')]
  expect(decideWake(file, messages, tahiti('2026-11-17 13:30'), 's')).toMatchObject({ kind: 'wait' })
  expect(decideWake(file, messages, tahiti('2026-11-17 18:40'), 's')).toMatchObject({
    kind: 'contact',
    lead: { invoiceId: 'b' },
    grouped: [],
  })
})

it('a person contacted today waits, and the obstacle that decides the moment is the one reported', () => {
  const decision = decide(
    [due('a', 'email_prise_en_charge')],
    [{ at: monday, channel: 'email' }],
    monday + 1000,
  )
  expect(decision).toEqual({ kind: 'wait', until: monday + 72.25 * HOUR, because: 'channel_cooldown' })
})

it('of several obstacles the last is reported, and the moment is spread by the seed', () => {
  // Its cooldown ends on Saturday evening, then comes the Sunday.
  const contacts = [{ at: paris('2026-11-18 19:50'), channel: 'email' as const }]
  const until = (seed: string) => {
    const file = fileOf('69002', contacts)
    const decision = decideWake(file, [due('a', 'relance_email_1')], paris('2026-11-19 09:00'), seed)
    expect(decision).toMatchObject({ kind: 'wait', because: 'sunday' })
    return (decision as { until: number }).until
  }
  expect(until('a')).toBeGreaterThanOrEqual(paris('2026-11-23 08:00'))
  expect(new Set(['a', 'b', 'c'].map(until)).size).toBe(3)
})

it('if all have to wait, the earliest of them is the next wake-up', () => {
  const contacts = [
    { at: monday - DAY, channel: 'email' as const },
    { at: monday - 1000, channel: 'sms' as const },
  ]
  const soonest = { kind: 'wait', until: monday - DAY + 72.25 * HOUR, because: 'channel_cooldown' }
  expect(decide([due('a', 'sms_reminder'), due('b', 'relance_email_1')], contacts)).toEqual(soonest)
  const emailLast = [
    { at: monday - DAY, channel: 'sms' as const },
    { at: monday - 1000, channel: 'email' as const },
  ]
  expect(decide([due('a', 'sms_reminder'), due('b', 'relance_email_1')], emailLast)).toEqual(soonest)
})

it('without a calendar nobody is contacted', () => {
  const decision = decideWake({ ...lyon, calendar: null }, [due('a', 'relance_email_1')], monday, 'seed')
  expect(decision).toEqual({ kind: 'park', because: 'calendar_missing' })
})

it('past the horizon of the holidays a person has to look', () => {
  const decision = decide([due('a', 'relance_email_1')], [], paris('2031-12-31 21:00'))
  expect(decision).toEqual({ kind: 'park', because: 'calendar_horizon' })
})

it('whatever is due, the message is legal, nothing of higher rank is grouped, and the lead has the highest rank that may go', () => {
  const name = fc.constantFrom(...(Object.keys(knownSteps) as StepName[]).filter(step => knownSteps[step]))
  const message = fc.record({
    name,
    asEmail: fc.boolean(),
    isExtra: fc.boolean(),
    dueDate: fc.constantFrom('2026-10-01', '2026-10-02'),
  })
  const past = fc.array(
    fc.tuple(fc.constantFrom<Channel>('email', 'sms', 'voice', 'lrar'), fc.integer({ min: 0, max: 4 * DAY })),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      past,
      fc.integer({ min: 0, max: 40 * 24 * 60 }),
      (wishes, before, minutes) => {
        const now = monday + minutes * 60_000
        const contacts = before.map(([channel, ago]) => ({ channel, at: now - ago }))
        const messages = wishes.map(({ name, asEmail, isExtra, dueDate }, i) =>
          due(`i${i}`, name, {
            isExtra,
            dueDate,
            ...(asEmail && name === 'lrar_mise_en_demeure' ? { channel: 'email' } : {}),
          }),
        )
        const file = fileOf('68000', contacts)
        const decision = decide(messages, contacts, now)
        const may = (one: DueMessage) => judgeStart(fileOf('69002', contacts), one.channel, now).allowed
        expect(file.contacts).toBe(contacts)
        if (decision.kind === 'wait') {
          expect(decision.until).toBeGreaterThan(now)
          expect(may(messages.toSorted(byPriority)[0]!)).toBe(false)
        }
        if (decision.kind !== 'contact') return
        expect(may(decision.lead)).toBe(true)
        for (const other of messages.filter(may))
          expect(rankOf(other.step)).toBeLessThanOrEqual(rankOf(decision.lead.step))
        for (const other of decision.grouped) {
          expect(other.isExtra || decision.lead.isExtra).toBe(false)
          expect(rankOf(other.step)).toBeLessThanOrEqual(rankOf(decision.lead.step))
          expect(rankOf(other)).toBeLessThanOrEqual(rankOf(decision.lead))
        }
      },
    ),
    { numRuns: 600 },
  )
})

it('a text message or call of a collector executes only steps of the invoices that its letter was about', () => {
  const sms = due('a', 'sms_reminder', { letterId: 'letter a' })
  expect(contacted([sms, due('b', 'relance_email_1', { letterId: 'letter a' })])).toBe('a b')
  expect(contacted([sms, due('b', 'relance_email_1', { letterId: 'letter b' })])).toBe('a')
  expect(contacted([sms, due('b', 'relance_email_1')])).toBe('a')
  // An email names the letter of each of its invoices.
  const email = due('a', 'relance_email_2', { letterId: 'letter a' })
  expect(contacted([email, due('b', 'relance_email_1', { letterId: 'letter b' })])).toBe('a b')
})
