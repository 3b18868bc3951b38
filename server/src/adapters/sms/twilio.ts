import { isStopWord } from '../../domain/contact/stop-word.ts'
import { DAY } from '../../domain/time.ts'
import type { CallbackReader } from '../callback.ts'
import { codeIn, isOurCode } from '../callback-body.ts'
import type { ChannelAdapter, SendResult, SmsMessage } from '../channel.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  isBetween,
  judgeReply,
  listAt,
  listFailed,
  lookupFailed,
  textAt,
} from '../http-provider.ts'
import { replyContent } from '../reply-content.ts'
import { accountErrorCodes, createdAt, signedForm, valueIn } from '../twilio.ts'

export interface TwilioSmsOptions extends HttpProviderOptions {
  accountSid: string
  authToken: string
  /** A number of the account, or `MG…`: a messaging service. */
  from: string
  publicUrl: string
}

/** Nobody has that number, or it gets no text messages. */
const noNumberCodes: ReadonlySet<string> = new Set(['21211', '21614'])
const pageSize = 100
const pagesMax = 10

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
      const reply = await provider.request({
        method: 'POST',
        path,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      const sid = reply.status !== null && reply.status < 300 && textAt(reply.json, 'sid')
      if (sid) return { outcome: 'accepted', providerId: sid }
      const code = reply.status === null ? undefined : textAt(reply.json, 'code')
      const result = judgeReply(provider, reply, { isCommitted: true, code, accountErrorCodes })
      return result.outcome === 'permanent' && noNumberCodes.has(code ?? '')
        ? { ...result, isAddressRefused: true }
        : result
    },

    /** Twilio has no reference field, but lists the text, and every text has the code in its link. */
    async lookup({ to, code, at }) {
      const since = at - 30 * DAY
      // Not filtered by the date sent: a queued message has none.
      let next = `${path}?${new URLSearchParams({ To: to, PageSize: String(pageSize) })}`
      for (let page = 0; page < pagesMax; page++) {
        const reply = await provider.request({ method: 'GET', path: next, headers: { authorization } })
        if (reply.status !== 200) return lookupFailed(provider, reply)
        const messages = listAt(reply.json, 'messages')
        for (const message of messages) {
          const body = textAt(message, 'body')
          if (body?.includes(code)) return { outcome: 'accepted', providerId: textAt(message, 'sid') ?? code }
          if (Date.parse(textAt(message, 'date_created') ?? '') < since) return 'never_seen'
          // An account that redacts message texts cannot be searched.
          if (!body) return { outcome: 'unknown', reason: 'twilio lookup redacted' }
        }
        const following = textAt(reply.json, 'next_page_uri')
        if (!following) return 'never_seen'
        next = following
      }
      return { outcome: 'unknown', reason: 'twilio lookup too_many' }
    },

    /** Newest first. */
    async *sentBetween(since, until) {
      for (let next: string | undefined = `${path}?PageSize=200`; next; ) {
        const reply = await provider.request({ method: 'GET', path: next, headers: { authorization } })
        if (reply.status !== 200 || reply.json === undefined) throw listFailed(provider, reply)
        for (const message of listAt(reply.json, 'messages')) {
          const at = createdAt(message)
          if (at < since - DAY) return
          const isOurs = !textAt(message, 'direction')?.startsWith('inbound')
          if (!isOurs || !isBetween(at, since, until)) continue
          const code = codeIn(textAt(message, 'body') ?? '')
          const to = textAt(message, 'to') ?? null
          yield { code, to, reference: null, at, providerId: textAt(message, 'sid') ?? '' }
        }
        next = textAt(reply.json, 'next_page_uri')
      }
    },

    close: () => provider.close(),
  }
}

const outcomes: ReadonlyMap<string, 'delivered' | 'bounced'> = new Map([
  ['delivered', 'delivered'],
  ['undelivered', 'bounced'],
  ['failed', 'bounced'],
])

/** Receipts are sent to the callback URL with the code; replies are sent to the URL configured for the number. */
export const twilioSmsCallbacks = (authToken: string): CallbackReader => ({
  async read(request) {
    const form = signedForm(authToken, request)
    if (!form) return 'forged'
    const { code, wall } = request
    const sid = valueIn(form, 'MessageSid')
    if (!sid) return []
    if (isOurCode(code)) {
      const status = valueIn(form, 'MessageStatus') ?? ''
      const outcome = outcomes.get(status)
      return outcome ? [{ kind: 'receipt', code, outcome, at: wall, eventId: `${sid}:${status}` }] : []
    }
    const [phone, text] = [valueIn(form, 'From'), valueIn(form, 'Body')]
    if (!phone || !/^\+\d{6,15}$/.test(phone) || text === null) return []
    const isStop = isStopWord(text) || valueIn(form, 'OptOutType') === 'STOP'
    const content = replyContent({ from: { address: phone }, text })
    return [{ kind: 'reply_by_phone', phone, isStop, at: wall, eventId: sid, content }]
  },
})
