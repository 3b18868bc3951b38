import { randomUUID } from 'node:crypto'
import { type Exchange, moodOfText, type Sent, startStandIn } from './stand-in.ts'

export const brevoAccount = { apiKey: 'xkeysib-stand-in', callbackToken: 'brevo-calls-back' }

interface Mail {
  sender?: { email?: string; name?: string }
  to?: { email?: string; name?: string }[]
  replyTo?: { email?: string; name?: string }
  subject?: string
  textContent?: string
  htmlContent?: string
  tags?: string[]
  headers?: Record<string, string>
}

export interface BrevoSent extends Sent {
  html: string | null
  headers: Record<string, string>
  replyTo: string
  recipients: number
  names: string[]
  date: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const address = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/

function validationError(mail: Mail): string | null {
  const [to] = mail.to ?? []
  if (!mail.sender?.email || !to?.email || !mail.subject) return 'missing_parameter'
  if (!mail.htmlContent && !mail.textContent) return 'missing_parameter'
  if (![mail.sender.email, to.email, mail.replyTo?.email ?? to.email].every(email => address.test(email)))
    return 'invalid_parameter'
  if ([mail.sender.name, to.name, mail.replyTo?.name].some(name => (name ?? '').length > 70))
    return 'out_of_range'
  const key = mail.headers?.idempotencyKey
  return key === undefined || uuid.test(key) ? null : 'invalid_parameter'
}

/** Brevo, limited to sending a transactional email and listing sent ones. */
export function startBrevo({ port = 0 } = {}) {
  const sent: BrevoSent[] = []
  const keys = new Set<string>()

  async function send({ body, reply, deliver }: Exchange): Promise<void> {
    const mail = JSON.parse(body.toString()) as Mail
    const problem = validationError(mail)
    if (problem) return reply(400, { code: problem, message: `not good: ${mail.to?.[0]?.email}` })
    const to = mail.to![0]!.email!
    const key = mail.headers?.idempotencyKey
    if (key && keys.has(key)) return reply(400, { code: 'duplicate_parameter', message: 'seen before' })
    const effect = () => {
      if (key) keys.add(key)
      const messageId = `<${randomUUID()}@smtp-relay.brevo.example>`
      sent.push({
        reference: mail.tags?.[0] ?? '',
        providerId: messageId,
        to,
        subject: mail.subject ?? '',
        text: mail.textContent ?? '',
        html: mail.htmlContent ?? null,
        headers: mail.headers ?? {},
        replyTo: mail.replyTo?.email ?? '',
        recipients: mail.to!.length,
        names: [mail.sender?.name ?? '', mail.to![0]!.name ?? '', mail.replyTo?.name ?? ''],
        date: new Date().toISOString(),
      })
      return { messageId }
    }
    const refuse = { status: 400, json: { code: 'invalid_parameter', message: `${to} is not valid` } }
    await deliver(moodOfText(to), effect, refuse)
  }

  /** Events of kind `requests`: one for every accepted mail. */
  function listEvents({ url, reply }: Exchange) {
    const read = (name: string) => Number(url.searchParams.get(name) ?? 0)
    const [days, limit, offset] = [read('days'), read('limit') || 2_500, read('offset')]
    if (url.searchParams.get('event') !== 'requests' || days < 1 || days > 90 || limit > 5_000)
      return reply(400, { code: 'invalid_parameter', message: 'not like this' })
    const events = sent.map(({ to, date, providerId, reference, subject }) => ({
      email: to,
      date,
      messageId: providerId,
      event: 'requests',
      subject,
      tag: reference,
    }))
    const sorted = url.searchParams.get('sort') === 'asc' ? events : events.toReversed()
    reply(200, { events: sorted.slice(offset, offset + limit) })
  }

  return startStandIn(
    {
      sent: () => sent,
      handle(exchange) {
        const { method, url, headers, reply } = exchange
        if (headers['api-key'] !== brevoAccount.apiKey)
          return reply(401, { code: 'unauthorized', message: 'Key not found' })
        if (method === 'POST' && url.pathname === '/v3/smtp/email') return send(exchange)
        if (method === 'GET' && url.pathname === '/v3/smtp/statistics/events') return listEvents(exchange)
        if (method !== 'GET' || url.pathname !== '/v3/smtp/emails')
          return reply(404, { code: 'document_not_found', message: 'no such thing' })
        const email = url.searchParams.get('email')
        if (!email) return reply(400, { code: 'missing_parameter', message: 'email' })
        const [limit, offset] = ['limit', 'offset'].map(name => Number(url.searchParams.get(name) ?? 0))
        const found = sent.filter(mail => mail.to === email).toReversed()
        reply(200, {
          count: found.length,
          transactionalEmails: found.slice(offset, offset! + (limit || 500)).map(mail => ({
            email,
            subject: mail.subject,
            messageId: mail.providerId,
            uuid: randomUUID(),
            date: mail.date,
            tags: [mail.reference],
          })),
        })
      },
      callbackRequest: ({ url, code, event, at, secret = brevoAccount.callbackToken }) => ({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          event,
          email: sent.find(mail => mail.reference === code)?.to ?? 'zoe@cliente.example',
          id: 26224,
          date: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
          ts: Math.floor(at / 1_000),
          'message-id':
            sent.find(mail => mail.reference === code)?.providerId ?? '<nobody@smtp-relay.brevo.example>',
          ts_event: Math.floor(at / 1_000),
          subject: 'Rappel',
          ts_epoch: at,
          tags: [code],
        }),
      }),
    },
    { port, accepted: 201 },
  )
}
