import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelAdapter, Message, SendResult } from './channel.ts'

/** What reached the other side, read back from there and not from the adapter. */
export interface Effect {
  communicationId: string
  /** What the other side was told the message is called; absent where its protocol has no place for it. */
  reference?: string
  /** Absent on channels that carry none. */
  subject?: string
  text: string
}

/**
 * How the other side treats a message. Beside the four outcomes: it has had enough of us (`throttled`), it is `broken`, it
 * accepts and never answers (`mute`), it hangs up without having accepted (`dropped`).
 */
export type Destiny = SendResult['outcome'] | 'throttled' | 'broken' | 'mute' | 'dropped'

export interface ConformanceBench<M extends Message> {
  adapter: ChannelAdapter<M>
  /** The same adapter, which soon takes silence for an answer. */
  impatient: ChannelAdapter<M>
  /** The same adapter with credentials that are not ours; null where there is nobody to know us. */
  stranger: ChannelAdapter<M> | null
  /** A message that the other side will treat as `destiny` says. */
  message(communicationId: string, destiny: Destiny, words?: { subject: string; text: string }): M
  effects(): Promise<Effect[]>
  /** What no reason may contain: address, name, phone number of the person written to. */
  personalData(message: M): string[]
  /** How many letters a text may have. */
  longest?: number
  stop(): Promise<void>
}

/** A code of its own for each message, as the house would give it. */
export const codeFor = (communicationId: string): string =>
  `fr${createHash('sha256').update(communicationId).digest('base64url').slice(0, 18)}`

const newId = () => `com_${randomUUID().replaceAll('-', '')}`

