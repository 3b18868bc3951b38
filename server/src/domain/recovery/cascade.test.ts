import { expect, test } from 'vitest'
import type { Channel } from '../contact/channel.ts'
import { cents } from '../money/money.ts'
import {
  builtInCascades,
  type Collected,
  cascadeOf,
  firstNotice,
  formalNotice,
  fullReach,
  hasLegalEffect,
  knownSteps,
  type Reach,
  rankOf,
  review,
  type Step,
  stepOutcomeOf,
} from './cascade.ts'
import { receiptChannelOf } from './receipt-channel.ts'
import { type OwnCascade, type RecoveryProfile, type Selection, selectCascade } from './select-cascade.ts'

const days = (name: string) =>
  Object.fromEntries(cascadeOf(name, 1).steps.map(({ name: step, day }) => [step, day]))

test('the standard cascade is the one of the specification, day by day', () => {
  expect(cascadeOf('fr_b2b_standard', 1).steps).toEqual([
    { name: 'email_prise_en_charge', channel: 'email', day: 0 },
    { name: 'relance_email_1', channel: 'email', day: 5 },
    { name: 'sms_reminder', channel: 'sms', day: 9 },
    { name: 'relance_email_2', channel: 'email', day: 14 },
    { name: 'ai_call', channel: 'voice', day: 18 },
    { name: 'relance_email_3', channel: 'email', day: 23 },
    { name: 'lrar_mise_en_demeure', channel: 'lrar', day: 28 },
    { name: 'ai_call_2', channel: 'voice', day: 40 },
    { name: 'email_dernier_avis', channel: 'email', day: 45 },
    { name: 'revue_judiciaire', channel: null, day: 52 },
  ])
})

test('the variants have the steps and days of the specification', () => {
  expect(days('fr_b2b_fast')).toEqual({
    email_prise_en_charge: 0,
    relance_email_1: 4,
    ai_call: 7,
    lrar_mise_en_demeure: 10,
    ai_call_2: 22,
    revue_judiciaire: 30,
  })
  expect(days('fr_b2b_small')).toEqual({
    email_prise_en_charge: 0,
    relance_email_1: 7,
    sms_reminder: 12,
    relance_email_2: 20,
    relance_email_3: 30,
    revue_judiciaire: 40,
  })
  expect(days('fr_consumer')).toEqual({
    email_prise_en_charge: 0,
    relance_email_1: 8,
    sms_reminder: 15,
    relance_email_2: 23,
    lrar_mise_en_demeure: 32,
    email_dernier_avis: 45,
    revue_judiciaire: 60,
  })
  expect(days('fr_public_body')).toEqual({
    email_prise_en_charge: 0,
    relance_email_1: 14,
    relance_email_2: 30,
    lrar_mise_en_demeure: 45,
    revue_judiciaire: 60,
  })
})

test('public bodies get neither texts nor calls, and consumers no calls', () => {
  const channelsOf = (name: string) => cascadeOf(name, 1).steps.map(step => step.channel)
  expect(channelsOf('fr_public_body')).not.toContain('sms')
  expect(channelsOf('fr_public_body')).not.toContain('voice')
  expect(channelsOf('fr_consumer')).not.toContain('voice')
})

test('every cascade begins with the first notice, ends with a decision, and its days never fall', () => {
  for (const { steps } of builtInCascades) {
    expect(steps[0]!.name).toBe(firstNotice)
    expect(steps.at(-1)!.name).toBe(review)
    for (const step of steps) expect(step.channel).toBe(knownSteps[step.name as keyof typeof knownSteps])
    expect(steps.map(step => step.day)).toEqual(steps.map(step => step.day).toSorted((a, b) => a - b))
  }
})

test('first and formal notices have legal effect, nothing else has', () => {
  const withEffect = cascadeOf('fr_b2b_standard', 1)
    .steps.filter(hasLegalEffect)
    .map(step => step.name)
  expect(withEffect).toEqual([firstNotice, formalNotice])
})

const business = (amount: number, score: number | null = null): RecoveryProfile => ({
  type: 'business',
  isNaturalPerson: false,
  amount: cents(amount),
  score,
})

test('a built-in cascade is chosen by the type of debtor, and for businesses by the sum', () => {
  expect(selectCascade(business(149_99)).name).toBe('fr_b2b_small')
  expect(selectCascade(business(150_00)).name).toBe('fr_b2b_standard')
  expect(selectCascade({ ...business(10_00), type: 'consumer' }).name).toBe('fr_consumer')
  expect(selectCascade({ ...business(10_00), type: 'public_body' }).name).toBe('fr_public_body')
})

