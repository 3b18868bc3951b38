import type { DebtorType } from '../debtor-type.ts'
import type { Instant } from '../time.ts'
import { type Channel, type ClosedBecause, channelsOf } from './channel.ts'
import { isMobile } from './phone.ts'

/** The most people that one debtor record may have. */
export const peopleMax = 20

const rolesOfCompany = ['accounting', 'buyer', 'manager', 'other'] as const
const rolesWithGround = ['guardian', 'heir', 'lawyer'] as const
export const givenRoles = [...rolesOfCompany, ...rolesWithGround] as const
/** `debtor`: the debtor itself, at an address that nobody is named for. Only this program gives it. */
export const personRoles = [...givenRoles, 'debtor'] as const
export type PersonRole = (typeof personRoles)[number]

const needsGround = (role: PersonRole): boolean => (rolesWithGround as readonly PersonRole[]).includes(role)

/**
 * Why somebody may not be recorded with this role; null if they may. A debt of a consumer is nobody else's business, so only who acts
 * for them is recorded, and why they may.
 */
export function faultOfPerson(
  type: DebtorType,
  { role, ground }: { readonly role: PersonRole; readonly ground: string | null },
): 'role_of_company' | 'role_of_consumer' | 'ground_missing' | 'ground_without_role' | null {
  if (role !== 'debtor' && needsGround(role) !== (type === 'consumer'))
    return type === 'consumer' ? 'role_of_company' : 'role_of_consumer'
  if (needsGround(role) && (ground ?? '').trim() === '') return 'ground_missing'
  return !needsGround(role) && ground !== null ? 'ground_without_role' : null
}

/** The channels that write or call to an address. */
export const personChannels = ['email', 'phone'] as const
export type PersonChannel = (typeof personChannels)[number]

export const addressStates = ['never_used', 'unconfirmed', 'reached', 'refused', 'closed'] as const

/** A message to the address that was handed to its provider. */
interface UsedAddress {
  readonly channel: Channel
  readonly state: string
  readonly at: Instant
}

interface ClosedAddress {
  readonly channel: Channel
  readonly because: ClosedBecause
  readonly at: Instant
}

/** Null: nobody knows whether it arrived. A call that was accepted only rang. */
function wasReached({ channel, state }: UsedAddress): boolean | null {
  if (state === 'delivered') return true
  if (state === 'bounced' || state === 'failed') return false
  return state === 'sent' && channel !== 'voice' ? true : null
}

/**
 * What is known of an address: the last message that arrived or was refused decides, unless every channel to it is closed, or is held
 * because a message was refused. `since` is the closing, the first refusal in a row, or the last message.
 */
export function addressState(
  kind: PersonChannel,
  used: readonly UsedAddress[],
  closed: readonly ClosedAddress[],
): {
  state: (typeof addressStates)[number]
  since: Instant | null
  because: Exclude<ClosedBecause, 'refused'> | null
} {
  const shut = channelsOf[kind].map(channel => closed.find(one => one.channel === channel))
  const [first] = shut
  if (first && shut.every(one => one !== undefined)) {
    const { at: since, because } = shut.find(one => one.because === 'refused') ?? first
    if (because === 'refused') return { state: 'refused', since, because: null }
    return { state: 'closed', since: Math.max(...shut.map(({ at }) => at)), because }
  }
  const inOrder = used.toSorted((left, right) => left.at - right.at)
  const last = inOrder.findLast(message => wasReached(message) !== null) ?? inOrder.at(-1)
  if (!last) return { state: 'never_used', since: null, because: null }
  const reached = wasReached(last)
  if (reached !== false)
    return { state: reached === null ? 'unconfirmed' : 'reached', since: last.at, because: null }
  const before = inOrder.findLastIndex(message => wasReached(message) === true)
  const refused = inOrder.slice(before + 1).find(message => wasReached(message) === false)!
  return { state: 'refused', since: refused.at, because: null }
}

/** Somebody at a debtor. A main person has no address of its own: that of the debtor is theirs, so the two cannot differ. */
export interface DebtorPerson {
  readonly id: string
  readonly name: string
  readonly role: PersonRole
  readonly ground: string | null
  readonly isMainEmail: boolean
  readonly email: string | null
  readonly isMainPhone: boolean
  readonly phone: string | null
  /** Null: that of the debtor, as for the main person for email. */
  readonly language: 'fr' | 'en' | null
}

/** Where messages go, and in which language. */
export interface MainAddresses {
  readonly email: string
  readonly phone: string | null
  readonly language: 'fr' | 'en'
}

export interface People {
  readonly debtor: MainAddresses
  readonly people: readonly DebtorPerson[]
}

