import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { CallbackRequest } from '../../../adapters/callback.ts'
import type { VoiceMessage } from '../../../adapters/channel.ts'
import { HOUR } from '../../../domain/time.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import type { Model } from '../../../kit/model.ts'
import { callbackRequestOf, withRawBodies } from '../../platform/callbacks/callback-request.ts'
import { callbackForged } from '../../platform/callbacks/errors.ts'
import { isCode } from '../../recovery/messages/compose/message-code.ts'
import { type Conversation, startConversation, type Timing } from './call-conversation.ts'
import { inCallTransaction, type LiveCall, readCall } from './read-call.ts'
import { closeCall } from './save-call-outcome.ts'

/** How the provider reports who answered, and the instructions it gets in reply, in its own format. */
interface CallAnswers {
  read(request: CallbackRequest): 'human' | 'machine' | 'unknown' | 'forged'
  mediaType: string
  /** Speak the opening, then connect the conversation. */
  connect(code: string, message: Pick<VoiceMessage, 'opening' | 'language'>): string
  /** Say nothing. */
  hangUp: string
}

export interface CallOptions {
  model: Model
  answers: CallAnswers
  /** Whether the provider's signature covers this code. */
  isSigned(signature: string | string[] | undefined, code: string): boolean
  /** The custom parameter of the setup message that says the provider has already spoken the opening sentence. */
  openingParameter: { readonly name: string; readonly value: string }
  timing?: Timing
  callsMax?: number
}

const messageMaxBytes = 16 * 1024
const setupWithinMs = 10_000

const answerMaxBytes = 64 * 1024

/** Messages of the relay; unknown types are ignored. */
const RelayMessage = z.union([
  z.object({ type: z.literal('setup'), customParameters: z.record(z.string(), z.unknown()).nullish() }),
  z.object({ type: z.literal('prompt'), voicePrompt: z.string(), last: z.boolean().optional() }),
  z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
])

const statusTexts = {
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  503: 'Service Unavailable',
} as const

function refuse(socket: Duplex, status: keyof typeof statusTexts): void {
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

const pathOf = (request: IncomingMessage) => /^\/calls\/([^/?]+)$/.exec(request.url ?? '')

/**
 * The provider asks what to do with a call that was answered. Only a human is spoken to: a machine records what it hears, and
 * others may listen to it. If the provider is not sure, nothing is said either.
 */
function addAnswerRoute(app: FastifyInstance, pageContext: PageContext, answers: CallAnswers): void {
  const add = (scope: FastifyInstance) =>
    void scope.post(
      '/calls/:code/answer',
      { config: { unlimited: true }, bodyLimit: answerMaxBytes },
      async (request, reply) => {
        const { code } = request.params as { code: string }
        const answeredBy = answers.read(callbackRequestOf(pageContext, request))
        if (answeredBy === 'forged') throw callbackForged.make('the provider of calls')
        const call = isCode(code) ? await readCall(pageContext, code) : null
        if (call && answeredBy !== 'human')
          await inCallTransaction(pageContext, call, context =>
            closeCall(context, call.communicationId, answeredBy === 'machine' ? 'voicemail' : 'unreachable'),
          )
        const isHuman = call !== null && answeredBy === 'human'
        return reply
          .type(answers.mediaType)
          .send(isHuman ? answers.connect(code, call.message) : answers.hangUp)
      },
    )
  withRawBodies(app, () => answerMaxBytes, add)
}

/** The WebSocket on which the provider sends what the person says and receives what we answer. */
export function addCallRoutes(app: FastifyInstance, pageContext: PageContext, options: CallOptions): void {
  const { callsMax = 100 } = options
  addAnswerRoute(app, pageContext, options.answers)
  const relay = new WebSocketServer({ noServer: true, maxPayload: messageMaxBytes, perMessageDeflate: false })
  /** The conversations of this process by code; null while the call is looked up. A call has only one connection. */
  const liveCalls = new Map<string, { close(): Promise<void> } | null>()
  const greetedAt = new Map<string, number>()

  async function acceptCall(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    code: string,
  ): Promise<void> {
    if (liveCalls.has(code)) return refuse(socket, 409)
    if (liveCalls.size >= callsMax) return refuse(socket, 503)
    liveCalls.set(code, null)
    let isOpen = false
    try {
      const call = await readCall(pageContext, code)
      if (!call) return refuse(socket, 404)
      relay.handleUpgrade(request, socket, head, webSocket => {
        isOpen = true
        liveCalls.set(code, startCall(webSocket, call))
      })
    } catch (error) {
      pageContext.log.error({ err: error }, 'call could not be accepted')
      refuse(socket, 503)
    } finally {
      if (!isOpen) liveCalls.delete(code)
    }
  }

  function startCall(webSocket: WebSocket, call: LiveCall): { close(): Promise<void> } {
    let conversation: Conversation | null = null
    let speech = ''
    const setupTimer = setTimeout(() => webSocket.close(1008), setupWithinMs)
    const send = (message: object) => {
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message))
    }
    const phone = {
      say: (token: string, last: boolean) => send({ type: 'text', token, last }),
      hangUp() {
        send({ type: 'end', handoffData: '{}' })
        webSocket.close(1000)
      },
    }
    webSocket.on('message', (data, isBinary) => {
      const message = isBinary ? null : parseRelayMessage(data)
      if (!message) return webSocket.close(1007)
      if (message.type === 'setup' && !conversation) {
        clearTimeout(setupTimer)
        const wasGreeted =
          message.customParameters?.[options.openingParameter.name] === options.openingParameter.value
        conversation = startConversation(pageContext, options.model, call, phone, options.timing)
        // After a reconnect the opening is spoken again.
        conversation.begin(wasGreeted && !greetedAt.has(call.code))
        rememberGreeting(call.code)
      } else if (message.type === 'prompt') {
        if (!conversation) return webSocket.close(1008)
        speech = `${speech} ${message.voicePrompt}`.slice(-messageMaxBytes)
        if (message.last === false) return
        conversation.onSpeech(speech)
        speech = ''
      }
    })
    const closed = Promise.withResolvers<void>()
    webSocket.on('error', error => pageContext.log.warn({ err: error }, 'call socket failed'))
    webSocket.on('close', () => {
      clearTimeout(setupTimer)
      Promise.resolve(conversation?.end())
        .catch(error => pageContext.log.error({ err: error }, 'call could not be closed'))
        .finally(() => {
          liveCalls.delete(call.code)
          closed.resolve()
        })
    })
    return {
      close() {
        webSocket.close(1001)
        setTimeout(() => webSocket.terminate(), 1_000).unref()
        return closed.promise
      },
    }
  }

  function rememberGreeting(code: string): void {
    const wall = pageContext.clock.wall()
    for (const [old, at] of greetedAt) if (wall - at > HOUR) greetedAt.delete(old)
    greetedAt.set(code, wall)
  }

  // Upgrade requests for other paths are answered as plain HTTP.
  Object.assign(app.server, { shouldUpgradeCallback: (request: IncomingMessage) => pathOf(request) !== null })
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const code = pathOf(request)?.[1]
    if (code === undefined || !isCode(code)) return refuse(socket, 404)
    if (!options.isSigned(request.headers['x-twilio-signature'], code)) return refuse(socket, 403)
    void acceptCall(request, socket, head, code)
  })
  app.addHook('preClose', async () => {
    await Promise.all([...liveCalls.values()].map(one => one?.close()))
    relay.close()
  })
}

function parseRelayMessage(data: RawData): z.output<typeof RelayMessage> | null {
  try {
    return RelayMessage.safeParse(JSON.parse(String(data))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
