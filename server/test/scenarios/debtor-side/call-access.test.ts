import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { pickUp } from '../../../dev/stand-ins/twilio-calls.ts'
import { RelayRefused } from '../../../dev/stand-ins/twilio-relay.ts'
import { languageModel } from '../../../src/adapters/model/language-model.ts'
import { twilioAnswers } from '../../../src/adapters/voice/twilio.ts'
import {
  defaultTiming,
  startConversation,
} from '../../../src/features/debtor-side/calls/call-conversation.ts'
import { addCallRoutes } from '../../../src/features/debtor-side/calls/call-routes.ts'
import { readCall } from '../../../src/features/debtor-side/calls/read-call.ts'
import { createMetrics } from '../../../src/features/platform/metrics.ts'
import { modelSettingsOf } from '../../../src/start/config.ts'
import { openCallbackReaders, openChannels } from '../../../src/start/providers.ts'
import { authToken, type RingingCall } from '../../harness/calling-worker.ts'
import { useCallFixture } from '../../harness/use-call-fixture.ts'
import { eventually } from '../../harness/use-installation.ts'

const { installation, ring, answer, callOf, closed, outcomesIn, pageContext } = useCallFixture()

describe('the address of a call', () => {
  const refused = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 0,
      error => (error instanceof RelayRefused ? error.status : Promise.reject(error)),
    )
  const urlOf = (code: string) => `${installation.server.baseUrl.replace('http', 'ws')}/calls/${code}`

  const here = (ringing: RingingCall) => ({ url: urlOf(ringing.call.statusCallback.split('/').at(-1)!) })

  it('refuses callers who do not sign as Twilio does', async () => {
    const ringing = await ring()
    expect(await refused(answer(ringing, { authToken: 'a guess', ...here(ringing) }))).toBe(403)
    expect((await pickUp(ringing.call, { authToken: 'a guess' })).status).toBe(401)
    expect(await refused(answer(ringing, { signature: '' }))).toBe(403)
    expect(await refused(answer(ringing, { signature: 'bm9uc2Vuc2U=' }))).toBe(403)
    expect(await callOf(ringing)).toBeUndefined()
  })

  it('refuses unknown codes, codes of other messages, and calls of long ago', async () => {
    const ringing = await ring()
    const code = ringing.call.statusCallback.split('/').at(-1)!
    expect(await refused(answer(ringing, { url: urlOf(`e1${'x'.repeat(18)}`) }))).toBe(404)
    expect(await refused(answer(ringing, { url: urlOf('short') }))).toBe(404)
    await installation.sql(`update communications set channel = 'sms' where id = $1`, [
      ringing.communicationId,
    ])
    expect(await refused(answer(ringing, here(ringing)))).toBe(404)
    // Twilio is told to hang up.
    await expect(answer(ringing)).rejects.toThrow('hung up')
    await installation.sql(
      `update communications set channel = 'voice', reserved_at = reserved_at - interval '61 minutes' where id = $1`,
      [ringing.communicationId],
    )
    expect(await refused(answer(ringing, { url: urlOf(code) }))).toBe(404)
    await installation.sql(
      `update communications set reserved_at = reserved_at + interval '61 minutes', state = 'bounced' where id = $1`,
      [ringing.communicationId],
    )
    expect(await refused(answer(ringing, here(ringing)))).toBe(404)
    await installation.sql(`update communications set state = 'delivered' where id = $1`, [
      ringing.communicationId,
    ])
    await (await answer(ringing)).hangUp()
    await closed(ringing)
    expect(await refused(answer(ringing, here(ringing)))).toBe(404)
  })

  it('lets one conversation in for a call, however many come at once', async () => {
    const ringing = await ring()
    const tries = await Promise.allSettled([answer(ringing), answer(ringing), answer(ringing)])
    const inside = tries.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    expect(inside).toHaveLength(1)
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409 })
    await inside[0]!.hangUp()
    await closed(ringing)
    expect(await outcomesIn(ringing)).toHaveLength(1)
  })

  it('hangs up on who does not speak its language, and leaves other addresses as they were', async () => {
    const before = await answer(await ring())
    before.send('not json')
    expect((await before.ended).closeCode).toBe(1007)
    const long = await answer(await ring())
    long.send({ type: 'prompt', voicePrompt: 'a'.repeat(20_000), last: true })
    expect((await long.ended).closeCode).toBe(1009)
    const status = await new Promise((resolve, reject) =>
      get(`${installation.server.baseUrl}/health`, { headers: { connection: 'Upgrade', upgrade: 'h2c' } })
        .on('response', response => resolve(response.resume().statusCode))
        .on('error', reject),
    )
    expect(status).toBe(200)
  })
})

