import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attributeOf,
  signatureOf,
  startTwilioCalls,
  type TwilioCalls,
} from '../../../dev/stand-ins/twilio-calls.ts'
import type { CallbackRequest } from '../callback.ts'
import { type Behaviour, channelConformance, codeFor as codeOf } from '../channel.conformance.ts'
import type { VoiceMessage } from '../channel.ts'
import { twilioRelayVerifier, twilioVoice } from './twilio.ts'
import { twilioVoiceCallbacks } from './twilio-callbacks.ts'

const callerId = '+33162000001'
const publicUrl = 'https://relance.example'

const endings: Partial<Record<Behaviour, string>> = {
  accepted: '',
  permanent: '000001',
  throttled: '000002',
  mute: '000003',
  unknown: '000004',
  broken: '000005',
  dropped: '000006',
}

let numbers = 0
const message = (
  id: string,
  behaviour: Behaviour = 'accepted',
  opening = 'Bonjour, je suis une intelligence artificielle.',
): VoiceMessage => ({
  channel: 'voice',
  communicationId: id,
  code: codeOf(id),
  language: 'fr',
  at: 0,
  to: behaviour === 'accepted' ? `+336${String(10_111_100 + ++numbers)}` : `+33699${endings[behaviour]}`,
  opening,
  text: 'Lu au début de la conversation, pas ici.',
})

const accessTo = ({ url, accountSid, authToken }: TwilioCalls) => ({ baseUrl: url, accountSid, authToken })

const adapterFor = (twilio: TwilioCalls, changes: { authToken?: string; timeoutMs?: number } = {}) =>
  twilioVoice({
    ...accessTo(twilio),
    callerId,
    publicUrl,
    timeoutMs: 500,
    ...changes,
  })

channelConformance(
  'Twilio voice',
  async () => {
    const twilio = await startTwilioCalls()
    const sent = new Map<string, string>()
    return {
      adapter: adapterFor(twilio),
      withShortTimeout: adapterFor(twilio, { timeoutMs: 300 }),
      withWrongCredentials: adapterFor(twilio, { authToken: 'of somebody else' }),
      message(id, behaviour, content) {
        sent.set(codeOf(id), id)
        return message(id, behaviour, content?.text)
      },
      // A call itself contains only its opening; the rest is a conversation.
      effects: async () => {
        const reply = await fetch(`${twilio.url}/_effects`)
        const { effects } = (await reply.json()) as { effects: TwilioCalls['calls'] }
        return effects.map(call => ({
          reference: call.statusCallback.split('/').at(-1)!,
          communicationId: sent.get(call.statusCallback.split('/').at(-1)!)!,
          text: attributeOf(call, 'welcomeGreeting'),
        }))
      },
      personalData: ({ to }) => [to, to.slice(3)],
      stop: () => twilio.stop(),
    }
  },
  'retryable',
)

describe('a call through Twilio', () => {
  let twilio: TwilioCalls
  beforeAll(async () => {
    twilio = await startTwilioCalls()
  })
  afterAll(() => twilio.stop())

  const send = (voiceMessage: VoiceMessage, adapter = adapterFor(twilio)) =>
    adapter.send(voiceMessage, { beforeCommit: async () => {} }).finally(() => adapter.close())

  it('begins with the opening, word for word, which nobody can interrupt, and its callbacks carry its code', async () => {
    const opening = `Bonjour, « L'Atelier <&> "Fils" », une IA.`
    const voiceMessage = message('com_opening', 'accepted', opening)
    expect((await send(voiceMessage)).outcome).toBe('accepted')
    const call = twilio.calls.at(-1)!
    expect(attributeOf(call, 'welcomeGreeting')).toBe(opening)
    expect(attributeOf(call, 'welcomeGreetingInterruptible')).toBe('none')
    expect(attributeOf(call, 'url')).toBe(`wss://relance.example/calls/${voiceMessage.code}`)
    expect(attributeOf(call, 'transcriptionLanguage')).toBe('fr-FR')
    expect(call.statusCallback).toBe(`${publicUrl}/callbacks/twilio-voice/${voiceMessage.code}`)
    expect(call.form.StatusCallbackEvent).toEqual(['answered', 'completed'])
    expect(call).toMatchObject({ from: callerId, to: voiceMessage.to })
    expect(JSON.stringify(call.form)).not.toContain('Lu au début')
  })

  it('what stands in the opening never becomes markup', async () => {
    const opening = `"/></ConversationRelay><Dial>+33899000000</Dial><x y="`
    await send(message('com_markup', 'accepted', opening))
    const call = twilio.calls.at(-1)!
    expect(call.twiml).not.toContain('<Dial')
    expect(attributeOf(call, 'welcomeGreeting')).toBe(opening)
  })

  it('from a number that is not open to machines nothing leaves for France', async () => {
    const from = (number: string) =>
      twilioVoice({ ...accessTo(twilio), callerId: number, publicUrl, timeoutMs: 500 })
    const before = twilio.calls.length
    const refusal = { outcome: 'permanent', reason: 'caller id not allowed' }
    expect(await send(message('com_mobile'), from('+33612345678'))).toEqual(refusal)
    expect(await send(message('com_local'), from('0162000001'))).toEqual(refusal)
    expect(twilio.calls.length).toBe(before)
    const abroad = { ...message('com_abroad'), to: '+4915112345678' }
    expect((await send(abroad, from('+4930123456'))).outcome).toBe('accepted')
  })

  it('credentials that are refused speak of us', async () => {
    const answer = await send(message('com_auth'), adapterFor(twilio, { authToken: 'another' }))
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'twilio 401 20003' })
  })

  it('where nobody listens nothing left', async () => {
    const away = await startTwilioCalls()
    const adapter = adapterFor(away)
    await away.stop()
    expect(await send(message('com_away'), adapter)).toMatchObject({ outcome: 'unavailable' })
  })

  it.each([
    ['failing', 'twilio 500 20500', 'never_seen'],
    ['silent', 'twilio TIMEOUT', 'accepted'],
    ['hangs_up', 'twilio UND_ERR_SOCKET', 'accepted'],
  ] as const)(
    'when it is %s the outcome is unknown, and a lookup finds it',
    async (mood, reason, outcome) => {
      twilio.setMood(mood)
      const voiceMessage = message(`com_${mood}`)
      const before = twilio.calls.length
      expect(await send(voiceMessage)).toEqual({ outcome: 'unknown', reason })
      twilio.setMood(null)
      const adapter = adapterFor(twilio)
      const seen = await adapter.lookup!(voiceMessage)
      await adapter.close()
      expect(seen === 'never_seen' ? seen : seen.outcome).toBe(outcome)
      expect(twilio.calls.length - before).toBe(outcome === 'accepted' ? 1 : 0)
    },
  )

  it('a call of somebody else to the same number is not taken for ours', async () => {
    const voiceMessage = message('com_first')
    await send(voiceMessage)
    const adapter = adapterFor(twilio)
    expect(await adapter.lookup!({ ...voiceMessage, code: codeOf('com_second') })).toBe('never_seen')
    await adapter.close()
  })
})

