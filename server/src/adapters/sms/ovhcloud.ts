import { createHash } from 'node:crypto'
import { HOUR } from '../../domain/time.ts'
import type { ChannelAdapter, SendResult, SmsMessage } from '../channel.ts'
import {
  type HttpProviderOptions,
  httpProvider,
  judge,
  listAt,
  notAnswered,
  type Reply,
  textAt,
} from '../http-provider.ts'

export interface OvhOptions extends HttpProviderOptions {
  applicationKey: string
  applicationSecret: string
  consumerKey: string
  /** Name of the SMS account. */
  service: string
  /** Declared and validated at OVHcloud; without it every company's own name has to be. */
  sender?: string | undefined
  wall: () => number
}

/** Words outside this alphabet cost more and need the other coding (3GPP 23.038). */
const isGsm = (text: string) =>
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/.test(text)

const pendingMost = 200

/** Signed requests: the clock that counts is OVHcloud's, so the difference to ours is asked for now and then. */
export function ovhClient(options: OvhOptions) {
  const provider = httpProvider('ovh', options)
  const base = options.baseUrl.replace(/\/+$/, '')
  let difference: { ms: number; until: number } | null = null

  async function differenceNow(): Promise<number | Reply> {
    const wall = options.wall()
    if (difference && difference.until > wall) return difference.ms
    const reply = await provider.ask({ method: 'GET', path: '/auth/time' })
    if (reply.status !== 200 || typeof reply.json !== 'number') return reply
    difference = { ms: reply.json * 1_000 - wall, until: wall + HOUR }
    return difference.ms
  }

  async function signed(
    method: 'GET' | 'POST',
    path: string,
    body = '',
    beforeAsking = async () => {},
  ): Promise<Reply> {
    const ms = await differenceNow()
    if (typeof ms !== 'number') return ms
    await beforeAsking()
    const timestamp = String(Math.floor((options.wall() + ms) / 1_000))
    const { applicationKey, applicationSecret, consumerKey } = options
    const text = [applicationSecret, consumerKey, method, base + path, body, timestamp].join('+')
    const reply = await provider.ask({
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
    // Perhaps our clock was set meanwhile: the next one asks again.
    if (reply.status === 401 || reply.status === 403) difference = null
    return reply
  }

  return { provider, signed, path: (rest: string) => `/sms/${encodeURIComponent(options.service)}${rest}` }
}

export function ovhSms(options: OvhOptions): ChannelAdapter<SmsMessage> {
  const { provider, signed, path } = ovhClient(options)

  /** Of several messages that may be ours the one with our code. */
  async function named(list: 'jobs' | 'outgoing', ids: readonly unknown[], code: string) {
    for (const id of ids) {
      const reply = await signed('GET', path(`/${list}/${encodeURIComponent(String(id))}`))
      if (reply.status === 404) continue
      if (reply.status !== 200) return notAnswered(provider, reply)
      // What still waits is shown without its tag; every text carries the code in its link.
      if (textAt(reply.json, 'tag') === code || textAt(reply.json, 'message')?.includes(code))
        return { outcome: 'accepted', providerId: String(id) } as const
    }
    return null
  }

  async function outgoing(code: string) {
    const reply = await signed('GET', path(`/outgoing?tag=${encodeURIComponent(code)}`))
    if (reply.status !== 200) return notAnswered(provider, reply)
    return named('outgoing', listAt(reply.json), code)
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
        // Not advertising: no clause is added, and the hours are ours to keep.
        noStopClause: true,
        priority: 'high',
        class: 'phoneDisplay',
        charset: 'UTF-8',
        coding: isGsm(message.text) ? '7bit' : '8bit',
        validityPeriod: 2_880,
        tag: message.code,
      })
      let isCommitted = false
      const reply = await signed('POST', path('/jobs'), body, async () => {
        await beforeCommit()
        isCommitted = true
      })
      if (isCommitted && reply.status === 200) {
        const [id] = listAt(reply.json, 'ids')
        if (id !== undefined) return { outcome: 'accepted', providerId: String(id) }
        if (listAt(reply.json, 'invalidReceivers').length > 0)
          return { outcome: 'permanent', reason: 'ovh 200 invalid_receiver' }
      }
      const code = reply.status === null ? undefined : textAt(reply.json, 'class')
      return judge(provider, reply, { isCommitted, code })
    },

    async lookup({ code }) {
      const sent = await outgoing(code)
      if (sent) return sent
      const waiting = await signed('GET', path('/jobs'))
      if (waiting.status !== 200) return notAnswered(provider, waiting)
      const jobs = listAt(waiting.json)
      // The newest have the highest numbers.
      const newest = jobs.toSorted((a, b) => Number(b) - Number(a)).slice(0, pendingMost)
      const pending = await named('jobs', newest, code)
      if (pending) return pending
      // Handed to the network while we went through those that wait, it was seen in neither list.
      const meanwhile = await outgoing(code)
      if (meanwhile) return meanwhile
      return jobs.length > pendingMost ? { outcome: 'unknown', reason: 'ovh lookup too_many' } : 'never_seen'
    },

    close: () => provider.close(),
  }
}
