import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrevoSent, brevoAccount, startBrevo } from '../../../dev/stand-ins/brevo.ts'
import { callbackConformance } from '../../../test/adapters/callback-conformance.ts'
import { type Behaviour, channelConformance, codeFor } from '../../../test/adapters/channel-conformance.ts'
import type { EmailMessage } from '../channel.ts'
import { brevoCallbacks, brevoEmail } from './brevo.ts'

const { apiKey, callbackToken } = brevoAccount

const localParts: Partial<Record<Behaviour, string>> = {
  accepted: 'zoe',
  permanent: 'rejected',
  throttled: 'throttled',
  broken: 'broken',
  dropped: 'dropped',
  unknown: 'lost',
  mute: 'mute',
}

const message = (
  communicationId: string,
  behaviour: Behaviour,
  more: Partial<EmailMessage> = {},
): EmailMessage => ({
  channel: 'email',
  at: Date.now(),
  communicationId,
  code: codeFor(communicationId),
  language: 'fr',
  from: { name: 'Atelier Mercier', address: 'factures@atelier.example' },
  replyTo: { name: 'Réponses', address: 'reponse+k7@relance.example' },
  to: { name: 'Zoë Lefèvre', address: `${localParts[behaviour]}+zoe@cliente.example` },
  subject: 'Rappel',
  text: 'Bonjour',
  html: null,
  ...more,
})

channelConformance(
  'brevo',
  async () => {
    const brevo = await startBrevo()
    const at = { baseUrl: brevo.url }
    return {
      adapter: brevoEmail({ ...at, apiKey }),
      withShortTimeout: brevoEmail({ ...at, apiKey, timeoutMs: 300 }),
      withWrongCredentials: brevoEmail({ ...at, apiKey: 'xkeysib-of-somebody-else' }),
      message,
      effects: async () =>
        (brevo.effects() as BrevoSent[]).map(({ headers, reference, subject, text }) => ({
          communicationId: headers['X-Relance-Communication'] ?? '',
          reference,
          subject: subject ?? '',
          text,
        })),
      personalData: mail => [mail.to.address, mail.to.name, 'Lefèvre', 'cliente.example'],
      stop: brevo.stop,
    }
  },
  'retryable',
)

callbackConformance('brevo', async () => {
  const brevo = await startBrevo()
  return {
    reader: brevoCallbacks(callbackToken),
    callbackFor: brevo.callbackRequest,
    url: 'https://relance.example/callbacks/brevo',
    events: [
      ['delivered', { kind: 'receipt', outcome: 'delivered' }],
      ['hard_bounce', { kind: 'receipt', outcome: 'bounced' }],
      ['blocked', { kind: 'receipt', outcome: 'bounced' }],
      ['invalid_email', { kind: 'receipt', outcome: 'bounced' }],
      ['spam', { kind: 'reply', isStop: true }],
      ['unsubscribed', { kind: 'reply', isStop: true }],
      ['soft_bounce', null],
      ['opened', null],
      ['click', null],
      ['constructor', null],
    ],
    stop: brevo.stop,
  }
})

let brevo: Awaited<ReturnType<typeof startBrevo>>
let adapter: ReturnType<typeof brevoEmail>
beforeAll(async () => {
  brevo = await startBrevo()
  adapter = brevoEmail({ baseUrl: brevo.url, apiKey })
})
afterAll(async () => {
  await adapter.close()
  await brevo.stop()
})

const send = (mail: EmailMessage) => adapter.send(mail, { beforeCommit: async () => {} })
const last = () => brevo.effects().at(-1) as BrevoSent

test('both parts, the tag and our headers are sent to Brevo', async () => {
  await send(message('com_1', 'accepted', { html: '<p>Bonjour</p>' }))
  expect(last()).toMatchObject({
    reference: codeFor('com_1'),
    text: 'Bonjour',
    html: '<p>Bonjour</p>',
    replyTo: 'reponse+k7@relance.example',
    headers: { 'X-Relance-Communication': 'com_1', 'X-Mailin-Custom': codeFor('com_1') },
  })
})

test('a message that is sent again is sent once, and its first identifier comes back', async () => {
  const first = await send(message('com_2', 'accepted'))
  const before = brevo.effects().length
  expect(await send(message('com_2', 'accepted'))).toEqual(first)
  expect(brevo.effects()).toHaveLength(before)
})

test('a key Brevo has seen and a list that does not know the message: nothing is claimed', async () => {
  await send(message('com_3', 'accepted'))
  const elsewhere = message('com_3', 'accepted', { to: { name: 'Ida', address: 'ida@cliente.example' } })
  expect(await send(elsewhere)).toEqual({ outcome: 'unknown', reason: 'brevo 400 duplicate_parameter' })
})

