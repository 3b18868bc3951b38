import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { networkOf } from '../ip-block.ts'
import { unavailable } from './envelope.ts'

const kB = 1024
const MB = 1024 * kB

/** The body limit of pages and OAuth endpoints. */
export const smallBodyBytes = 16 * kB
/** The body limit of an operation that declares no other. */
export const usualBodyBytes = 1 * MB

interface Side {
  /** The bytes of all bodies that are held in memory at the same time. */
  heldMaxBytes: number
  /** The same for one network (an IPv4 address or a /64 of IPv6), so that one network cannot fill the whole share. */
  heldByNetworkMaxBytes: number
  /** How long a body may take to arrive. */
  arrivalMs: number
  /** How much of a refused body is read and thrown away, so that the client reads the answer instead of an error. */
  drainMaxBytes: number
  drainMs: number
}

export interface BodySettings {
  strangers: Side
  /** Callers whose credential was checked before their body is read. */
  callers: Side
}

const usualSettings: BodySettings = {
  strangers: {
    heldMaxBytes: 16 * MB,
    heldByNetworkMaxBytes: 2 * MB,
    arrivalMs: 10_000,
    drainMaxBytes: 2 * MB,
    drainMs: 2_000,
  },
  callers: {
    heldMaxBytes: 256 * MB,
    // No separate limit: callers may share an address, and each has its own limits.
    heldByNetworkMaxBytes: 256 * MB,
    arrivalMs: 15_000,
    drainMaxBytes: 64 * MB,
    drainMs: 10_000,
  },
}

/** How long a file may take to arrive; a silent connection ends earlier. */
export const uploadArrivalMs = 300_000
const partBytes = 1 * MB

export interface BodyReader {
  /** The whole body, of at most `maxBytes`. */
  read(request: FastifyRequest, payload: Readable, maxBytes: number): Promise<Buffer>
  /** A body that is a file, in parts of 1 MB; the next part is read once the one before is taken. Returns its length. */
  readInParts(
    request: FastifyRequest,
    payload: Readable,
    maxBytes: number,
    take: (part: Buffer) => Promise<void>,
  ): Promise<number>
  /** To be called when the request was answered. */
  release(request: FastifyRequest): void
  /**
   * A refused body is read and thrown away, within limits: a client that is still writing would get an error instead of our
   * answer. Most clients are answered at once; a client that asked to close the connection waits for its answer, because Node
   * closes right after it.
   */
  drainBefore(request: FastifyRequest, answer: () => void): void
  /** Ends the connection of an answered request whose body does not end soon. */
  drainAfter(request: FastifyRequest): void
}

const drainCheckMs = 50

/** An internal request has no connection. */
const isUnread = (raw: FastifyRequest['raw']) =>
  raw instanceof IncomingMessage && !raw.complete && !raw.socket.destroyed

const sizeText = (bytes: number) =>
  bytes % MB === 0 ? `${bytes / MB} MB` : bytes % kB === 0 ? `${bytes / kB} kB` : `${bytes} bytes`

const tooLarge = (maxBytes: number) =>
  new ApiError(
    'VAL_005',
    `The body is larger than ${sizeText(maxBytes)}, the most that is accepted here; send less in one request.`,
  )
const tooSlow = (ms: number) =>
  new ApiError('VAL_004', `The body did not arrive within ${ms / 1000} s; send it again.`, { status: 408 })
const cutShort = () => new ApiError('VAL_004', 'The body does not have the announced length.')
const encoded = (encoding: string) =>
  new ApiError(
    'VAL_004',
    `The body has the Content-Encoding ${encoding.slice(0, 40)}; send it uncompressed and without this header.`,
  )

/** Does not close the connection when the reader stops: the client reads our answer on it. */
async function* chunksOf(payload: Readable): AsyncGenerator<Buffer> {
  try {
    yield* payload.iterator({ destroyOnReturn: false })
  } catch {
    throw cutShort()
  }
}

/**
 * Reads bodies into memory, within limits per body and per process. Strangers have their own, smaller share of the memory, so
 * they cannot use up the share of known callers.
 */
