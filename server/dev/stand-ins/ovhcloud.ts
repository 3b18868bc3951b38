import { createHash } from 'node:crypto'
import { type Exchange, moodOfNumber, type Sent, startStandIn } from './stand-in.ts'

export const ovhAccount = {
  applicationKey: 'ovh-application',
  applicationSecret: 'ovh-secret',
  consumerKey: 'ovh-consumer',
  service: 'sms-ab12345-1',
  callbackKey: 'ovh-calls-back',
}

interface Job {
  message?: string
  receivers?: string[]
  sender?: string
  senderForResponse?: boolean
  coding?: '7bit' | '8bit'
  tag?: string
}

export interface OvhSent extends Sent {
  sender: string
  coding: string
  /** Not yet handed to the network: listed as a job, and without its tag. */
  isWaiting: boolean
  /** By the provider's clock. */
  createdAt: number
}

/** A text message waits in the queue for a moment only. */
const queueMs = 20_000

const failure = (httpCode: number, name: string) => ({ class: `Client::${name}`, message: 'no', httpCode })

/** OVHcloud, limited to signed requests and one text message. Its clock is ten minutes ahead of ours. */
export function startOvhcloud({ port = 0, aheadMs = 600_000, leavesQueueWhenRead = false } = {}) {
  const sent: OvhSent[] = []
  const now = () => Math.floor((Date.now() + aheadMs) / 1_000)
  const root = `/1.0/sms/${ovhAccount.service}`

  function isSigned({ method, url, headers, body }: Exchange): boolean {
    const stamp = String(headers['x-ovh-timestamp'])
    const { applicationKey, applicationSecret, consumerKey } = ovhAccount
    const text = [applicationSecret, consumerKey, method, url.href, body.toString(), stamp].join('+')
    return (
      Math.abs(Number(stamp) - now()) < 30 &&
      headers['x-ovh-application'] === applicationKey &&
      headers['x-ovh-consumer'] === consumerKey &&
      headers['x-ovh-signature'] === `$1$${createHash('sha1').update(text).digest('hex')}`
    )
  }

  async function send({ body, reply, deliver }: Exchange): Promise<void> {
    const job = JSON.parse(body.toString()) as Job
    const [to] = job.receivers ?? []
    if (!job.message || !to || (job.tag ?? '').length > 20) return reply(400, failure(400, 'BadRequest'))
    if (!job.senderForResponse && !/^[A-Za-z0-9 ]{3,11}$/.test(job.sender ?? ''))
      return reply(400, failure(400, 'BadRequest'))
    if (job.coding !== '8bit' && /\p{Extended_Pictographic}/u.test(job.message))
      return reply(400, failure(400, 'BadRequest'))
    const answer = (more: object) => ({ ids: [], invalidReceivers: [], validReceivers: [], ...more })
    const effect = () => {
      const id = 100_000 + sent.length
      sent.push({
        reference: job.tag ?? '',
        providerId: String(id),
        to,
        text: job.message!,
        sender: job.sender ?? '',
        coding: job.coding ?? '7bit',
        isWaiting: sent.length % 2 === 0,
        createdAt: now() * 1_000,
      })
      return answer({ ids: [id], validReceivers: [to], totalCreditsRemoved: 1 })
    }
    const refuse = { status: 200, json: answer({ invalidReceivers: [to] }) }
    await deliver(moodOfNumber(to), effect, refuse)
  }

  const shown = ({ providerId, to, text, sender, reference, isWaiting, createdAt }: OvhSent) => ({
    id: Number(providerId),
    creationDatetime: new Date(createdAt).toISOString(),
    receiver: to,
    message: text,
    sender,
    ...(!isWaiting && { tag: reference, deliveryReceipt: 1, ptt: 4 }),
  })

  return startStandIn(
    {
      sent: () => sent,
      handle(exchange) {
        const { method, url, reply } = exchange
        if (url.pathname === '/1.0/auth/time') return reply(200, now())
        for (const one of sent) one.isWaiting &&= one.createdAt + queueMs > now() * 1_000
        if (!isSigned(exchange)) return reply(403, failure(403, 'Forbidden'))
        if (method === 'POST' && url.pathname === `${root}/jobs`) return send(exchange)
        const [, list, id] = new RegExp(`^${root}/(jobs|outgoing)(?:/(\\d+))?$`).exec(url.pathname) ?? []
        if (method !== 'GET' || !list) return reply(404, failure(404, 'NotFound'))
        const tag = url.searchParams.get('tag')
        const listed = sent.filter(({ isWaiting }) => isWaiting === (list === 'jobs'))
        if (!id) {
          const from = Date.parse(url.searchParams.get('creationDatetime.from') ?? '') || 0
          const found = listed.filter(
            ({ reference, createdAt }) => (tag === null || reference === tag) && createdAt >= from,
          )
          return reply(
            200,
            found.map(({ providerId }) => Number(providerId)),
          )
        }
        const one = listed.find(({ providerId }) => providerId === id)
        if (one?.isWaiting && leavesQueueWhenRead) {
          one.isWaiting = false
          return reply(404, failure(404, 'NotFound'))
        }
        return one ? reply(200, shown(one)) : reply(404, failure(404, 'NotFound'))
      },
      callbackRequest({ url, code, event, at, secret = ovhAccount.callbackKey }) {
        const address = new URL(url)
        const id = sent.find(({ reference }) => reference === code)?.providerId ?? '0'
        for (const [name, value] of Object.entries({
          key: secret,
          id,
          ...(event.startsWith('+')
            ? { senderid: event.split(' ')[0]!, message: event.slice(event.indexOf(' ') + 1) }
            : { dlr: event, tag: code }),
          date: new Date(at).toISOString(),
        }))
          address.searchParams.set(name, value)
        return { method: 'GET', url: address.href, headers: {}, body: '' }
      },
    },
    { port },
  )
}