const own = (name: string, applies: Selection): OwnCascade => ({ name, version: 3, steps: [], applies })
const chosen = (profile: RecoveryProfile, ...list: OwnCascade[]) => selectCascade(profile, list).name

test("a company's own cascade goes before a built-in one if it applies", () => {
  expect(chosen(business(500_00), own('ours', {}))).toBe('ours')
  expect(chosen(business(500_00), own('ours', { debtorTypes: ['business', 'consumer'] }))).toBe('ours')
  expect(chosen(business(500_00), own('ours', { debtorTypes: ['consumer'] }))).toBe('fr_b2b_standard')
})

test('the limits of a sum belong to it', () => {
  const band = own('ours', { minAmountCents: 200_00, maxAmountCents: 300_00 })
  expect([199_99, 200_00, 300_00, 300_01].map(amount => chosen(business(amount), band))).toEqual([
    'fr_b2b_standard',
    'ours',
    'ours',
    'fr_b2b_standard',
  ])
})

test('a cascade with a condition on the score does not apply to a debtor without a score', () => {
  const band = own('ours', { minScore: 50, maxScore: 100 })
  const by = (score: number | null) => chosen(business(500_00, score), band)
  expect([null, 49, 50, 100, 101].map(by)).toEqual([
    'fr_b2b_standard',
    'fr_b2b_standard',
    'ours',
    'ours',
    'fr_b2b_fast',
  ])
  expect(chosen(business(500_00, 0), own('ours', { maxScore: 10 }))).toBe('ours')
  expect(chosen(business(500_00, 195), own('ours', { minScore: 10 }))).toBe('ours')
  expect(chosen(business(500_00), own('ours', { maxScore: 10 }))).toBe('fr_b2b_standard')
  expect(chosen(business(500_00), own('ours', { minScore: 0 }))).toBe('fr_b2b_standard')
})

test('the closest fit wins, then the name', () => {
  const wide = own('a_wide', {})
  const close = own('b_close', { debtorTypes: ['business'], minAmountCents: 1 })
  expect(chosen(business(500_00), wide, close)).toBe('b_close')
  expect(chosen(business(500_00), close, wide)).toBe('b_close')
  expect(chosen(business(500_00), own('zeta', {}), own('alpha', {}), own('mid', {}))).toBe('alpha')
  expect(chosen(business(500_00), own('alpha', {}), own('zeta', {}))).toBe('alpha')
  const vague = { minAmountCents: undefined } as unknown as Selection
  expect(chosen(business(500_00), own('b', vague), own('a', {}))).toBe('a')
})

test('a cascade of one’s own is what was frozen; an unknown name is a defect', () => {
  const steps: Step[] = [{ name: 'ai_call', channel: 'voice', day: 2 }]
  expect(cascadeOf('ours', 7, steps)).toEqual({ name: 'ours', version: 7, steps })
  expect(() => cascadeOf('ours', 7, null)).toThrow('no cascade ours version 7')
  expect(() => cascadeOf('fr_consumer', 2)).toThrow('no cascade fr_consumer version 2')
})

test('ranks rise from email over SMS and calls to the letter, and a decision is above all', () => {
  const ranks = ([...['email', 'sms', 'voice', 'lrar'], null] as Step['channel'][]).map(channel =>
    rankOf({ channel }),
  )
  expect(ranks).toEqual([1, 2, 3, 4, 5])
})

const step = (name: keyof typeof knownSteps): Step => ({ name, channel: knownSteps[name], day: 0 })
const full = fullReach(cents(500_00))
const outcome = (name: keyof typeof knownSteps, reach: Partial<Reach> = {}) =>
  stepOutcomeOf(step(name), { ...full, ...reach })
const skip = (because: string) => ({ kind: 'skip', because })
const send = (channel: string, insteadOf: string | null = null) => ({ kind: 'send', channel, insteadOf })

test('with everything known and open each step goes by its own channel', () => {
  expect(full).toEqual({
    hasPhone: true,
    hasMobile: true,
    hasAddress: true,
    closed: [],
    missing: [],
    balance: 500_00,
  })
  for (const [name, channel] of Object.entries(knownSteps))
    expect(outcome(name as keyof typeof knownSteps)).toEqual(
      channel === null ? { kind: 'decide' } : send(channel),
    )
})

