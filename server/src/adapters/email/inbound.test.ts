import { expect, it } from 'vitest'
import { plainSha256 } from '../../kit/crypto.ts'
import { inboundMail } from './inbound.ts'

const token = 'a-long-secret-of-our-mail-server'
const code = 'e1fG7-kL1mN5pQ9sT0_x'
const reader = inboundMail(token)
const wall = Date.UTC(2026, 10, 16, 8)

const nameOf = (id: string) => plainSha256(id).toString('hex')

const read = (body: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
  reader.read({
    method: 'POST',
    url: 'https://relance.example/callbacks/mail',
    code: null,
    headers,
    body: Buffer.from(body.replaceAll('\n', '\r\n')),
    wall,
  })

const report = (action: string, more: { envelope?: string; to?: string; quoted?: string } = {}) => `From: <>
To: ${more.to ?? 'postmaster@relance.example'}
Message-ID: <r1@mx.example>
Subject: Delivery Status Notification
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

About your message.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example
${more.envelope === undefined ? '' : `Original-Envelope-Id: ${more.envelope}\n`}
Final-Recipient: rfc822; zoe@cliente.example
Action: ${action}
Status: ${action === 'failed' ? '5.1.1' : '2.0.0'}

--b
Content-Type: text/rfc822-headers

${more.quoted ?? 'Subject: Rappel'}

--b--
`

it.each([
  ['failed', 'bounced'],
  ['delivered', 'delivered'],
  ['Failed', 'bounced'],
  ['expanded', 'delivered'],
])('a notification that says %s means %s', async (action, outcome) => {
  expect(await read(report(action, { envelope: code }))).toEqual([
    { kind: 'receipt', code, outcome, at: wall, eventId: `${nameOf('<r1@mx.example>')} ${outcome}` },
  ])
})

it.each(['delayed', 'relayed'])('a notification that says %s gives no event', async action => {
  expect(await read(report(action, { envelope: code }))).toEqual([])
})

it('the message is found by its envelope id, by the address a bounce came to, or by what it quotes', async () => {
  for (const where of [
    { envelope: code },
    { to: `bounce+${code}@relance.example` },
    { quoted: `Subject: Rappel\nReply-To: a@b.example, reply+${code}@relance.example` },
  ])
    expect(await read(report('failed', where))).toMatchObject([{ code, outcome: 'bounced' }])
  expect(await read(report('failed'))).toEqual([])
  expect(await read(report('failed', { envelope: 'short' }))).toEqual([])
})

const reply = (text: string, headers = '') => `From: Zoe <zoe@cliente.example>
To: compta@atelier.example, reply+${code}@relance.example
Message-ID: <a2@cliente.example>
Subject: Re: Rappel
${headers}Content-Type: text/plain; charset=utf-8

${text}
`

it('a reply is an answer and proves that the message arrived', async () => {
  expect(await read(reply('Je paie vendredi, merci de ne pas stopper la livraison.'))).toEqual([
    {
      kind: 'receipt',
      code,
      outcome: 'delivered',
      at: wall,
      eventId: `${nameOf('<a2@cliente.example>')} delivered`,
    },
    { kind: 'reply', code, isStop: false, at: wall, eventId: `${nameOf('<a2@cliente.example>')} reply` },
  ])
})

it.each(['STOP', ' stop. ', 'Arrêtez', 'désinscription !', 'Unsubscribe'])(
  '%s asks us to stop',
  async word => {
    expect(await read(reply(`${word}\n\n> Bonjour`))).toMatchObject([{}, { kind: 'reply', isStop: true }])
  },
)

it('a stop word is found in an HTML-only mail, and in the subject of an empty mail', async () => {
  const page = reply('<html><body><p>Stop</p><blockquote>Bonjour</blockquote></body></html>')
  expect(await read(page.replace('text/plain', 'text/html'))).toMatchObject([{}, { isStop: true }])
  expect(await read(reply('').replace('Re: Rappel', 'STOP'))).toMatchObject([{}, { isStop: true }])
  expect(await read(reply('Bonjour').replace('Re: Rappel', 'STOP'))).toMatchObject([{}, { isStop: false }])
})

it('an automatic reply proves that the message arrived, and is no response of the debtor', async () => {
  for (const header of ['Auto-Submitted: auto-replied\n', 'Precedence: bulk\n'])
    expect(await read(reply('Absent jusqu’à lundi', header))).toMatchObject([{ outcome: 'delivered' }])
  expect(await read(reply('Bonjour', 'Auto-Submitted: no\n'))).toHaveLength(2)
})

it('without the token, or with another, nothing is believed', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${token}x` },
    { authorization: token },
  ])
    expect(await read(report('failed', { envelope: code }), headers as never)).toBe('forged')
})

it.each(['', 'no mail at all', '\0\0', `To: reply+${code.slice(1)}@relance.example\n\nhello`])(
  'what is no mail of ours is nothing: %j',
  async body => {
    expect(await read(body)).toEqual([])
  },
)
