import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newKey } from '../../src/features/access/api-keys/key-format.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import { fileTypeOf, type Operation } from '../../src/kit/operation.ts'
import { switchCompany } from '../harness/operator.ts'
import type { ApiResponse } from '../harness/use-installation.ts'
import { isNamedAlike, missingIds } from './make.ts'
import { enoughFor, isForUnlimitedKeys, scopesBut } from './make-access.ts'
import { environmentOf, isServedIn, keyOf, paramsOf, useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()
const { installation } = calls

/** A request with everything wrong that could be wrong after its credentials. */
const everythingWrong = (operation: Operation) => ({
  ids: Object.fromEntries(paramsOf(operation).map(name => [name, 'no-uuid'])),
  query: '?colour=blue',
  ...(operation.body && { raw: '{' }),
})

const bodyBut = (answer: ApiResponse) => ({ ...answer.body, requestId: '', timestamp: '' })

it('no two operations share an id or a route', () => {
  expect(new Set(operations.map(operation => operation.id)).size).toBe(operations.length)
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
})

it('only what is read is answered with a file: an answer that is kept to be given again is text', () => {
  const files = operations.filter(operation => fileTypeOf(operation) !== null)
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter(({ method }) => method !== 'GET').map(({ id }) => id)).toEqual([])
})

