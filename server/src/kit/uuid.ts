import { randomBytes } from 'node:crypto'

/** A UUIDv7 of a given moment, so that what is created together sorts together and ids sort as creation times do. */
export function uuidv7(wall: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(wall, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
