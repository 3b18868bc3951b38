import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { waitingFields } from '../../src/features/access/companies/payout-fields.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import type { Environment, Scope } from '../../src/kit/actor.ts'
import type { Operation } from '../../src/kit/operation.ts'
import type { ApiResponse } from '../harness/use-installation.ts'
import { type Digest, digestOf } from './digest.ts'
import { isNamedAlike, makeId, missingIds } from './make.ts'
import { enoughFor, payoutBodies, scopesBut, scopesFor } from './make-access.ts'
import type { Json } from './make-helpers.ts'
import { objectsIn, type Shape } from './objects-in-body.ts'
import { isServedIn, keyOf, paramsOf, useOperationCalls } from './operation-calls.ts'
import { expected } from './who-may.ts'

const calls = useOperationCalls()
const { installation } = calls

/** A Sunday: what the guard makes is planned for Monday, so no message moves a row while rows are compared. */
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const environments = ['production', 'sandbox'] as const
const other = { production: 'sandbox', sandbox: 'production' } as const

/** Whose id a request names. All owners except the caller itself must get the same answer. */
const strangers = ['another company’s', 'the other environment’s'] as const
const owners = ['own', ...strangers, 'missing'] as const
type Owner = (typeof owners)[number]

interface Case {
  ids: Record<Owner, Record<string, string>>
  body: Json | undefined
}

/** Scope sets that are not enough: none at all, and everything but one of those required. */
const tooFew = (operation: Operation): Scope[][] => [
  [],
  ...operation.scopes.map(missing => scopesBut(operation, missing)),
]
const enough = (operation: Operation): Scope[][] => [
  ...enoughFor(operation).map(some => [...some]),
  [...scopes],
]

const isUuid = (shape: Shape): boolean => shape.format === 'uuid' || (shape.anyOf ?? []).some(isUuid)

/** Where a body may name somebody's thing. */
const idsInBody = (operation: Operation): string[][] =>
  operation.body
    ? objectsIn(operation).flatMap(({ path, shape }) =>
        Object.entries(shape.properties ?? {})
          .filter(([, property]) => isUuid(property))
          .map(([name]) => [...path, name]),
      )
    : []

const idsInQuery = (operation: Operation): string[] =>
  operation.query instanceof z.ZodObject
    ? Object.keys(operation.query.shape).filter(name => /Id$/.test(name))
    : []

const withId = (body: Json, [name, ...rest]: string[], id: string): Json => ({
  ...body,
  [name!]: rest.length > 0 ? withId((body[name!] ?? {}) as Json, rest, id) : id,
})

const keys = new Map<string, Promise<string>>()
/** One key for each set of scopes and environment. */
function keyWith(granted: readonly Scope[], environment: Environment): Promise<string> {
  const name = `${environment} ${[...granted].sort().join(' ')}`
  const made = keys.get(name) ?? calls.makeKey(granted, { environment }).then(key => key.text)
  keys.set(name, made)
  return made
}

/** The answer without the parts that differ in every request. */
const comparable = (answer: ApiResponse, id?: string) => {
  const body = { ...answer.body, requestId: '', timestamp: '' }
  return [answer.status, JSON.parse(id ? JSON.stringify(body).replaceAll(id, '…') : JSON.stringify(body))]
}

const tenants = () => [
  ...Object.values(installation.company.tenants),
  ...Object.values(calls.stranger.tenants),
]

const cases = new Map<string, Case>()
const caseOf = (operation: Operation, environment: Environment) =>
  cases.get(`${environment} ${operation.id}`)!

async function prepare(operation: Operation, environment: Environment): Promise<Case> {
  const home = keyOf(installation.company, environment)
  const missing = missingIds(operation)
  return {
    ids: {
      own: await calls.idsFor(operation, home),
      'another company’s': await calls.idsFor(operation, keyOf(calls.stranger, environment)),
      'the other environment’s': await calls.idsFor(
        operation,
        keyOf(installation.company, other[environment]),
      ),
      missing,
    },
    body: operation.body ? await calls.bodyFor(operation, home) : undefined,
  }
}

/** What cannot be read by its id, and belongs to a stranger. */
const unreadable = new Map<string, string>()

