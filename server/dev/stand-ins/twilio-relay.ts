import { WebSocket } from 'ws'
import { attributeOf, type PlacedCall, pickUp, signatureOf } from './twilio-calls.ts'

export interface RelayPeer {
  /** Everything spoken to the person so far, the greeting first, one entry per turn. */
  spoken: string[]
  /** Resolves with the next complete utterance. */
  listen(): Promise<string>
  /** The person says something; resolves with the reply. */
  prompt(text: string): Promise<string>
  send(message: unknown): void
  hangUp(): Promise<void>
  /** The other side ended the conversation: whether it sent an end message, and with which close code. */
  ended: Promise<{ saidEnd: boolean; closeCode: number }>
}

export class RelayRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the conversation was refused: ${status}`)
    this.status = status
  }
}

/** The TwiML tells Twilio to hang up, and nothing is spoken. */
export class HungUp extends Error {
  constructor() {
    super('hung up')
  }
}

/** A human answers: Twilio fetches the TwiML, speaks the greeting, then connects the conversation to the URL in it. */
export async function answerCall(
  call: PlacedCall,
  options: {
    authToken: string
    /** The signature of the conversation; default: the right one. */
    signature?: string
    /** The URL of the conversation; default: the one in the TwiML. */
    url?: string
    isGreeted?: boolean
  },
): Promise<RelayPeer> {
  await pickUp(call, options)
  const url = options.url ?? attributeOf(call, 'url')
  if (url === '') throw new HungUp()
  const isGreeted = options.isGreeted ?? true
  const socket = new WebSocket(url, {
    headers: { 'X-Twilio-Signature': options.signature ?? signatureOf(options.authToken, url) },
  })
  const utterances: string[] = []
  const waiting: ((text: string) => void)[] = []
  let utterance = ''
  let saidEnd = false
  const peer: RelayPeer = {
    spoken: isGreeted ? [attributeOf(call, 'welcomeGreeting')] : [],
    listen: () =>
      utterances.length > 0
        ? Promise.resolve(utterances.shift()!)
        : new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error('nothing was said for 15 s')), 15_000)
            waiting.push(text => {
              clearTimeout(timer)
              resolve(text)
            })
          }),
    prompt(text) {
      peer.send({ type: 'prompt', voicePrompt: text, lang: 'fr-FR', last: true })
      return peer.listen()
    },
    send: message => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async hangUp() {
      socket.close(1000)
      await peer.ended
    },
    ended: new Promise(resolve => socket.on('close', closeCode => resolve({ saidEnd, closeCode }))),
  }
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as { type: string; token?: string; last?: boolean }
    if (message.type === 'end') saidEnd = true
    if (message.type !== 'text') return
    utterance += message.token
    if (!message.last) return
    peer.spoken.push(utterance)
    const next = waiting.shift()
    if (next) next(utterance)
    else utterances.push(utterance)
    utterance = ''
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      response.resume()
      reject(new RelayRefused(response.statusCode ?? 0))
    })
  })
  peer.send({
    type: 'setup',
    sessionId: 'VX00000000000000000000000000000000',
    callSid: call.sid,
    from: call.from,
    to: call.to,
    direction: 'outbound-api',
    callStatus: 'IN-PROGRESS',
    customParameters: isGreeted
      ? Object.fromEntries(
          [...call.twiml.matchAll(/<Parameter name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
            name,
            value,
          ]),
        )
      : {},
  })
  return peer
}
