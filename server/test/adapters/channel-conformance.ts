import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelAdapter, Message, SendResult, SettledResult } from '../../src/adapters/channel.ts'

/** What reached the provider, read from the stand-in and not from the adapter. */
export interface Effect {
  communicationId: string
  /** The reference the provider got for the message; absent where the protocol has none. */
  reference?: string
  /** Absent on channels without a subject. */
  subject?: string
  text: string
}

/**
 * How the provider treats a message. Besides the outcomes: it limits our rate (`throttled`), it fails (`broken`), it accepts
 * and never answers (`mute`), it closes the connection without accepting (`dropped`).
 */
export type Behaviour = SettledResult['outcome'] | 'throttled' | 'broken' | 'mute' | 'dropped'

export interface ConformanceFixture<M extends Message> {
  adapter: ChannelAdapter<M>
  /** The same adapter with a short timeout. */
  withShortTimeout: ChannelAdapter<M>
  /** The same adapter with wrong credentials; null where there are no credentials. */
  withWrongCredentials: ChannelAdapter<M> | null
  /** A message that the provider will treat as `behaviour` says. */
  message(communicationId: string, behaviour: Behaviour, content?: { subject: string; text: string }): M
  effects(): Promise<Effect[]>
  /** What no reason may contain: address, name, phone number of the person written to. */
  personalData(message: M): string[]
  /** How many characters a text may have. */
  textLengthMax?: number
  stop(): Promise<void>
}

/** A message code derived from the communication id, in the format of the real ones. */
export const codeFor = (communicationId: string): string =>
  `fr${createHash('sha256').update(communicationId).digest('base64url').slice(0, 18)}`

async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const newId = () => `com_${randomUUID().replaceAll('-', '')}`

