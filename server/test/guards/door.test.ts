import { randomUUIDv7 } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '../../src/features/access/roles.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { type ConsolePerson, consoleCalls } from '../harness/console-calls.ts'
import { tokenCalls } from '../harness/tokens.ts'
import type { ApiResponse } from '../harness/use-installation.ts'
import { type Digest, digestOf } from './digest.ts'
import { isNamedAlike, missingIds } from './make.ts'
import type { Json } from './make-helpers.ts'
import { environmentOf, isServedIn, keyOf, useOperationCalls } from './operation-calls.ts'
import { expected } from './who-may.ts'

const calls = useOperationCalls()
const { installation } = calls
const people = consoleCalls(installation)
const oauth = tokenCalls(installation)

/** A Sunday: what the guard makes is planned for Monday, so no message moves a row while rows are compared. */
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const other = { production: 'sandbox', sandbox: 'production' } as const

/** What the table of who may do what says, as the answer to a request that nobody could accept. */
function answerTo(operation: Operation, role: Role, isFresh: boolean): unknown[] {
  const verdict = expected(operation.id, {
    as: 'person',
    role,
    isFresh,
    environment: environmentOf(operation),
  })
  return verdict === 'yes'
    ? [400, 'VAL_002']
    : verdict === 'fresh sign-in'
      ? [403, 'AUTH_004', 'fresh_sign_in']
      : [403, 'AUTH_004']
}
/** The same of an answer: the detail is only compared where it says that the sign-in is old. */
const answered = ({ status, body }: ApiResponse) => [
  status,
  body.error.code,
  ...(body.error.details ?? []).map(({ code }) => code).filter(code => code === 'fresh_sign_in'),
]

/** A person may make three hundred requests a minute, and this guard makes thousands. */
const peoplePerRole = 20
const crew = {} as Record<Role, ConsolePerson[]>
/** Whose turn it is: everybody’s once, then again. */
function personWho(role: Role): ConsolePerson {
  const next = crew[role].shift()!
  crew[role].push(next)
  return next
}

/**
 * Which roles are refused at an operation: what is refused here is refused before the role is looked at, so every role has its turn
 * at some of the operations. All of them with ALL_ROLES=1.
 */
const rolesAt = (operation: Operation): readonly Role[] =>
  process.env.ALL_ROLES ? roles : [roles[operations.indexOf(operation) % roles.length]!]

type Asked = NonNullable<Parameters<typeof calls.call>[1]>
/** As the script of the console asks; a header that is null is left out. */
function ask(
  operation: Operation,
  person: ConsolePerson,
  { headers = {}, ...asked }: Omit<Asked, 'headers'> & { headers?: Record<string, string | null> } = {},
): Promise<ApiResponse> {
  const sent = { ...people.headersOf(person, environmentOf(operation)), ...headers }
  const kept = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null)
  return calls.call(operation, {
    prefix: '/console',
    key: null,
    ids: missingIds(operation),
    ...(operation.body && { body: bodies.get(operation.id) }),
    ...asked,
    headers: Object.fromEntries(kept),
  })
}

const bodies = new Map<string, Json>()
const elsewhere = new Map<string, Record<string, string>[]>()
const tenants = () => [
  ...Object.values(installation.company.tenants),
  ...Object.values(calls.stranger.tenants),
]
const refusal = ({ status, body }: ApiResponse) => [
  status,
  body.error.code,
  ...(body.error.details ?? []).map(detail => detail.code),
]
const comparable = (answer: ApiResponse) => [answer.status, { ...answer.body, requestId: '', timestamp: '' }]

