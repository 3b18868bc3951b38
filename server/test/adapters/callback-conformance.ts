import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StandInEvent, StandInRequest } from '../../dev/stand-ins/stand-in.ts'
import type { CallbackReader, CallbackRequest, ProviderEvent } from '../../src/adapters/callback.ts'
import { codeFor } from './channel-conformance.ts'

export interface CallbackFixture {
  reader: CallbackReader
  /** The request the provider makes. */
  callbackFor(event: StandInEvent): StandInRequest
  /** The callback URL; `:code` stands for the code of the message. */
  url: string
  /** The provider's event name, and the expected provider event; null: no event. */
  events: [event: string, expected: Partial<ProviderEvent> | null][]
  /** The signature covers the body; without this, a shared secret only authenticates the sender. */
  signsBody?: boolean
  /** The code of a message that the provider knows, if the reader has to ask the provider for details. */
  code?: string
  stop(): Promise<void>
}

const at = Date.UTC(2026, 10, 16, 9, 30)
const wall = at + 60_000

/** What every callback reader must do. */
export function callbackConformance(name: string, setup: () => Promise<CallbackFixture>) {
  describe(`callbacks of ${name}`, () => {
    let fixture: CallbackFixture
    let code: string
    beforeAll(async () => {
      fixture = await setup()
      code = fixture.code ?? codeFor('com_called_back')
    })
    afterAll(() => fixture.stop())

    const toCallbackRequest = ({ method, url, headers, body }: StandInRequest): CallbackRequest => ({
      method,
      url,
      code: fixture.url.includes(':code') ? code : null,
      headers,
      body: Buffer.from(body),
      wall,
    })
    const callbackOf = (event: string, more: Partial<StandInEvent> = {}) =>
      fixture.callbackFor({ url: fixture.url.replace(':code', code), code, event, at, ...more })
    const interesting = () => fixture.events.filter(([, events]) => events !== null).map(([event]) => event)

    test('are understood, each event by itself and in any order', async () => {
      for (const [event, expected] of [...fixture.events, ...fixture.events.toReversed()]) {
        const events = await fixture.reader.read(toCallbackRequest(callbackOf(event)))
        expect([event, events]).toEqual([event, expected ? [expect.objectContaining(expected)] : []])
        if (events === 'forged' || !events[0]) continue
        if ('code' in events[0]) expect(events[0].code).toBe(code)
        expect([at, wall]).toContain(events[0].at)
      }
    })

    test('have the same event id when they are sent again, and another id for another event', async () => {
      const ids = new Map<string, string>()
      for (const event of [...interesting(), ...interesting()]) {
        const events = await fixture.reader.read(toCallbackRequest(callbackOf(event)))
        const id = (events as readonly ProviderEvent[])[0]!.eventId
        expect(id.length).toBeLessThanOrEqual(200)
        expect(ids.get(event) ?? id).toBe(id)
        ids.set(event, id)
      }
      const outcomes = new Set(
        fixture.events.flatMap(([, events]) => (events ? [JSON.stringify(events)] : [])),
      )
      expect(new Set(ids.values()).size).toBeGreaterThanOrEqual(outcomes.size)
    })

    test('are forged when signed with another secret, or with none', async () => {
      for (const event of interesting()) {
        expect(await fixture.reader.read(toCallbackRequest(callbackOf(event, { secret: 'guessed' })))).toBe(
          'forged',
        )
        expect(await fixture.reader.read(toCallbackRequest(callbackOf(event, { secret: '' })))).toBe('forged')
        const naked = toCallbackRequest(callbackOf(event))
        const url = new URL(naked.url)
        url.searchParams.delete('key')
        expect(await fixture.reader.read({ ...naked, url: url.href, headers: {} })).toBe('forged')
      }
    })

    test('are forged when the body or the address was changed, where the provider signs those', async () => {
      if (!fixture.signsBody) return
      const genuine = toCallbackRequest(callbackOf(interesting()[0]!))
      const changed = Buffer.from(`${genuine.body.toString()}&Extra=1`)
      expect(await fixture.reader.read({ ...genuine, body: changed })).toBe('forged')
      const elsewhere = genuine.url.replace(code, codeFor('com_somebody_else'))
      expect(await fixture.reader.read({ ...genuine, url: elsewhere })).toBe('forged')
    })

    test('never make the reader fail, whatever they contain', async () => {
      const genuine = toCallbackRequest(callbackOf(interesting()[0]!))
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
        const events = await fixture.reader.read({ ...genuine, body: Buffer.from(body, 'latin1') })
        // With a signature over the body a changed body is forged; with a shared secret it is genuine and gives no event.
        if (events !== 'forged' && genuine.body.length > 0) expect(events).toEqual([])
      }
      expect(await fixture.reader.read({ ...genuine, url: 'not a url', headers: {} })).toBe('forged')
      expect(
        await fixture.reader.read({
          ...genuine,
          url: genuine.url.replace(/key=[^&]*/, ''),
          headers: { authorization: ['Bearer a', 'Bearer b'], 'x-twilio-signature': ['a', 'b'] },
        }),
      ).toBe('forged')
    })
  })
}