async function makeUnreadable(operation: Operation, environment: Environment): Promise<void> {
  const fields = [...idsInBody(operation).map(place => place.join('.')), ...idsInQuery(operation)]
  for (const field of fields) {
    if (getterOf(field)) continue
    for (const [owner, key] of [
      ['another company’s', keyOf(calls.stranger, environment)],
      // People belong to the company, in both of its environments.
      [
        'the other environment’s',
        keyOf(field === 'inChargeId' ? calls.stranger : installation.company, other[environment]),
      ],
    ] as const)
      unreadable.set(`${field} ${owner} ${environment}`, await makeId(installation, field, key, operation))
  }
}

const getterOf = (field: string): Operation | undefined => {
  const noun = field
    .replace(/\.?id$/i, '')
    .split('.')
    .at(-1)
  return operations.find(operation => operation.id === `${noun}s.get`)
}

/** The id of the thing a field refers to: `debtor.id` and `debtorId` are ids of a debtor. */
function idOf(field: string, owner: Owner, environment: Environment): string {
  const get = getterOf(field)
  const id = get
    ? Object.values(caseOf(get, environment).ids[owner])[0]
    : unreadable.get(`${field} ${owner} ${environment}`)
  if (!id) throw new Error(`${field} is an id of nothing this guard knows: there is nothing that gets it`)
  return id
}

const stopAndResume = (scope: string, target: string, isStopped: boolean) =>
  isStopped
    ? installation.sql(
        `insert into stops (id, scope, target, reason, since, stopped_by)
         values (gen_random_uuid(), $1, $2, 'guard', clock_timestamp(), 'guard')`,
        [scope, target],
      )
    : installation.sql(`update stops set ended_at = since, ended_by = 'guard' where target = $1`, [target])

let before: Digest
beforeAll(async () => {
  await installation.setNow(sunday)
  for (const environment of environments) {
    const left = operations.filter(operation => isServedIn(operation, environment))
    const prepareNext = async () => {
      for (let operation = left.shift(); operation; operation = left.shift())
        cases.set(`${environment} ${operation.id}`, await prepare(operation, environment))
    }
    // All at once they would wait for connections until some are refused.
    await Promise.all(Array.from({ length: 8 }, prepareNext))
  }
  for (const environment of environments)
    for (const operation of operations.filter(operation => isServedIn(operation, environment)))
      await makeUnreadable(operation, environment)
  before = await digestOf(installation, tenants())
})

describe.each(environments)('refused in %s:', environment => {
  const served = operations.filter(operation => isServedIn(operation, environment))
  it.each(served)('$method $path without all of its scopes, whoever the id belongs to', async operation => {
    const { ids, body } = caseOf(operation, environment)
    for (const granted of tooFew(operation)) {
      const key = await keyWith(granted, environment)
      const answers = []
      for (const owner of paramsOf(operation).length > 0 ? owners : (['own'] as const)) {
        const answer = await calls.call(operation, { key, ids: ids[owner], body })
        expect([answer.status, answer.body.error.code], owner).toEqual([403, 'AUTH_004'])
        expect(answer.body.error.requiredScopes).toEqual(operation.scopes)
        answers.push(comparable(answer))
      }
      expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    }
  })

  it.each(served.filter(operation => operation.params))(
    '$method $path of what belongs to somebody else, exactly as of what never was',
    async operation => {
      const { ids, body } = caseOf(operation, environment)
      for (const granted of enough(operation)) {
        const key = await keyWith(granted, environment)
        const missing = await calls.call(operation, { key, ids: ids.missing, body })
        expect([missing.status, missing.body.error.code]).toEqual([404, 'RES_001'])
        for (const owner of isNamedAlike(operation) ? [] : strangers) {
          const answer = await calls.call(operation, { key, ids: ids[owner], body })
          expect(comparable(answer), owner).toEqual(comparable(missing))
          expect([...answer.headers.keys()]).toEqual([...missing.headers.keys()])
        }
      }
    },
  )

  const naming = served.flatMap(operation =>
    idsInBody(operation).map(place => ({
      route: `${operation.method} ${operation.path}`,
      field: place.join('.'),
      operation,
      place,
    })),
  )
  it.each(naming)(
    '$route about a $field of somebody else, exactly as about one that never was',
    async ({ operation, place }) => {
      const { ids, body } = caseOf(operation, environment)
      const key = await keyWith(scopesFor(operation), environment)
      const asked = async (id: string) => {
        const answer = await calls.call(operation, { key, ids: ids.own, body: withId(body!, place, id) })
        // Of the assistant the specification calls it a fault of the body.
        expect(answer.status).toBe(operation.bodyFaults?.missingIs ? 400 : 404)
        return comparable(answer, id)
      }
      const missing = await asked(randomUUIDv7())
      for (const owner of strangers)
        expect(await asked(idOf(place.join('.'), owner, environment)), owner).toEqual(missing)
    },
  )

  const filtering = served.flatMap(operation =>
    idsInQuery(operation).map(name => ({ route: `${operation.method} ${operation.path}`, name, operation })),
  )
  it.each(filtering)(
    '$route with a $name of somebody else finds as little as with one that never was',
    async ({ operation, name }) => {
      const { ids } = caseOf(operation, environment)
      const key = await keyWith(scopesFor(operation), environment)
      const asked = async (id: string) => {
        const answer = await calls.call(operation, { key, ids: ids.own, query: `?${name}=${id}` })
        expect(answer.status).toBe(200)
        return comparable(answer, id)
      }
      const missing = await asked(randomUUIDv7())
      expect((missing[1] as ApiResponse<unknown[]>['body']).data).toEqual([])
      for (const owner of strangers)
        expect(await asked(idOf(name, owner, environment)), owner).toEqual(missing)
    },
  )
})

