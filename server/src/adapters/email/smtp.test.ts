import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { startMailbox } from '../../../dev/mailbox.ts'
import { type Behaviour, channelConformance, codeFor } from '../../../test/adapters/channel-conformance.ts'
import type { ChannelAdapter, EmailMessage } from '../channel.ts'
import { smtpEmail } from './smtp.ts'
import type { SmtpOptions } from './smtp-pool.ts'

const host = '127.0.0.1'
const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

async function portOf(server: Server): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A real server whose recipients' local parts choose what happens, as providers' test addresses do. */
async function startSmtpServer(options: SMTPServerOptions = {}) {
  const mails: Email[] = []
  const envelopes: SMTPServerSession['envelope'][] = []
  let sessions = 0
  const hangUp = (session: SMTPServerSession) => {
    for (const connection of server.connections)
      if (connection.session === session) connection._socket.destroy()
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    closeTimeout: 50,
    onConnect(_session, answer) {
      sessions++
      answer()
    },
    onRcptTo({ address }, session, answer) {
      if (address.startsWith('nobody')) return answer(refusal(550, `no ${address} here`))
      if (address.startsWith('later')) return answer(refusal(451, `${address} is greylisted`))
      if (address.startsWith('closing')) return answer(refusal(421, 'too many connections'))
      if (address.startsWith('hang-up')) return hangUp(session)
      answer()
    },
    onData(stream, session, answer) {
      stream.toArray().then(
        async chunks => {
          const recipient = session.envelope.rcptTo[0]?.address ?? ''
          if (recipient.startsWith('spam')) return answer(refusal(554, `${recipient} wants no spam`))
          if (recipient.startsWith('full')) return answer(refusal(452, `${recipient} is full`))
          mails.push(await PostalMime.parse(Buffer.concat(chunks)))
          envelopes.push(session.envelope)
          if (recipient.startsWith('silent')) return hangUp(session)
          if (recipient.startsWith('mute')) return
          answer(null, 'queued')
        },
        () => {},
      )
    },
    ...options,
  })
  server.on('error', () => {})
  const port = await portOf(server.server)
  return {
    port,
    mails,
    envelopes,
    sessions: () => sessions,
    hangUpOnAll: () => {
      for (const connection of server.connections) connection._socket.destroy()
    },
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

const message = (
  communicationId: string,
  localPart: string,
  more: Partial<EmailMessage> = {},
): EmailMessage => ({
  channel: 'email',
  at: Date.UTC(2026, 10, 16, 8),
  communicationId,
  code: codeFor(communicationId),
  html: null,
  from: { name: 'Atelier Mercier', address: 'factures@atelier.example' },
  replyTo: { name: 'Réponses', address: 'reponse+k7@relance.example' },
  to: { name: 'Zoë Lefèvre', address: `${localPart}@cliente.example` },
  subject: 'Rappel',
  text: 'Bonjour',
  language: 'fr',
  ...more,
})

const header = (mail: Email | undefined, name: string) => mail?.headers.find(({ key }) => key === name)?.value

const localParts: Record<Behaviour, string> = {
  accepted: 'zoe',
  permanent: 'nobody',
  retryable: 'later',
  throttled: 'closing',
  broken: 'full',
  dropped: 'hang-up',
  unknown: 'silent',
  mute: 'mute',
}

for (const hidePIPELINING of [false, true]) {
  channelConformance(`smtp ${hidePIPELINING ? 'without' : 'with'} pipelining`, async () => {
    const office = await startSmtpServer({ hidePIPELINING })
    return {
      adapter: smtpEmail({ host, port: office.port }),
      withShortTimeout: smtpEmail({ host, port: office.port, socketTimeoutMs: 300 }),
      withWrongCredentials: smtpEmail({ host, port: office.port, auth: { user: 'nobody', pass: 'of ours' } }),
      message: (id, behaviour, content = { subject: 'Rappel', text: 'Bonjour' }) =>
        message(id, localParts[behaviour], content),
      effects: async () =>
        office.mails.map(mail => ({
          communicationId: header(mail, 'x-relance-communication') ?? '',
          subject: mail.subject ?? '',
          text: mail.text ?? '',
        })),
      personalData: mail => [mail.to.address, mail.to.name, 'Lefèvre', 'cliente.example'],
      stop: office.stop,
    }
  })
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function serverAndAdapter(options?: SMTPServerOptions, more: Partial<SmtpOptions> = {}) {
  const opened = await startSmtpServer(options)
  const adapter = smtpEmail({ host, port: opened.port, ...more })
  cleanups.push(opened.stop, adapter.close)
  return { ...opened, adapter }
}

/** For what no decent server does: answers each line as the script says. */
async function scripted(converse: (line: string, socket: Socket) => void, more: Partial<SmtpOptions> = {}) {
  const sockets = new Set<Socket>()
  const lines: string[] = []
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    socket.on('data', data => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        lines.push(line)
        converse(line, socket)
      }
    })
  })
  const adapter = smtpEmail({ host, port: await portOf(server), ...more })
  cleanups.push(
    () => server.close(),
    () => {
      for (const socket of sockets) socket.destroy()
    },
    adapter.close,
  )
  return { adapter, lines }
}

