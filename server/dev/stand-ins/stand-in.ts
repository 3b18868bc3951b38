import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A message that was really sent, whatever the answer was. */
export interface Sent {
  /** The code we gave the message. */
  reference: string
  providerId: string
  to: string
  subject?: string
  text: string
}

/**
 * How a provider treats the request that delivers: `lost` and `mute` deliver and then hang up or stay silent, `dropped` hangs
 * up and delivers nothing.
 */
export const moods = ['well', 'rejected', 'throttled', 'broken', 'lost', 'mute', 'dropped', 'slow'] as const
export type Mood = (typeof moods)[number]

/** The behaviour that a magic recipient asks for: `lost+zoe@…`, `Broken quai`. */
export const moodOfText = (text: string): Mood =>
  moods.find(mood => new RegExp(`^${mood}\\b`, 'i').test(text)) ?? 'well'

/** Or the last figures of a phone number: …000001 is rejected, …000002 throttled, and so on. */
export const moodOfNumber = (phone: string): Mood =>
  moods[Number(/00000(\d)$/.exec(phone)?.[1] ?? 0)] ?? 'well'

export interface Exchange {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
  reply(status: number, json?: unknown): void
  /** Delivers or not, and answers, as the mood requires; `refuse` is this provider's answer when it rejects. */
  deliver(mood: Mood, effect: () => unknown, refuse: { status: number; json: unknown }): Promise<void>
}

export interface StandInEvent {
  /** The callback URL. */
  url: string
  /** The code of the message. */
  code: string
  /** The provider's name for the event. */
  event: string
  /** When it happened. */
  at: number
  /** The secret to sign with instead of the right one: a forgery. */
  secret?: string
}

export interface StandInRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body: string
}

export interface Provider {
  handle(exchange: Exchange): void | Promise<void>
  sent(): Sent[]
  /** The callback request with which this provider reports an event. */
  callbackRequest(event: StandInEvent): StandInRequest
}

const host = '127.0.0.1'

async function deliverAs(
  mood: Mood,
  reply: Exchange['reply'],
  hangUp: () => void,
  effect: () => unknown,
  refuse: { status: number; json: unknown },
  accepted: number,
): Promise<void> {
  switch (mood) {
    case 'rejected':
      return reply(refuse.status, refuse.json)
    case 'throttled':
      return reply(429, { code: 'too_many_requests', message: 'slow down' })
    case 'broken':
      return reply(500, { code: 'internal_error', message: 'oh' })
    case 'dropped':
      return hangUp()
    case 'lost':
      effect()
      return hangUp()
    case 'mute':
      effect()
      return
    case 'slow':
      await pause(300)
      return reply(accepted, effect())
    case 'well':
      return reply(accepted, effect())
  }
}

/** A real server that speaks a provider's protocol. It delivers nothing and shows what it would have delivered. */
export async function startStandIn(provider: Provider, { port = 0, accepted = 200 } = {}) {
  let mood: Mood | null = null
  let isAway: boolean | 'after_next' = false

  const callBack = async (event: StandInEvent, times = 1): Promise<number[]> => {
    const { url, method, headers, body } = provider.callbackRequest(event)
    const statuses: number[] = []
    for (let i = 0; i < times; i++) {
      const handleRequest = await fetch(url, { method, headers, ...(method === 'POST' && { body }) })
      await handleRequest.arrayBuffer()
      statuses.push(handleRequest.status)
    }
    return statuses
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? host}`)
    const reply = (status: number, json?: unknown) => {
      if (response.destroyed) return
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      response.end(json === undefined ? '' : JSON.stringify(json))
    }
    if (url.pathname === '/_effects') return reply(200, provider.sent())
    if (url.pathname === '/_mood') {
      mood = moods.find(known => known === JSON.parse(body.toString()).mood) ?? null
      return reply(200, { mood })
    }
    if (url.pathname === '/_call-back') {
      const { times, ...event } = JSON.parse(body.toString()) as StandInEvent & { times?: number }
      return reply(200, { statuses: await callBack(event, times) })
    }
    if (isAway === true) return reply(503, { code: 'service_unavailable', message: 'away' })
    await provider.handle({
      method: request.method ?? 'GET',
      url,
      headers: request.headers,
      body,
      reply,
      deliver: (requested, effect, refuse) => {
        if (isAway === 'after_next') isAway = true
        return deliverAs(mood ?? requested, reply, () => request.socket.destroy(), effect, refuse, accepted)
      },
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroyed || response.writeHead(400).end())
  })
  server.listen(port, host)
  await once(server, 'listening')

  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    effects: (): Sent[] => provider.sent(),
    callbackRequest: (event: StandInEvent): StandInRequest => provider.callbackRequest(event),
    callBack,
    /** Sets the mood for every recipient; null: the recipient chooses it again. */
    setMood(next: Mood | null): void {
      mood = next
    },
    /** It answers 503 to every request, or to every one after the next message, and keeps its data. */
    setAway(next: boolean | 'after_next'): void {
      isAway = next
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
