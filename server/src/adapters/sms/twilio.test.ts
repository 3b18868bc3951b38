import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startTwilioMessages,
  type TwilioSent,
  twilioAccount,
} from '../../../dev/stand-ins/twilio-messages.ts'
import { callbackConformance } from '../../../test/adapters/callback-conformance.ts'
import { channelConformance, codeFor } from '../../../test/adapters/channel-conformance.ts'
import { smsFixture, smsMessage } from '../../../test/adapters/sms-fixture.ts'
import { twilioSms, twilioSmsCallbacks } from './twilio.ts'

const publicUrl = 'https://relance.example'
const optionsFor = (url: string) => ({ ...twilioAccount, baseUrl: url, publicUrl })

channelConformance(
  'twilio',
  async () => {
    const twilio = await startTwilioMessages()
    return smsFixture(
      {
        adapter: twilioSms(optionsFor(twilio.url)),
        withShortTimeout: twilioSms({ ...optionsFor(twilio.url), timeoutMs: 300 }),
        withWrongCredentials: twilioSms({ ...optionsFor(twilio.url), authToken: 'of somebody else' }),
      },
      twilio,
    )
  },
  'retryable',
)

callbackConformance('twilio about a message', async () => {
  const twilio = await startTwilioMessages()
  return {
    reader: twilioSmsCallbacks(twilioAccount.authToken),
    callbackFor: twilio.callbackRequest,
    url: `${publicUrl}/callbacks/twilio-sms/:code`,
    signsBody: true,
    events: [
      ['delivered', { kind: 'receipt', outcome: 'delivered' }],
      ['undelivered', { kind: 'receipt', outcome: 'bounced' }],
      ['failed', { kind: 'receipt', outcome: 'bounced' }],
      ['sent', null],
      ['queued', null],
      ['constructor', null],
    ],
    stop: twilio.stop,
  }
})

callbackConformance('twilio that somebody answered', async () => {
  const twilio = await startTwilioMessages()
  return {
    reader: twilioSmsCallbacks(twilioAccount.authToken),
    callbackFor: twilio.callbackRequest,
    url: `${publicUrl}/callbacks/twilio-sms`,
    events: [
      [
        '+33612123456 STOP',
        {
          kind: 'reply_by_phone',
          phone: '+33612123456',
          isStop: true,
          content: { from: '+33612123456', subject: null, text: 'STOP', attachments: [] },
        },
      ],
    ],
    stop: twilio.stop,
  }
})

let twilio: Awaited<ReturnType<typeof startTwilioMessages>>
let adapter: ReturnType<typeof twilioSms>
beforeAll(async () => {
  twilio = await startTwilioMessages()
  adapter = twilioSms(optionsFor(twilio.url))
})
afterAll(async () => {
  await adapter.close()
  await twilio.stop()
})

const hooks = { beforeCommit: async () => {} }

test('Twilio is told where to call back, by the code of the message', async () => {
  await adapter.send(smsMessage('com_1', 'accepted'), hooks)
  expect((twilio.effects().at(-1) as TwilioSent).statusCallback).toBe(
    `${publicUrl}/callbacks/twilio-sms/${codeFor('com_1')}`,
  )
})

test('a number that is not ours is our fault, a number nobody has is not', async () => {
  const other = twilioSms({ ...optionsFor(twilio.url), from: '+33700000043' })
  expect(await other.send(smsMessage('com_2', 'accepted'), hooks)).toEqual({
    outcome: 'unavailable',
    reason: 'twilio 400 21659',
  })
  await other.close()
  expect(await adapter.send(smsMessage('com_3', 'permanent'), hooks)).toEqual({
    outcome: 'permanent',
    reason: 'twilio 400 21211',
    isAddressRefused: true,
  })
})

test('one among a hundred and fifty messages to the same phone is found, and one that is not there is not', async () => {
  const ids = Array.from({ length: 150 }, (_, i) => `com_many_${i}`)
  for (const id of ids) await adapter.send(smsMessage(id, 'accepted'), hooks)
  expect(await adapter.lookup?.(smsMessage('com_many_0', 'accepted'))).toMatchObject({ outcome: 'accepted' })
  expect(await adapter.lookup?.(smsMessage('com_many_150', 'accepted'))).toBe('never_seen')
})

test('a form that nobody would send is refused before it is worked through', async () => {
  const reader = twilioSmsCallbacks(twilioAccount.authToken)
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i).join('&'))
  const began = performance.now()
  for (const signature of ['x', 'A'.repeat(27).concat('=')])
    expect(
      await reader.read({
        method: 'POST',
        url: `${publicUrl}/callbacks/twilio-sms`,
        code: null,
        headers: { 'x-twilio-signature': signature },
        body,
        wall: Date.now(),
      }),
    ).toBe('forged')
  expect(performance.now() - began).toBeLessThan(1_000)
})
