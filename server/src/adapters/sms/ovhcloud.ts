import { createHash } from 'node:crypto'
import { HOUR } from '../../domain/time.ts'
import { codeIn } from '../callback-body.ts'
import {
  type ChannelAdapter,
  type ListedMessage,
  ListFailed,
  type SendResult,
  type SmsMessage,
} from '../channel.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  isBetween,
  judgeReply,
  listAt,
  listFailed,
  lookupFailed,
  type ProviderReply,
  textAt,
} from '../http-provider.ts'

export interface OvhOptions extends HttpProviderOptions {
  applicationKey: string
  applicationSecret: string
  consumerKey: string
  /** Name of the SMS account. */
  service: string
  /** A sender name validated at OVHcloud; without it the name of every company has to be validated there. */
  sender?: string | undefined
  wall: () => number
}

/** Whether the text fits the GSM alphabet; other characters cost more and need the other coding (3GPP 23.038). */
const isGsm = (text: string) =>
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/.test(text)

const pendingMax = 200

/** Signed requests use OVHcloud's clock, so the offset to ours is read once an hour. */
export function ovhClient(options: OvhOptions) {
  const provider = httpProvider('ovh', options)
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  let clockOffset: { ms: number; until: number } | null = null

  async function currentClockOffset(): Promise<number | ProviderReply> {
    const wall = options.wall()
    if (clockOffset && clockOffset.until > wall) return clockOffset.ms
    const reply = await provider.request({ method: 'GET', path: '/auth/time' })
    if (reply.status !== 200 || typeof reply.json !== 'number') return reply
    clockOffset = { ms: reply.json * 1_000 - wall, until: wall + HOUR }
    return clockOffset.ms
  }

  async function signedRequest(
    method: 'GET' | 'POST',
    path: string,
    body = '',
    beforeRequest = async () => {},
  ): Promise<ProviderReply> {
    const ms = await currentClockOffset()
    if (typeof ms !== 'number') return ms
    await beforeRequest()
    const timestamp = String(Math.floor((options.wall() + ms) / 1_000))
    const { applicationKey, applicationSecret, consumerKey } = options
    const text = [applicationSecret, consumerKey, method, base + path, body, timestamp].join('+')
    const reply = await provider.request({
      method,
      path,
      headers: {
        'x-ovh-application': applicationKey,
        'x-ovh-consumer': consumerKey,
        'x-ovh-timestamp': timestamp,
        'x-ovh-signature': `$1$${createHash('sha1').update(text).digest('hex')}`,
        'content-type': 'application/json; charset=utf-8',
      },
      ...(body && { body }),
    })
    // Our clock may have changed: read the offset again with the next request.
    if (reply.status === 401 || reply.status === 403) clockOffset = null
    return reply
  }

  return {
    provider,
    signedRequest,
    currentClockOffset,
    path: (rest: string) => `/sms/${encodeURIComponent(options.service)}${rest}`,
  }
}

