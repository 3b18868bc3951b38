import { isStopWord } from '../../domain/contact/stop-word.ts'
import { DAY } from '../../domain/time.ts'
import type { CallbackReader } from '../callback.ts'
import { isOurCode } from '../callback-body.ts'
import type { ChannelAdapter, SendResult, SmsMessage } from '../channel.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  judge,
  listAt,
  notAnswered,
  textAt,
} from '../http-provider.ts'
import { aboutOurAccount, isSignedByTwilio, twilioForm } from '../twilio.ts'

export interface TwilioSmsOptions extends HttpProviderOptions {
  accountSid: string
  authToken: string
  /** A number of the account, or `MG…`: a messaging service. */
  from: string
  publicUrl: string
}

const pageOf = 100
const pagesMost = 10

export function twilioSms(options: TwilioSmsOptions): ChannelAdapter<SmsMessage> {
  const provider = httpProvider('twilio', options)
  const path = `/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${options.accountSid}:${options.authToken}`).toString('base64')}`
  const sender = options.from.startsWith('MG') ? 'MessagingServiceSid' : 'From'

  return {
    name: 'twilio-sms',
    reentry: 'lookup',

    async send(message, { beforeCommit }): Promise<SendResult> {
      const body = new URLSearchParams({
        To: message.to,
        [sender]: options.from,
        Body: message.text,
        StatusCallback: `${options.publicUrl}/callbacks/twilio-sms/${message.code}`,
      }).toString()
      await beforeCommit()
      const reply = await provider.ask({
        method: 'POST',
        path,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      const sid = reply.status !== null && reply.status < 300 && textAt(reply.json, 'sid')
      if (sid) return { outcome: 'accepted', providerId: sid }
      const code = reply.status === null ? undefined : textAt(reply.json, 'code')
      return judge(provider, reply, { isCommitted: true, code, ours: aboutOurAccount })
    },

    /** Twilio takes no reference, but shows the text, and every text has the code in its link. */
    async lookup({ to, code, at }) {
      const since = at - 30 * DAY
      // Not filtered by the day it was sent: what still waits has none.
      let next = `${path}?${new URLSearchParams({ To: to, PageSize: String(pageOf) })}`
      for (let page = 0; page < pagesMost; page++) {
        const reply = await provider.ask({ method: 'GET', path: next, headers: { authorization } })
        if (reply.status !== 200) return notAnswered(provider, reply)
        const messages = listAt(reply.json, 'messages')
        for (const message of messages) {
          const body = textAt(message, 'body')
          if (body?.includes(code)) return { outcome: 'accepted', providerId: textAt(message, 'sid') ?? code }
          if (Date.parse(textAt(message, 'date_created') ?? '') < since) return 'never_seen'
          // An account that keeps no texts cannot tell.
          if (!body) return { outcome: 'unknown', reason: 'twilio lookup redacted' }
        }
        const following = textAt(reply.json, 'next_page_uri')
        if (!following) return 'never_seen'
        next = following
      }
      return { outcome: 'unknown', reason: 'twilio lookup too_many' }
    },

    close: () => provider.close(),
  }
}

const outcomes: ReadonlyMap<string, 'delivered' | 'bounced'> = new Map([
  ['delivered', 'delivered'],
  ['undelivered', 'bounced'],
  ['failed', 'bounced'],
])

/** What became of a message comes to the address with its code; an answer comes to the one given for the number. */
export const twilioSmsCallbacks = (authToken: string): CallbackReader => ({
  async read({ url, code, headers, body, wall }) {
    const form = twilioForm(body)
    if (!isSignedByTwilio(authToken, headers['x-twilio-signature'], url, form)) return 'forged'
    const sid = form.get('MessageSid')
    if (!sid) return []
    if (isOurCode(code)) {
      const status = form.get('MessageStatus') ?? ''
      const outcome = outcomes.get(status)
      return outcome ? [{ kind: 'receipt', code, outcome, at: wall, eventId: `${sid}:${status}` }] : []
    }
    const [phone, words] = [form.get('From'), form.get('Body')]
    if (!phone || !/^\+\d{6,15}$/.test(phone) || words === null) return []
    const isStop = isStopWord(words) || form.get('OptOutType') === 'STOP'
    return [{ kind: 'reply_by_phone', phone, isStop, at: wall, eventId: sid }]
  },
})
