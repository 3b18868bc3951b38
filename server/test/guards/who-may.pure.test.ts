import { expect, it } from 'vitest'
import { roles, scopesOfRole } from '../../src/features/access/roles.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import { toolsFor, toolsOf } from '../../src/kit/http/tool.ts'
import { type Asking, mayDo } from '../../src/kit/may-do.ts'
import { type Asks, type Expected, expected, isTool, rows } from './who-may.ts'

const wall = Date.parse('2026-11-16T09:00:00Z')
const fresh = wall - 599_999
const old = wall - 600_000

/** The actor as the doors make it. */
function actorOf({ as, role, isFresh, environment, granted }: Asks): Asking {
  const all = role === null ? scopes : scopesOfRole(role, scopes)
  return {
    kind:
      as.endsWith('person') && !as.startsWith('application')
        ? 'person'
        : as === 'key'
          ? 'api_key'
          : 'oauth_client',
    environment,
    scopes: granted === undefined ? all : all.filter(scope => granted.includes(scope)),
    ...(role !== null && { role }),
    ...(as.endsWith('person') && { signedInAt: isFresh ? fresh : old }),
    ...(as === 'application for a person' && { onBehalfOf: 'p' }),
    ...(as === 'assistant of a person' && { conversationId: 'c' }),
  }
}

const reasons: Record<string, Expected> = {
  scopes: 'right',
  role: 'right',
  own_session: 'own session',
  fresh_sign_in: 'fresh sign-in',
}
const answered = (verdict: ReturnType<typeof mayDo>): Expected =>
  verdict.allowed ? 'yes' : reasons[verdict.because]!

/** Every kind of actor, role, age of sign-in and environment. */
const everybody: Asks[] = (['production', 'sandbox'] as const).flatMap(environment => [
  ...(['person', 'assistant of a person', 'application for a person'] as const).flatMap(as =>
    roles.flatMap(role => [true, false].map(isFresh => ({ as, role, isFresh, environment }))),
  ),
  ...(['application', 'key'] as const).flatMap(as =>
    [null, ...roles].map(role => ({ as, role, isFresh: false, environment })),
  ),
])
const nameOf = ({ as, role, isFresh, environment }: Asks) =>
  `${as}, ${role ?? 'of the operator'}, ${isFresh ? 'fresh' : 'not fresh'}, ${environment}`

it('the table has every operation once, and no other', () => {
  expect([...rows.keys()].sort()).toEqual(operations.map(({ id }) => id).sort())
})

it('every operation is answered to everybody as the table says', () => {
  const differences: string[] = []
  for (const asks of everybody)
    for (const operation of operations) {
      const answer = answered(mayDo(operation, actorOf(asks), wall))
      const wanted = expected(operation.id, asks)
      if (answer !== wanted)
        differences.push(`${operation.id}: ${nameOf(asks)}: ${answer} instead of ${wanted}`)
    }
  expect(differences).toEqual([])
})

it('and to whoever has one of its sets of scopes, and to nobody who lacks one scope of each', () => {
  const differences: string[] = []
  const asked: Asks[] = everybody.filter(({ role }) => role === null || role === 'owner')
  for (const operation of operations) {
    const { scopeSets } = rows.get(operation.id)!
    const grants = [
      ...scopeSets,
      [],
      ...scopeSets[0]!.map(missing =>
        scopes.filter(scope => scope !== missing && !scopeSets.slice(1).flat().includes(scope)),
      ),
    ]
    for (const granted of grants)
      for (const asks of asked.map(one => ({ ...one, granted: granted as Asks['granted'] & {} }))) {
        const answer = answered(mayDo(operation, actorOf(asks), wall))
        const wanted = expected(operation.id, asks)
        if (answer !== wanted)
          differences.push(`${operation.id} with ${granted}: ${nameOf(asks)}: ${answer} instead of ${wanted}`)
      }
  }
  expect(differences).toEqual([])
})

it('work that runs later is judged by the same table, and not by the age of a sign-in', () => {
  const differences = everybody.flatMap(asks =>
    operations
      .filter(
        ({ id, ...operation }) =>
          answered(mayDo({ ...operation }, actorOf(asks), null)) !== expected(id, { ...asks, isFresh: true }),
      )
      .map(({ id }) => `${id}: ${nameOf(asks)}`),
  )
  expect(differences).toEqual([])
})

it('the assistant and MCP have the tools that the table says, and nobody sees one they may not use', () => {
  const tools = toolsOf(operations)
  for (const asks of everybody) {
    const listed = toolsFor(tools, { ...actorOf(asks), id: 'i', tenantId: 't', companyId: 'c' })
    const wanted = operations.filter(
      ({ id, environment }) =>
        isTool(id) &&
        (environment === undefined || environment === asks.environment) &&
        expected(id, { ...asks, isFresh: true }) === 'yes',
    )
    expect(listed.map(({ operation }) => operation.id).sort(), nameOf(asks)).toEqual(
      wanted.map(({ id }) => id).sort(),
    )
  }
})
