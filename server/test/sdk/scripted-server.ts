import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export type Answer = (reply: ServerResponse, request: SeenRequest) => void

/** An answer in the envelope of the API. */
export const answerWith =
  (
    status: number,
    body: object = { success: true, data: {} },
    headers: Record<string, string> = {},
  ): Answer =>
  reply => {
    reply.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
    reply.end(status === 204 ? undefined : JSON.stringify({ requestId: 'r-1', ...body }))
  }

export const refuseWith = (status: number, code: string, headers: Record<string, string> = {}, more = {}) =>
  answerWith(status, { success: false, error: { code, message: `It is ${code}.`, ...more } }, headers)

/** The connection ends before the answer. */
export const hangUp: Answer = reply => {
  reply.socket!.destroy()
}

/** A server that gives one scripted answer after the other, and the last one again and again. */
export function useScriptedServer() {
  const seen: SeenRequest[] = []
  let answers: Answer[] = []
  const server = createServer(async (incoming, reply) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const request = { method: incoming.method!, url: incoming.url!, headers: incoming.headers, body }
    seen.push(request)
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    answer(reply, request)
  })
  const scripted = {
    baseUrl: '',
    seen,
    answer(...next: Answer[]) {
      answers = next
    },
  }
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    scripted.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    seen.length = 0
    answers = [answerWith(200)]
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return scripted
}