export function bodyReader(settings: BodySettings = usualSettings): BodyReader {
  const held = { strangers: 0, callers: 0 }
  const heldByNetwork = new Map<string, number>()
  const heldBy = new WeakMap<FastifyRequest, { side: keyof typeof held; network: string; bytes: number }>()

  const sideOf = ({ principal, isKnownCaller }: FastifyRequest) =>
    principal || isKnownCaller ? 'callers' : 'strangers'

  function hold(request: FastifyRequest, bytes: number): boolean {
    const side = sideOf(request)
    const network = () => (side === 'strangers' ? networkOf(request.ip) : side)
    const share = heldBy.get(request) ?? { side, network: network(), bytes: 0 }
    const { heldMaxBytes, heldByNetworkMaxBytes } = settings[share.side]
    const ofNetwork = (heldByNetwork.get(share.network) ?? 0) + bytes
    if (held[share.side] + bytes > heldMaxBytes || ofNetwork > heldByNetworkMaxBytes) return false
    held[share.side] += bytes
    heldByNetwork.set(share.network, ofNetwork)
    share.bytes += bytes
    heldBy.set(request, share)
    return true
  }

  function release(request: FastifyRequest): void {
    const share = heldBy.get(request)
    if (!share) return
    held[share.side] -= share.bytes
    const left = heldByNetwork.get(share.network)! - share.bytes
    if (left > 0) heldByNetwork.set(share.network, left)
    else heldByNetwork.delete(share.network)
    heldBy.delete(request)
  }

  /** The fault that the headers already show, before a byte is read. */
  function faultOf({ headers }: FastifyRequest, maxBytes: number): ApiError | null {
    const { 'content-encoding': encoding = 'identity', 'content-length': announced } = headers
    if (encoding.trim().toLowerCase() !== 'identity') return encoded(encoding)
    return Number(announced) > maxBytes ? tooLarge(maxBytes) : null
  }

  async function readInParts(
    request: FastifyRequest,
    payload: Readable,
    maxBytes: number,
    take: (part: Buffer) => Promise<void>,
  ): Promise<number> {
    const { 'content-length': announced } = request.headers
    const fault = faultOf(request, maxBytes)
    if (fault) throw fault
    if (!hold(request, partBytes)) throw unavailable()
    const endsAt = performance.now() + uploadArrivalMs
    let [part, filled, length] = [Buffer.allocUnsafeSlow(partBytes), 0, 0]
    for await (const chunk of chunksOf(payload)) {
      length += chunk.length
      if (length > maxBytes) throw tooLarge(maxBytes)
      if (performance.now() > endsAt) throw tooSlow(uploadArrivalMs)
      for (let from = 0; from < chunk.length; ) {
        const copied = chunk.copy(part, filled, from)
        from += copied
        filled += copied
        if (filled < partBytes) continue
        await take(part)
        ;[part, filled] = [Buffer.allocUnsafeSlow(partBytes), 0]
      }
    }
    if (announced !== undefined && Number(announced) !== length) throw cutShort()
    if (filled > 0) await take(part.subarray(0, filled))
    return length
  }

  const read = (request: FastifyRequest, payload: Readable, maxBytes: number) =>
    new Promise<Buffer>((resolve, reject) => {
      const { 'content-length': announced } = request.headers
      const fault = faultOf(request, maxBytes)
      if (fault) return reject(fault)
      const { arrivalMs } = settings[sideOf(request)]
      let buffer = Buffer.alloc(0)
      let length = 0
      const settle = (error: ApiError | null) => {
        clearTimeout(timer)
        payload.off('data', add).off('end', finish).off('error', breakOff).off('close', breakOff)
        // An error may still come when the connection ends.
        payload.on('error', () => {})
        if (!error) return resolve(buffer.subarray(0, length))
        buffer = Buffer.alloc(0)
        release(request)
        reject(error)
      }
      const timer = setTimeout(() => settle(tooSlow(arrivalMs)), arrivalMs)
      // Copied into one buffer: a stranger who sends single bytes would otherwise make us hold an object for each.
      const add = (chunk: Buffer) => {
        const needed = length + chunk.length
        if (needed > maxBytes) return settle(tooLarge(maxBytes))
        if (needed > buffer.length) {
          const capacity = Math.min(maxBytes, Math.max(needed, 2 * buffer.length))
          if (!hold(request, capacity - buffer.length)) return settle(unavailable())
          const larger = Buffer.allocUnsafeSlow(capacity)
          buffer.copy(larger, 0, 0, length)
          buffer = larger
        }
        chunk.copy(buffer, length)
        length = needed
      }
      const finish = () => settle(announced !== undefined && Number(announced) !== length ? cutShort() : null)
      const breakOff = () => settle(cutShort())
      payload.on('data', add).on('end', finish).on('error', breakOff).on('close', breakOff)
    })

  function drainBefore(request: FastifyRequest, answer: () => void): void {
    const { raw } = request
    if (!isUnread(raw) || !/\bclose\b/i.test(raw.headers.connection ?? '')) {
      answer()
      return
    }
    const { drainMaxBytes, drainMs } = settings[sideOf(request)]
    let bytes = 0
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > drainMaxBytes) finish()
    }
    const finish = () => {
      clearTimeout(timer)
      raw.off('data', count).off('end', finish).off('close', finish)
      answer()
    }
    const timer = setTimeout(finish, drainMs)
    raw.on('data', count).on('end', finish).on('close', finish).resume()
  }

  // One timer for all requests. The rest of the body is discarded, so only the byte counter of the socket shows how much arrived.
  const draining = new Map<IncomingMessage, { bytesMax: number; endsAt: number }>()
  function checkDraining(): void {
    const now = performance.now()
    for (const [raw, { bytesMax, endsAt }] of draining) {
      const isOver = raw.complete || raw.socket.destroyed
      if (!isOver && raw.socket.bytesRead <= bytesMax && now < endsAt) continue
      draining.delete(raw)
      if (!isOver) raw.socket.destroy()
    }
    if (draining.size > 0) setTimeout(checkDraining, drainCheckMs)
  }

  function drainAfter(request: FastifyRequest): void {
    const { raw } = request
    if (!isUnread(raw)) return
    const { drainMaxBytes, drainMs } = settings[sideOf(request)]
    // Node discards only what nobody has begun to read; an unread rest would block the next request of the connection.
    raw.resume()
    if (draining.size === 0) setTimeout(checkDraining, drainCheckMs)
    draining.set(raw, {
      bytesMax: raw.socket.bytesRead + drainMaxBytes,
      endsAt: performance.now() + drainMs,
    })
  }

  return { read, readInParts, release, drainBefore, drainAfter }
}