/** The person as others see them. */
export const shownPerson = (
  { debtor }: Pick<People, 'debtor'>,
  person: DebtorPerson,
): DebtorPerson & { readonly mainFor: readonly PersonChannel[] } => ({
  ...person,
  email: person.isMainEmail ? debtor.email : person.email,
  phone: person.isMainPhone ? debtor.phone : person.phone,
  language: person.isMainEmail ? debtor.language : person.language,
  mainFor: personChannels.filter(channel =>
    channel === 'email' ? person.isMainEmail : person.isMainPhone && debtor.phone !== null,
  ),
})

type Changes = Partial<Pick<DebtorPerson, 'name' | 'role' | 'ground' | 'email' | 'phone' | 'language'>>

/** Changes somebody. What a main person is reached at becomes that of the debtor, which always keeps an email. */
export function changePerson({ debtor, people }: People, id: string, changes: Changes): People {
  const person = people.find(one => one.id === id)!
  const next = { ...person, ...changes }
  return {
    debtor: {
      email: person.isMainEmail ? (next.email ?? debtor.email) : debtor.email,
      phone: person.isMainPhone && changes.phone !== undefined ? changes.phone : debtor.phone,
      language: person.isMainEmail ? (next.language ?? debtor.language) : debtor.language,
    },
    people: people.map(one =>
      one.id === id
        ? {
            ...next,
            ...(person.isMainEmail && { email: null, language: null }),
            ...(person.isMainPhone && { phone: null, isMainPhone: changes.phone !== null }),
          }
        : one,
    ),
  }
}

/** An address without a person gets one when it stops to be the main one: the debtor itself. */
const unnamedPerson = (id: string, name: string) =>
  ({
    id,
    name,
    role: 'debtor',
    ground: null,
    isMainEmail: false,
    email: null,
    isMainPhone: false,
    phone: null,
    language: null,
  }) satisfies DebtorPerson

const isSame = (left: string | null, right: string | null) => left?.toLowerCase() === right?.toLowerCase()

/**
 * Makes somebody the main person of a channel, at the address they have. Whoever was it keeps the address; one that had nobody is kept
 * as a person with this id and the name of the debtor; for both channels it is the same.
 */
export function makeMain(
  { debtor, people }: People,
  id: string,
  channel: PersonChannel,
  unnamed: { readonly id: string; readonly name: string },
): People {
  const person = people.find(one => one.id === id)!
  const isMain = channel === 'email' ? 'isMainEmail' : 'isMainPhone'
  const address = person[channel]
  if (person[isMain] || address === null) return { debtor, people }
  const old = debtor[channel]
  const isKept = old === null || people.some(one => one[isMain] || isSame(one[channel], old))
  const keeper = people.find(one => one.id === unnamed.id) ?? unnamedPerson(unnamed.id, unnamed.name)
  const kept = isKept ? [] : [{ ...keeper, [channel]: old }]
  const others = people.map(one => {
    if (one[isMain])
      return {
        ...one,
        [isMain]: false,
        [channel]: old,
        ...(channel === 'email' && { language: debtor.language }),
      }
    return one.id === id
      ? { ...one, [isMain]: true, [channel]: null, ...(channel === 'email' && { language: null }) }
      : one
  })
  const language = channel === 'email' ? (person.language ?? debtor.language) : debtor.language
  return {
    debtor: { ...debtor, [channel]: address, language },
    people: [...others.filter(one => !kept.some(({ id: own }) => own === one.id)), ...kept],
  }
}

/** Who is written to next, in this order. The debtor itself (`debtor`) had its turn: that was a main address before. */
const nextRoles: readonly PersonRole[] = ['accounting', 'manager', 'buyer', 'other']

/** Somebody at a debtor, with what is known of their address on one channel. */
export interface Candidate {
  readonly person: DebtorPerson
  readonly createdAt: Instant
  readonly address: string | null
  /** Something was sent to the address: only a main person is written to, so this one was replaced. */
  readonly wasUsed: boolean
  readonly isClosed: boolean
}

/** Who is written to when the main address refused a message on this channel; null if there is nobody. Never for a consumer. */
export function nextPerson(
  type: DebtorType,
  channel: Channel,
  candidates: readonly Candidate[],
): DebtorPerson | null {
  if (type === 'consumer') return null
  const isUsable = ({ person, address, wasUsed, isClosed }: Candidate) =>
    nextRoles.includes(person.role) &&
    address !== null &&
    !wasUsed &&
    !isClosed &&
    (channel !== 'sms' || isMobile(address))
  const rank = ({ person }: Candidate) => nextRoles.indexOf(person.role)
  const [next] = candidates
    .filter(isUsable)
    .toSorted((left, right) => rank(left) - rank(right) || left.createdAt - right.createdAt)
  return next?.person ?? null
}

/** Nobody is a main person any more, because the addresses of the debtor become those of somebody else. */
export const withoutMain = ({ debtor, people }: People): readonly DebtorPerson[] =>
  people.map(one => ({
    ...shownPerson({ debtor }, one),
    isMainEmail: false,
    isMainPhone: false,
  }))
