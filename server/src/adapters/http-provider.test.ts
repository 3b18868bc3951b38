import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brevoAccount, startBrevo } from '../../dev/stand-ins/brevo.ts'
import { brevoEmail } from './email/brevo.ts'
import { type HttpProvider, type JudgeOptions, judgeReply, type ProviderReply } from './http-provider.ts'

const provider: HttpProvider = {
  name: 'post',
  request: () => Promise.reject(new Error('not asked')),
  close: async () => {},
}
const replied = (status: number): ProviderReply => ({ status, json: {}, headers: {} })
const unanswered = (because: 'unreachable' | 'timeout' | 'interrupted', code: string): ProviderReply => ({
  status: null,
  because,
  code,
})

test.each<[string, ProviderReply, string, string]>([
  ['nobody there', unanswered('unreachable', 'ECONNREFUSED'), 'unavailable', 'unavailable'],
  ['no such name', unanswered('unreachable', 'ENOTFOUND'), 'unavailable', 'unavailable'],
  ['no answer', unanswered('timeout', 'TIMEOUT'), 'unavailable', 'unknown'],
  ['hung up', unanswered('interrupted', 'ECONNRESET'), 'unavailable', 'unknown'],
  ['yes, and nothing readable', replied(200), 'unavailable', 'unknown'],
  ['elsewhere', replied(302), 'unavailable', 'unavailable'],
  ['bad', replied(400), 'permanent', 'permanent'],
  ['who are you', replied(401), 'unavailable', 'unavailable'],
  ['pay first', replied(402), 'unavailable', 'unavailable'],
  ['not you', replied(403), 'unavailable', 'unavailable'],
  ['too slow', replied(408), 'unavailable', 'unknown'],
  ['unprocessable', replied(422), 'permanent', 'permanent'],
  ['too many', replied(429), 'unavailable', 'unavailable'],
  ['broken', replied(500), 'unavailable', 'unknown'],
  ['away', replied(503), 'unavailable', 'unknown'],
])('%s proves as much before the commit and after it', (_name, reply, before, after) => {
  expect(judgeReply(provider, reply, { isCommitted: false }).outcome).toBe(before)
  expect(judgeReply(provider, reply, { isCommitted: true }).outcome).toBe(after)
})

describe('a reason', () => {
  const reasonOf = (code: string | undefined, more: Partial<JudgeOptions> = {}) =>
    judgeReply(provider, replied(400), { isCommitted: true, code, ...more })

  test.each(['invalid_parameter', 'Client::BadRequest', '21211', 'INVALID_COUNTRY_CODE'])(
    'repeats the word %s of the protocol',
    code => expect(reasonOf(code)).toEqual({ outcome: 'permanent', reason: `post 400 ${code}` }),
  )

  test.each([
    'zoe@cliente.example',
    '+33612123456',
    '33612123456',
    'Zoë Lefèvre',
    'zoe lefevre',
    'x'.repeat(61),
    '',
  ])('does not repeat %j', code =>
    expect(reasonOf(code)).toEqual({ outcome: 'permanent', reason: 'post 400' }),
  )

  test('that speaks of our account may be tried again', () =>
    expect(reasonOf('21659', { accountErrorCodes: new Set(['21659']) }).outcome).toBe('unavailable'))
})

describe('a stand-in', () => {
  let brevo: Awaited<ReturnType<typeof startBrevo>>
  beforeAll(async () => {
    brevo = await startBrevo()
  })
  afterAll(() => brevo.stop())

  const post = async (path: string, body: object) =>
    (await fetch(brevo.url + path, { method: 'POST', body: JSON.stringify(body) })).json()

  test('shows what it sent, takes a mood for everybody, and calls back as often as asked, over HTTP', async () => {
    const adapter = brevoEmail({ baseUrl: brevo.url, apiKey: brevoAccount.apiKey })
    const somebody = { name: 'Zoë', address: 'zoe@cliente.example' }
    const send = () =>
      adapter.send(
        {
          channel: 'email',
          communicationId: 'com_1',
          code: 'fr345678901234567890',
          language: 'fr',
          at: Date.now(),
          from: somebody,
          replyTo: somebody,
          to: somebody,
          subject: 'Rappel',
          text: 'Bonjour',
          html: null,
        },
        { beforeCommit: async () => {} },
      )
    await post('/_mood', { mood: 'throttled' })
    expect(await send()).toEqual({ outcome: 'unavailable', reason: 'brevo 429 too_many_requests' })
    await post('/_mood', { mood: null })
    expect(await send()).toMatchObject({ outcome: 'accepted' })
    expect(await (await fetch(`${brevo.url}/_effects`)).json()).toMatchObject([
      { reference: 'fr345678901234567890', to: 'zoe@cliente.example' },
    ])
    // The callback URL is the stand-in itself, which answers 401.
    const callback = {
      url: `${brevo.url}/v3`,
      code: 'fr345678901234567890',
      event: 'delivered',
      at: Date.now(),
    }
    expect(await post('/_call-back', { ...callback, times: 2 })).toEqual({ statuses: [401, 401] })
    await adapter.close()
  })
})
