import { AskedThread } from '../../kit/asked-thread.ts'
import type { ReadMail } from './read-mail.thread.ts'

/** The usual mail takes a few milliseconds. */
const answerMs = 3_000
/** A thread without work ends after this time. */
const idleMs = 10_000
/** Where a mail cannot be read as a whole, its first headers say for whom it is. */
const headMaxBytes = 32 * 1024

class UnreadableMail extends Error {}

const startThread = () =>
  new AskedThread<Uint8Array, ReadMail>({
    file: new URL('./read-mail.thread.ts', import.meta.url),
    data: null,
    heapMb: 256,
    answerMs,
    failureOf: (end, cause) => new UnreadableMail(end, { cause }),
  })

const headOf = (body: Buffer): Buffer => {
  const ends = ['\r\n\r\n', '\n\n'].map(blank => body.indexOf(blank)).filter(at => at >= 0)
  return body.subarray(0, Math.min(headMaxBytes, ...ends))
}

/** A thread that reads one mail after another. One that failed is replaced. */
function mailReader() {
  let thread: AskedThread<Uint8Array, ReadMail> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  const stop = async () => {
    const ended = thread
    thread = null
    await ended?.stop()
  }
  const ask = async (bytes: Buffer): Promise<ReadMail | null> => {
    thread ??= startThread()
    try {
      return await thread.ask(bytes)
    } catch (error) {
      await stop()
      if (error instanceof UnreadableMail) return null
      throw error
    }
  }
  const read = async (body: Buffer) => {
    clearTimeout(idle)
    try {
      return (await ask(body)) ?? (await ask(headOf(body)))
    } finally {
      idle = setTimeout(() => void stop(), idleMs).unref()
    }
  }
  return (body: Buffer): Promise<ReadMail | null> => {
    const mail = last.then(() => read(body))
    last = mail.catch(() => {})
    return mail
  }
}

/** Two, so that a crowd of large mails does not take the memory of the process, and one of them does not hold up all others. */
const readers = [mailReader(), mailReader()]
let turn = 0

/**
 * Reads a mail in a thread, within a time and a memory: a mail of 2 MB can be written so that a parser takes minutes or gigabytes.
 * Of such a mail only the headers are read. Null: not even they can be read.
 */
export const readMail = (body: Buffer): Promise<ReadMail | null> => readers[turn++ % readers.length]!(body)
