import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { debtorTypes } from '../debtor-type.ts'
import {
  addressState,
  type Candidate,
  changePerson,
  type DebtorPerson,
  faultOfPerson,
  type givenRoles,
  makeMain,
  nextPerson,
  type People,
  shownPerson,
  withoutMain,
} from './debtor-person.ts'

describe('who may be recorded at a debtor', () => {
  const fault = (
    type: (typeof debtorTypes)[number],
    role: (typeof givenRoles)[number],
    ground: string | null,
  ) => faultOfPerson(type, { role, ground })

  test.each(['guardian', 'heir', 'lawyer'] as const)('of a consumer a %s, with a ground', role => {
    expect(fault('consumer', role, 'Jugement du 3 mars 2026')).toBeNull()
    expect(fault('consumer', role, null)).toBe('ground_missing')
    expect(fault('consumer', role, '  ')).toBe('ground_missing')
    for (const type of ['business', 'public_body'] as const)
      expect(fault(type, role, 'Mandat')).toBe('role_of_consumer')
  })

  test.each(['accounting', 'buyer', 'manager', 'other'] as const)(
    'of a company or a public body: %s',
    role => {
      for (const type of ['business', 'public_body'] as const) {
        expect(fault(type, role, null)).toBeNull()
        expect(fault(type, role, 'Mandat')).toBe('ground_without_role')
      }
      for (const ground of [null, 'Mandat']) expect(fault('consumer', role, ground)).toBe('role_of_company')
    },
  )

  test('an address of the debtor itself has no ground', () => {
    for (const type of debtorTypes) {
      expect(faultOfPerson(type, { role: 'debtor', ground: null })).toBeNull()
      expect(faultOfPerson(type, { role: 'debtor', ground: 'Mandat' })).toBe('ground_without_role')
    }
  })
})

describe('who is written to next', () => {
  const candidate = (
    name: string,
    role: DebtorPerson['role'],
    changes: Partial<Candidate> = {},
  ): Candidate => ({
    person: {
      ...{ id: name, name, role, ground: null, language: null, email: null, phone: null },
      ...{ isMainEmail: false, isMainPhone: false },
    },
    ...{ createdAt: 0, address: '+33612345678', wasUsed: false, isClosed: false, ...changes },
  })
  const nameOf = (...given: Parameters<typeof nextPerson>) => nextPerson(...given)?.name ?? null

  it('accounting, then manager, buyer and others, then the oldest', () => {
    const inOrder = [
      candidate('a', 'accounting', { createdAt: 8 }),
      candidate('b', 'accounting', { createdAt: 9 }),
      candidate('c', 'manager', { createdAt: 3 }),
      candidate('d', 'buyer', { createdAt: 2 }),
      candidate('e', 'other', { createdAt: 1 }),
    ]
    for (let left = inOrder.slice(); left.length > 0; left = left.slice(1)) {
      expect(nameOf('business', 'email', left.toReversed())).toBe(left[0]!.person.name)
      expect(nameOf('public_body', 'voice', left.toReversed())).toBe(left[0]!.person.name)
      expect(nameOf('consumer', 'email', left)).toBeNull()
    }
  })

  it('nobody whose address is missing, closed, or was replaced, and no former address of the debtor', () => {
    expect(nameOf('business', 'email', [candidate('a', 'accounting', { address: null })])).toBeNull()
    expect(nameOf('business', 'email', [candidate('a', 'accounting', { isClosed: true })])).toBeNull()
    expect(nameOf('business', 'email', [candidate('a', 'accounting', { wasUsed: true })])).toBeNull()
    for (const role of ['debtor', 'guardian', 'heir', 'lawyer'] as const)
      expect(nameOf('business', 'email', [candidate('a', role)])).toBeNull()
  })

  it('a text message goes to a mobile', () => {
    const [desk, mobile] = [
      candidate('desk', 'accounting', { address: '+33472000000' }),
      candidate('m', 'other'),
    ]
    expect(nameOf('business', 'sms', [desk, mobile])).toBe('m')
    expect(nameOf('business', 'voice', [desk, mobile])).toBe('desk')
  })
})

