import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'
import type { SMTPEnvelope } from 'nodemailer/lib/smtp-connection/index.js'
import type { ChannelAdapter, EmailMessage, SendHooks, SendResult } from '../channel.ts'
import { bounceAddress, isCodeAlone, replyAddress } from './inbound.ts'
import { asciiDomain, oneLine } from './plain-address.ts'
import { type SmtpError, type SmtpOptions, smtpPool } from './smtp-pool.ts'

interface ComposedMail {
  envelope: SMTPEnvelope
  messageId: string
  raw: Buffer
}

type Transaction =
  | { ended: 'accepted'; providerId: string | undefined }
  | { ended: 'failed'; error: SmtpError; stage: 'envelope' | 'committing' | 'body' }

async function composeMail(
  message: EmailMessage,
  inboundDomain: string | undefined,
): Promise<ComposedMail | 'sender malformed' | 'recipient malformed'> {
  const { communicationId, code } = message
  if (!/^[\w-]+$/.test(communicationId)) throw new TypeError('a communication id is letters, digits, _ and -')
  // Account mail is not a message to a debtor and has no message code.
  const returnDomain = isCodeAlone(code) ? inboundDomain : undefined
  const from = asciiDomain(message.from.address)
  const replyTo = asciiDomain(message.replyTo.address)
  const to = asciiDomain(message.to.address)
  if (!from || !replyTo) return 'sender malformed'
  if (!to) return 'recipient malformed'

  const messageId = `<${communicationId}@${from.slice(from.lastIndexOf('@') + 1)}>`
  const raw = await new MailComposer({
    from: { name: oneLine(message.from.name), address: from },
    // The creditor gets the reply itself; a second address, ours, lets us record that there is one.
    replyTo: [
      { name: oneLine(message.replyTo.name), address: replyTo },
      ...(returnDomain ? [{ name: '', address: replyAddress(code, returnDomain) }] : []),
    ],
    to: { name: oneLine(message.to.name), address: to },
    subject: oneLine(message.subject),
    messageId,
    headers: { 'X-Relance-Communication': communicationId, 'Content-Language': message.language },
    text: message.text,
    ...(message.html !== null && { html: message.html }),
    ...(message.logo && {
      attachments: [
        {
          cid: 'logo',
          filename: message.logo.mediaType === 'image/png' ? 'logo.png' : 'logo.jpg',
          content: message.logo.bytes,
          contentType: message.logo.mediaType,
          contentDisposition: 'inline' as const,
        },
      ],
    }),
    // Otherwise long plain lines become format=flowed and reach old readers rewrapped.
    encoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  return {
    messageId,
    raw,
    envelope: {
      from: returnDomain ? bounceAddress(code, returnDomain) : from,
      to,
      size: raw.length,
      // A notification with the envelope id settles a message whose answer was lost (RFC 3461).
      dsn: { ret: 'HDRS', envid: code, notify: ['SUCCESS', 'FAILURE'] },
    },
  }
}

/** One MAIL transaction. The body is read only once the server has answered 354, and waits for `beforeCommit`. */
async function runMailTransaction(
  connection: SMTPConnection,
  { envelope, raw }: ComposedMail,
  beforeCommit: SendHooks['beforeCommit'],
): Promise<Transaction> {
  const commit = Promise.withResolvers<void>()
  let isCommitting = false
  let isBodyOffered = false
  const body = new Readable({
    read() {
      if (isCommitting) return
      isCommitting = true
      commit.resolve((async () => beforeCommit())())
    },
  })
  commit.promise.then(
    () => {
      // The connection is lost, and no byte of the body was sent.
      if (body.destroyed) return
      isBodyOffered = true
      body.push(raw)
      body.push(null)
    },
    refusal => body.destroy(refusal),
  )

  const answer = await new Promise<{ error: SmtpError } | { providerId: string | undefined }>(resolve => {
    // nodemailer may drop the callback of a send when the socket dies between two commands.
    const lost = () => setImmediate(() => resolve({ error: { code: 'ECONNECTION' } }))
    connection.once('end', lost)
    connection.send({ ...envelope }, body, (error, info) => {
      connection.off('end', lost)
      resolve(error ? { error } : { providerId: info.serverMessageId })
    })
  })

  // The caller settles the message when this returns, so a refused or slow commit is awaited first.
  if (isCommitting) {
    await commit.promise.catch(refusal => {
      connection.close()
      throw refusal
    })
  }
  if ('providerId' in answer) return { ended: 'accepted', providerId: answer.providerId }
  return {
    ended: 'failed',
    error: answer.error,
    stage: isBodyOffered ? 'body' : isCommitting ? 'committing' : 'envelope',
  }
}

function reasonOf({ command, response, originalCode, code }: SmtpError): string {
  const [, reply, enhanced] = /^(\d{3})(?:[ -]([245]\.\d{1,3}\.\d{1,3}))?/.exec(response ?? '') ?? []
  if (!reply) return originalCode ?? code ?? 'ECONNECTION'
  const step = /^(?:MAIL|RCPT|DATA|AUTH)/.exec(command ?? '')?.[0].toLowerCase()
  return [step, reply, enhanced].filter(Boolean).join(' ')
}

/** The server is closing or rejects our credentials (RFC 4954), whichever command it answers. */
const isAboutUs = (code: number) => code === 421 || (code >= 530 && code <= 538)
const tooLarge = 552
/** There is no such mailbox, or it is switched off (RFC 3463); a 550 for another cause, such as a blocked sender, has another code. */
const isAboutAddress = /^rcpt 55[013](?: 5\.(?:1\.\d+|2\.1))?$/

function failureOf(error: SmtpError, stage: 'envelope' | 'committing' | 'body'): SendResult {
  const reason = reasonOf(error)
  const code = error.responseCode || 0
  // Only a complete reply to the final dot proves the outcome; a fragment of a closing connection does not.
  if (stage === 'body' && !(error.code === 'EMESSAGE' && code >= 400)) return { outcome: 'unknown', reason }
  // nodemailer itself refuses what is larger than the SIZE the server announced.
  if (error.code === 'EMESSAGE' && !code) return { outcome: 'permanent', reason: 'mail 552 5.3.4' }
  // A reply to an earlier command is not about the recipient.
  const namesRecipient = stage === 'body' || /^(?:RCPT|DATA)/.test(error.command ?? '')
  const isAboutMessage = namesRecipient ? code > 0 && !isAboutUs(code) : code === tooLarge
  if (!isAboutMessage) return { outcome: 'unavailable', reason }
  if (code < 500) return { outcome: 'retryable', reason }
  return { outcome: 'permanent', reason, ...(isAboutAddress.test(reason) && { isAddressRefused: true }) }
}

/** The server may have closed an idle connection, and we have not seen it yet. */
const isStale = (error: SmtpError) =>
  error.code !== 'ETIMEDOUT' && (!error.responseCode || error.responseCode === 421)

/** Connects, sends EHLO and logs in as a send does, but sends no mail. Returns why it failed. */
export async function tryMailServer(options: SmtpOptions, timeoutMs: number): Promise<string | null> {
  const pool = smtpPool({ ...options, connectTimeoutMs: timeoutMs, socketTimeoutMs: timeoutMs })
  const opened = await pool.takeConnection(true)
  if ('error' in opened) return reasonOf(opened.error)
  pool.returnConnection(opened.connection)
  await pool.close()
  return null
}

export function smtpEmail(options: SmtpOptions): ChannelAdapter<EmailMessage> {
  const pool = smtpPool(options)

  async function deliver(mail: ComposedMail, hooks: SendHooks, isFresh: boolean): Promise<SendResult> {
    const opened = await pool.takeConnection(isFresh)
    if ('error' in opened) return { outcome: 'unavailable', reason: reasonOf(opened.error) }

    const { connection, isReused } = opened
    const transaction = await runMailTransaction(connection, mail, hooks.beforeCommit)
    if (transaction.ended === 'accepted') {
      pool.returnConnection(connection)
      return { outcome: 'accepted', providerId: transaction.providerId ?? mail.messageId }
    }

    const { error, stage } = transaction
    if (stage === 'envelope' && error.code === 'EENVELOPE' && error.responseCode) await pool.reset(connection)
    else connection.close()
    if (stage === 'envelope' && isReused && error.code !== 'EMESSAGE' && isStale(error)) {
      return deliver(mail, hooks, true)
    }
    return failureOf(error, stage)
  }

  return {
    name: 'smtp',
    reentry: 'none',

    async send(message, hooks) {
      const mail = await composeMail(message, options.inboundDomain)
      if (mail === 'recipient malformed')
        return { outcome: 'permanent', reason: mail, isAddressRefused: true }
      if (mail === 'sender malformed') return { outcome: 'permanent', reason: mail }
      if (!(await pool.acquireSlot())) return { outcome: 'unavailable', reason: 'closed' }
      try {
        return await deliver(mail, hooks, false)
      } finally {
        pool.releaseSlot()
      }
    },

    close: pool.close,
  }
}
