import { createHash } from 'node:crypto'
import { isStopWord } from '../../domain/contact/stop-word.ts'
import { DAY } from '../../domain/time.ts'
import type { CallbackReader, CallbackRequest, ProviderEvent } from '../callback.ts'
import { isOurCode, jsonOf } from '../callback-body.ts'
import { type ChannelAdapter, type EmailMessage, ListFailed, type SettledResult } from '../channel.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  isBetween,
  judgeReply,
  listAt,
  listFailed,
  lookupFailed,
  textAt,
  valueAt,
} from '../http-provider.ts'
import { replyContent } from '../reply-content.ts'
import { bearerOf, matchesSecret } from '../shared-secret.ts'
import { textOfHtml } from './html-text.ts'
import { codeInAddress, replyAddress } from './inbound.ts'
import { asciiDomain, oneLine } from './plain-address.ts'

export interface BrevoOptions extends HttpProviderOptions {
  apiKey: string
  /** The domain whose mail Brevo forwards to us; undefined: replies go to the creditor and are not recorded. */
  inboundDomain?: string | undefined
}

/** Brevo's idempotency key is a UUID; it is derived from the communication, so a repeated send has the same key. */
function idempotencyKeyOf({ communicationId }: EmailMessage): string {
  const hex = createHash('sha256').update(communicationId).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

const nameLengthMax = 70
const mailbox = (name: string, email: string) => {
  const shown = oneLine(name).slice(0, nameLengthMax)
  return shown ? { name: shown, email } : { email }
}

/** Error codes about our account, not about the message. */
const accountErrorCodes = new Set([
  'unauthorized',
  'not_enough_credits',
  'account_under_validation',
  'permission_denied',
])

const pageSize = 100
const pagesMax = 10
const eventsPageSize = 1_000
/** Brevo lists events of at most this many days. */
const eventDaysMax = 90

/** Brevo has no inline attachments, so the logo is in the HTML. Mail programs that do not show it show its name. */
const withLogo = (html: string, logo: EmailMessage['logo']): string =>
  logo ? html.replace('"cid:logo"', `"data:${logo.mediaType};base64,${logo.bytes.toString('base64')}"`) : html

export function brevoEmail(options: BrevoOptions): ChannelAdapter<EmailMessage> {
  const provider = httpProvider('brevo', options)
  const headers = { 'api-key': options.apiKey, accept: 'application/json' }

  /** Finds the message by its tag in the list of mails to the same address; Brevo lists the last thirty days. */
  async function lookup(message: EmailMessage): Promise<SettledResult | 'never_seen'> {
    const to = asciiDomain(message.to.address)
    if (!to) return 'never_seen'
    for (let page = 0; page < pagesMax; page++) {
      const query = new URLSearchParams({
        email: to,
        sort: 'desc',
        limit: String(pageSize),
        offset: String(page * pageSize),
      })
      const reply = await provider.request({ method: 'GET', path: `/v3/smtp/emails?${query}`, headers })
      if (reply.status !== 200) return lookupFailed(provider, reply)
      const mails = listAt(reply.json, 'transactionalEmails')
      const found = mails.find(mail => listAt(mail, 'tags').includes(message.code))
      if (found) return { outcome: 'accepted', providerId: textAt(found, 'messageId') ?? message.code }
      if (mails.length < pageSize) return 'never_seen'
    }
    return { outcome: 'unknown', reason: 'brevo lookup too_many' }
  }

  return {
    name: 'brevo',
    reentry: 'lookup',
    hasIdempotencyKey: true,
    lookup,

    async send(message, { beforeCommit }) {
      const from = asciiDomain(message.from.address)
      const replyTo = asciiDomain(message.replyTo.address)
      const to = asciiDomain(message.to.address)
      if (!from || !replyTo) return { outcome: 'permanent', reason: 'sender malformed' }
      if (!to) return { outcome: 'permanent', reason: 'recipient malformed', isAddressRefused: true }
      const body = JSON.stringify({
        sender: mailbox(message.from.name, from),
        to: [mailbox(message.to.name, to)],
        // Brevo accepts one address. Replies to our address are recorded and forwarded to the creditor.
        replyTo: mailbox(
          message.replyTo.name,
          options.inboundDomain && isOurCode(message.code)
            ? replyAddress(message.code, options.inboundDomain)
            : replyTo,
        ),
        subject: oneLine(message.subject),
        textContent: message.text,
        ...(message.html !== null && { htmlContent: withLogo(message.html, message.logo) }),
        tags: [message.code],
        headers: {
          'X-Relance-Communication': message.communicationId,
          'X-Mailin-Custom': message.code,
          idempotencyKey: idempotencyKeyOf(message),
        },
      })
      await beforeCommit()
      const reply = await provider.request({
        method: 'POST',
        path: '/v3/smtp/email',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      const providerId = reply.status !== null && reply.status < 300 && textAt(reply.json, 'messageId')
      if (providerId) return { outcome: 'accepted', providerId }
      const code = reply.status === null ? undefined : textAt(reply.json, 'code')
      // Brevo has seen this idempotency key before. Only its list shows whether the message was sent.
      if (code === 'duplicate_parameter') {
        const found = await lookup(message)
        return found !== 'never_seen' && found.outcome === 'accepted'
          ? found
          : { outcome: 'unknown', reason: 'brevo 400 duplicate_parameter' }
      }
      return judgeReply(provider, reply, { isCommitted: true, code, accountErrorCodes })
    },

    // The list of emails requires an address; the events of kind `requests` are the accepted emails.
    async *sentBetween(since, until) {
      // One more day: Brevo's days may differ from ours.
      const days = Math.ceil((until - since) / DAY) + 2
      if (days > eventDaysMax) throw new ListFailed('brevo list too_old')
      for (let offset = 0; ; offset += eventsPageSize) {
        const query = new URLSearchParams({
          event: 'requests',
          days: String(days),
          sort: 'asc',
          limit: String(eventsPageSize),
          offset: String(offset),
        })
        const path = `/v3/smtp/statistics/events?${query}`
        const reply = await provider.request({ method: 'GET', path, headers })
        if (reply.status !== 200 || reply.json === undefined) throw listFailed(provider, reply)
        const events = listAt(reply.json, 'events')
        for (const event of events) {
          const [providerId, date] = [textAt(event, 'messageId'), textAt(event, 'date')]
          if (!providerId || !date) throw new ListFailed('brevo list malformed')
          const at = Date.parse(date)
          const code = textAt(event, 'tag') ?? null
          const to = textAt(event, 'email') ?? null
          if (isBetween(at, since, until))
            yield { code: isOurCode(code) ? code : null, to, reference: null, at, providerId }
        }
        if (events.length < eventsPageSize) return
      }
    },

    close: () => provider.close(),
  }
}

/** A soft bounce is retried by Brevo and proves nothing yet; opens and clicks are ignored. */
const outcomes: ReadonlyMap<string, 'delivered' | 'bounced' | 'stop'> = new Map([
  ['delivered', 'delivered'],
  ['hard_bounce', 'bounced'],
  ['blocked', 'bounced'],
  ['invalid_email', 'bounced'],
  ['spam', 'stop'],
  ['unsubscribed', 'stop'],
])

function eventsIn(event: unknown, wall: number): ProviderEvent[] {
  const name = textAt(event, 'event') ?? ''
  const outcome = outcomes.get(name)
  const code = listAt(event, 'tags').find(isOurCode)
  if (!outcome || !code) return []
  const seconds = Number(textAt(event, 'ts_event'))
  const at = seconds > 0 ? seconds * 1_000 : wall
  // The `id` in the body is the id of the webhook, the same for all events.
  const eventId = `${textAt(event, 'message-id') ?? code}:${name}:${textAt(event, 'ts_event') ?? ''}`
  return outcome === 'stop'
    ? [{ kind: 'reply', code, isStop: true, at, eventId }]
    : [{ kind: 'receipt', code, outcome, at, eventId }]
}

const copiedMaxChars = 20_000

function lengthOf(attachment: unknown): number {
  const length = Number(valueAt(attachment, 'ContentLength'))
  return Number.isSafeInteger(length) && length >= 0 ? length : 0
}

/** The mails that arrived at our domain, as parsed by Brevo: replies, and automatic replies, which only prove delivery. */
function repliesIn(item: unknown, wall: number): ProviderEvent[] {
  const addressed = ['To', 'Cc', 'Recipients']
    .flatMap(name => listAt(item, name))
    .map(address => (typeof address === 'string' ? address : (textAt(address, 'Address') ?? '')))
  const code = codeInAddress.exec(addressed.join(' '))?.[1]
  if (!code) return []
  const headers = new Map(
    Object.entries((item as { Headers?: Record<string, unknown> }).Headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      String(value).toLowerCase(),
    ]),
  )
  const submitted = headers.get('auto-submitted') ?? 'no'
  const isAutomatic = submitted !== 'no' || /bulk|auto_reply|junk/.test(headers.get('precedence') ?? '')
  const plain = textAt(item, 'RawTextBody') ?? textAt(item, 'ExtractedMarkdownMessage') ?? ''
  const text = plain.trim() === '' ? textOfHtml(textAt(item, 'RawHtmlBody') ?? '') : plain
  const subject = oneLine(textAt(item, 'Subject') ?? '')
  // The sender chooses the Message-ID and its length, so it is hashed.
  const id = createHash('sha256')
    .update(textAt(item, 'MessageId') ?? JSON.stringify(item))
    .digest('hex')
  const delivered = {
    kind: 'receipt',
    code,
    outcome: 'delivered',
    at: wall,
    eventId: `${id} delivered`,
  } as const
  if (isAutomatic) return [delivered]
  const first = text.split('\n').find(line => line.trim() !== '') ?? subject
  const from = textAt(item, 'From', 'Address') ?? ''
  const content = replyContent({
    from: { name: textAt(item, 'From', 'Name'), address: from },
    subject,
    text,
    // Brevo keeps the files themselves; they are not asked for.
    attachments: listAt(item, 'Attachments').map(one => ({
      name: textAt(one, 'Name') ?? '',
      type: textAt(one, 'ContentType') ?? '',
      bytes: lengthOf(one),
    })),
  })
  const reply = { kind: 'reply', code, isStop: isStopWord(first), at: wall, eventId: `${id} reply` } as const
  return [delivered, { ...reply, content, copy: { from, subject, text: text.slice(0, copiedMaxChars) } }]
}

export function brevoCallbacks(token: string): CallbackReader {
  const hasValidSecret = ({ headers }: Pick<CallbackRequest, 'headers'>) =>
    matchesSecret(token, bearerOf(headers.authorization))
  return {
    hasValidSecret,
    // Events may come in batches, and mails with the quoted original.
    bodyMaxBytes: 2 * 1024 * 1024,
    async read({ headers, body, wall }) {
      if (!hasValidSecret({ headers })) return 'forged'
      const json = jsonOf(body)
      const mails = listAt(json, 'items')
      if (mails.length > 0) return mails.flatMap(item => repliesIn(item, wall))
      return (Array.isArray(json) ? json : [json]).flatMap(event => eventsIn(event, wall))
    },
  }
}