describe('the state of an address', () => {
  const mail = (state: string, at: number) => ({ channel: 'email' as const, state, at })
  const call = (state: string, at: number) => ({ channel: 'voice' as const, state, at })
  const text = (state: string, at: number) => ({ channel: 'sms' as const, state, at })
  const stateOf = (...parts: Parameters<typeof addressState>) => {
    const { state, since } = addressState(...parts)
    return [state, since]
  }

  it('is never used before the first message', () => {
    expect(stateOf('email', [], [])).toEqual(['never_used', null])
  })

  it('is reached since the last message that was accepted or delivered', () => {
    expect(stateOf('email', [mail('delivered', 2), mail('sent', 1)], [])).toEqual(['reached', 2])
    expect(stateOf('email', [mail('bounced', 1), mail('sent', 2)], [])).toEqual(['reached', 2])
  })

  it('is refused since the first refusal after which nothing arrived', () => {
    const used = [
      mail('bounced', 1),
      mail('sent', 2),
      mail('bounced', 3),
      mail('failed', 4),
      mail('unknown', 5),
    ]
    expect(stateOf('email', used, [])).toEqual(['refused', 3])
    expect(stateOf('phone', [text('failed', 1), call('sent', 2)], [])).toEqual(['refused', 1])
  })

  it('is unconfirmed after a call that nobody answered, and after a message nobody knows about', () => {
    expect(stateOf('phone', [call('sent', 7)], [])).toEqual(['unconfirmed', 7])
    expect(stateOf('email', [mail('unknown', 7)], [])).toEqual(['unconfirmed', 7])
    expect(stateOf('phone', [call('delivered', 6), call('sent', 7)], [])).toEqual(['reached', 6])
  })

  it('is refused while it is held, also after a message that was accepted later', () => {
    const held = { channel: 'email' as const, because: 'refused' as const, at: 9 }
    expect(stateOf('email', [mail('bounced', 8), mail('sent', 10)], [held])).toEqual(['refused', 9])
    const numbers = [
      { channel: 'sms' as const, because: 'opt_out' as const, at: 4 },
      { channel: 'voice' as const, because: 'refused' as const, at: 5 },
    ]
    expect(stateOf('phone', [], numbers)).toEqual(['refused', 5])
    expect(stateOf('phone', [call('delivered', 6)], numbers.slice(0, 1))).toEqual(['reached', 6])
  })

  it('is closed when every channel to it is, whatever was sent', () => {
    const [sms, voice] = (['sms', 'voice'] as const).map((channel, i) => ({
      channel,
      because: 'opt_out' as const,
      at: 10 + i,
    }))
    expect(stateOf('phone', [text('sent', 3)], [sms!])).toEqual(['reached', 3])
    expect(stateOf('phone', [text('sent', 3)], [voice!, sms!])).toEqual(['closed', 11])
    const wrong = { channel: 'email' as const, because: 'wrong_person' as const, at: 9 }
    expect(addressState('email', [mail('sent', 3)], [wrong])).toEqual({
      state: 'closed',
      since: 9,
      because: 'wrong_person',
    })
  })
})

const address = (i: number) => `p${i}@debtor.example`
const number = (i: number) => `+3361234567${i}`

type Act =
  | { kind: 'add'; email: number | null; phone: number | null; language: 'fr' | 'en' | null }
  | { kind: 'change'; who: number; email?: number; phone?: number | null; language?: 'fr' | 'en' }
  | { kind: 'main'; who: number; channel: 'email' | 'phone' }

