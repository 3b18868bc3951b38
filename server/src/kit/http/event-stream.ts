import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../operation.ts'
import type { Listener } from './follow-up.ts'

export interface EventStream extends Listener {
  /** Once something was told, a refusal can only be told too. */
  readonly isOpen: boolean
  /** The last event, whose data is JSON already. */
  end(event: 'done' | 'error', json: string): void
}

/** A line on which nothing is said for half a minute is cut by somebody on the way. */
const signOfLifeMs = 15_000

/**
 * For a caller who accepts events, from an operation that has some. The line is opened with the first of them: whatever is refused
 * before is answered like any other request.
 */
export function eventStream(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): EventStream | null {
  const accepted = request.headers.accept ?? ''
  if (!operation.streams || request.inside || !/(^|[,\s])text\/event-stream\s*($|[,;])/i.test(accepted))
    return null
  const gone = new AbortController()
  let line: PassThrough | null = null
  let isOver = false
  const open = (): PassThrough => {
    const opened = new PassThrough()
    const pulse = setInterval(() => opened.write(': still here\n\n'), signOfLifeMs)
    opened.on('close', () => {
      clearInterval(pulse)
      if (!isOver) gone.abort()
    })
    opened.on('error', () => {})
    void reply
      .code(operation.status)
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Some proxies keep what they could pass on until there is more of it.
        'x-accel-buffering': 'no',
      })
      .send(opened)
    return opened
  }
  const write = (event: string, json: string) => {
    if (gone.signal.aborted || isOver) return
    line ??= open()
    line.write(`event: ${event}\ndata: ${json}\n\n`)
  }
  return {
    gone: gone.signal,
    get isOpen() {
      return line !== null
    },
    tell: (event, data) => write(event, JSON.stringify(data)),
    end(event, json) {
      write(event, json)
      isOver = true
      line?.end()
    },
  }
}