/** The promises every channel adapter makes, provider or simulator. */
export function channelConformance<M extends Message>(
  name: string,
  setup: () => Promise<ConformanceFixture<M>>,
  /** What this provider never does: one with an HTTP API refuses no message for now, and a simulator is always there. */
  never: 'retryable' | 'throttled' | null = null,
) {
  const refused = never === 'retryable' ? 'throttled' : 'retryable'
  const outcomeOf = { permanent: 'permanent', retryable: 'retryable', throttled: 'unavailable' } as const

  describe(`${name} keeps the promises of a channel`, () => {
    let fixture: ConformanceFixture<M>
    beforeAll(async () => {
      fixture = await setup()
    })
    afterAll(async () => {
      await fixture.adapter.close()
      await fixture.withShortTimeout.close()
      await fixture.withWrongCredentials?.close()
      await fixture.stop()
    })

    const effectsOf = async (id: string) =>
      (await fixture.effects()).filter(({ communicationId }) => communicationId === id)

    async function send(message: M, adapter = fixture.adapter) {
      let commits = 0
      const result = await adapter.send(message, {
        beforeCommit: async () => {
          commits++
        },
      })
      return { result, commits }
    }

    /** A result is stored and logged, so it must not contain personal data. */
    function expectNoPersonalData(result: SendResult, message: M) {
      const { isAddressRefused: _, ...said } = { isAddressRefused: undefined, ...result }
      expect(said).toEqual({
        outcome: result.outcome,
        reason: expect.stringMatching(/^[\w .:-]{1,80}$/),
      })
      const text = JSON.stringify(result)
      for (const secret of [...fixture.personalData(message), message.code])
        expect(text).not.toContain(secret)
    }

    /** Whatever the answer was, re-entry finds the real outcome, and the message had at most one effect. */
    async function expectSettles(message: M) {
      const before = (await effectsOf(message.communicationId)).length
      expect(before).toBeLessThanOrEqual(1)
      switch (fixture.adapter.reentry) {
        case 'idempotent':
          await send(message)
          expect(await effectsOf(message.communicationId)).toHaveLength(before)
          break
        case 'lookup': {
          const found = await fixture.adapter.lookup?.(message)
          if (before === 0) expect(found).toBe('never_seen')
          else expect(found).toEqual({ outcome: 'accepted', providerId: expect.stringMatching(/./) })
          break
        }
        case 'none':
          expect(fixture.adapter.lookup).toBeUndefined()
          break
      }
    }

    test('an accepted message has exactly one effect, which names our communication', async () => {
      const id = newId()
      const message = fixture.message(id, 'accepted')
      const { result, commits } = await send(message)
      expect(result).toEqual({ outcome: 'accepted', providerId: expect.stringMatching(/./) })
      expect(commits).toBe(1)
      const effects = await effectsOf(id)
      expect(effects).toHaveLength(1)
      // A provider with lookup or callbacks must know the message by its code.
      if (fixture.adapter.reentry === 'lookup' || effects[0]?.reference !== undefined)
        expect(effects[0]?.reference).toBe(message.code)
    })

    test('nothing has any effect until beforeCommit has finished', async () => {
      const id = newId()
      let seenMeanwhile = -1
      const result = await fixture.adapter.send(fixture.message(id, 'accepted'), {
        beforeCommit: async () => {
          await pause(60)
          seenMeanwhile = (await effectsOf(id)).length
        },
      })
      expect(seenMeanwhile).toBe(0)
      expect(result.outcome).toBe('accepted')
      expect(await effectsOf(id)).toHaveLength(1)
    })

    test('when beforeCommit refuses, nothing is sent, its error comes out and the next message passes', async () => {
      const id = newId()
      const refusal = new Error('the lease was lost')
      const sending = fixture.adapter.send(fixture.message(id, 'accepted'), {
        beforeCommit: () => Promise.reject(refusal),
      })
      await expect(sending).rejects.toBe(refusal)
      await pause(60)
      expect(await effectsOf(id)).toHaveLength(0)

      const next = newId()
      expect((await send(fixture.message(next, 'accepted'))).result.outcome).toBe('accepted')
      expect(await effectsOf(next)).toHaveLength(1)
    })

    test.each((['permanent', 'retryable', 'throttled'] as const).filter(behaviour => behaviour !== never))(
      'a message that is %s has no effect, and why is said without naming anyone',
      async behaviour => {
        const id = newId()
        const message = fixture.message(id, behaviour)
        const { result, commits } = await send(message)
        expect(result.outcome).toBe(outcomeOf[behaviour])
        expectNoPersonalData(result, message)
        expect(commits).toBeLessThanOrEqual(1)
        expect(await effectsOf(id)).toHaveLength(0)
      },
    )

    test.each(['unknown', 'mute'] as const)(
      'an answer that is lost (%s) is unknown, came after the commit, and settles as what happened',
      async behaviour => {
        const id = newId()
        const message = fixture.message(id, behaviour)
        const { result, commits } = await send(
          message,
          behaviour === 'mute' ? fixture.withShortTimeout : fixture.adapter,
        )
        expect(result.outcome).toBe('unknown')
        expectNoPersonalData(result, message)
        expect(commits).toBe(1)
        await expectSettles(message)
      },
    )

    test.each(['broken', 'dropped'] as const)(
      'a provider that is %s has not refused: it may be tried again or is unknown, and settles as what happened',
      async behaviour => {
        const id = newId()
        const message = fixture.message(id, behaviour)
        const { result, commits } = await send(message)
        expect(['retryable', 'unavailable', 'unknown']).toContain(result.outcome)
        expectNoPersonalData(result, message)
        expect(commits).toBeLessThanOrEqual(1)
        if (result.outcome !== 'unknown') expect(await effectsOf(id)).toHaveLength(0)
        await expectSettles(message)
      },
    )

    test('with credentials that are not ours it is our fault: no attempt is used up, and nothing is sent', async () => {
      if (!fixture.withWrongCredentials) return
      const id = newId()
      const message = fixture.message(id, 'accepted')
      const { result } = await send(message, fixture.withWrongCredentials)
      expect(result.outcome).toBe('unavailable')
      expectNoPersonalData(result, message)
      expect(await effectsOf(id)).toHaveLength(0)
      // With wrong credentials the provider cannot say that it has never seen the message.
      if (fixture.withWrongCredentials.lookup)
        expect(await fixture.withWrongCredentials.lookup(message)).toMatchObject({ outcome: 'unknown' })
    })

    test('accents, emoji, leading dots and long lines arrive as written', async () => {
      const id = newId()
      const subject = `Facture nº 2026-0042 échue : ${'où en êtes-vous, chère cliente ? '.repeat(9)}📬`
      const long = 'sans retour à la ligne '.repeat(
        fixture.textLengthMax === undefined ? 80 : fixture.textLengthMax / 30,
      )
      const text = `Bonjour Zoë,\n\n.\n..deux points\nŒuvre réglée à 1 234,56 € ✅ ${long}\n\nMerci 🙏`
      const { result } = await send(fixture.message(id, 'accepted', { subject, text }))
      expect(result.outcome).toBe('accepted')
      const [effect] = await effectsOf(id)
      if (effect?.subject !== undefined) expect(effect.subject).toBe(subject)
      expect(effect?.text.trimEnd()).toBe(text)
    })

    test('messages sent together do not mix, whatever happens to their neighbours', async () => {
      const batch = Array.from({ length: 40 }, (_, i) => ({
        id: newId(),
        behaviour: (['accepted', 'accepted', 'permanent', 'accepted', refused] as const)[i % 5] ?? 'accepted',
        content: { subject: `Rappel ${i}`, text: `Texte ${i}` },
      }))
      const sent = await Promise.all(
        batch.map(({ id, behaviour, content }) => send(fixture.message(id, behaviour, content))),
      )
      for (const [i, { id, behaviour, content }] of batch.entries()) {
        expect(sent[i]?.result.outcome).toBe(behaviour === 'accepted' ? behaviour : outcomeOf[behaviour])
        const effects = await effectsOf(id)
        expect(effects.map(({ text }) => text.trimEnd())).toEqual(
          behaviour === 'accepted' ? [content.text] : [],
        )
      }
    })

    test('the list of what was sent since a moment has everything that was accepted, once, and nothing from before', {
      timeout: 20_000,
    }, async () => {
      const { adapter } = fixture
      // Only a provider that can be asked for one message can be asked for all.
      expect(adapter.sentBetween !== undefined).toBe(adapter.reentry === 'lookup')
      if (!adapter.sentBetween) return
      await send(fixture.message(newId(), 'accepted'))
      // Providers show moments to the second, and their clock to the second.
      await pause(2_200)
      const since = Date.now()
      const sent = [newId(), newId(), newId()].map(id => fixture.message(id, 'accepted'))
      for (const message of sent) await send(message)
      const lost = fixture.message(newId(), 'unknown')
      await send(lost)
      await send(fixture.message(newId(), 'permanent'))
      const until = Date.now() + 2_000
      const listed = await readAll(adapter.sentBetween(since, until))
      expect(listed.map(({ code }) => code).sort()).toEqual([...sent, lost].map(({ code }) => code).sort())
      for (const { at, providerId } of listed) {
        expect(at).toBeGreaterThanOrEqual(since - 2_000)
        expect(at).toBeLessThanOrEqual(until)
        expect(providerId).toMatch(/./)
      }
      for (const message of sent) {
        const item = listed.find(({ code }) => code === message.code)!
        expect(fixture.personalData(message).includes(item.to!) || item.reference !== null).toBe(true)
      }
      const refused = fixture.withWrongCredentials?.sentBetween?.(since, until)
      if (refused) await expect(readAll(refused)).rejects.toThrow(/^\w+ list \d+$/)
    })

    test('re-entry after a crash behaves as declared', async () => {
      const id = newId()
      const message = fixture.message(id, 'accepted')
      await send(message)
      await expectSettles(message)
      expect(await effectsOf(id)).toHaveLength(1)
      if (fixture.adapter.reentry === 'idempotent')
        expect((await send(message)).result.outcome).toBe('accepted')
      // Another message that was just sent is not taken for this one.
      if (fixture.adapter.reentry === 'lookup')
        expect(await fixture.adapter.lookup?.(fixture.message(newId(), 'accepted'))).toBe('never_seen')
    })
  })
}