async function send(
  adapter: ChannelAdapter<EmailMessage>,
  mail: EmailMessage,
  beforeCommit = async () => {},
) {
  let commits = 0
  const result = await adapter.send(mail, {
    beforeCommit: () => {
      commits++
      return beforeCommit()
    },
  })
  return { ...result, commits }
}

test('the communication is named in Message-ID, header and envelope, and notifications are asked for', async () => {
  const { adapter, mails, envelopes } = await serverAndAdapter({ hideDSN: false })
  const result = await send(adapter, message('com_1', 'zoe'))
  expect(result).toMatchObject({ outcome: 'accepted', providerId: '<com_1@atelier.example>' })
  expect(mails[0]?.messageId).toBe('<com_1@atelier.example>')
  expect(header(mails[0], 'x-relance-communication')).toBe('com_1')
  expect(header(mails[0], 'content-language')).toBe('fr')
  expect(mails[0]?.replyTo?.[0]?.address).toBe('reponse+k7@relance.example')
  expect(envelopes[0]).toMatchObject({ dsn: { ret: 'HDRS', envid: codeFor('com_1') } })
})

test('where mail comes to us, what comes back and a copy of the answer are sent there', async () => {
  const { adapter, mails, envelopes } = await serverAndAdapter({}, { inboundDomain: 'mail.relance.example' })
  await send(adapter, message('com_1', 'zoe'))
  expect(envelopes[0]?.mailFrom).toMatchObject({
    address: `bounce+${codeFor('com_1')}@mail.relance.example`,
  })
  expect(mails[0]?.replyTo?.map(({ address }) => address)).toEqual([
    'reponse+k7@relance.example',
    `reply+${codeFor('com_1')}@mail.relance.example`,
  ])
  expect(mails[0]?.from?.address).toBe('factures@atelier.example')
})

test.each([
  ['nobody', { outcome: 'permanent', reason: 'rcpt 550', isAddressRefused: true, commits: 0 }],
  ['later', { outcome: 'retryable', reason: 'rcpt 451', commits: 0 }],
  ['closing', { outcome: 'unavailable', reason: '421', commits: 0 }],
  ['hang-up', { outcome: 'unavailable', reason: 'ECONNECTION', commits: 0 }],
  ['spam', { outcome: 'permanent', reason: 'data 554', commits: 1 }],
  ['full', { outcome: 'retryable', reason: 'data 452', commits: 1 }],
  ['silent', { outcome: 'unknown', reason: 'ECONNECTION', commits: 1 }],
  ['mute', { outcome: 'unknown', reason: 'ETIMEDOUT', commits: 1 }],
])('a server that is %s gives the outcome that can be proven', async (localPart, expected) => {
  const { adapter } = await serverAndAdapter({}, { socketTimeoutMs: 300 })
  const result = await send(adapter, message('com_2', localPart))
  expect({ ...result, reason: 'reason' in result ? result.reason.replace(/ \d\.\d\.\d$/, '') : '' }).toEqual(
    expected,
  )
})

test('before a recipient is named every refusal is about us, but for the size', async () => {
  for (const [code, outcome] of [
    [451, 'unavailable'],
    [530, 'unavailable'],
    [552, 'permanent'],
    [553, 'unavailable'],
  ] as const) {
    const { adapter } = await serverAndAdapter({
      onMailFrom: (_address, _session, answer) => answer(refusal(code, 'no')),
    })
    expect(await send(adapter, message('com_3', 'zoe'))).toMatchObject({ outcome, commits: 0 })
  }
})

test('nobody listening, a mute greeting and a refusing greeting: the server is away', async () => {
  const closed = createServer()
  const port = await portOf(closed)
  await new Promise(resolve => closed.close(resolve))
  const nobody = smtpEmail({ host, port })
  expect(await send(nobody, message('com_4', 'zoe'))).toEqual({
    outcome: 'unavailable',
    reason: 'ECONNREFUSED',
    commits: 0,
  })

  for (const greeting of ['', '554 go away\r\n']) {
    const sockets: Socket[] = []
    const server = createServer(socket => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write(greeting)
    })
    const adapter = smtpEmail({ host, port: await portOf(server), connectTimeoutMs: 200 })
    cleanups.push(() => server.close(), adapter.close)
    expect(await send(adapter, message('com_5', 'zoe'))).toMatchObject({ outcome: 'unavailable', commits: 0 })
    for (const socket of sockets) socket.destroy()
  }
})