test.each([
  'zoe@cliente.example, victim@elsewhere.example',
  'zoe@cliente.example>\r\nBcc: victim@elsewhere.example',
  'zoe cliente.example',
  '',
])('%j is no address: permanent, and Brevo is not asked', async address => {
  const before = brevo.effects().length
  const result = await adapter.send(message('com_4', 'accepted', { to: { name: 'Zoë', address } }), {
    beforeCommit: () => Promise.reject(new Error('asked')),
  })
  expect(result).toEqual({ outcome: 'permanent', reason: 'recipient malformed', isAddressRefused: true })
  expect(brevo.effects()).toHaveLength(before)
})

test('words with line breaks stay in their field, and names are cut to what Brevo takes', async () => {
  const evil = `Zoë\r\nBcc: victim@elsewhere.example\u2028X-More: 1 ${'é'.repeat(90)}`
  const to = { name: evil, address: 'zoe@cliente.example' }
  expect(await send(message('com_5', 'accepted', { to, subject: evil }))).toMatchObject({
    outcome: 'accepted',
  })
  expect(last().recipients).toBe(1)
  for (const text of [last().subject ?? '', ...last().names]) expect(text).not.toMatch(/[\r\n\u2028]/)
})

test('nobody listening: Brevo is away', async () => {
  const gone = await startBrevo()
  await gone.stop()
  const lonely = brevoEmail({ baseUrl: gone.url, apiKey })
  expect(await lonely.send(message('com_6', 'accepted'), { beforeCommit: async () => {} })).toEqual({
    outcome: 'unavailable',
    reason: 'brevo ECONNREFUSED',
  })
  await lonely.close()
})

test('several events in one callback are all read', async () => {
  const at = Date.UTC(2026, 10, 16, 9)
  const url = 'https://relance.example/callbacks/brevo'
  const code = codeFor('com_7')
  const one = (event: string) => JSON.parse(brevo.callbackRequest({ url, code, event, at }).body)
  const body = Buffer.from(JSON.stringify([one('delivered'), one('opened'), one('spam')]))
  const headers = { authorization: `Bearer ${callbackToken}` }
  const events = await brevoCallbacks(callbackToken).read({
    method: 'POST',
    url,
    code: null,
    headers,
    body,
    wall: at,
  })
  expect(events).toMatchObject([
    { kind: 'receipt', outcome: 'delivered', at },
    { kind: 'reply', isStop: true },
  ])
})

test('with a domain of ours answers come to us, and each is read with what was written', async () => {
  const at = Date.UTC(2026, 10, 16, 9)
  const heard = brevoEmail({ baseUrl: brevo.url, apiKey, inboundDomain: 'reply.relance.example' })
  await heard.send(message('com_8', 'accepted'), { beforeCommit: async () => {} })
  await heard.close()
  const code = codeFor('com_8')
  expect(last()).toMatchObject({ replyTo: `reply+${code}@reply.relance.example` })
  const mail = (id: string, text: string, headers: Record<string, string> = {}) => ({
    Uuid: [id],
    MessageId: `<${id}@cliente.example>`,
    From: { Name: 'Zoé', Address: 'zoe@cliente.example' },
    To: [{ Name: null, Address: `reply+${code}@reply.relance.example` }],
    Cc: [],
    Subject: 'Re: facture',
    RawTextBody: text,
    Headers: headers,
  })
  const items = [
    {
      ...mail('a', 'Je conteste.\n> Bonjour'),
      Attachments: [
        { Name: 'bon.pdf', ContentType: 'application/pdf', ContentLength: 2_048, DownloadToken: 'x' },
      ],
    },
    mail('b', 'STOP'),
    mail('c', 'Absente', { 'Auto-Submitted': 'auto-replied' }),
    { ...mail('d', 'Perdu'), To: [{ Address: 'somebody@reply.relance.example' }] },
  ]
  const events = await brevoCallbacks(callbackToken).read({
    method: 'POST',
    url: 'https://relance.example/callbacks/brevo',
    code: null,
    headers: { authorization: `Bearer ${callbackToken}` },
    body: Buffer.from(JSON.stringify({ items })),
    wall: at,
  })
  expect(events).toMatchObject([
    { kind: 'receipt', outcome: 'delivered', code },
    {
      kind: 'reply',
      isStop: false,
      content: {
        from: 'Zoé <zoe@cliente.example>',
        subject: 'Re: facture',
        text: 'Je conteste.',
        attachments: [{ name: 'bon.pdf', type: 'application/pdf', bytes: 2_048 }],
      },
      copy: { from: 'zoe@cliente.example', subject: 'Re: facture', text: 'Je conteste.\n> Bonjour' },
    },
    { kind: 'receipt', outcome: 'delivered' },
    { kind: 'reply', isStop: true },
    { kind: 'receipt', outcome: 'delivered' },
  ])
})
