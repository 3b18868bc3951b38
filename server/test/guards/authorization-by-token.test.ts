import { beforeAll, describe, expect, it } from 'vitest'
import { type Role, roles } from '../../src/features/access/roles.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import type { Environment, Scope } from '../../src/kit/actor.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { type NewClient, tokenCalls } from '../harness/tokens.ts'
import type { ApiResponse } from '../harness/use-installation.ts'
import { type Digest, digestOf } from './digest.ts'
import { isNamedAlike, missingIds } from './make.ts'
import { payoutBodies, scopesBut, scopesFor } from './make-access.ts'
import type { Json } from './make-helpers.ts'
import { environmentOf, isServedIn, keyOf, useOperationCalls } from './operation-calls.ts'
import { expected, isTool } from './who-may.ts'

const calls = useOperationCalls()
const { installation } = calls
const oauth = tokenCalls(installation)

/** A Sunday: what the guard makes is planned for Monday, so no message moves a row while rows are compared. */
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const environments = ['production', 'sandbox'] as const
const other = { production: 'sandbox', sandbox: 'production' } as const

const clients = {} as Record<Environment, NewClient>
const members = {} as Record<Environment, Record<Role, string>>
/** The same, of people who signed in more than ten minutes ago. */
const stale = {} as Record<Environment, Record<Role, string>>

const tokens = new Map<string, Promise<string>>()
/** A token of the application itself, one for each set of scopes. */
function tokenWith(granted: readonly Scope[], environment: Environment): Promise<string> {
  const name = `${environment} ${granted.join(' ')}`
  const made = tokens.get(name) ?? oauth.tokenOf(clients[environment], granted)
  tokens.set(name, made)
  return made
}

const callWithToken = (operation: Operation, token: string, asked: Parameters<typeof calls.call>[1] = {}) =>
  calls.call(operation, { ...asked, key: null, headers: { authorization: `Bearer ${token}` } })

interface Case {
  strangers: Record<string, Record<string, string>>
  body: Json | undefined
}
const cases = new Map<string, Case>()

const tenants = () => [
  ...Object.values(installation.company.tenants),
  ...Object.values(calls.stranger.tenants),
]
let before: Digest

beforeAll(async () => {
  await installation.setNow(sunday)
  for (const environment of environments) {
    const key = keyOf(installation.company, environment)
    clients[environment] = await oauth.client({ name: 'Guard' }, { key })
    members[environment] = {} as Record<Role, string>
    stale[environment] = {} as Record<Role, string>
    for (const role of roles) {
      members[environment][role] = (await oauth.member(role, { client: clients[environment] })).accessToken
      const older = await oauth.member(role, { client: clients[environment] })
      await installation.sql(
        `update oauth_grants set auth_time = auth_time - interval '10 minutes 1 second' where id = $1`,
        [older.grantId],
      )
      stale[environment][role] = older.accessToken
    }
  }
  for (const operation of operations) {
    const environment = environmentOf(operation)
    const [theirs, elsewhere, body] = await Promise.all([
      calls.idsFor(operation, keyOf(calls.stranger, environment)),
      calls.idsFor(operation, keyOf(installation.company, other[environment])),
      operation.body ? calls.bodyFor(operation, keyOf(installation.company, environment)) : undefined,
    ])
    const strangers = { 'another company’s': theirs, 'the other environment’s': elsewhere }
    cases.set(operation.id, { strangers, body })
  }
  before = await digestOf(installation, tenants())
})

const comparable = (answer: ApiResponse) => [answer.status, { ...answer.body, requestId: '', timestamp: '' }]

