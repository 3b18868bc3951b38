import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { type Hint, Relance } from '../../../sdk/src/index.ts'
import type { Hint as SentHint } from '../../src/features/integrations/live/hints.ts'
import { type Answer, refuseWith, useScriptedServer } from './scripted-server.ts'

const server = useScriptedServer()
const session = { csrf: 'c', environment: 'sandbox', companyId: 'company-1' } as const
const client = () => new Relance({ session, baseUrl: server.baseUrl })

const begin = (reply: ServerResponse) => {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.write(': open\n\n')
}
/** Sends hints, and ends. */
const lineWith =
  (...hints: Hint[]): Answer =>
  reply => {
    begin(reply)
    for (const hint of hints) reply.write(`event: hint\ndata: ${JSON.stringify(hint)}\n\n`)
    reply.end()
  }
const invoice = (id: string): Hint => ({ kind: 'invoice', ids: [id] })
const all: Hint = { kind: 'all', ids: [] }

/** Gives an answer, and writes down when it was asked for. */
const timed =
  (askedAt: number[], answer: Answer): Answer =>
  (reply, request) => {
    askedAt.push(performance.now())
    answer(reply, request)
  }
const between = (askedAt: readonly number[]) => askedAt.slice(1).map((at, i) => at - askedAt[i]!)

async function take(count: number, hints: AsyncIterable<Hint>): Promise<Hint[]> {
  const taken: Hint[] = []
  for await (const hint of hints) if (taken.push(hint) === count) break
  return taken
}

afterEach(() => void vi.useRealTimers())

describe('live', () => {
  it('gives the hints of a line, by the session', async () => {
    server.answer(lineWith(invoice('1'), invoice('2')))
    expect(await take(2, client().live())).toEqual([invoice('1'), invoice('2')])
    const [request] = server.seen
    expect([request!.method, request!.url]).toEqual(['GET', '/console/api/v1/live'])
    expect(request!.headers).toMatchObject({
      accept: 'text/event-stream',
      'x-company-id': 'company-1',
      'x-environment': 'sandbox',
    })
  })

  it('opens a lost line again, and then says all', async () => {
    server.answer(lineWith(invoice('1')), refuseWith(503, 'SVC_001'), lineWith(invoice('2')))
    expect(await take(3, client().live())).toEqual([invoice('1'), all, invoice('2')])
    expect(server.seen).toHaveLength(3)
  })

  it('throws what is refused for good, as after the end of the session', async () => {
    server.answer(lineWith(invoice('1')), refuseWith(401, 'AUTH_002'))
    await expect(take(2, client().live())).rejects.toMatchObject({ status: 401, code: 'AUTH_002' })
    expect(server.seen).toHaveLength(2)
  })

  it('waits longer after each attempt that fails, and briefly after a line that was open for a while', async () => {
    // Only what the clock says; the pauses are real.
    vi.useFakeTimers({ toFake: ['Date'] })
    const askedAt: number[] = []
    let open: ServerResponse | undefined
    const stays: Answer = reply => {
      open = reply
      begin(reply)
      reply.write(`event: hint\ndata: ${JSON.stringify(invoice('1'))}\n\n`)
    }
    const refused = refuseWith(503, 'SVC_001')
    const answers = [refused, refused, refused, stays, lineWith(invoice('2'))]
    server.answer(...answers.map(answer => timed(askedAt, answer)))
    const hints = client().live()
    expect(await take(2, { [Symbol.asyncIterator]: () => ({ next: () => hints.next() }) })).toEqual([
      all,
      invoice('1'),
    ])
    vi.setSystemTime(Date.now() + 31_000)
    open!.end()
    const endedAt = performance.now()
    expect(await take(2, hints)).toEqual([all, invoice('2')])
    const [first, second, third] = between(askedAt)
    expect(first).toBeGreaterThanOrEqual(499)
    expect(second).toBeGreaterThanOrEqual(999)
    expect(third).toBeGreaterThanOrEqual(1_999)
    // After a fourth failure it would be four seconds at least.
    expect(askedAt[4]! - endedAt).toBeLessThan(3_500)
  }, 30_000)

  it('waits for half of what the server asks for, at least', async () => {
    const askedAt: number[] = []
    const busy = refuseWith(429, 'RATE_003', { 'retry-after': '4' })
    server.answer(...[busy, lineWith(invoice('1'))].map(one => timed(askedAt, one)))
    expect(await take(2, client().live())).toEqual([all, invoice('1')])
    expect(between(askedAt)[0]).toBeGreaterThanOrEqual(1_999)
  }, 20_000)

  it('ends when the signal is aborted, on a line and between two', async () => {
    const leaving = new AbortController()
    server.answer(reply => begin(reply))
    setTimeout(() => leaving.abort(), 100)
    expect(await take(1, client().live({ signal: leaving.signal }))).toEqual([])
    const waiting = new AbortController()
    server.answer(refuseWith(503, 'SVC_001'))
    setTimeout(() => waiting.abort(), 100)
    expect(await take(1, client().live({ signal: waiting.signal }))).toEqual([])
  })

  it('is for a session only', () => {
    const byKey = new Relance({ apiKey: 'fk_test_x', baseUrl: server.baseUrl })
    expect(() => byKey.live()).toThrow(TypeError)
  })

  it('knows the kinds that the server sends', () => {
    expectTypeOf<Hint>().toEqualTypeOf<SentHint>()
  })
})