/** The promises every channel adapter makes, provider or simulator. */
export function channelConformance<M extends Message>(
  name: string,
  setup: () => Promise<ConformanceBench<M>>,
) {
  describe(`${name} keeps the promises of a channel`, () => {
    let bench: ConformanceBench<M>
    beforeAll(async () => {
      bench = await setup()
    })
    afterAll(async () => {
      await bench.adapter.close()
      await bench.impatient.close()
      await bench.stranger?.close()
      await bench.stop()
    })

    const effectsOf = async (id: string) =>
      (await bench.effects()).filter(({ communicationId }) => communicationId === id)

    async function send(message: M, adapter = bench.adapter) {
      let commits = 0
      const result = await adapter.send(message, {
        beforeCommit: async () => {
          commits++
        },
      })
      return { result, commits }
    }

    /** Kept and logged, so it names nobody and quotes nobody. */
    function expectDiscreet(result: SendResult, message: M) {
      expect(result).toEqual({
        outcome: result.outcome,
        reason: expect.stringMatching(/^[\w .:-]{1,80}$/),
      })
      const told = JSON.stringify(result)
      for (const secret of [...bench.personalData(message), message.code]) expect(told).not.toContain(secret)
    }

    /** Whatever the answer was, the end is what really happened, and it happened at most once. */
    async function expectSettles(message: M) {
      const before = (await effectsOf(message.communicationId)).length
      expect(before).toBeLessThanOrEqual(1)
      switch (bench.adapter.reentry) {
        case 'idempotent':
          await send(message)
          expect(await effectsOf(message.communicationId)).toHaveLength(before)
          break
        case 'lookup': {
          const found = await bench.adapter.lookup?.(message)
          if (before === 0) expect(found).toBe('never_seen')
          else expect(found).toEqual({ outcome: 'accepted', providerId: expect.stringMatching(/./) })
          break
        }
        case 'none':
          expect(bench.adapter.lookup).toBeUndefined()
          break
      }
    }

    test('an accepted message has exactly one effect, which names our communication', async () => {
      const id = newId()
      const message = bench.message(id, 'accepted')
      const { result, commits } = await send(message)
      expect(result).toEqual({ outcome: 'accepted', providerId: expect.stringMatching(/./) })
      expect(commits).toBe(1)
      const effects = await effectsOf(id)
      expect(effects).toHaveLength(1)
      // Whoever is looked up or calls back has to know the message by its code.
      if (bench.adapter.reentry === 'lookup' || effects[0]?.reference !== undefined)
        expect(effects[0]?.reference).toBe(message.code)
    })

    test('nothing has any effect until beforeCommit has finished', async () => {
      const id = newId()
      let seenMeanwhile = -1
      const result = await bench.adapter.send(bench.message(id, 'accepted'), {
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
      const sending = bench.adapter.send(bench.message(id, 'accepted'), {
        beforeCommit: () => Promise.reject(refusal),
      })
      await expect(sending).rejects.toBe(refusal)
      await pause(60)
      expect(await effectsOf(id)).toHaveLength(0)

      const next = newId()
      expect((await send(bench.message(next, 'accepted'))).result.outcome).toBe('accepted')
      expect(await effectsOf(next)).toHaveLength(1)
    })

    test.each([
      ['permanent', 'permanent'],
      ['retryable', 'retryable'],
      ['throttled', 'retryable'],
    ] as const)(
      'a %s message is %s, has no effect, and why is said without naming anyone',
      async (destiny, outcome) => {
        const id = newId()
        const message = bench.message(id, destiny)
        const { result, commits } = await send(message)
        expect(result.outcome).toBe(outcome)
        expectDiscreet(result, message)
        expect(commits).toBeLessThanOrEqual(1)
        expect(await effectsOf(id)).toHaveLength(0)
      },
    )

    test.each(['unknown', 'mute'] as const)(
      'an answer that is lost (%s) is unknown, came after the commit, and settles as what happened',
      async destiny => {
        const id = newId()
        const message = bench.message(id, destiny)
        const { result, commits } = await send(message, destiny === 'mute' ? bench.impatient : bench.adapter)
        expect(result.outcome).toBe('unknown')
        expectDiscreet(result, message)
        expect(commits).toBe(1)
        await expectSettles(message)
      },
    )

    test.each(['broken', 'dropped'] as const)(
      'a provider that is %s has not refused: it may be tried again or is unknown, and settles as what happened',
      async destiny => {
        const id = newId()
        const message = bench.message(id, destiny)
        const { result, commits } = await send(message)
        expect(['retryable', 'unknown']).toContain(result.outcome)
        expectDiscreet(result, message)
        expect(commits).toBeLessThanOrEqual(1)
        if (result.outcome === 'retryable') expect(await effectsOf(id)).toHaveLength(0)
        await expectSettles(message)
      },
    )

    test('with credentials that are not ours it is our fault: it may be tried again, and nothing is sent', async () => {
      if (!bench.stranger) return
      const id = newId()
      const message = bench.message(id, 'accepted')
      const { result } = await send(message, bench.stranger)
      expect(result.outcome).toBe('retryable')
      expectDiscreet(result, message)
      expect(await effectsOf(id)).toHaveLength(0)
      // Who does not know us cannot tell us that it has never seen the message either.
      if (bench.stranger.lookup)
        expect(await bench.stranger.lookup(message)).toMatchObject({ outcome: 'unknown' })
    })

    test('accents, emoji, leading dots and long lines arrive as written', async () => {
      const id = newId()
      const subject = `Facture nº 2026-0042 échue : ${'où en êtes-vous, chère cliente ? '.repeat(9)}📬`
      const long = 'sans retour à la ligne '.repeat(bench.longest === undefined ? 80 : bench.longest / 30)
      const text = `Bonjour Zoë,\n\n.\n..deux points\nŒuvre réglée à 1 234,56 € ✅ ${long}\n\nMerci 🙏`
      const { result } = await send(bench.message(id, 'accepted', { subject, text }))
      expect(result.outcome).toBe('accepted')
      const [effect] = await effectsOf(id)
      if (effect?.subject !== undefined) expect(effect.subject).toBe(subject)
      expect(effect?.text.trimEnd()).toBe(text)
    })

    test('messages sent together do not mix, whatever happens to their neighbours', async () => {
      const batch = Array.from({ length: 40 }, (_, i) => ({
        id: newId(),
        destiny:
          (['accepted', 'accepted', 'permanent', 'accepted', 'retryable'] as const)[i % 5] ?? 'accepted',
        words: { subject: `Rappel ${i}`, text: `Texte ${i}` },
      }))
      const sent = await Promise.all(
        batch.map(({ id, destiny, words }) => send(bench.message(id, destiny, words))),
      )
      for (const [i, { id, destiny, words }] of batch.entries()) {
        expect(sent[i]?.result.outcome).toBe(destiny)
        const effects = await effectsOf(id)
        expect(effects.map(({ text }) => text.trimEnd())).toEqual(destiny === 'accepted' ? [words.text] : [])
      }
    })

    test('re-entry after a crash behaves as declared', async () => {
      const id = newId()
      const message = bench.message(id, 'accepted')
      await send(message)
      await expectSettles(message)
      expect(await effectsOf(id)).toHaveLength(1)
      if (bench.adapter.reentry === 'idempotent')
        expect((await send(message)).result.outcome).toBe('accepted')
      // A neighbour that was sent a moment ago is not this one.
      if (bench.adapter.reentry === 'lookup')
        expect(await bench.adapter.lookup?.(bench.message(newId(), 'accepted'))).toBe('never_seen')
    })
  })
}