const collected = (more: Partial<Collected> = {}): Partial<Reach> => ({
  collected: { isListed: true, isInScope: true, letterId: null, hasBounced: false, ...more },
})

test('a collector begins with a letter: by email, else on paper, and with nothing else', () => {
  expect(outcome('email_prise_en_charge', collected())).toEqual(send('email'))
  expect(outcome('relance_email_2', { ...collected(), closed: ['email'] })).toEqual(send('lrar', 'email'))
  expect(outcome('relance_email_1', { ...collected(), missing: ['email'] })).toEqual(send('lrar', 'email'))
  // The sum is not too small for a letter that the law wants.
  const small = { balance: cents(20_00), closed: ['email' as const] }
  expect(outcome('email_prise_en_charge', { ...collected(), ...small })).toEqual(send('lrar', 'email'))
  expect(outcome('relance_email_1', collected({ hasBounced: true }))).toEqual(send('lrar', 'email'))
  expect(outcome('relance_email_1', { ...collected({ hasBounced: true }), hasAddress: false })).toEqual(
    send('email'),
  )
  for (const name of ['sms_reminder', 'ai_call'] as const)
    expect(outcome(name, collected())).toEqual(skip('letter_first'))
  const unreachable = { ...collected(), closed: ['email' as const], hasAddress: false }
  expect(outcome('email_prise_en_charge', unreachable)).toEqual(skip('opted_out'))
  expect(outcome('lrar_mise_en_demeure', { ...collected(), missing: ['lrar', 'email'] })).toEqual({
    kind: 'stand',
    because: 'no_provider',
  })
})

test('after its letter a collector uses every channel', () => {
  const after = collected({ letterId: 'letter' })
  for (const [name, channel] of Object.entries(knownSteps))
    if (channel !== null) expect(outcome(name as keyof typeof knownSteps, after)).toEqual(send(channel))
  expect(outcome('relance_email_1', { ...after, closed: ['email'] })).toEqual(skip('opted_out'))
})

test('a collector sends nothing about a claim in no list, or to a debtor outside its countries', () => {
  const stand = (because: string) => ({ kind: 'stand', because })
  for (const name of ['email_prise_en_charge', 'sms_reminder', 'lrar_mise_en_demeure'] as const) {
    expect(outcome(name, collected({ isListed: false, letterId: 'letter' }))).toEqual(stand('claim_unlisted'))
    expect(outcome(name, collected({ isInScope: false, letterId: 'letter' }))).toEqual(
      stand('collector_abroad'),
    )
  }
  expect(outcome('revue_judiciaire', collected({ isListed: false }))).toEqual({ kind: 'decide' })
})

test('a receipt goes by email, else on paper, and where neither is open against the wish of the debtor', () => {
  const reach = (more: Partial<Reach> = {}): Reach => ({ ...full, ...collected(), ...more })
  expect(receiptChannelOf(reach(), [])).toBe('email')
  expect(receiptChannelOf(reach({ closed: ['email'] }), ['email'])).toBe('lrar')
  expect(receiptChannelOf(reach({ closed: ['email'], hasAddress: false }), ['email'])).toBe('email')
  // The address is that of somebody else.
  expect(receiptChannelOf(reach({ closed: ['email'], hasAddress: false }), [])).toBeNull()
  expect(receiptChannelOf(reach({ missing: ['lrar'], closed: ['email'] }), ['email'])).toBe('email')
  expect(receiptChannelOf({ ...full, ...collected({ hasBounced: true }) }, [])).toBe('lrar')
})

test.each([
  ['relance_email_1', { closed: ['email'] }, 'opted_out'],
  ['relance_email_1', { missing: ['email'] }, 'no_provider'],
  ['sms_reminder', { hasMobile: false }, 'no_mobile'],
  ['sms_reminder', { hasMobile: false, closed: ['sms'] }, 'no_mobile'],
  ['sms_reminder', { closed: ['sms'] }, 'opted_out'],
  ['sms_reminder', { missing: ['sms'] }, 'no_provider'],
  ['ai_call', { hasPhone: false }, 'no_phone'],
  ['ai_call', { closed: ['voice'] }, 'opted_out'],
  ['ai_call', { balance: cents(299_99) }, 'small_balance'],
  ['ai_call', { missing: ['voice'] }, 'no_provider'],
  ['lrar_mise_en_demeure', { hasAddress: false, closed: ['email'] }, 'opted_out'],
] as [keyof typeof knownSteps, Partial<Reach>, string][])(
  '%s with %j is left out: %s',
  (name, reach, because) => {
    expect(outcome(name, reach)).toEqual(skip(because))
  },
)