test('credentials are not shown to a server that offers no encryption', async () => {
  const { adapter, lines } = await scripted(
    (line, socket) =>
      socket.write(line.startsWith('EHLO') ? '250-hello\r\n250 AUTH PLAIN\r\n' : '500 what\r\n'),
    { auth: { user: 'relance', pass: 'correct horse' } },
  )
  expect(await send(adapter, message('com_6', 'zoe'))).toMatchObject({ outcome: 'unavailable', commits: 0 })
  expect(lines.filter(line => line.startsWith('AUTH'))).toEqual([])
})

test('connections are used again, and never more than allowed', async () => {
  const { adapter, mails, sessions } = await serverAndAdapter({}, { maxConnections: 3 })
  const recipients = Array.from({ length: 60 }, (_, i) => (i % 4 ? 'zoe' : 'nobody'))
  await Promise.all(recipients.map((localPart, i) => send(adapter, message(`com_${i}`, localPart))))
  expect(mails).toHaveLength(45)
  expect(sessions()).toBeLessThanOrEqual(3)
})

test('an idle connection that the server closed is replaced, and the message is still sent', async () => {
  const { adapter, mails, sessions, hangUpOnAll } = await serverAndAdapter()
  await send(adapter, message('com_7', 'zoe'))
  hangUpOnAll()
  expect(await send(adapter, message('com_8', 'zoe'))).toMatchObject({ outcome: 'accepted', commits: 1 })
  await pause(30)
  hangUpOnAll()
  await pause(30)
  expect(await send(adapter, message('com_9', 'zoe'))).toMatchObject({ outcome: 'accepted', commits: 1 })
  expect(mails).toHaveLength(3)
  expect(sessions()).toBe(3)
})

test.each(['', '421 4.4.2 idle too long\r\n'])(
  'a kept connection that dies on the second MAIL (%j) is replaced once, and only once',
  async farewell => {
    let mailsBegun = 0
    const { adapter, lines } = await scripted((line, socket) => {
      if (line.startsWith('MAIL') && ++mailsBegun > 1) socket.end(farewell)
      else if (line === 'DATA') socket.write('354 go on\r\n')
      else if (/^(EHLO|MAIL|RCPT|\.$)/.test(line)) socket.write('250 ok\r\n')
    })
    expect(await send(adapter, message('com_10', 'zoe'))).toMatchObject({ outcome: 'accepted' })
    expect(await send(adapter, message('com_11', 'zoe'))).toMatchObject({
      outcome: 'unavailable',
      commits: 0,
    })
    expect(lines.filter(line => line.startsWith('EHLO'))).toHaveLength(2)
    expect(mailsBegun).toBe(3)
  },
)

test('a connection lost while beforeCommit runs left no byte of the body: the server is away, after the commit is done', async () => {
  let isCommitted = false
  const { adapter, lines } = await scripted((line, socket) => {
    if (line === 'DATA') {
      socket.write('354 go on\r\n')
      setTimeout(() => socket.destroy(), 30)
    } else socket.write('250 ok\r\n')
  })
  const result = await send(adapter, message('com_12', 'zoe'), async () => {
    await pause(120)
    isCommitted = true
  })
  expect(isCommitted).toBe(true)
  expect(result).toMatchObject({ outcome: 'unavailable', commits: 1 })
  expect(lines.at(-1)).toBe('DATA')
})

test('a refused commit leaves the server without body and without final dot', async () => {
  const { adapter, lines } = await scripted((line, socket) => {
    socket.write(line === 'DATA' ? '354 go on\r\n' : '250 ok\r\n')
  })
  await expect(
    send(adapter, message('com_13', 'zoe'), () => Promise.reject(new Error('late'))),
  ).rejects.toThrow('late')
  await pause(30)
  expect(lines.at(-1)).toBe('DATA')
})

test('an answer cut in the middle proves nothing', async () => {
  const { adapter } = await scripted((line, socket) => {
    if (line === 'DATA') socket.write('354 go on\r\n')
    else if (line === '.') socket.end('550 5.7')
    else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n')
  })
  expect(await send(adapter, message('com_14', 'zoe'))).toMatchObject({ outcome: 'unknown', commits: 1 })
})