describe.each(operations)('refused to a token: $method $path', operation => {
  const environment = environmentOf(operation)

  it('without any one of its scopes, and it is told which it takes', async () => {
    for (const missing of operation.scopes) {
      const answer = await callWithToken(
        operation,
        await tokenWith(scopesBut(operation, missing), environment),
        {
          ids: missingIds(operation),
          ...(operation.body && { body: cases.get(operation.id)!.body }),
        },
      )
      expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_004'])
      expect(answer.body.error.requiredScopes).toEqual(operation.scopes)
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="relance", error="insufficient_scope", scope="${operation.scopes.join(' ')}"`,
      )
    }
  })
})

describe.each(operations.filter(operation => operation.params))(
  'refused to a token: $method $path',
  operation => {
    it('for what belongs to somebody else, exactly as for what never was', async () => {
      const environment = environmentOf(operation)
      const { strangers, body } = cases.get(operation.id)!
      for (const token of [await tokenWith(scopes, environment), members[environment].owner]) {
        const asked = (ids: Record<string, string>) =>
          callWithToken(operation, token, { ids, ...(operation.body && { body }) })
        const missing = await asked(missingIds(operation))
        expect([missing.status, missing.body.error.code]).toEqual([404, 'RES_001'])
        for (const [owner, ids] of Object.entries(isNamedAlike(operation) ? {} : strangers))
          expect(comparable(await asked(ids)), owner).toEqual(comparable(missing))
      }
    })
  },
)

describe.each(roles)('a person who is %s, by an application that was granted everything,', role => {
  it.each([
    ['just signed in', members, true],
    ['signed in earlier', stale, false],
  ] as const)('may do what the table says, having %s', async (_when, tokensOf, isFresh) => {
    for (const operation of operations) {
      const environment = environmentOf(operation)
      // An unknown parameter: a caller with the right scopes gets a validation error, and nothing is done.
      const answer = await callWithToken(operation, tokensOf[environment][role], {
        ids: missingIds(operation),
        query: '?colour=blue',
        ...(operation.body && { body: cases.get(operation.id)!.body }),
      })
      const verdict = expected(operation.id, { as: 'application for a person', role, isFresh, environment })
      expect([operation.id, answer.status, answer.body.error.code]).toEqual([
        operation.id,
        ...(verdict === 'yes' ? [400, 'VAL_002'] : [403, 'AUTH_004']),
      ])
      if (verdict === 'fresh sign-in')
        expect(answer.body.error.details).toMatchObject([{ code: 'fresh_sign_in' }])
    }
  })

  it('sees by MCP the tools that the table says, and an old sign-in uses none that needs a fresh one', async () => {
    const environment = 'production'
    const rpc = async (method: string, params: object, token: string) => {
      const request = { jsonrpc: '2.0', id: 1, method, params }
      const answer = await oauth.call<never>('POST', '/mcp', request, { token })
      return (answer.body as unknown as { result: { tools: { name: string }[]; isError: boolean } }).result
    }
    const listed = await rpc('tools/list', {}, stale[environment][role])
    const tools = operations.filter(operation => isServedIn(operation, environment) && isTool(operation.id))
    const asks = { as: 'application for a person', role, environment } as const
    const wanted = tools.filter(({ id }) => expected(id, { ...asks, isFresh: true }) === 'yes')
    expect(listed.tools.map(({ name }) => name).sort()).toEqual(
      wanted.map(({ id }) => id.replaceAll('.', '_')).sort(),
    )
    for (const { id } of wanted.filter(({ id }) => expected(id, { ...asks, isFresh: false }) !== 'yes')) {
      const call = { name: id.replaceAll('.', '_'), arguments: cases.get(id)!.body ?? {} }
      const used = await rpc('tools/call', call, stale[environment][role])
      expect([id, used.isError, JSON.stringify(used).includes('fresh_sign_in')]).toEqual([id, true, true])
    }
  })
})

it.each(['PUT', 'DELETE'])('refused to every token in production: to change the logo: %s', async method => {
  const change = operations.find(one => one.path === '/api/v1/company/logo' && one.method === method)!
  const { body } = cases.get(change.id)!
  for (const token of [await tokenWith(scopes, 'production'), members.production.owner]) {
    const answer = await callWithToken(change, token, { ...(body && { body }) })
    expect([answer.status, answer.body.error.details?.[0]?.code]).toEqual([403, 'owner_only'])
  }
})

it.each(payoutBodies)('refused to every token in production: to say where money goes: %j', async body => {
  const update = operations.find(operation => operation.id === 'company.update')!
  const own = await tokenWith(scopes, 'production')
  for (const token of [own, ...roles.map(role => members.production[role])]) {
    const answer = await callWithToken(update, token, { body })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_004'])
  }
})

it('nothing that was refused changed a row of anybody', async () => {
  expect(await digestOf(installation, tenants())).toEqual(before)
})

describe('allowed to a token:', () => {
  const victims = () => Object.values(calls.stranger.tenants)
  let untouched: Digest

  it('the rows of the other company are known', async () => {
    untouched = await digestOf(installation, victims())
    expect(untouched[calls.stranger.tenants.production]!.invoices).not.toMatch(/^0 rows/)
  })

  it.each(operations)(
    '$method $path of one’s own, with exactly its scopes, and to an owner',
    async operation => {
      const environment = environmentOf(operation)
      const home = keyOf(installation.company, environment)
      for (const token of [await tokenWith(scopesFor(operation), environment), members[environment].owner]) {
        const ids = await calls.idsFor(operation, home)
        await calls.assignConversation(operation, ids, { token })
        const answer = await callWithToken(operation, token, {
          ids,
          ...(operation.body && { body: await calls.bodyFor(operation, home) }),
        })
        expect(answer.status, answer.text).toBe(operation.status)
      }
    },
  )

  it('and not a row of anybody else has changed', async () => {
    expect(await digestOf(installation, victims())).toEqual(untouched)
  })
})
