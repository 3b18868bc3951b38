import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Several keys, the first one active. Each ciphertext and each HMAC names its key, so that a new key can be put first while the
 * old ones still open older data.
 */
export interface Keyring {
  mac(purpose: string, text: string): string
  /** The digests of a text under every key, the active one first: for lookups by digest that survive a key rotation. */
  digests(purpose: string, text: string): Buffer[]
  verifyMac(purpose: string, text: string, mac: string): boolean
  seal(purpose: string, plaintext: string): string
  open(purpose: string, sealed: string): string
  /** Whether a key has this name. */
  knows(id: string): boolean
}

export const sha256 = (...parts: string[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest()
}

/** The plain SHA-256 of exactly these bytes, so that it can be checked with any tool. */
export const plainSha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()

/** Uses a key object: for bytes Node tests twice, by an exception, whether they are a key, which takes longer than the HMAC. */
const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text)

export const hmacSha256 = (key: Buffer, text: string): Buffer => hmac(createSecretKey(key), text).digest()

interface Key {
  id: string
  secret: KeyObject
}

const derive = ({ secret }: Key, use: string, purpose: string) =>
  createSecretKey(hmac(secret, `${use}\0${purpose}`).digest())

const keysIn = (text: string) =>
  text.split(',').map(entry => {
    const [id = '', secret = ''] = entry.trim().split(':')
    return { id, secret: Buffer.from(secret, 'base64') }
  })

export const isKeyring = (text: string): boolean =>
  keysIn(text).every(({ id, secret }) => /^[a-z0-9]{1,8}$/.test(id) && secret.length === 32)

/** `id:base64(32 bytes)`, comma-separated, the active key first. */
export function keyring(text: string): Keyring {
  if (!isKeyring(text)) throw new Error('This is not a keyring.')
  const keys: Key[] = keysIn(text).map(({ id, secret }) => ({ id, secret: createSecretKey(secret) }))
  // Only HMAC keys are cached: their purposes are few. Each sealed value has its own purpose.
  const derived = new Map<string, KeyObject>()
  const hmacKey = (key: Key, use: 'mac' | 'digest', purpose: string) => {
    const name = `${key.id} ${use} ${purpose}`
    const known = derived.get(name) ?? derive(key, use, purpose)
    derived.set(name, known)
    return known
  }
  const active = keys[0]!
  const keyNamed = (id: string | undefined) => {
    const key = keys.find(candidate => candidate.id === id)
    if (!key)
      throw new Error(
        `KEYRING: no key named ${id}; do not remove a retired key while stored data refers to it`,
      )
    return key
  }
  const macWith = (key: Key, purpose: string, value: string) =>
    `${key.id}.${hmac(hmacKey(key, 'mac', purpose), value).digest('base64url')}`
  return {
    knows: id => keys.some(key => key.id === id),
    mac: (purpose, value) => macWith(active, purpose, value),
    digests: (purpose, value) => keys.map(key => hmac(hmacKey(key, 'digest', purpose), value).digest()),
    verifyMac(purpose, value, mac) {
      const expected = Buffer.from(macWith(keyNamed(mac.split('.')[0]), purpose, value))
      const given = Buffer.from(mac)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
    seal(purpose, plaintext) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', derive(active, 'seal', purpose), iv)
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${active.id}.${Buffer.concat([iv, body]).toString('base64url')}`
    },
    open(purpose, sealed) {
      const [id, data] = sealed.split('.')
      const bytes = Buffer.from(data ?? '', 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derive(keyNamed(id), 'seal', purpose),
        bytes.subarray(0, 12),
      )
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