test('an email with HTML is sent as text and HTML, text first, to one person', async () => {
  const { adapter, mails, envelopes } = await serverAndAdapter()
  const html = '<!doctype html><p>Bonjour Zoë, 1\u00a0200,00\u00a0€</p>'
  await send(adapter, message('com_html', 'zoe', { text: 'Bonjour Zoë', html }))
  expect(mails[0]!.html?.trim()).toBe(html)
  expect(mails[0]!.text?.trim()).toBe('Bonjour Zoë')
  expect(header(mails[0], 'content-type')).toMatch(/^multipart\/alternative;/)
  expect(header(mails[0], 'x-relance-communication')).toBe('com_html')
  expect(mails[0]!.attachments).toEqual([])
  expect(envelopes[0]!.rcptTo.map(({ address }) => address)).toEqual(['zoe@cliente.example'])
})

test('words with line breaks open no header and add no recipient', async () => {
  const { adapter, mails, envelopes } = await serverAndAdapter()
  const evil = 'Zoë\r\nBcc: victim@elsewhere.example\r\n\r\nhello\u2028X-More: 1'
  const sent = message('com_15', 'zoe', {
    subject: evil,
    from: { name: evil, address: 'factures@atelier.example' },
    replyTo: { name: evil, address: 'reponse@relance.example' },
    to: { name: evil, address: 'zoe@cliente.example' },
  })
  expect(await send(adapter, sent)).toMatchObject({ outcome: 'accepted' })
  expect(mails[0]?.headers.map(({ key }) => key)).not.toContain('bcc')
  expect(mails[0]?.headers.map(({ key }) => key)).not.toContain('x-more')
  expect(mails[0]?.text?.trim()).toBe('Bonjour')
  expect(mails[0]?.to?.map(({ address }) => address)).toEqual(['zoe@cliente.example'])
  expect(envelopes[0]?.rcptTo).toHaveLength(1)
})

test.each([
  'zoe@cliente.example>\r\nRCPT TO:<victim@elsewhere.example',
  'zoe@cliente.example, victim@elsewhere.example',
  'zoe cliente.example',
  '"a b"@cliente.example',
  '',
])('%j is no address: permanent, without a connection', async address => {
  const { adapter, sessions } = await serverAndAdapter()
  const sent = message('com_16', 'zoe', { to: { name: 'Zoë', address } })
  expect(await send(adapter, sent)).toEqual({
    outcome: 'permanent',
    reason: 'recipient malformed',
    isAddressRefused: true,
    commits: 0,
  })
  expect(sessions()).toBe(0)
})

test('a domain with accents is sent in its ASCII form', async () => {
  const { adapter, envelopes } = await serverAndAdapter()
  await send(adapter, message('com_17', 'zoe', { to: { name: 'Zoë', address: 'zoe@société.example' } }))
  expect(envelopes[0]?.rcptTo[0]?.address).toMatch(/^zoe@(xn--socit-esab|société)\.example$/)
})

test('closing waits for what is under way and lets nothing more begin', async () => {
  const { adapter, mails } = await serverAndAdapter({}, { maxConnections: 1 })
  const begun = Promise.withResolvers<void>()
  const first = send(adapter, message('com_18', 'zoe'), () => {
    begun.resolve()
    return pause(80)
  })
  const second = send(adapter, message('com_19', 'zoe'))
  await begun.promise
  await adapter.close()
  await adapter.close()
  expect(await first).toMatchObject({ outcome: 'accepted' })
  expect(await second).toMatchObject({ outcome: 'unavailable', reason: 'closed', commits: 0 })
  expect(mails).toHaveLength(1)
})

test('the development mailbox shows what it received', async () => {
  const mailbox = await startMailbox()
  const adapter = smtpEmail({ host: mailbox.host, port: mailbox.port })
  cleanups.push(mailbox.stop, adapter.close)
  await Promise.all(Array.from({ length: 300 }, (_, i) => send(adapter, message(`com_${i}`, `zoe${i}`))))
  const listed = await (await fetch(mailbox.mailboxUrl)).json()
  expect(listed).toEqual(mailbox.messages())
  expect(new Set(mailbox.messages().map(({ communicationId }) => communicationId)).size).toBe(300)
  expect(mailbox.messages()[0]).toMatchObject({
    from: 'factures@atelier.example',
    to: expect.stringMatching(/^zoe\d+@cliente\.example$/),
    subject: 'Rappel',
    text: expect.stringMatching(/^Bonjour\s*$/),
    messageId: expect.stringMatching(/^<com_\d+@atelier\.example>$/),
  })
  mailbox.clear()
  expect(mailbox.messages()).toEqual([])
})
