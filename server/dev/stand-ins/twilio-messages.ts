import { createHmac, randomBytes } from 'node:crypto'
import { type Exchange, moodOfNumber, type Sent, startStandIn } from './stand-in.ts'

export const twilioAccount = {
  accountSid: `AC${'0'.repeat(30)}42`,
  authToken: 'twilio-token',
  from: '+33700000042',
}

export interface TwilioSent extends Sent {
  statusCallback: string
  date: string
}

const failure = (status: number, code: number) => ({ status, json: { code, message: 'no', status } })

/** Twilio signs the address it calls, followed by the fields in the order of their names. */
const signatureOf = (token: string, url: string, fields: Record<string, string>) =>
  createHmac('sha1', token)
    .update(
      url +
        Object.keys(fields)
          .sort()
          .map(name => name + fields[name])
          .join(''),
    )
    .digest('base64')

/** Twilio, limited to one text message, the list of messages and its callbacks. */
export function startTwilioMessages({ port = 0 } = {}) {
  const sent: TwilioSent[] = []
  const path = `/2010-04-01/Accounts/${twilioAccount.accountSid}/Messages.json`
  const { accountSid, authToken } = twilioAccount
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`

  async function send({ body, reply, deliver }: Exchange): Promise<void> {
    const form = new URLSearchParams(body.toString())
    const [to, text] = [form.get('To') ?? '', form.get('Body') ?? '']
    const refused = (code: number) => reply(400, failure(400, code).json)
    if (!/^\+\d{8,15}$/.test(to)) return refused(21211)
    if (!form.get('From') && !form.get('MessagingServiceSid')) return refused(21603)
    if (form.get('From') && form.get('From') !== twilioAccount.from) return refused(21659)
    if (!text) return refused(21602)
    if (text.length > 1_600) return refused(21617)
    const statusCallback = form.get('StatusCallback') ?? ''
    const effect = () => {
      const sid = `SM${randomBytes(16).toString('hex')}`
      const reference = statusCallback.split('/').at(-1) ?? ''
      sent.push({ reference, providerId: sid, to, text, statusCallback, date: new Date().toUTCString() })
      return { sid, status: 'queued', to }
    }
    await deliver(moodOfNumber(to), effect, failure(400, 21211))
  }

  return startStandIn(
    {
      sent: () => sent,
      handle(exchange) {
        const { method, url, headers, reply } = exchange
        if (headers.authorization !== authorization) return reply(401, failure(401, 20003).json)
        if (url.pathname !== path) return reply(404, failure(404, 20404).json)
        if (method === 'POST') return send(exchange)
        const [page, size] = ['Page', 'PageSize'].map(name => Number(url.searchParams.get(name) ?? 0))
        const wanted = url.searchParams.get('To')
        const found = sent.filter(({ to }) => wanted === null || to === wanted).toReversed()
        const start = page! * (size || 50)
        const following = new URLSearchParams(url.searchParams)
        following.set('Page', String(page! + 1))
        reply(200, {
          messages: found.slice(start, start + (size || 50)).map(({ providerId, to, text, date }) => ({
            sid: providerId,
            to,
            body: text,
            status: 'sent',
            date_created: date,
          })),
          next_page_uri: start + (size || 50) < found.length ? `${path}?${following}` : null,
        })
      },
      callbackRequest({ url, code, event, secret = authToken }) {
        const message = sent.find(({ reference }) => reference === code)
        const sid = message?.providerId ?? `SM${'0'.repeat(32)}`
        const common = { MessageSid: sid, AccountSid: accountSid, ApiVersion: '2010-04-01' }
        const fields: Record<string, string> = event.startsWith('+')
          ? {
              ...common,
              SmsStatus: 'received',
              From: event.split(' ')[0]!,
              To: twilioAccount.from,
              Body: event.slice(event.indexOf(' ') + 1),
            }
          : { ...common, MessageStatus: event, To: message?.to ?? '', From: twilioAccount.from }
        return {
          method: 'POST',
          url,
          headers: {
            'x-twilio-signature': signatureOf(secret, url, fields),
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams(fields).toString(),
        }
      },
    },
    { port, accepted: 201 },
  )
}
