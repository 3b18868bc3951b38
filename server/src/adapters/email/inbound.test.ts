import { describe, expect, it } from 'vitest'
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
    {
      kind: 'reply',
      code,
      isStop: false,
      at: wall,
      eventId: `${nameOf('<a2@cliente.example>')} reply`,
      content: {
        from: 'Zoe <zoe@cliente.example>',
        subject: 'Re: Rappel',
        text: 'Je paie vendredi, merci de ne pas stopper la livraison.',
        attachments: [],
      },
    },
  ])
})

const contentOf = async (mail: string) => {
  const events = await read(mail)
  const reply = events === 'forged' ? undefined : events.find(({ kind }) => kind === 'reply')
  return reply?.kind === 'reply' ? reply.content! : null
}

describe('the text of a reply', () => {
  it('is the plain part of a mail that has both, and attachments are names and sizes', async () => {
    const mail = reply('').replace(
      /Content-Type[\s\S]*$/,
      `Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Pay=E9 hier.
--a
Content-Type: text/html

<b>Other</b>
--a--
--m
Content-Type: application/pdf; name="=?utf-8?Q?re=C3=A7u.pdf?="
Content-Disposition: attachment
Content-Transfer-Encoding: base64

JVBERg==
--m
Content-Type: message/rfc822

Subject: Inside

Words of somebody else
--m--
`,
    )
    expect(await contentOf(mail)).toMatchObject({
      text: 'Payé hier.',
      attachments: [
        { name: 'reçu.pdf', type: 'application/pdf', bytes: 4 },
        { name: '', type: 'message/rfc822' },
      ],
    })
  })

  it('of a page only is its text: no script, no style, and where a link goes', async () => {
    const page = `<html><head><title>T</title><style>p{color:red}</style></head><body><p>Bonjour,</p>
<p>j&rsquo;ai pay&eacute; &amp; voici <a href="https://bank.example/x?a=1&amp;b=2">la preuve</a>.<br>1 &lt; 2</p>
<script>alert("<p>no</p>")</script><img src="https://pixel.example/1.gif" onerror="alert(1)"><!-- hidden <b> --></body></html>`
    const { text } = (await contentOf(reply(page).replace('text/plain', 'text/html')))!
    expect(text).toBe('Bonjour,\n\nj’ai payé & voici la preuve (https://bank.example/x?a=1&b=2).\n1 < 2')
  })

  it.each([
    ['Oui.\n\nLe lun. 16 nov. 2026 à 09:00, Atelier <a@b.example> a écrit :\n> Bonjour\n>\n> Merci', 'Oui.'],
    ['Oui.\n\nOn Mon, 16 Nov 2026 at 09:00, Atelier\n<a@b.example> wrote:\n\n> Hello\n\n', 'Oui.'],
    ['> Bonjour\nOui, mais :\n> Merci', 'Oui, mais :'],
    ['Oui.\n> Bonjour\nNon.', null],
    ['Le total est faux, a écrit :\n> 12\nvoyez', null],
    ['> Bonjour\n> Merci', null],
    ['Oui.\n\n-----Message d’origine-----\nDe : Atelier\nBonjour', null],
  ])('has no quoted message below it where that is certain: %j', async (written, own) => {
    const { text } = (await contentOf(reply(written)))!
    expect(text).toBe(own === 'Oui, mais :' ? '> Bonjour\nOui, mais :' : (own ?? written))
  })

  it('has no character that misleads or is not seen, and is within its limits', async () => {
    const hidden = '\u202e\u2066\u200b\ufeff\u0007\u{e0041}'
    const written = await contentOf(
      reply(`a${hidden}b\u2028c`).replace('Re: Rappel', `Re${hidden}: ${'x'.repeat(400)}`),
    )
    expect(written).toMatchObject({ text: 'ab\nc', subject: `Re: ${'x'.repeat(196)}` })
    const long = await contentOf(reply('é😀'.repeat(20_000)))
    expect(long!.text!.length).toBeLessThanOrEqual(20_000)
    expect(long!.text!.isWellFormed()).toBe(true)
  })
})

it('a mail that no parser reads in time or in memory is still a reply, without its text', async () => {
  const deep = Array.from(
    { length: 300 },
    (_, i) => `--b${i}\nContent-Type: multipart/mixed; boundary=b${i + 1}\n`,
  )
  const header = reply('').replace(/Content-Type[\s\S]*$/, '')
  const mails = {
    lines: `${header}\n${'\n'.repeat(1_000_000)}`,
    links: `${header}Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n${'<a href="'.repeat(200_000)}`,
    deep: `${header}Content-Type: multipart/mixed; boundary=b0\n\n${deep.join('\n')}`,
  }
  const startedAt = performance.now()
  const cpu = process.threadCpuUsage()
  for (const [name, mail] of Object.entries(mails))
    expect([name, await contentOf(mail)]).toEqual([
      name,
      { from: 'Zoe <zoe@cliente.example>', subject: 'Re: Rappel', text: null, attachments: [] },
    ])
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  const { user } = process.threadCpuUsage(cpu)
  expect(user / 1_000).toBeLessThan(2_000)
}, 30_000)

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