export function ovhSms(options: OvhOptions): ChannelAdapter<SmsMessage> {
  const { provider, signedRequest, currentClockOffset, path } = ovhClient(options)

  /** Finds the message with our code among several. */
  async function findByCode(list: 'jobs' | 'outgoing', ids: readonly unknown[], code: string) {
    for (const id of ids) {
      const reply = await signedRequest('GET', path(`/${list}/${encodeURIComponent(String(id))}`))
      if (reply.status === 404) continue
      if (reply.status !== 200) return lookupFailed(provider, reply)
      // A queued message is listed without its tag; every text has the code in its link.
      if (textAt(reply.json, 'tag') === code || textAt(reply.json, 'message')?.includes(code))
        return { outcome: 'accepted', providerId: String(id) } as const
    }
    return null
  }

  async function outgoing(code: string) {
    const reply = await signedRequest('GET', path(`/outgoing?tag=${encodeURIComponent(code)}`))
    if (reply.status !== 200) return lookupFailed(provider, reply)
    return findByCode('outgoing', listAt(reply.json), code)
  }

  return {
    name: 'ovhcloud',
    reentry: 'lookup',

    async send(message, { beforeCommit }): Promise<SendResult> {
      const body = JSON.stringify({
        message: message.text,
        receivers: [message.to],
        sender: options.sender ?? message.from,
        senderForResponse: false,
        // Not advertising: no stop clause is added, and we observe the contact hours ourselves.
        noStopClause: true,
        priority: 'high',
        class: 'phoneDisplay',
        charset: 'UTF-8',
        coding: isGsm(message.text) ? '7bit' : '8bit',
        validityPeriod: 2_880,
        tag: message.code,
      })
      let isCommitted = false
      const reply = await signedRequest('POST', path('/jobs'), body, async () => {
        await beforeCommit()
        isCommitted = true
      })
      if (isCommitted && reply.status === 200) {
        const [id] = listAt(reply.json, 'ids')
        if (id !== undefined) return { outcome: 'accepted', providerId: String(id) }
        if (listAt(reply.json, 'invalidReceivers').length > 0)
          return { outcome: 'permanent', reason: 'ovh 200 invalid_receiver', isAddressRefused: true }
      }
      const code = reply.status === null ? undefined : textAt(reply.json, 'class')
      return judgeReply(provider, reply, { isCommitted, code })
    },

    async lookup({ code }) {
      const sent = await outgoing(code)
      if (sent) return sent
      const waiting = await signedRequest('GET', path('/jobs'))
      if (waiting.status !== 200) return lookupFailed(provider, waiting)
      const jobs = listAt(waiting.json)
      // The newest have the highest numbers.
      const newest = jobs.toSorted((a, b) => Number(b) - Number(a)).slice(0, pendingMax)
      const pending = await findByCode('jobs', newest, code)
      if (pending) return pending
      // A message that was handed to the network during the search is in neither result, so look once more.
      const meanwhile = await outgoing(code)
      if (meanwhile) return meanwhile
      return jobs.length > pendingMax ? { outcome: 'unknown', reason: 'ovh lookup too_many' } : 'never_seen'
    },

    async *sentBetween(since, until) {
      const offsetMs = await currentClockOffset()
      if (typeof offsetMs !== 'number') throw listFailed(provider, offsetMs)
      const seen = new Set<string>()
      async function* listed(list: 'jobs' | 'outgoing', query = ''): AsyncGenerator<ListedMessage> {
        const ids = await signedRequest('GET', path(`/${list}${query}`))
        if (ids.status !== 200 || ids.json === undefined) throw listFailed(provider, ids)
        for (const id of listAt(ids.json).map(String)) {
          if (seen.has(id)) continue
          const reply = await signedRequest('GET', path(`/${list}/${encodeURIComponent(id)}`))
          // It has left the queue and is now in `outgoing`.
          if (reply.status === 404 && list === 'jobs') continue
          if (reply.status !== 200 || reply.json === undefined) throw listFailed(provider, reply)
          const at = Date.parse(textAt(reply.json, 'creationDatetime') ?? '') - Math.round(offsetMs as number)
          if (Number.isNaN(at)) throw new ListFailed('ovh list malformed')
          if (!isBetween(at, since, until)) continue
          seen.add(id)
          // A queued message is listed without its tag; every text has the code in its link.
          const code = textAt(reply.json, 'tag') ?? codeIn(textAt(reply.json, 'message') ?? '')
          const to = textAt(reply.json, 'receiver')?.replace(/^00/, '+') ?? null
          yield { code, to, reference: null, at, providerId: id }
        }
      }
      yield* listed('jobs')
      // OVHcloud filters the list by its own clock, and its offset is known to the second only.
      const from = encodeURIComponent(new Date(since + offsetMs - 2_000).toISOString())
      yield* listed('outgoing', `?creationDatetime.from=${from}`)
    },

    close: () => provider.close(),
  }
}
