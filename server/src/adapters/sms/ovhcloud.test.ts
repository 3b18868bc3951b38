import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OvhSent, ovhAccount, startOvhcloud } from '../../../dev/stand-ins/ovhcloud.ts'
import { callbackConformance } from '../../../test/adapters/callback-conformance.ts'
import { channelConformance, codeFor } from '../../../test/adapters/channel-conformance.ts'
import { smsFixture, smsMessage } from '../../../test/adapters/sms-fixture.ts'
import type { SmsMessage } from '../channel.ts'
import { ovhSms } from './ovhcloud.ts'
import { ovhCallbacks } from './ovhcloud-callbacks.ts'

const { callbackKey, ...account } = ovhAccount
const optionsFor = (url: string) => ({ ...account, baseUrl: `${url}/1.0`, wall: Date.now })

channelConformance(
  'ovhcloud',
  async () => {
    const ovh = await startOvhcloud()
    return smsFixture(
      {
        adapter: ovhSms(optionsFor(ovh.url)),
        withShortTimeout: ovhSms({ ...optionsFor(ovh.url), timeoutMs: 300 }),
        withWrongCredentials: ovhSms({ ...optionsFor(ovh.url), applicationSecret: 'of somebody else' }),
      },
      ovh,
    )
  },
  'retryable',
)

callbackConformance('ovhcloud', async () => {
  const ovh = await startOvhcloud()
  const reader = ovhCallbacks(callbackKey, optionsFor(ovh.url))
  return {
    reader,
    callbackFor: ovh.callbackRequest,
    url: 'https://relance.example/callbacks/ovhcloud',
    events: [
      ['1', { kind: 'receipt', outcome: 'delivered' }],
      ['2', { kind: 'receipt', outcome: 'bounced' }],
      ['16', { kind: 'receipt', outcome: 'bounced' }],
      ['8', null],
      ['constructor', null],
      [
        '+33612123456 Stop svp',
        {
          kind: 'reply_by_phone',
          phone: '+33612123456',
          isStop: true,
          content: { from: '+33612123456', subject: null, text: 'Stop svp', attachments: [] },
        },
      ],
    ],
    stop: async () => {
      await reader.close()
      await ovh.stop()
    },
  }
})

let ovh: Awaited<ReturnType<typeof startOvhcloud>>
let adapter: ReturnType<typeof ovhSms>
let reader: ReturnType<typeof ovhCallbacks>
beforeAll(async () => {
  ovh = await startOvhcloud()
  adapter = ovhSms(optionsFor(ovh.url))
  reader = ovhCallbacks(callbackKey, optionsFor(ovh.url))
})
afterAll(async () => {
  await Promise.all([adapter.close(), reader.close()])
  await ovh.stop()
})

const send = (message: SmsMessage) => adapter.send(message, { beforeCommit: async () => {} })
const last = () => ovh.effects().at(-1) as OvhSent

test('an accent of the network costs nothing, a letter outside its alphabet takes the other coding', async () => {
  await send(smsMessage('com_1', 'accepted', { text: 'Facture échue à régler : 12 €' }))
  expect(last().coding).toBe('7bit')
  await send(smsMessage('com_2', 'accepted', { text: 'Merci 🙏' }))
  expect(last().coding).toBe('8bit')
  await send(smsMessage('com_3', 'accepted', { text: 'Où êtes-vous' }))
  expect(last().coding).toBe('8bit')
})

test('the sender is the company, or the one declared at OVHcloud', async () => {
  await send(smsMessage('com_4', 'accepted'))
  expect(last().sender).toBe('ATELIER')
  const named = ovhSms({ ...optionsFor(ovh.url), sender: 'RELANCE' })
  await named.send(smsMessage('com_5', 'accepted'), { beforeCommit: async () => {} })
  expect(last().sender).toBe('RELANCE')
  await named.close()
})

test('what waits and what is on the network are both found, each by its own code', async () => {
  for (const id of ['com_6', 'com_7', 'com_8']) {
    const sent = await send(smsMessage(id, 'accepted'))
    expect(await adapter.lookup?.(smsMessage(id, 'accepted'))).toEqual(sent)
  }
  expect(ovh.effects().map(effect => (effect as OvhSent).isWaiting)).toContain(true)
})

test('a message that leaves for the network while it is looked for is found all the same', async () => {
  const hasty = await startOvhcloud({ leavesQueueWhenRead: true })
  const own = ovhSms(optionsFor(hasty.url))
  const sent = await own.send(smsMessage('com_8b', 'accepted'), { beforeCommit: async () => {} })
  expect((hasty.effects()[0] as OvhSent).isWaiting).toBe(true)
  expect(await own.lookup?.(smsMessage('com_8b', 'accepted'))).toEqual(sent)
  await own.close()
  await hasty.stop()
})

test('a clock that cannot be asked for means that nothing was sent', async () => {
  const gone = await startOvhcloud()
  await gone.stop()
  const lonely = ovhSms(optionsFor(gone.url))
  let commits = 0
  const result = await lonely.send(smsMessage('com_9', 'accepted'), {
    beforeCommit: async () => {
      commits++
    },
  })
  expect({ ...result, commits }).toEqual({ outcome: 'unavailable', reason: 'ovh ECONNREFUSED', commits: 0 })
  await lonely.close()
})

test('for a callback without a tag OVHcloud is asked for the code', async () => {
  await send(smsMessage('com_10', 'accepted'))
  await send(smsMessage('com_11', 'accepted'))
  const sent = (ovh.effects() as OvhSent[]).find(({ isWaiting }) => !isWaiting)!
  const query = new URLSearchParams({ key: callbackKey, id: sent.providerId, ptt: '4' })
  const request = {
    method: 'GET',
    url: `https://relance.example/callbacks/ovhcloud?${query}`,
    code: null,
    headers: {},
    body: Buffer.alloc(0),
    wall: Date.now(),
  }
  expect(await reader.read(request)).toMatchObject([{ code: sent.reference, outcome: 'delivered' }])
  const nobody = request.url.replace(`id=${sent.providerId}`, 'id=999')
  expect(await reader.read({ ...request, url: nobody })).toEqual([])
})

test('the tag has the twenty letters OVHcloud allows', () => expect(codeFor('com_12')).toHaveLength(20))