describe('a conversation', () => {
  it('ends by itself when nobody says anything, and when it lasts too long', async () => {
    const thinking = languageModel(
      modelSettingsOf(installation.server.config)!,
      createMetrics(),
      pageContext.log,
    )
    for (const short of [{ idleMs: 100 }, { totalMs: 100 }]) {
      const ringing = await ring()
      const call = (await readCall(pageContext, ringing.call.statusCallback.split('/').at(-1)!))!
      const spoken: string[] = []
      let isOver = false
      const pace = { ...defaultTiming, characterMs: 0, ...short }
      const phone = {
        say: (text: string) => void spoken.push(text),
        hangUp() {
          isOver = true
        },
      }
      const conversation = startConversation(pageContext, thinking, call, phone, pace)
      conversation.begin(true)
      await eventually(
        () => isOver,
        over => over,
        5_000,
      )
      expect(spoken.at(-1)).toBe('Merci de votre temps. Au revoir.')
      await conversation.end()
      expect(await callOf(ringing)).toMatchObject({ outcome: 'nothing_agreed' })
    }
    await thinking.close()
  })

  it('is one of so many: the next is refused until one ends', async () => {
    const app = Fastify()
    const thinking = languageModel(
      modelSettingsOf(installation.server.config)!,
      createMetrics(),
      pageContext.log,
    )
    addCallRoutes(app, pageContext, {
      model: thinking,
      answers: twilioAnswers({ authToken, publicUrl: installation.server.baseUrl }),
      isSigned: () => true,
      openingParameter: { name: 'opening', value: 'greeting' },
      callsMax: 1,
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const here = (ringing: RingingCall) => ({
      url: `ws://127.0.0.1:${port}/calls/${ringing.call.statusCallback.split('/').at(-1)}`,
    })
    const [first, second] = [await ring(), await ring()]
    const peer = await answer(first, here(first))
    await expect(answer(second, here(second))).rejects.toMatchObject({ status: 503 })
    await peer.hangUp()
    await closed(first)
    const next = await eventually(
      () => answer(second, here(second)).catch(() => null),
      one => one !== null,
    )
    // A process that stops ends its conversations with an end message.
    await app.close()
    expect((await next!.ended).closeCode).toBe(1001)
    expect((await callOf(second))!.outcome).toBe('nothing_agreed')
    await thinking.close()
  })
})

describe('an installation that would call', () => {
  const configured = (changes: Record<string, string | undefined>) =>
    ({ ...installation.server.config, ...changes }) as never

  it('refuses to start with a caller id machines may not use', () => {
    expect(() => openChannels(configured({ VOICE_CALLER_ID: '+33612345678' }))).toThrow(
      'ranges open to automated systems',
    )
    expect(() => openChannels(configured({ VOICE_CALLER_ID: '0162000001' }))).toThrow('E.164')
  })

  it('refuses to start without a model to speak', async () => {
    expect(() => openChannels(configured({ MODEL_PROVIDER: undefined }))).toThrow(
      'VOICE_PROVIDER=twilio cannot work: MODEL_PROVIDER is not set.',
    )
    const speaking = openChannels(configured({}))
    expect(speaking.channels.voice?.name).toBe('twilio-voice')
    await speaking.close()
    const callbackReaders = openCallbackReaders(configured({}))
    expect(Object.keys(callbackReaders.readers)).toContain('twilio-voice')
    await callbackReaders.close()
  })
})
