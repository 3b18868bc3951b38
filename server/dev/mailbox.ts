import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  from: string
  fromName: string
  to: string
  subject: string
  text: string
  html: string
  /** The types of its attachments. */
  attachments: string[]
  receivedAt: string
  communicationId: string | null
  messageId: string
}

/**
 * How the server answers every client: it is closing (`away`), accepts no more mail for now (`throttled`), rejects our account
 * (`refusing`), or takes a mail and does not answer (`hanging`).
 */
export type MailboxBehaviour = 'away' | 'throttled' | 'refusing' | 'hanging'
const refusals = {
  away: [421, 'closing'],
  throttled: [451, 'too many mails'],
  refusing: [535, 'who are you'],
} as const

const mailsMax = 10_000
const host = '127.0.0.1'

async function parseMail(stream: SMTPServerDataStream): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(Buffer.concat(await stream.toArray()))
  return {
    from: mail.from?.address ?? '',
    fromName: mail.from?.name ?? '',
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ mimeType, contentId }) => `${mimeType} ${contentId}`),
    receivedAt: new Date().toISOString(),
    communicationId: mail.headers.find(({ key }) => key === 'x-relance-communication')?.value ?? null,
    messageId: mail.messageId ?? '',
  }
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>

/** An SMTP server that delivers nothing and shows the mails it received. */
export async function startMailbox({ smtpPort = 0, httpPort = 0 } = {}) {
  const mails: ReceivedMail[] = []
  let connections = 0
  let mood: MailboxBehaviour | null = null
  /** Senders that wait for an answer. */
  let waiting: (() => void)[] = []
  const hangUp = (session: SMTPServerSession) => {
    for (const connection of smtp.connections)
      if (connection.session === session) connection._socket.destroy()
  }

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideDSN: false,
    closeTimeout: 200,
    onConnect(_session, answer) {
      connections++
      answer()
    },
    onMailFrom(_address, _session, answer) {
      const refusal = mood && mood !== 'hanging' ? refusals[mood] : null
      answer(refusal && Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }))
    },
    onData(stream, session, answer) {
      parseMail(stream).then(
        mail => {
          mails.push(mail)
          if (mails.length > mailsMax) mails.shift()
          // The mail was received, but the connection is closed before the reply: the sender cannot know.
          if (mail.to.startsWith('unknown+')) hangUp(session)
          else if (mood === 'hanging') waiting.push(() => answer(null, 'stored'))
          else answer(null, 'stored')
        },
        // A sender that hung up in the middle of its message sent nothing.
        error => answer(error),
      )
    },
  })
  // A client that resets its connection is no reason to stop receiving.
  smtp.on('error', () => {})

  const http = createServer((request, reply) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/') {
      reply.writeHead(404).end()
      return
    }
    reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(mails))
  })

  const listen = async (server: Server, port: number): Promise<number> => {
    server.listen(port, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(smtp.server, smtpPort)
  const webPort = await listen(http, httpPort)

  return {
    smtpUrl: `smtp://${host}:${port}`,
    host,
    port,
    mailboxUrl: `http://${host}:${webPort}`,
    messages: (): ReceivedMail[] => [...mails],
    /** The number of connections so far. */
    connections: (): number => connections,
    /** With null the server works again, and waiting senders get their answer. */
    setMood(next: MailboxBehaviour | null): void {
      mood = next
      if (mood !== null) return
      for (const answer of waiting) answer()
      waiting = []
    },
    clear(): void {
      mails.length = 0
    },
    async stop(): Promise<void> {
      http.closeAllConnections()
      await Promise.all([
        new Promise<void>(resolve => http.close(() => resolve())),
        new Promise<void>(resolve => smtp.close(() => resolve())),
      ])
    },
  }
}
