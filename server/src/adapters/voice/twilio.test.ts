import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attributeOf,
  signatureOf,
  startTwilioCalls,
  type TwilioCalls,
} from '../../../dev/stand-ins/twilio-calls.ts'
import {
  type Behaviour,
  channelConformance,
  codeFor as codeOf,
} from '../../../test/adapters/channel-conformance.ts'
import type { CallbackRequest } from '../callback.ts'
import type { VoiceMessage } from '../channel.ts'
import { twilioAnswers, twilioRelayVerifier, twilioVoice } from './twilio.ts'
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

const answersFor = ({ authToken }: Pick<TwilioCalls, 'authToken'>) => twilioAnswers({ authToken, publicUrl })

channelConformance(
  'Twilio voice',
  async () => {
    const twilio = await startTwilioCalls()
    const sent = new Map<string, VoiceMessage>()
    return {
      adapter: adapterFor(twilio),
      withShortTimeout: adapterFor(twilio, { timeoutMs: 300 }),
      withWrongCredentials: adapterFor(twilio, { authToken: 'of somebody else' }),
      message(id, behaviour, content) {
        const made = message(id, behaviour, content?.text)
        sent.set(made.code, made)
        return made
      },
      // A call has no words in it: its opening is fetched once a human has answered; the rest is a conversation.
      effects: async () => {
        const reply = await fetch(`${twilio.url}/_effects`)
        const { effects } = (await reply.json()) as { effects: TwilioCalls['calls'] }
        return effects.map(call => {
          const code = call.statusCallback.split('/').at(-1)!
          const placed = sent.get(code)!
          const twiml = answersFor(twilio).connect(code, placed)
          return {
            reference: code,
            communicationId: placed.communicationId,
            text: attributeOf({ twiml }, 'welcomeGreeting'),
          }
        })
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

  it('is placed without a word: Twilio finds out who answers before it asks what to do', async () => {
    const voiceMessage = message('com_placed', 'accepted', 'Bonjour de la part de l’Atelier.')
    expect((await send(voiceMessage)).outcome).toBe('accepted')
    const call = twilio.calls.at(-1)!
    expect(call.form).toMatchObject({
      Url: [`${publicUrl}/calls/${voiceMessage.code}/answer`],
      MachineDetection: ['Enable'],
      AsyncAmd: ['false'],
      StatusCallbackEvent: ['answered', 'completed'],
    })
    expect(call.statusCallback).toBe(`${publicUrl}/callbacks/twilio-voice/${voiceMessage.code}`)
    expect(call).toMatchObject({ from: callerId, to: voiceMessage.to })
    expect(JSON.stringify(call.form)).not.toMatch(/Twiml|Bonjour|Atelier|Lu au début/)
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

describe('what Twilio is told once somebody answered', () => {
  const answers = answersFor({ authToken: 'twilio-auth-token' })
  const code = codeOf('com_answer')
  const twimlFor = (opening: string) => answers.connect(code, { opening, language: 'fr' })

  it('begins with the opening, word for word, which nobody can interrupt', () => {
    const opening = `Bonjour, « L'Atelier <&> "Fils" », une IA.`
    const call = { twiml: twimlFor(opening) }
    expect(attributeOf(call, 'welcomeGreeting')).toBe(opening)
    expect(attributeOf(call, 'welcomeGreetingInterruptible')).toBe('none')
    expect(attributeOf(call, 'url')).toBe(`wss://relance.example/calls/${code}`)
    expect(attributeOf(call, 'transcriptionLanguage')).toBe('fr-FR')
  })

  it('what stands in the opening never becomes markup', () => {
    const opening = `"/></ConversationRelay><Dial>+33899000000</Dial><x y="`
    const twiml = twimlFor(opening)
    expect(twiml).not.toContain('<Dial')
    expect(attributeOf({ twiml }, 'welcomeGreeting')).toBe(opening)
  })

  it('only a human is a human, and only Twilio says so', () => {
    const url = `${publicUrl}/calls/${code}/answer`
    const readAnswer = (answeredBy: string, token = 'twilio-auth-token') => {
      const form = {
        CallSid: 'CA1',
        CallStatus: 'in-progress',
        ...(answeredBy && { AnsweredBy: answeredBy }),
      }
      return answers.read({
        method: 'POST',
        url,
        code,
        headers: { 'x-twilio-signature': signatureOf(token, url, form) },
        body: Buffer.from(new URLSearchParams(form).toString()),
        wall: 1_000,
      })
    }
    expect(readAnswer('human')).toBe('human')
    for (const machine of ['machine_start', 'machine_end_beep', 'fax'])
      expect(readAnswer(machine)).toBe('machine')
    for (const nobody of ['unknown', '', 'humanoid']) expect(readAnswer(nobody)).toBe('unknown')
    expect(readAnswer('human', 'another')).toBe('forged')
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

  it('a machine that answered is voicemail', async () => {
    const ended = { ...callFields, CallStatus: 'completed' }
    expect(await reader.read(callbackRequest({ ...ended, AnsweredBy: 'machine_end_beep' }))).toMatchObject([
      { outcome: 'delivered', call: 'voicemail' },
    ])
    expect(await reader.read(callbackRequest({ ...ended, AnsweredBy: 'human' }))).toMatchObject([
      { outcome: 'delivered', call: 'over' },
    ])
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
