import { createHash } from 'node:crypto'
import type { CallbackReader, Heard } from '../callback.ts'
import { isOurCode, jsonOf } from '../callback-body.ts'
import type { ChannelAdapter, EmailMessage, SendResult } from '../channel.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  judge,
  listAt,
  notAnswered,
  textAt,
} from '../http-provider.ts'
import { bearerOf, isSecret } from '../shared-secret.ts'
import { asciiDomain, oneLine } from './plain-address.ts'

export interface BrevoOptions extends HttpProviderOptions {
  apiKey: string
}

/** Brevo wants a UUID; the same message must come with the same one, whoever sends it again. */
function keyOf({ communicationId }: EmailMessage): string {
  const hex = createHash('sha256').update(communicationId).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

const nameMost = 70
const mailbox = (name: string, email: string) => {
  const shown = oneLine(name).slice(0, nameMost)
  return shown ? { name: shown, email } : { email }
}

/** What is wrong with our account and not with the message. */
const ours = new Set(['unauthorized', 'not_enough_credits', 'account_under_validation', 'permission_denied'])

const pageOf = 100
const pagesMost = 10

export function brevoEmail(options: BrevoOptions): ChannelAdapter<EmailMessage> {
  const provider = httpProvider('brevo', options)
  const headers = { 'api-key': options.apiKey, accept: 'application/json' }

  /** By the tag, in the list of what went to the same address; Brevo shows the last thirty days. */
  async function lookup(message: EmailMessage): Promise<SendResult | 'never_seen'> {
    const to = asciiDomain(message.to.address)
    if (!to) return 'never_seen'
    for (let page = 0; page < pagesMost; page++) {
      const query = new URLSearchParams({
        email: to,
        sort: 'desc',
        limit: String(pageOf),
        offset: String(page * pageOf),
      })
      const reply = await provider.ask({ method: 'GET', path: `/v3/smtp/emails?${query}`, headers })
      if (reply.status !== 200) return notAnswered(provider, reply)
      const mails = listAt(reply.json, 'transactionalEmails')
      const found = mails.find(mail => listAt(mail, 'tags').includes(message.code))
      if (found) return { outcome: 'accepted', providerId: textAt(found, 'messageId') ?? message.code }
      if (mails.length < pageOf) return 'never_seen'
    }
    return { outcome: 'unknown', reason: 'brevo lookup too_many' }
  }

  return {
    name: 'brevo',
    reentry: 'lookup',
    lookup,

    async send(message, { beforeCommit }) {
      const from = asciiDomain(message.from.address)
      const replyTo = asciiDomain(message.replyTo.address)
      const to = asciiDomain(message.to.address)
      if (!from || !replyTo) return { outcome: 'permanent', reason: 'sender malformed' }
      if (!to) return { outcome: 'permanent', reason: 'recipient malformed' }
      const body = JSON.stringify({
        sender: mailbox(message.from.name, from),
        to: [mailbox(message.to.name, to)],
        replyTo: mailbox(message.replyTo.name, replyTo),
        subject: oneLine(message.subject),
        textContent: message.text,
        ...(message.html !== null && { htmlContent: message.html }),
        tags: [message.code],
        headers: {
          'X-Relance-Communication': message.communicationId,
          'X-Mailin-Custom': message.code,
          idempotencyKey: keyOf(message),
        },
      })
      await beforeCommit()
      const reply = await provider.ask({
        method: 'POST',
        path: '/v3/smtp/email',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      const providerId = reply.status !== null && reply.status < 300 && textAt(reply.json, 'messageId')
      if (providerId) return { outcome: 'accepted', providerId }
      const code = reply.status === null ? undefined : textAt(reply.json, 'code')
      // Brevo has seen this message before. Whether it also sent it, only its list can tell.
      if (code === 'duplicate_parameter') {
        const found = await lookup(message)
        return found !== 'never_seen' && found.outcome === 'accepted'
          ? found
          : { outcome: 'unknown', reason: 'brevo 400 duplicate_parameter' }
      }
      return judge(provider, reply, { isCommitted: true, code, ours })
    },

    close: () => provider.close(),
  }
}

/** A soft bounce is tried again by Brevo and proves nothing yet; who opened or clicked is none of our business. */
const outcomes: ReadonlyMap<string, 'delivered' | 'bounced' | 'stop'> = new Map([
  ['delivered', 'delivered'],
  ['hard_bounce', 'bounced'],
  ['blocked', 'bounced'],
  ['invalid_email', 'bounced'],
  ['spam', 'stop'],
  ['unsubscribed', 'stop'],
])

function heardIn(event: unknown, wall: number): Heard[] {
  const name = textAt(event, 'event') ?? ''
  const outcome = outcomes.get(name)
  const code = listAt(event, 'tags').find(isOurCode)
  if (!outcome || !code) return []
  const seconds = Number(textAt(event, 'ts_event'))
  const at = seconds > 0 ? seconds * 1_000 : wall
  // The `id` in it is that of the webhook, the same for all its news.
  const eventId = `${textAt(event, 'message-id') ?? code}:${name}:${textAt(event, 'ts_event') ?? ''}`
  return outcome === 'stop'
    ? [{ kind: 'reply', code, isStop: true, at, eventId }]
    : [{ kind: 'receipt', code, outcome, at, eventId }]
}

export const brevoCallbacks = (token: string): CallbackReader => ({
  async read({ headers, body, wall }) {
    if (!isSecret(token, bearerOf(headers.authorization))) return 'forged'
    const json = jsonOf(body)
    return (Array.isArray(json) ? json : [json]).flatMap(event => heardIn(event, wall))
  },
})
