import { afterEach, expect, it, vi } from 'vitest'
import { Relance, RelanceError, type RelanceOptions } from '../../../sdk/src/index.ts'
import { answerWith, hangUp, refuseWith, useScriptedServer } from './scripted-server.ts'

const server = useScriptedServer()
const client = (options: Partial<RelanceOptions> = {}) =>
  new Relance({ apiKey: 'fk_test_x', baseUrl: server.baseUrl, ...options } as RelanceOptions)
const invoice = {
  invoiceNumber: 'F-1',
  amountCents: 100,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: { name: 'Durand', email: 'compta@durand.example' },
}
const keys = () => server.seen.map(({ headers }) => headers['idempotency-key'])
/** The error of a request that must fail. */
const errorOf = (promise: PromiseLike<unknown>): Promise<RelanceError> =>
  Promise.resolve(promise).then(
    () => expect.fail('it was answered'),
    (error: RelanceError) => error,
  )
/** Waits without waiting: what the client wants to wait is written down. */
function noteWaits(): number[] {
  const waits: number[] = []
  const { setTimeout: real } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => {
    // The limit of an attempt is no wait, and timers with arguments are those of `fetch` itself.
    if (args.length > 0 || ms < 200 || ms >= 20_000) return real(work, ms, ...args)
    waits.push(ms)
    return real(work, 0)
  }) as typeof setTimeout)
  return waits
}
afterEach(() => void vi.restoreAllMocks())

it('a POST that was not answered is sent again with the same idempotency key, and another POST has another', async () => {
  noteWaits()
  server.answer(hangUp, hangUp, answerWith(201, { success: true, data: { id: 'i' } }))
  expect((await client().invoices.create(invoice)).id).toBe('i')
  const [first, ...others] = keys()
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(others).toEqual([first, first])
  await client().invoices.create(invoice)
  expect(keys().at(-1)).not.toBe(first)
  await client().invoices.create(invoice, { idempotencyKey: 'mine' })
  expect(keys().at(-1)).toBe('mine')
})

it('only a POST carries an idempotency key', async () => {
  await client().invoices.get('i')
  await client().invoices.update('i', { notes: 'x' })
  server.answer(answerWith(204))
  await client().invoices.delete('i')
  expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'PUT', 'DELETE'])
  expect(keys()).toEqual([undefined, undefined, undefined])
})

it.each([
  [423, 'RES_004'],
  [429, 'RATE_001'],
  [502, 'SVC_003'],
  [503, 'SVC_001'],
  [504, 'SVC_002'],
])('%i is tried again, after as long as the server says', async (status, code) => {
  const waits = noteWaits()
  server.answer(refuseWith(status, code, { 'retry-after': '2' }), answerWith(200))
  await client().company.get()
  expect(server.seen).toHaveLength(2)
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThanOrEqual(2_000)
  expect(waits[0]).toBeLessThanOrEqual(2_200)
})

it('without a word of the server it waits longer each time, and never exactly as long as others', async () => {
  const waits = noteWaits()
  server.answer(refuseWith(503, 'SVC_001'))
  const error = await errorOf(client({ maxRetries: 6 }).company.get())
  expect(error).toMatchObject({ status: 503, code: 'SVC_001', retryAfterMs: null })
  expect(server.seen).toHaveLength(7)
  for (const [attempt, wait] of waits.entries()) {
    const longest = Math.min(8_000, 500 * 2 ** attempt)
    expect(wait).toBeGreaterThanOrEqual(longest / 2)
    expect(wait).toBeLessThanOrEqual(longest)
  }
})

it.each([
  [400, 'VAL_001', {}],
  [401, 'AUTH_002', {}],
  [404, 'RES_001', {}],
  [409, 'RES_002', {}],
  [500, 'SYS_001', {}],
  // The endpoint of the customer failed: to repeat it would send its test again.
  [502, 'WH_001', {}],
  // The quota of the day: nobody waits until midnight.
  [429, 'RATE_002', { 'retry-after': '40000' }],
])('%i %s is not tried again', async (status, code, headers) => {
  server.answer(refuseWith(status, code, headers))
  const error = await errorOf(client().webhooks.test('w'))
  expect(error).toBeInstanceOf(RelanceError)
  expect(error).toMatchObject({ status, code })
  expect(server.seen).toHaveLength(1)
})