it.each(payoutBodies)('refused in production: to say where money goes, with all scopes: %j', async body => {
  const update = operations.find(operation => operation.id === 'company.update')!
  const [[field] = ['']] = Object.entries(body)
  expect(payoutBodies.map(one => Object.keys(one)[0]).sort()).toEqual(
    waitingFields.filter(one => one !== 'logo').sort(),
  )
  for (const granted of [scopesFor(update), scopes]) {
    const answer = await calls.call(update, { key: await keyWith(granted, 'production'), body })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_004'])
    expect(answer.body.error.details).toMatchObject([{ field, code: 'owner_only' }])
  }
})

describe.each([
  ['closed', environments, () => installation.company.companyId, 'company'],
  ['not opened for production', ['production'], () => installation.company.tenants.production, 'tenant'],
] as const)('while the company is %s', (_, refused, target, scope) => {
  beforeAll(async () => {
    for (const environment of environments)
      for (const operation of operations.filter(each => isServedIn(each, environment)))
        await keyWith(scopesFor(operation), environment)
    await stopAndResume(scope, target(), true)
  })
  afterAll(() => stopAndResume(scope, target(), false))

  it.each(operations)(
    '$method $path is refused there with AUTH_006, whoever the id belongs to',
    async operation => {
      for (const environment of environments.filter(each => isServedIn(operation, each))) {
        const { ids, body } = caseOf(operation, environment)
        const key = await keyWith(scopesFor(operation), environment)
        if (!(refused as readonly Environment[]).includes(environment)) continue
        for (const owner of paramsOf(operation).length > 0 ? owners : (['own'] as const)) {
          const answer = await calls.call(operation, { key, ids: ids[owner], body })
          expect([answer.status, answer.body.error.code], owner).toEqual([403, 'AUTH_006'])
        }
      }
    },
  )

  it.each(environments)('%s is as open as it should be', async environment => {
    const answer = await installation.call('GET', '/api/v1/company', {
      key: keyOf(installation.company, environment),
    })
    expect(answer.status).toBe((refused as readonly Environment[]).includes(environment) ? 403 : 200)
  })
})

it('nothing that was refused changed a row of anybody', async () => {
  expect(await digestOf(installation, tenants())).toEqual(before)
})

describe.each(environments)('allowed in %s:', environment => {
  const victims = () => tenants().filter(id => id !== installation.company.tenants[environment])
  let untouched: Digest

  it('the rows of everybody else are known', async () => {
    untouched = await digestOf(installation, victims())
    for (const hashes of Object.values(untouched)) expect(hashes.invoices).not.toMatch(/^0 rows/)
  })

  const served = operations.filter(
    operation =>
      isServedIn(operation, environment) &&
      expected(operation.id, { as: 'key', role: null, isFresh: false, environment }) === 'yes',
  )
  it.each(served)('$method $path of one’s own, with exactly its scopes and with all', async operation => {
    const home = keyOf(installation.company, environment)
    for (const granted of enough(operation)) {
      const key = await keyWith(granted, environment)
      const ids = await calls.idsFor(operation, home)
      await calls.assignConversation(operation, ids, { key })
      const answer = await calls.call(operation, {
        key,
        ids,
        ...(operation.body && { body: await calls.bodyFor(operation, home) }),
      })
      expect(answer.status, answer.text).toBe(operation.status)
    }
  })

  it('and not a row of anybody else has changed', async () => {
    expect(await digestOf(installation, victims())).toEqual(untouched)
  })
})