describe.each(operations)('$method $path', operation => {
  it('asks for a key before it looks at anything else', async () => {
    for (const asked of [{}, everythingWrong(operation)]) {
      const answer = await calls.call(operation, { ...asked, key: null })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_001'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  it('refuses a key nobody made, a guessed one, a bearer token that is none, and two credentials at once', async () => {
    const [cell] = await installation.sql<{ cell: string }>('select cell from installation')
    const known = await calls.makeKey(scopes, { environment: environmentOf(operation) })
    const stranger = newKey('production', cell!.cell)
    await installation.sql(
      `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, created_at)
       select $1, tenant_id, 'Guess', $2, secret_mac, prefix, scopes, created_at from api_keys where id = $3`,
      [randomUUIDv7(), stranger.lookup, known.id],
    )
    const token = { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.e30' }
    for (const asked of [
      { key: 'fk_live_malformed' },
      { key: `${known.text}x` },
      { key: known.text.toLowerCase() },
      { key: newKey('production', cell!.cell).text },
      { key: stranger.text },
      { key: null, headers: token },
      { key: known.text, headers: token },
    ]) {
      const answer = await calls.call(operation, asked)
      expect([answer.status, answer.body.error.code], asked.key ?? 'token').toEqual([401, 'AUTH_002'])
    }
  })

  it('refuses an expired key, and one revoked a moment ago although it has just worked', async () => {
    const environment = environmentOf(operation)
    const expired = await calls.makeKey(scopes, { environment, expiresAt: '2020-01-01T00:00:00Z' })
    expect((await calls.call(operation, { key: expired.text })).body.error.code).toBe('AUTH_002')
    const revoked = await calls.makeKey(scopes, { environment })
    expect((await calls.call(operation, { key: revoked.text })).status).toBe(operation.status)
    await installation.sql('update api_keys set enabled = false where id = $1', [revoked.id])
    expect((await calls.call(operation, { key: revoked.text })).body.error.code).toBe('AUTH_002')
  })

  it('refuses a company that was closed, and a caller whose address is not on the list', async () => {
    const environment = environmentOf(operation)
    const { text } = await calls.makeKey(scopes, { environment, whitelist: ['192.0.2.0/24'] })
    expect((await calls.call(operation, { key: text })).body.error.code).toBe('AUTH_005')
    const listed = { 'x-forwarded-for': '192.0.2.7' }
    expect((await calls.call(operation, { key: text, headers: listed })).status).toBe(
      isForUnlimitedKeys(operation) ? 403 : operation.status,
    )
    const prepared = {
      ids: await calls.idsFor(operation),
      ...(operation.body && { body: await calls.bodyFor(operation) }),
    }
    const { companyId } = installation.company
    await switchCompany(installation, companyId, false)
    const refused = await calls.call(operation, prepared)
    await switchCompany(installation, companyId, true)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_006'])
  })

  it('needs each of its scopes, names them all, and needs no other', async () => {
    const environment = environmentOf(operation)
    for (const missing of operation.scopes) {
      const { text } = await calls.makeKey(scopesBut(operation, missing), { environment })
      for (const asked of [{}, everythingWrong(operation)]) {
        const answer = await calls.call(operation, { ...asked, key: text })
        expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_004'])
        expect(answer.body.error.requiredScopes).toEqual(operation.scopes)
      }
    }
    for (const enough of enoughFor(operation)) {
      const { text } = await calls.makeKey(enough, { environment })
      expect((await calls.call(operation, { key: text })).status).toBe(operation.status)
    }
  })

  it('refuses a query parameter it does not know, one given twice, and one with a forbidden value', async () => {
    const shape = operation.query instanceof z.ZodObject ? Object.keys(operation.query.shape) : []
    for (const [query, field] of [
      ['?colour=blue', 'colour'],
      ['?colour=blue&colour=red', 'colour'],
      ...shape.flatMap(name => [
        [`?${name}=1&${name}=1`, name],
        [`?${name}=%00`, name],
        [`?${name}=`, name],
        [`?${name}[]=1`, `${name}[]`],
      ]),
    ] as const) {
      const answer = await calls.call(operation, { query })
      expect([answer.status, answer.body.error.code], query).toEqual([400, 'VAL_002'])
      expect(answer.body.error.details?.map(detail => detail.field)).toEqual([field])
      if (query.includes('&')) expect(answer.body.error.details?.[0]?.code).toBe('repeated')
    }
  })
})

describe.each(operations.filter(operation => operation.params))('$method $path', operation => {
  it('says that an id is malformed, not that it is missing', async () => {
    const ids = await calls.idsFor(operation)
    const some = randomUUIDv7()
    for (const name of paramsOf(operation))
      for (const malformed of [
        'no-uuid',
        `${some}0`,
        some.replaceAll('-', ''),
        `{${some}}`,
        `${some}%00`,
        '%2e%2e%2f',
        '%E0%A4%A',
        'x'.repeat(300),
      ]) {
        const answer = await calls.call(operation, { ids: { ...ids, [name]: malformed } })
        expect([answer.status, answer.body.error.code], malformed).toEqual([400, 'VAL_004'])
        expect(answer.body.error.details?.[0]?.field).toBe(name)
      }
  })

  it('takes an id in capitals for the same id, but for those in which capitals count', async () => {
    if (operation.path.startsWith('/api/v1/oauth-clients/')) return
    const ids = await calls.idsFor(operation)
    const capitals = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()]))
    expect((await calls.call(operation, { ids: capitals })).status).toBe(operation.status)
  })

  it('answers for what belongs to somebody else exactly as for what never was', async () => {
    const own = await calls.idsFor(operation)
    const elsewhere = [
      await calls.idsFor(operation, keyOf(calls.stranger, environmentOf(operation))),
      ...(isServedIn(operation, 'production')
        ? [await calls.idsFor(operation, installation.company.sandboxKey)]
        : []),
    ]
    for (const name of paramsOf(operation)) {
      const missing = await calls.call(operation, { ids: { ...own, [name]: missingIds(operation)[name]! } })
      expect([missing.status, missing.body.error.code]).toEqual([404, 'RES_001'])
      for (const ids of isNamedAlike(operation) ? [] : elsewhere) {
        const foreign = await calls.call(operation, { ids: { ...own, [name]: ids[name]! } })
        expect(foreign.status).toBe(404)
        expect(bodyBut(foreign)).toEqual(bodyBut(missing))
        expect([...foreign.headers.keys()]).toEqual([...missing.headers.keys()])
      }
    }
  })
})

describe.each(operations.filter(({ environment }) => environment === 'production'))(
  '$method $path',
  operation => {
    it('is reserved to production, whatever the scopes of a sandbox credential, and before anything is looked at', async () => {
      for (const granted of [scopes, []]) {
        const { text: key } = await calls.makeKey(granted, { environment: 'sandbox' })
        const answer = await calls.call(operation, { ...everythingWrong(operation), key })
        expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_007'])
      }
    })
  },
)

describe.each(operations.filter(({ environment }) => environment === 'sandbox'))(
  '$method $path',
  operation => {
    it('does not exist for a credential of production, whatever its scopes, and the refusal says which key it takes', async () => {
      for (const granted of [scopes, []]) {
        const { text } = await calls.makeKey(granted)
        const { method, path } = operation
        const answer = await calls.fetch(path, { method, headers: { 'x-api-key': text } })
        expect(answer.status).toBe(404)
        expect(bodyBut(answer).error).toEqual({
          code: 'RES_001',
          message: `There is no ${method} ${path} in production; use a sandbox key, which begins with fk_test_, or another credential of the sandbox.`,
          docUrl: expect.any(String),
        })
      }
    })
  },
)