it('an error has everything the API said of it', async () => {
  const details = [{ field: 'dueDate', code: 'invalid', message: 'is before issueDate' }]
  const more = { details, requiredScopes: ['invoices:write'], nextAllowedAt: '2026-11-17T07:00:00.000Z' }
  server.answer(refuseWith(429, 'RATE_002', { 'retry-after': '3600' }, more))
  const error = await errorOf(client().invoices.create(invoice))
  expect(error).toMatchObject({
    name: 'RelanceError',
    message: 'It is RATE_002.',
    status: 429,
    code: 'RATE_002',
    requestId: 'r-1',
    retryAfterMs: 3_600_000,
    ...more,
  })
})

it('an answer that is not from the API, a redirect and a lost connection have codes of their own', async () => {
  noteWaits()
  server.answer(reply => void reply.writeHead(403).end('<h1>proxy</h1>'))
  expect(await errorOf(client().company.get())).toMatchObject({ status: 403, code: 'UNREADABLE' })
  server.answer(reply => void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  expect(await errorOf(client().company.get())).toMatchObject({ status: 302, code: 'UNREADABLE' })
  server.answer(hangUp)
  expect(await errorOf(client().company.get())).toMatchObject({ status: 0, code: 'NO_ANSWER' })
})

it('a body that is cut off is asked for again', async () => {
  noteWaits()
  server.answer(
    reply => {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      reply.write('{"success":true,')
      setImmediate(() => reply.socket!.destroy())
    },
    answerWith(200, { success: true, data: { name: 'Martin' } }),
  )
  expect((await client().company.get()).name).toBe('Martin')
})

it('an attempt ends after its time, and a caller who has had enough is given their own reason', async () => {
  server.answer(() => {})
  const late = await errorOf(client({ timeoutMs: 30, maxRetries: 0 }).company.get())
  expect(late).toMatchObject({ status: 0, code: 'TIMEOUT' })
  const controller = new AbortController()
  const reason = new Error('enough')
  const asked = errorOf(client().company.get({ signal: controller.signal }))
  setTimeout(() => controller.abort(reason), 30)
  expect(await asked).toBe(reason)
  expect(await errorOf(client().company.get({ signal: controller.signal }))).toBe(reason)
  server.answer(refuseWith(503, 'SVC_001', { 'retry-after': '50' }))
  const waiting = new AbortController()
  setTimeout(() => waiting.abort(reason), 50)
  expect(await errorOf(client().company.get({ signal: waiting.signal }))).toBe(reason)
})

it('each credential has its headers, and a token is asked for before every attempt', async () => {
  noteWaits()
  await client().company.get()
  expect(server.seen[0]!.headers).toMatchObject({ 'x-api-key': 'fk_test_x' })
  let tokens = 0
  const accessToken = async () => `t${++tokens}`
  server.answer(hangUp, answerWith(200))
  const byToken = new Relance({ accessToken, baseUrl: server.baseUrl, companyId: 'c' })
  await byToken.company.get()
  expect(server.seen.slice(1).map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
  expect(server.seen[2]!.headers).toMatchObject({ 'x-company-id': 'c' })
  expect(server.seen[2]!.headers['x-api-key']).toBeUndefined()
})

it('a session calls the door for people, with its company and environment, and its token on every change', async () => {
  const session = { csrf: 'k', environment: 'sandbox', companyId: 'c' } as const
  const relance = new Relance({ session, baseUrl: server.baseUrl })
  await relance.company.get()
  await relance.invoices.create(invoice)
  const [read, change] = server.seen
  expect([read!.url, change!.url]).toEqual(['/console/api/v1/company', '/console/api/v1/invoices'])
  expect(read!.headers).toMatchObject({ 'x-company-id': 'c', 'x-environment': 'sandbox' })
  expect([read!.headers['x-csrf-token'], change!.headers['x-csrf-token']]).toEqual([undefined, 'k'])
})

it('a session may give its token later: changes wait for it, reads do not', async () => {
  const token = Promise.withResolvers<string>()
  const session = { csrf: () => token.promise, environment: 'sandbox', companyId: 'c' } as const
  const relance = new Relance({ session, baseUrl: server.baseUrl })
  const change = relance.invoices.create(invoice)
  await relance.company.get()
  expect(server.seen.map(({ url }) => url)).toEqual(['/console/api/v1/company'])
  token.resolve('later')
  await change
  expect(server.seen[1]!.headers['x-csrf-token']).toBe('later')
})

it('a client needs one credential and an address, and a page must not have a key', () => {
  expect(() => new Relance({ baseUrl: 'http://x' } as RelanceOptions)).toThrow(/one of apiKey/)
  const both = { apiKey: 'k', accessToken: 't', baseUrl: 'http://x' } as unknown as RelanceOptions
  expect(() => new Relance(both)).toThrow(/one of apiKey/)
  expect(() => new Relance({ apiKey: 'k' } as RelanceOptions)).toThrow(/baseUrl/)
  vi.stubGlobal('document', {})
  expect(() => new Relance({ apiKey: 'k', baseUrl: 'http://x' })).toThrow(/must not be used in a browser/)
  expect(() => new Relance({ accessToken: 't', baseUrl: 'http://x' })).not.toThrow()
  vi.unstubAllGlobals()
})

it('an id stays one part of the path, and one that is missing is never sent', async () => {
  await client().invoices.get('a/../b?c#d')
  expect(server.seen[0]!.url).toBe('/api/v1/invoices/a%2F..%2Fb%3Fc%23d')
  for (const id of ['', '.', '..']) expect(() => client().invoices.get(id)).toThrow(TypeError)
})

it('a query is sent without what is undefined, lists with commas', async () => {
  server.answer(answerWith(200, { success: true, data: [], pagination: { hasNext: false } }))
  await client().invoices.list({ status: 'paid', limit: 5, debtorId: undefined })
  expect(server.seen[0]!.url).toBe('/api/v1/invoices?status=paid&limit=5')
})

it('warnings, headers and the message about a secret are in withResponse()', async () => {
  const warnings = [{ code: 'SIRET_CHECK', message: 'does not look right' }]
  server.answer(answerWith(201, { success: true, data: { id: 'k' }, warnings, message: 'Shown once' }))
  const whole = await client()
    .apiKeys.create({ scopes: ['invoices:read'] })
    .withResponse()
  expect(whole).toMatchObject({
    data: { id: 'k' },
    status: 201,
    requestId: 'r-1',
    warnings,
    message: 'Shown once',
  })
  expect(whole.headers.get('x-request-id')).toBe('r-1')
  server.answer(refuseWith(404, 'RES_001'))
  expect(await errorOf(client().company.get().withResponse())).toMatchObject({ code: 'RES_001' })
})

it('a file is sent as it is, with its type where the API takes it', async () => {
  const csv = 'number;amount\nF-1;10\n'
  await client().tasks.import(new Blob([csv], { type: 'text/csv;charset=utf-8' }), { fileName: 'a.csv' })
  await client().tasks.import(new TextEncoder().encode(csv), { autoStartWorkflow: false })
  const [blob, bytes] = server.seen
  expect([blob!.body, bytes!.body]).toEqual([csv, csv])
  expect([blob!.headers['content-type'], bytes!.headers['content-type']]).toEqual([
    'text/csv',
    'application/octet-stream',
  ])
  expect([blob!.url, bytes!.url]).toEqual([
    '/api/v1/tasks/import?fileName=a.csv',
    '/api/v1/tasks/import?autoStartWorkflow=false',
  ])
})

it('a file is answered as a Blob', async () => {
  server.answer(reply => void reply.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'))
  const file = await client().invoices.anr('i')
  expect([file.type, await file.text()]).toEqual(['application/pdf', '%PDF'])
})

it('a task is read until it is done', async () => {
  noteWaits()
  const task = (status: string, done: number) =>
    answerWith(200, { success: true, data: { status, progress: { done, total: 2 } } })
  server.answer(task('waiting', 0), task('running', 1), task('review', 2))
  const progress: number[] = []
  const ended = await client().tasks.wait('t', {
    onProgress: ({ progress: { done } }) => progress.push(done),
  })
  expect([ended.status, progress]).toEqual(['review', [0, 1, 2]])
})