let before: Digest
let bearer: string
let ended: ConsolePerson
let expired: ConsolePerson
/** They signed in more than ten minutes ago. */
const stale = {} as Record<Role, ConsolePerson>
beforeAll(async () => {
  await installation.setNow(sunday)
  for (const operation of operations) {
    const environment = environmentOf(operation)
    const home = keyOf(installation.company, environment)
    if (operation.body) bodies.set(operation.id, await calls.bodyFor(operation, home))
    if (operation.params && !isNamedAlike(operation))
      elsewhere.set(operation.id, [
        await calls.idsFor(operation, keyOf(calls.stranger, environment)),
        await calls.idsFor(operation, keyOf(installation.company, other[environment])),
      ])
  }
  for (const role of roles)
    crew[role] = await Promise.all(Array.from({ length: peoplePerRole }, () => people.member(role)))
  bearer = await oauth.tokenOf(await oauth.client({ name: 'Guard' }), scopes)
  ended = await people.member('owner')
  await people.endSession(ended)
  expired = await people.member('owner')
  await installation.sql('update sessions set expires_at = $2 where token_hash = $1', [
    expired.tokenHash,
    new Date(Date.now() - 1_000),
  ])
  for (const role of roles) stale[role] = await people.member(role, { ageMs: 10 * 60_000 + 1_000 })
  before = await digestOf(installation, tenants())
})

