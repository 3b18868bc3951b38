import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { News, Outgoing } from '../../dev/stand-ins/stand-in.ts'
import type { CallbackReader, Heard, Knock } from './callback.ts'
import { codeFor } from './channel.conformance.ts'

export interface CallbackBench {
  reader: CallbackReader
  /** The request the provider makes. */
  knock(news: News): Outgoing
  /** Where it was told to call; `:code` stands for the message's. */
  url: string
  /** The provider's word, and what is to be understood; null: nothing. */
  news: [event: string, heard: Partial<Heard> | null][]
  /** The signature covers what is said; elsewhere a secret only says who speaks. */
  signsBody?: boolean
  /** A message the provider knows, if it has to be asked what it meant. */
  code?: string
  stop(): Promise<void>
}

const at = Date.UTC(2026, 10, 16, 9, 30)
const wall = at + 60_000

/** The promises every reader of callbacks makes. */
export function callbackConformance(name: string, setup: () => Promise<CallbackBench>) {
  describe(`what ${name} tells us`, () => {
    let bench: CallbackBench
    let code: string
    beforeAll(async () => {
      bench = await setup()
      code = bench.code ?? codeFor('com_called_back')
    })
    afterAll(() => bench.stop())

    const knockOf = ({ method, url, headers, body }: Outgoing): Knock => ({
      method,
      url,
      code: bench.url.includes(':code') ? code : null,
      headers,
      body: Buffer.from(body),
      wall,
    })
    const told = (event: string, more: Partial<News> = {}) =>
      bench.knock({ url: bench.url.replace(':code', code), code, event, at, ...more })
    const interesting = () => bench.news.filter(([, heard]) => heard !== null).map(([event]) => event)

    test('is understood, each piece by itself and in any order', async () => {
      for (const [event, expected] of [...bench.news, ...bench.news.toReversed()]) {
        const heard = await bench.reader.read(knockOf(told(event)))
        expect([event, heard]).toEqual([event, expected ? [expect.objectContaining(expected)] : []])
        if (heard === 'forged' || !heard[0]) continue
        if ('code' in heard[0]) expect(heard[0].code).toBe(code)
        expect([at, wall]).toContain(heard[0].at)
      }
    })

    test('is the same piece of news when it is told again, and another when it is another', async () => {
      const ids = new Map<string, string>()
      for (const event of [...interesting(), ...interesting()]) {
        const heard = await bench.reader.read(knockOf(told(event)))
        const id = (heard as readonly Heard[])[0]!.eventId
        expect(id.length).toBeLessThanOrEqual(200)
        expect(ids.get(event) ?? id).toBe(id)
        ids.set(event, id)
      }
      const outcomes = new Set(bench.news.flatMap(([, heard]) => (heard ? [JSON.stringify(heard)] : [])))
      expect(new Set(ids.values()).size).toBeGreaterThanOrEqual(outcomes.size)
    })

    test('is forged when it is signed with another secret, or with none', async () => {
      for (const event of interesting()) {
        expect(await bench.reader.read(knockOf(told(event, { secret: 'guessed' })))).toBe('forged')
        expect(await bench.reader.read(knockOf(told(event, { secret: '' })))).toBe('forged')
        const naked = knockOf(told(event))
        const url = new URL(naked.url)
        url.searchParams.delete('key')
        expect(await bench.reader.read({ ...naked, url: url.href, headers: {} })).toBe('forged')
      }
    })

    test('is forged when a word of it was changed or its address is another, where the provider signs those', async () => {
      if (!bench.signsBody) return
      const genuine = knockOf(told(interesting()[0]!))
      const changed = Buffer.from(`${genuine.body.toString()}&Extra=1`)
      expect(await bench.reader.read({ ...genuine, body: changed })).toBe('forged')
      const elsewhere = genuine.url.replace(code, codeFor('com_somebody_else'))
      expect(await bench.reader.read({ ...genuine, url: elsewhere })).toBe('forged')
    })

    test('never makes us fall, whatever stands in it', async () => {
      const genuine = knockOf(told(interesting()[0]!))
      const bodies = [
        '',
        '{',
        'null',
        '[]',
        '[null,1,"x"]',
        '{"event":{}}',
        '%%%=\u0000',
        '\xff\xfe',
        '{"tags":"x"}',
      ]
      for (const body of bodies) {
        const heard = await bench.reader.read({ ...genuine, body: Buffer.from(body, 'latin1') })
        // A signature over the body makes it a forgery; a secret beside it makes it nothing.
        if (heard !== 'forged' && genuine.body.length > 0) expect(heard).toEqual([])
      }
      expect(await bench.reader.read({ ...genuine, url: 'not a url', headers: {} })).toBe('forged')
      expect(
        await bench.reader.read({
          ...genuine,
          url: genuine.url.replace(/key=[^&]*/, ''),
          headers: { authorization: ['Bearer a', 'Bearer b'], 'x-twilio-signature': ['a', 'b'] },
        }),
      ).toBe('forged')
    })
  })
}
