import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from './errors.ts'

const derive = promisify(argon2)

/** The cost of one hash: memory in KiB, passes over it, lanes. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's second recommendation for argon2id; two hashes at once need 38 MiB. */
export const passwordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const concurrencyMax = 2
const waitingMax = 30

let running = 0
const waiting: (() => void)[] = []

/** Two hashes at a time in this process and a short queue; further requests get SVC_001. */
async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (running < concurrencyMax) running++
  else if (waiting.length < waitingMax) await new Promise<void>(resolve => waiting.push(resolve))
  else throw new ApiError('SVC_001', 'Too many people sign in right now.', { retryAfterSeconds: 5 })
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Normalised, because keyboards may encode the same characters differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'))

const deriveTag = (password: string, nonce: Buffer, tagLength: number, given: PasswordCost) => {
  const parameters: Argon2Parameters = { message: bytesOf(password), nonce, tagLength, ...given }
  return limitConcurrency(() => derive('argon2id', parameters))
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

const encodeHash = ({ memory, passes, parallelism }: PasswordCost, salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  return encodeHash(cost, salt, await deriveTag(password, salt, 32, cost))
}

/** A hash that matches no password, for a check in constant time. */
const unknownPersonHash = (cost: PasswordCost) => encodeHash(cost, randomBytes(16), randomBytes(32))

/** With a null hash (unknown person) it takes the same time and is always false. */
export async function isPassword(
  password: string,
  hash: string | null,
  cost: PasswordCost,
): Promise<boolean> {
  const parts = pattern.exec(hash ?? unknownPersonHash(cost))
  if (!parts) throw new Error('a stored password hash cannot be read')
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const expected = Buffer.from(tag, 'base64')
  const given = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return timingSafeEqual(
    await deriveTag(password, Buffer.from(salt, 'base64'), expected.length, given),
    expected,
  )
}
