import { judgeCallerId } from '../../domain/contact/caller-id.ts'
import { DAY } from '../../domain/time.ts'
import { emptyForm } from '../../kit/http/form.ts'
import type { CallbackRequest } from '../callback.ts'
import { codeIn } from '../callback-body.ts'
import type { ChannelAdapter, VoiceMessage } from '../channel.ts'
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
import { accountErrorCodes, createdAt, isSignedByTwilio, signedForm } from '../twilio.ts'
import { type AnsweredBy, answeredByIn } from './twilio-callbacks.ts'
import { hangUpTwiml, relayTwiml } from './twiml.ts'

export interface TwilioVoiceOptions extends HttpProviderOptions {
  accountSid: string
  authToken: string
  /** E.164 */
  callerId: string
  /** Our public base URL, as Twilio reaches it; no slash at the end. */
  publicUrl: string
}

const relayUrl = (publicUrl: string, code: string) => `${publicUrl.replace(/^http/, 'ws')}/calls/${code}`

/** Verifies the connection of a conversation: Twilio signs the URL, as it does for callbacks. */
export const twilioRelayVerifier =
  ({ authToken, publicUrl }: Pick<TwilioVoiceOptions, 'authToken' | 'publicUrl'>) =>
  (signature: string | string[] | undefined, code: string): boolean => {
    const url = relayUrl(publicUrl, code)
    // For some URLs Twilio signs a slash at the end that is not in the request.
    return [url, `${url}/`].some(address => isSignedByTwilio(authToken, signature, address, emptyForm))
  }

/** The TwiML that Twilio fetches after the call is answered: machine detection is over, and nothing was spoken. */
export const twilioAnswers = ({
  authToken,
  publicUrl,
}: Pick<TwilioVoiceOptions, 'authToken' | 'publicUrl'>) => ({
  /** If Twilio is not sure, the answer does not count as human. */
  read(request: CallbackRequest): AnsweredBy | 'forged' {
    const form = signedForm(authToken, request)
    return form ? answeredByIn(form) : 'forged'
  },
  mediaType: 'text/xml',
  connect: (code: string, message: Pick<VoiceMessage, 'opening' | 'language'>): string =>
    relayTwiml({ ...message, url: relayUrl(publicUrl, code) }),
  hangUp: hangUpTwiml,
})

/** The minimum time between two calls to one number: an older call cannot be this one. */
const duplicateWindowMs = 3 * DAY
const callsMax = 20

/**
 * Calls whose conversation is connected to us by ConversationRelay.
 *
 * Twilio has no idempotency key for calls, and the list of calls does not contain our code. The callback URL contains it, and it
 * is in the events of each call. So a lost answer is looked up: without a call between the two numbers, it was never sent; with
 * a call whose events contain our code, it was. While the events of a call are missing (Twilio shows them some minutes after
 * its end) the outcome stays unknown; usually the callback comes first.
 */
export function twilioVoice(options: TwilioVoiceOptions): ChannelAdapter<VoiceMessage> {
  const { accountSid, authToken, callerId, publicUrl } = options
  const provider = httpProvider('twilio', options)
  const account = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const statusUrl = (code: string) => `${publicUrl}/callbacks/twilio-voice/${code}`
  const get = (path: string) =>
    provider.request({ method: 'GET', path: `${account}${path}`, headers: { authorization } })

  /** The events of a call contain our URL with the code; Twilio shows them some minutes after the end of the call. */
  async function codeOfCall(sid: string): Promise<string | null> {
    const reply = await get(`/Calls/${encodeURIComponent(sid)}/Events.json`)
    if (reply.status !== 200 || reply.json === undefined) throw listFailed(provider, reply)
    const urls = listAt(reply.json, 'events').map(event => textAt(event, 'request', 'url') ?? '')
    return urls.map(codeIn).find(code => code !== null) ?? null
  }

  return {
    name: 'twilio-voice',
    reentry: 'lookup',

    async send(message, { beforeCommit }) {
      if (!judgeCallerId(callerId, message.to).allowed)
        return { outcome: 'permanent', reason: 'caller id not allowed' }
      const status = statusUrl(message.code)
      const form = new URLSearchParams([
        ['To', message.to],
        ['From', callerId],
        ['Url', `${publicUrl}/calls/${message.code}/answer`],
        ['Method', 'POST'],
        ['StatusCallback', status],
        ['StatusCallbackMethod', 'POST'],
        ['StatusCallbackEvent', 'answered'],
        ['StatusCallbackEvent', 'completed'],
        ['Timeout', '30'],
        // Twilio first detects who answered, during some seconds of silence, and reports it when it fetches `Url`. With
        // `AsyncAmd` it would already speak, and a voicemail would record it.
        ['MachineDetection', 'Enable'],
        ['AsyncAmd', 'false'],
      ])
      await beforeCommit()
      const reply = await provider.request({
        method: 'POST',
        path: `${account}/Calls.json`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      })
      const sid = reply.status !== null && reply.status < 300 && textAt(reply.json, 'sid')
      if (sid) return { outcome: 'accepted', providerId: sid }
      const code = reply.status === null ? undefined : textAt(reply.json, 'code')
      return judgeReply(provider, reply, { isCommitted: true, code, accountErrorCodes })
    },

    async lookup({ to, code }) {
      const query = new URLSearchParams({ To: to, From: callerId, PageSize: String(callsMax) })
      const found = await get(`/Calls.json?${query}`)
      if (found.status !== 200 || !Array.isArray(valueAt(found.json, 'calls')))
        return lookupFailed(provider, found)
      // Compared by Twilio's clock, and by the creation date: a queued call has no start time yet.
      const theirNow = Date.parse(String(found.headers.date))
      let isUndecided = false
      for (const call of listAt(found.json, 'calls')) {
        if (Date.parse(textAt(call, 'date_created') ?? '') < theirNow - duplicateWindowMs) continue
        const sid = textAt(call, 'sid') ?? ''
        const callEvents = await get(`/Calls/${encodeURIComponent(sid)}/Events.json`)
        if (callEvents.status !== 200) return lookupFailed(provider, callEvents)
        const events = listAt(callEvents.json, 'events')
        if (events.some(event => textAt(event, 'request', 'url')?.includes(code)))
          return { outcome: 'accepted', providerId: sid }
        isUndecided ||= events.length === 0
      }
      return isUndecided ? { outcome: 'unknown', reason: 'twilio lookup open' } : 'never_seen'
    },

    /** Newest first. */
    async *sentBetween(since, until) {
      const query = new URLSearchParams({ From: callerId, PageSize: '200' })
      for (let next: string | undefined = `${account}/Calls.json?${query}`; next; ) {
        const reply = await provider.request({ method: 'GET', path: next, headers: { authorization } })
        if (reply.status !== 200 || reply.json === undefined) throw listFailed(provider, reply)
        for (const call of listAt(reply.json, 'calls')) {
          const at = createdAt(call)
          if (at < since - DAY) return
          if (!isBetween(at, since, until)) continue
          const providerId = textAt(call, 'sid') ?? ''
          const to = textAt(call, 'to') ?? null
          yield { code: await codeOfCall(providerId), to, reference: null, at, providerId }
        }
        next = textAt(reply.json, 'next_page_uri')
      }
    },

    close: () => provider.close(),
  }
}
