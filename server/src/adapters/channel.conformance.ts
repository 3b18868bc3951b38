import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelAdapter, Message, SendResult } from './channel.ts'

/** What reached the other side, read back from there and not from the adapter. */
export interface Effect {
  communicationId: string
  /** Absent on channels that carry none. */
  subject?: string
  text: string
}

export interface ConformanceBench<M extends Message> {
  adapter: ChannelAdapter<M>
  /** A message that the other side will treat as `destiny` says. */
  message(
    communicationId: string,
    destiny: SendResult['outcome'],
    words?: { subject: string; text: string },
  ): M
  effects(): Promise<Effect[]>
  /** What no reason may contain: address, name, phone number of the person written to. */
  personalData(message: M): string[]
  stop(): Promise<void>
}

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
      await bench.stop()
    })

    const effectsOf = async (id: string) =>
      (await bench.effects()).filter(({ communicationId }) => communicationId === id)

    async function send(message: M) {
      let commits = 0
      const result = await bench.adapter.send(message, {
        beforeCommit: async () => {
          commits++
        },
      })
      return { result, commits }
    }

    test('an accepted message has exactly one effect, which names our communication', async () => {
      const id = newId()
      const { result, commits } = await send(bench.message(id, 'accepted'))
      expect(result).toEqual({ outcome: 'accepted', providerId: expect.stringMatching(/./) })
      expect(commits).toBe(1)
      expect(await effectsOf(id)).toHaveLength(1)
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

    test.each(['permanent', 'retryable'] as const)(
      'a %s failure has no effect and says why without naming anyone',
      async destiny => {
        const id = newId()
        const message = bench.message(id, destiny)
        const { result, commits } = await send(message)
        expect(result).toEqual({ outcome: destiny, reason: expect.stringMatching(/./) })
        expect(commits).toBeLessThanOrEqual(1)
        expect(await effectsOf(id)).toHaveLength(0)
        for (const secret of bench.personalData(message)) expect(JSON.stringify(result)).not.toContain(secret)
      },
    )

    test('a lost answer is unknown, came after the commit, and says why without naming anyone', async () => {
      const id = newId()
      const message = bench.message(id, 'unknown')
      const { result, commits } = await send(message)
      expect(result).toEqual({ outcome: 'unknown', reason: expect.stringMatching(/./) })
      expect(commits).toBe(1)
      expect((await effectsOf(id)).length).toBeLessThanOrEqual(1)
      for (const secret of bench.personalData(message)) expect(JSON.stringify(result)).not.toContain(secret)
    })

    test('accents, emoji, leading dots and long lines arrive as written', async () => {
      const id = newId()
      const subject = `Facture nº 2026-0042 échue : ${'où en êtes-vous, chère cliente ? '.repeat(9)}📬`
      const text = `Bonjour Zoë,\n\n.\n..deux points\nŒuvre réglée à 1 234,56 € ✅ ${'sans retour à la ligne '.repeat(80)}\n\nMerci 🙏`
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
      switch (bench.adapter.reentry) {
        case 'idempotent':
          expect((await send(message)).result.outcome).toBe('accepted')
          expect(await effectsOf(id)).toHaveLength(1)
          break
        case 'lookup':
          expect(await bench.adapter.lookup?.(id)).toMatchObject({ outcome: 'accepted' })
          expect(await bench.adapter.lookup?.(newId())).toBe('never_seen')
          break
        case 'none':
          expect(bench.adapter.lookup).toBeUndefined()
          break
      }
    })
  })
}
