import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { HOUR } from '../../../domain/time.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Model } from '../../../kit/model.ts'
import { isCode } from '../../recovery/messages/code.ts'
import { type Conversation, converse, type Pace } from './conversation.ts'
import { type LiveCall, readCall } from './read-call.ts'

export interface CallDoor {
  model: Model
  /** Whether the provider signed that it comes for this code. */
  admits(signature: string | string[] | undefined, code: string): boolean
  /** How the setup says that the first sentence was given to the provider to speak. */
  opening: { readonly name: string; readonly value: string }
  pace?: Pace
  callsMost?: number
}

const longestMessage = 16 * 1024
const setupWithinMs = 10_000

/** What the relay says; what else it may say one day is passed over. */
const Heard = z.union([
  z.object({ type: z.literal('setup'), customParameters: z.record(z.string(), z.unknown()).nullish() }),
  z.object({ type: z.literal('prompt'), voicePrompt: z.string(), last: z.boolean().optional() }),
  z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
])

const reasons = { 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict', 503: 'Service Unavailable' } as const

function refuse(socket: Duplex, status: keyof typeof reasons): void {
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

const pathOf = (request: IncomingMessage) => /^\/calls\/([^/?]+)$/.exec(request.url ?? '')

/** Where the provider brings what is said on the telephone, and fetches what is answered. */
export function addCallRoutes(app: FastifyInstance, site: Site, door: CallDoor): void {
  const { callsMost = 100 } = door
  const relay = new WebSocketServer({ noServer: true, maxPayload: longestMessage, perMessageDeflate: false })
  /** Every conversation of this process, by its code; null while it is looked up. One call has one line, so one place will do. */
  const live = new Map<string, { close(): Promise<void> } | null>()
  const begun = new Map<string, number>()

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer, code: string): Promise<void> {
    if (live.has(code)) return refuse(socket, 409)
    if (live.size >= callsMost) return refuse(socket, 503)
    live.set(code, null)
    let isOpen = false
    try {
      const call = await readCall(site, code)
      if (!call) return refuse(socket, 404)
      relay.handleUpgrade(request, socket, head, line => {
        isOpen = true
        live.set(code, speak(line, call))
      })
    } catch (error) {
      site.log.error({ err: error }, 'a call could not be taken')
      refuse(socket, 503)
    } finally {
      if (!isOpen) live.delete(code)
    }
  }

  function speak(line: WebSocket, call: LiveCall): { close(): Promise<void> } {
    let conversation: Conversation | null = null
    let heard = ''
    const late = setTimeout(() => line.close(1008), setupWithinMs)
    const send = (message: object) => {
      if (line.readyState === line.OPEN) line.send(JSON.stringify(message))
    }
    const phone = {
      say: (token: string, last: boolean) => send({ type: 'text', token, last }),
      hangUp() {
        send({ type: 'end', handoffData: '{}' })
        line.close(1000)
      },
    }
    line.on('message', (data, isBinary) => {
      const message = isBinary ? null : understood(data)
      if (!message) return line.close(1007)
      if (message.type === 'setup' && !conversation) {
        clearTimeout(late)
        const wasGreeted = message.customParameters?.[door.opening.name] === door.opening.value
        conversation = converse(site, door.model, call, phone, door.pace)
        // Somebody whose line broke and came back does not know any more who speaks.
        conversation.begin(wasGreeted && !begun.has(call.code))
        remember(call.code)
      } else if (message.type === 'prompt') {
        if (!conversation) return line.close(1008)
        heard = `${heard} ${message.voicePrompt}`.slice(-longestMessage)
        if (message.last === false) return
        conversation.hear(heard)
        heard = ''
      }
    })
    const over = Promise.withResolvers<void>()
    line.on('error', error => site.log.warn({ err: error }, 'the line of a call broke'))
    line.on('close', () => {
      clearTimeout(late)
      Promise.resolve(conversation?.end())
        .catch(error => site.log.error({ err: error }, 'a call could not be closed'))
        .finally(() => {
          live.delete(call.code)
          over.resolve()
        })
    })
    return {
      close() {
        line.close(1001)
        setTimeout(() => line.terminate(), 1_000).unref()
        return over.promise
      },
    }
  }

  function remember(code: string): void {
    const wall = site.clock.wall()
    for (const [old, at] of begun) if (wall - at > HOUR) begun.delete(old)
    begun.set(code, wall)
  }

  // Who asks for another protocol elsewhere is answered in this one, as before.
  Object.assign(app.server, { shouldUpgradeCallback: (request: IncomingMessage) => pathOf(request) !== null })
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const code = pathOf(request)?.[1]
    if (code === undefined || !isCode(code)) return refuse(socket, 404)
    if (!door.admits(request.headers['x-twilio-signature'], code)) return refuse(socket, 403)
    void admit(request, socket, head, code)
  })
  app.addHook('preClose', async () => {
    await Promise.all([...live.values()].map(one => one?.close()))
    relay.close()
  })
}

function understood(data: RawData): z.output<typeof Heard> | null {
  try {
    return Heard.safeParse(JSON.parse(String(data))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
