import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import { missingIds } from './make.ts'
import { environmentOf, keyOf, paramsOf, useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()
const newHeader = () => ({ 'idempotency-key': `guard-${randomBytes(8).toString('hex')}` })

const posts = operations.filter(operation => operation.method === 'POST')

describe.each(posts)('$method $path', operation => {
  /** One exact request that may be sent again and again. */
  const home = () => keyOf(calls.installation.company, environmentOf(operation))
  const request = async (headers = newHeader(), key = home()) => ({
    headers,
    ids: await calls.idsFor(operation, key),
    ...(operation.body && { body: await calls.bodyFor(operation, key) }),
  })

  it('gives the first answer again, to the byte, under a new request id', async () => {
    const asked = await request()
    const first = await calls.call(operation, asked)
    expect(first.status).toBe(operation.status)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    const again = await calls.call(operation, asked)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  it('does its work once when the same request arrives five times at once', async () => {
    const asked = await request()
    const answers = await Promise.all(Array.from({ length: 5 }, () => calls.call(operation, asked)))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers.filter(answer => !answer.headers.has('idempotent-replayed'))).toHaveLength(1)
  })

  it('refuses the same key with another body', async () => {
    if (!operation.body) return
    const asked = await request()
    await calls.call(operation, asked)
    const other = await calls.call(operation, { ...asked, body: await calls.bodyFor(operation) })
    expect([other.status, other.body.error.code]).toEqual([409, 'RES_003'])
    expect((await calls.call(operation, asked)).headers.get('idempotent-replayed')).toBe('true')
  })

  it('keeps the keys of two clients and of two environments apart', async () => {
    const headers = newHeader()
    await calls.call(operation, await request(headers))
    const colleague = await calls.makeKey(scopes, { environment: environmentOf(operation) })
    const others = operation.environment
      ? [colleague.text]
      : [colleague.text, calls.installation.company.sandboxKey]
    for (const key of others) {
      const asked = { ...(await request(headers, key)), key }
      const answer = await calls.call(operation, asked)
      expect([answer.status, answer.headers.has('idempotent-replayed')]).toEqual([operation.status, false])
    }
  })

  it('uses no key up for a request it could not read', async () => {
    const asked = await request()
    if (operation.body) expect((await calls.call(operation, { ...asked, raw: '{' })).status).toBe(400)
    expect((await calls.call(operation, { ...asked, query: '?colour=blue' })).status).toBe(400)
    const answer = await calls.call(operation, asked)
    expect([answer.status, answer.headers.has('idempotent-replayed')]).toEqual([operation.status, false])
  })

  it('keeps a refusal by the business as an answer too', async () => {
    const missing = missingIds(operation)
    const refusable = { ...(await request()), ...(paramsOf(operation).length > 0 && { ids: missing }) }
    // Where nothing in the path can be missing, the second of two equal requests is what the business refuses.
    if (paramsOf(operation).length === 0) await calls.call(operation, { ...refusable, headers: newHeader() })
    const first = await calls.call(operation, refusable)
    // A second equal request may be fine, or be refused for its form, as a list none of which could be imported.
    if (first.status < 400 || first.body.error.code.startsWith('VAL_')) return
    expect(first.body.error.code).toMatch(/^(RES|BIZ)_/)
    const again = await calls.call(operation, refusable)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('takes 1 to 255 printable characters for a key and nothing else', async () => {
    for (const key of ['k'.repeat(256), '', 'é', 'a\tb']) {
      const answer = await calls.call(operation, await request({ 'idempotency-key': key }))
      expect([answer.status, answer.body.error?.code], key).toEqual([400, 'VAL_001'])
    }
    const long = await calls.call(operation, await request({ 'idempotency-key': 'k'.repeat(255) }))
    expect(long.status).toBe(operation.status)
  })
})

describe.each(operations.filter(operation => operation.method !== 'POST'))('$method $path', operation => {
  it('has nothing to remember, and ignores the header', async () => {
    const asked = {
      headers: newHeader(),
      ids: await calls.idsFor(operation),
    }
    await calls.call(operation, asked)
    expect((await calls.call(operation, asked)).headers.has('idempotent-replayed')).toBe(false)
  })
})