const place = fc.nat({ max: 9 })
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    email: fc.option(place),
    phone: fc.option(place),
    language: fc.option(fc.constantFrom('fr' as const, 'en' as const)),
  }),
  fc.record(
    {
      kind: fc.constant('change' as const),
      who: fc.nat(),
      email: place,
      phone: fc.option(place),
      language: fc.constantFrom('fr' as const, 'en' as const),
    },
    { requiredKeys: ['kind', 'who'] },
  ),
  fc.record({
    kind: fc.constant('main' as const),
    who: fc.nat(),
    channel: fc.constantFrom('email' as const, 'phone' as const),
  }),
)

/** Plays the acts, and returns what is there before and after each of them. */
function play(acts: readonly Act[]): { before: People; after: People; done: Act }[] {
  let state: People = { debtor: { email: address(0), phone: number(0), language: 'fr' }, people: [] }
  return acts.flatMap((done, i) => {
    const before = state
    const chosen = 'who' in done ? state.people[done.who % Math.max(1, state.people.length)] : undefined
    if (done.kind === 'add') {
      const fresh: DebtorPerson = {
        ...{
          id: `p${i}`,
          name: `P ${i}`,
          role: 'other',
          ground: null,
          isMainEmail: false,
          isMainPhone: false,
        },
        email: done.email === null ? null : address(done.email),
        phone: done.phone === null ? null : number(done.phone),
        language: done.language,
      }
      state = { ...state, people: [...state.people, fresh] }
    } else if (chosen && done.kind === 'change')
      state = changePerson(state, chosen.id, {
        ...(done.email !== undefined && { email: address(done.email) }),
        ...(done.phone !== undefined && { phone: done.phone === null ? null : number(done.phone) }),
        ...(done.language !== undefined && { language: done.language }),
      })
    else if (chosen && done.kind === 'main')
      state = makeMain(state, chosen.id, done.channel, { id: `u${i}`, name: 'Debtor' })
    return [{ before, after: state, done }]
  })
}

const addressesIn = (state: People) =>
  new Set([...Object.values(state.debtor), ...state.people.flatMap(person => [person.email, person.phone])])

describe('whatever is done to the people of a debtor', () => {
  test('there is one main address, at most one main person of a channel, and its address is that of the debtor', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), acts => {
        for (const { after } of play(acts)) {
          expect(after.debtor.email).toMatch(/@/)
          for (const isMain of ['isMainEmail', 'isMainPhone'] as const)
            expect(after.people.filter(person => person[isMain]).length).toBeLessThan(2)
          for (const person of after.people) {
            if (person.isMainEmail) expect([person.email, person.language]).toEqual([null, null])
            if (person.isMainPhone) expect(person.phone).toBeNull()
            const shown = shownPerson(after, person)
            if (shown.mainFor.includes('email')) expect(shown.email).toBe(after.debtor.email)
            if (shown.mainFor.includes('phone')) expect(shown.phone).toBe(after.debtor.phone)
          }
        }
      }),
    )
  })

  test('making somebody the main person loses no address, and changes no other channel', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), acts => {
        for (const { before, after, done } of play(acts)) {
          if (done.kind !== 'main') continue
          for (const known of addressesIn(before))
            if (known !== 'fr' && known !== 'en') expect(addressesIn(after)).toContain(known)
          const other = done.channel === 'email' ? 'phone' : 'email'
          expect(after.debtor[other]).toBe(before.debtor[other])
          const seen = (state: People) =>
            new Map(state.people.map(person => [person.id, shownPerson(state, person)] as const))
          for (const [id, { email, phone }] of seen(before))
            expect(seen(after).get(id)).toMatchObject({ email, phone })
        }
      }),
    )
  })

  test('when the addresses become those of somebody else, everybody keeps theirs', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), acts => {
        const { after } = play(acts).at(-1) ?? {
          after: { debtor: { email: '', phone: null, language: 'fr' as const }, people: [] },
        }
        const left = withoutMain(after)
        for (const person of left) {
          expect([person.isMainEmail, person.isMainPhone]).toEqual([false, false])
          const { email, phone } = shownPerson(after, after.people.find(({ id }) => id === person.id)!)
          expect(person).toMatchObject({ email, phone })
        }
      }),
    )
  })
})