test('what is closed or missing elsewhere does not matter', () => {
  expect(outcome('relance_email_1', { hasPhone: false, hasMobile: false, closed: ['sms', 'voice'] })).toEqual(
    send('email'),
  )
  expect(outcome('sms_reminder', { closed: ['email'], missing: ['voice'], balance: cents(1) })).toEqual(
    send('sms'),
  )
  expect(outcome('ai_call', { hasMobile: false, balance: cents(300_00) })).toEqual(send('voice'))
})

test.each([[{ hasAddress: false }], [{ closed: ['lrar'] }], [{ balance: cents(99_99) }]] as [
  Partial<Reach>,
][])('a formal notice with %j goes by email', reach => {
  expect(outcome('lrar_mise_en_demeure', reach)).toEqual(send('email', 'lrar'))
})

test('from 100 € on the formal notice is a letter, whether or not emails are welcome', () => {
  expect(outcome('lrar_mise_en_demeure', { balance: cents(100_00), closed: ['email'] })).toEqual(send('lrar'))
})

test('a formal notice without a provider stands, by letter and by email: it is not passed over', () => {
  const stands = { kind: 'stand', because: 'no_provider' }
  expect(outcome('lrar_mise_en_demeure', { missing: ['lrar'] })).toEqual(stands)
  expect(outcome('lrar_mise_en_demeure', { missing: ['email'], hasAddress: false })).toEqual(stands)
  expect(outcome('lrar_mise_en_demeure', { missing: ['email'] })).toEqual(send('lrar'))
})

test('a step whose address refused a message waits, and the formal notice first goes the other way', () => {
  const to = (name: keyof typeof knownSteps, refused: Channel[], changes: Partial<Reach> = {}) =>
    outcome(name, { refused, ...changes })
  const wait = { kind: 'wait', because: 'address_refused' }
  const send = (channel: Channel, insteadOf: Channel | null = null) => ({ kind: 'send', channel, insteadOf })
  expect(to('relance_email_1', ['email'])).toEqual(wait)
  expect(to('sms_reminder', ['sms'])).toEqual(wait)
  expect(to('ai_call', ['voice'])).toEqual(wait)
  // It is the channel that waits, not the recovery.
  expect(to('sms_reminder', ['email'])).toEqual(send('sms'))
  expect(to('ai_call', ['email', 'sms'])).toEqual(send('voice'))
  expect(to(formalNotice, ['email'])).toEqual(send('lrar'))
  expect(to(formalNotice, ['lrar'])).toEqual(send('email', 'lrar'))
  expect(to(formalNotice, ['lrar', 'email'])).toEqual(wait)
  expect(to(formalNotice, ['email'], { hasAddress: false })).toEqual(wait)
  expect(to(formalNotice, ['email'], { balance: cents(50_00) })).toEqual(wait)
  expect(to(formalNotice, ['lrar'], { closed: ['email'] })).toEqual(wait)
  // A wish of the debtor, a missing number and a small sum are left out as before.
  expect(to('relance_email_1', ['email'], { closed: ['email'] })).toEqual({
    kind: 'skip',
    because: 'opted_out',
  })
  expect(to('sms_reminder', ['sms'], { hasMobile: false })).toEqual({ kind: 'skip', because: 'no_mobile' })
  expect(to('ai_call', ['voice'], { balance: cents(50_00) })).toEqual({
    kind: 'skip',
    because: 'small_balance',
  })
  expect(to(review, ['email', 'sms', 'voice', 'lrar'])).toEqual({ kind: 'decide' })
})

test('the first letter of a collector takes the way that is left, and waits where none is', () => {
  const to = (refused: Channel[]) =>
    outcome('email_prise_en_charge', {
      refused,
      collected: { isListed: true, isInScope: true, letterId: null, hasBounced: false },
    })
  expect(to(['email'])).toEqual({ kind: 'send', channel: 'lrar', insteadOf: 'email' })
  expect(to(['email', 'lrar'])).toEqual({ kind: 'wait', because: 'address_refused' })
})

test('no receipt of a collector goes to a refused address', () => {
  const reach = { ...fullReach(cents(120_000)), hasAddress: true }
  expect(receiptChannelOf({ ...reach, refused: ['email'] }, [])).toBe('lrar')
  expect(receiptChannelOf({ ...reach, refused: ['email', 'lrar'] }, [])).toBeNull()
})