it('every operation has both doors, and no third', () => {
  const served = installation.server.routes.filter(
    ({ method, config }) => config?.operation !== undefined && method !== 'HEAD',
  )
  expect(served.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(
    operations.flatMap(({ method, path }) => [`${method} ${path}`, `${method} /console${path}`]).sort(),
  )
  for (const { url, config } of served)
    expect(config?.door).toBe(url.startsWith('/console/') ? 'console' : 'api')
})

describe.each(roles)('%s at the door', role => {
  it('may do what the role may, and is refused everything else', async () => {
    for (const operation of operations) {
      // An unknown parameter: a caller with the right role gets a validation error, and nothing is done.
      const answer = await ask(operation, personWho(role), { query: '?colour=blue' })
      expect([operation.id, ...answered(answer)]).toEqual([operation.id, ...answerTo(operation, role, true)])
    }
  })

  it('and with an older sign-in nothing that may outlive the session', async () => {
    for (const operation of operations) {
      const answer = await ask(operation, stale[role], { query: '?colour=blue' })
      expect([operation.id, ...answered(answer)]).toEqual([operation.id, ...answerTo(operation, role, false)])
    }
  })
})

describe.each(operations)('refused at the door: $method $path', operation => {
  const isReading = operation.method === 'GET'

  it('in a company one does not belong to, exactly as in one that never was', async () => {
    for (const role of rolesAt(operation)) {
      const person = personWho(role)
      const named = async (companyId: string | null) =>
        ask(operation, person, { headers: { 'x-company-id': companyId } })
      const never = await named(randomUUIDv7())
      expect(refusal(never)).toEqual([403, 'AUTH_004', 'not_a_member'])
      expect(comparable(await named(calls.stranger.companyId))).toEqual(comparable(never))
      for (const [given, expected] of [
        [null, [400, 'VAL_003', 'missing']],
        ['mine', [400, 'VAL_004', 'invalid']],
      ] as const)
        expect(refusal(await named(given))).toEqual(expected)
    }
  })

  it('in an environment where it is not, or that is none', async () => {
    for (const role of rolesAt(operation)) {
      const person = personWho(role)
      const wanted = other[environmentOf(operation)]
      const answer = await ask(operation, person, {
        headers: { 'x-environment': wanted },
        query: '?colour=blue',
      })
      if (!isServedIn(operation, wanted))
        expect([answer.status, answer.body.error.code]).toEqual(
          operation.environment === 'production' ? [403, 'AUTH_007'] : [404, 'RES_001'],
        )
      for (const [given, expected] of [
        [null, [400, 'VAL_003', 'missing']],
        ['Production', [400, 'VAL_004', 'invalid']],
        ['production, sandbox', [400, 'VAL_004', 'invalid']],
      ] as const)
        expect(refusal(await ask(operation, person, { headers: { 'x-environment': given } }))).toEqual(
          expected,
        )
    }
  })

  it('for what belongs to somebody else, exactly as for what never was', async () => {
    const theirs = elsewhere.get(operation.id)
    if (!theirs) return
    const person = personWho('owner')
    const missing = await ask(operation, person)
    for (const ids of theirs) {
      expect([missing.status, missing.body.error.code]).toEqual([404, 'RES_001'])
      expect(comparable(await ask(operation, person, { ids }))).toEqual(comparable(missing))
    }
  })

  it('without a session, with one that has ended, and with a key or a token', async () => {
    for (const [person, headers, expected] of [
      [ended, {}, 'AUTH_002'],
      [expired, {}, 'AUTH_002'],
      [ended, { cookie: null }, 'AUTH_001'],
      [ended, { cookie: '__Host-relance=short' }, 'AUTH_001'],
      [ended, { cookie: ended.cookie.replace('__Host-', '') }, 'AUTH_001'],
      [ended, { cookie: null, 'x-api-key': installation.company.productionKey }, 'AUTH_001'],
      [ended, { cookie: null, authorization: `Bearer ${installation.company.productionKey}` }, 'AUTH_001'],
      [ended, { cookie: null, authorization: `Bearer ${bearer}` }, 'AUTH_001'],
      [ended, { 'x-api-key': installation.company.productionKey }, 'AUTH_002'],
    ] as const) {
      const answer = await ask(operation, person, { headers })
      expect([answer.status, answer.body.error.code], JSON.stringify(headers)).toEqual([401, expected])
      expect(answer.headers.get('www-authenticate')).toBe('Session realm="relance"')
    }
  })

  it('without the token of the session, whatever the role', async () => {
    if (isReading) return
    for (const role of rolesAt(operation)) {
      const person = personWho(role)
      for (const csrf of [
        null,
        '',
        'x'.repeat(person.csrf.length),
        ended.csrf,
        `${person.csrf}, ${person.csrf}`,
      ])
        expect(refusal(await ask(operation, person, { headers: { 'x-csrf-token': csrf } }))).toEqual([
          403,
          'AUTH_004',
          'csrf',
        ])
    }
  })

  it('from a page that is not ours, whatever the role', async () => {
    for (const role of rolesAt(operation)) {
      const person = personWho(role)
      const foreign: Record<string, string | null>[] = [
        { origin: 'https://elsewhere.example' },
        { origin: 'null' },
        { origin: `${installation.server.baseUrl}.elsewhere.example` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'cross-site', origin: null },
        ...(isReading ? [] : [{ origin: null }]),
      ]
      for (const headers of foreign) {
        const answer = await ask(operation, person, { headers })
        expect(refusal(answer), JSON.stringify(headers)).toEqual([403, 'AUTH_004', 'foreign_page'])
        expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
      }
    }
  })

  it('and at the other door a cookie is never read', async () => {
    for (const role of rolesAt(operation)) {
      const answer = await ask(operation, personWho(role), { prefix: '' })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_001'])
    }
  })
})

it('nothing that was refused changed a row of anybody', async () => {
  expect(await digestOf(installation, tenants())).toEqual(before)
})

describe('allowed at the door:', () => {
  const victims = () => Object.values(calls.stranger.tenants)
  let untouched: Digest
  // However long the refusals took, these have just signed in.
  beforeAll(async () => {
    crew.owner = await Promise.all(crew.owner.map(({ id, companyId }) => people.session(id, companyId)))
  })

  it('the rows of the other company are known', async () => {
    untouched = await digestOf(installation, victims())
    expect(untouched[calls.stranger.tenants.production]!.invoices).not.toMatch(/^0 rows/)
  })

  it.each(operations)(
    '$method $path of one’s own, to an owner, with or without a key beside it',
    async operation => {
      const home = keyOf(installation.company, environmentOf(operation))
      for (const headers of [{}, { 'x-api-key': keyOf(calls.stranger, environmentOf(operation)) }]) {
        const person = personWho('owner')
        const ids = await calls.idsFor(operation, home)
        await calls.assignConversation(operation, ids, { personId: person.id })
        const answer = await ask(operation, person, {
          ids,
          headers,
          ...(operation.body && { body: await calls.bodyFor(operation, home) }),
        })
        expect(answer.status, answer.text).toBe(operation.status)
        expect([
          answer.headers.get('x-ratelimit-limit'),
          answer.headers.get('x-ratelimit-daily-remaining'),
        ]).toEqual(['300', 'unlimited'])
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
    },
  )

  it('and not a row of anybody else has changed', async () => {
    expect(await digestOf(installation, victims())).toEqual(untouched)
  })
})
