import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../../../kit/errors.ts'

const derive = promisify(argon2)

/** OWASP's second choice for argon2id: what a hashing costs is memory, and two of them at once are 38 MiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const atOnce = 2
const waitingMost = 30

let running = 0
const waiting: (() => void)[] = []

/** Two at a time in this process, a few in the queue; who comes after that is asked to come again. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running++
  else if (waiting.length < waitingMost) await new Promise<void>(resolve => waiting.push(resolve))
  else throw new ApiError('SVC_001', 'Too many people sign in right now.', { retryAfterSeconds: 5 })
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** A password that was typed on another keyboard is the same password. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'))

const run = (password: string, nonce: Buffer, tagLength: number, given: typeof cost) => {
  const parameters: Argon2Parameters = { message: bytesOf(password), nonce, tagLength, ...given }
  return inTurn(() => derive('argon2id', parameters))
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const written = ({ memory, passes, parallelism }: typeof cost, salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return written(cost, salt, await run(password, salt, 32, cost))
}

/** No password has this hash; to find that out takes as long as for any other. */
const nobodys = written(cost, randomBytes(16), randomBytes(32))

/** With null, for somebody who does not exist, it takes as long and is never right. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = pattern.exec(hash ?? nobodys)
  if (!parts) throw new Error('a stored password hash cannot be read')
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const expected = Buffer.from(tag, 'base64')
  const given = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return timingSafeEqual(await run(password, Buffer.from(salt, 'base64'), expected.length, given), expected)
}