describe('callbacks of a call', () => {
  const authToken = 'twilio-auth-token'
  const code = codeOf('com_news')
  const url = `${publicUrl}/callbacks/twilio-voice/${code}`
  const reader = twilioVoiceCallbacks({ authToken })
  const callbackRequest = (form: Record<string, string>, token = authToken): CallbackRequest => ({
    method: 'POST',
    url,
    code,
    headers: { 'x-twilio-signature': signatureOf(token, url, form) },
    body: Buffer.from(new URLSearchParams(form).toString()),
    wall: 1_000,
  })
  const callFields = { CallSid: 'CA1', SequenceNumber: '2', Timestamp: 'Mon, 16 Nov 2026 08:10:00 +0000' }
  const at = Date.parse('2026-11-16T08:10:00Z')

  it.each([
    ['in-progress', { outcome: 'delivered' }],
    ['completed', { outcome: 'delivered', call: 'over' }],
    ['no-answer', { outcome: 'no_answer', call: 'unreachable' }],
    ['busy', { outcome: 'no_answer', call: 'unreachable' }],
    ['failed', { outcome: 'bounced', call: 'unreachable' }],
  ])('%s is understood', async (status, meaning) => {
    expect(await reader.read(callbackRequest({ ...callFields, CallStatus: status }))).toEqual([
      { kind: 'receipt', code, at, eventId: `CA1 ${status} 2`, ...meaning },
    ])
  })

  it('a machine that answers is voicemail, whether reported by itself or with the end of the call', async () => {
    const voicemail = { outcome: 'delivered', call: 'voicemail' }
    expect(await reader.read(callbackRequest({ CallSid: 'CA1', AnsweredBy: 'machine_start' }))).toMatchObject(
      [voicemail],
    )
    expect(
      await reader.read(
        callbackRequest({ ...callFields, CallStatus: 'completed', AnsweredBy: 'machine_end_beep' }),
      ),
    ).toMatchObject([voicemail])
    expect(await reader.read(callbackRequest({ CallSid: 'CA1', AnsweredBy: 'human' }))).toEqual([])
  })

  it('a status without a meaning for us gives no event', async () => {
    expect(await reader.read(callbackRequest({ ...callFields, CallStatus: 'ringing' }))).toEqual([])
    expect(await reader.read(callbackRequest({ ...callFields, CallStatus: 'constructor' }))).toEqual([])
  })

  it('signed by somebody else, or changed on the way, it is forged', async () => {
    const genuine = callbackRequest({ ...callFields, CallStatus: 'completed' })
    expect(await reader.read(callbackRequest({ ...callFields, CallStatus: 'completed' }, 'another'))).toBe(
      'forged',
    )
    expect(await reader.read({ ...genuine, url: `${url}x` })).toBe('forged')
    expect(
      await reader.read({
        ...genuine,
        body: Buffer.from(genuine.body.toString().replace('completed', 'failed')),
      }),
    ).toBe('forged')
  })
})

it('a conversation is accepted only with the signature of its own address', () => {
  const isAllowed = twilioRelayVerifier({ authToken: 'secret', publicUrl })
  const signed = (code: string, token = 'secret') => signatureOf(token, `wss://relance.example/calls/${code}`)
  expect(isAllowed(signed('abc'), 'abc')).toBe(true)
  expect(isAllowed(signatureOf('secret', 'wss://relance.example/calls/abc/'), 'abc')).toBe(true)
  expect(isAllowed(signed('abd'), 'abc')).toBe(false)
  expect(isAllowed(signed('abc', 'guess'), 'abc')).toBe(false)
  expect(isAllowed(undefined, 'abc')).toBe(false)
})
