import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../operation.ts'
import type { ProgressListener } from './follow-up.ts'

export interface EventStream extends ProgressListener {
  /** Once the stream is open, an error can only be sent as an event. */
  readonly isOpen: boolean
  /** The last event, whose data is JSON already. */
  end(event: 'done' | 'error', json: string): void
}

/** Proxies close a connection that is silent for half a minute. */
const heartbeatMs = 15_000

/**
 * For a caller that accepts events and an operation that sends them; else null. The stream is opened with the first event: an
 * error before that is answered like any other request.
 */
export function eventStream(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): EventStream | null {
  const accepted = request.headers.accept ?? ''
  if (
    !operation.followUp?.events ||
    request.internal ||
    !/(^|[,\s])text\/event-stream\s*($|[,;])/i.test(accepted)
  )
    return null
  const disconnected = new AbortController()
  let stream: PassThrough | null = null
  let isEnded = false
  const openStream = (): PassThrough => {
    const opened = new PassThrough()
    const heartbeat = setInterval(() => opened.write(': still here\n\n'), heartbeatMs)
    opened.on('close', () => {
      clearInterval(heartbeat)
      if (!isEnded) disconnected.abort()
    })
    opened.on('error', () => {})
    void reply
      .code(operation.status)
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Without this header some proxies buffer the events.
        'x-accel-buffering': 'no',
      })
      .send(opened)
    return opened
  }
  const write = (event: string, json: string) => {
    if (disconnected.signal.aborted || isEnded) return
    stream ??= openStream()
    stream.write(`event: ${event}\ndata: ${json}\n\n`)
  }
  return {
    disconnected: disconnected.signal,
    get isOpen() {
      return stream !== null
    },
    emit: (event, data) => write(event, JSON.stringify(data)),
    end(event, json) {
      write(event, json)
      isEnded = true
      stream?.end()
    },
  }
}
