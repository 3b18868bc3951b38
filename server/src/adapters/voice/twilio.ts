import { judgeCallerId } from '../../domain/contact/caller-id.ts'
import { DAY } from '../../domain/time.ts'
import type { ChannelAdapter, VoiceMessage } from '../channel.ts'
import {
  at,
  type HttpProviderOptions,
  httpProvider,
  judge,
  listAt,
  notAnswered,
  textAt,
} from '../http-provider.ts'
import { aboutOurAccount, isSignedByTwilio } from '../twilio.ts'
import { relayTwiml } from './twiml.ts'

export interface TwilioVoiceOptions extends HttpProviderOptions {
  accountSid: string
  authToken: string
  /** E.164 */
  callerId: string
  /** Ours, as Twilio reaches it; no slash at the end. */
  publicUrl: string
}

const relayUrl = (publicUrl: string, code: string) => `${publicUrl.replace(/^http/, 'ws')}/calls/${code}`

/** Who knocks at the door of a conversation: Twilio signs the address it was given, as it does for callbacks. */
export const twilioRelay =
  ({ authToken, publicUrl }: Pick<TwilioVoiceOptions, 'authToken' | 'publicUrl'>) =>
  (signature: string | string[] | undefined, code: string): boolean => {
    const url = relayUrl(publicUrl, code)
    // For some addresses it signs a slash at the end that it does not ask for.
    return [url, `${url}/`].some(address =>
      isSignedByTwilio(authToken, signature, address, new URLSearchParams()),
    )
  }

/** A second call on the same line is allowed only after so long: what is older is no copy of this one. */
const copyWithin = 3 * DAY
const listedMost = 20

/**
 * Calls whose conversation is carried to us by ConversationRelay.
 *
 * Twilio has no idempotency key for calls, and the list of calls does not say which message one was made for. What does is
 * the address we are told its news at, which carries the code and stands in the call's own events. So a lost answer is looked
 * up: no call between the two numbers, and it never left; one whose events name our code, and it did. As long as the events
 * of one are missing (Twilio shows them some minutes after it ended) it stays open, and the callback usually comes first.
 */
export function twilioVoice(options: TwilioVoiceOptions): ChannelAdapter<VoiceMessage> {
  const { accountSid, authToken, callerId, publicUrl } = options
  const provider = httpProvider('twilio', options)
  const account = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const statusUrl = (code: string) => `${publicUrl}/callbacks/twilio-voice/${code}`
  const get = (path: string) =>
    provider.ask({ method: 'GET', path: `${account}${path}`, headers: { authorization } })

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
        ['Twiml', relayTwiml({ ...message, url: relayUrl(publicUrl, message.code) })],
        ['StatusCallback', status],
        ['StatusCallbackMethod', 'POST'],
        ['StatusCallbackEvent', 'answered'],
        ['StatusCallbackEvent', 'completed'],
        ['Timeout', '30'],
        // Found out while we already speak: nobody waits in silence for it.
        ['MachineDetection', 'Enable'],
        ['AsyncAmd', 'true'],
        ['AsyncAmdStatusCallback', status],
        ['AsyncAmdStatusCallbackMethod', 'POST'],
      ])
      await beforeCommit()
      const reply = await provider.ask({
        method: 'POST',
        path: `${account}/Calls.json`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      })
      const sid = reply.status !== null && reply.status < 300 && textAt(reply.json, 'sid')
      if (sid) return { outcome: 'accepted', providerId: sid }
      const code = reply.status === null ? undefined : textAt(reply.json, 'code')
      return judge(provider, reply, { isCommitted: true, code, ours: aboutOurAccount })
    },

    async lookup({ to, code }) {
      const query = new URLSearchParams({ To: to, From: callerId, PageSize: String(listedMost) })
      const found = await get(`/Calls.json?${query}`)
      if (found.status !== 200 || !Array.isArray(at(found.json, 'calls'))) return notAnswered(provider, found)
      // By their own clock: ours may be another, and a queued call has no start yet.
      const theirNow = Date.parse(String(found.headers.date))
      let isOpen = false
      for (const call of listAt(found.json, 'calls')) {
        if (Date.parse(textAt(call, 'date_created') ?? '') < theirNow - copyWithin) continue
        const sid = textAt(call, 'sid') ?? ''
        const told = await get(`/Calls/${encodeURIComponent(sid)}/Events.json`)
        if (told.status !== 200) return notAnswered(provider, told)
        const events = listAt(told.json, 'events')
        if (events.some(event => textAt(event, 'request', 'url')?.includes(code)))
          return { outcome: 'accepted', providerId: sid }
        isOpen ||= events.length === 0
      }
      return isOpen ? { outcome: 'unknown', reason: 'twilio lookup open' } : 'never_seen'
    },

    close: () => provider.close(),
  }
}
