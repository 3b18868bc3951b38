import { randomFillSync } from 'node:crypto'

// Random bytes are read from the system in blocks: sixteen bytes at a time would take ten times as long as the rest.
const randomPool = Buffer.alloc(4_096)
let used = randomPool.length

function nextRandomBytes(): Buffer {
  if (used === randomPool.length) {
    randomFillSync(randomPool)
    used = 0
  }
  used += 16
  return randomPool.subarray(used - 16, used)
}

let last = { wall: 0, serial: 0 }

/**
 * A UUIDv7 of a given moment: ids sort as creation times do, and those of one moment and process in the order they were made,
 * by a serial number in the twelve bits after the time (RFC 9562, method 1).
 */
export function uuidv7(wall: number): string {
  const bytes = nextRandomBytes()
  last = last.wall === wall ? { wall, serial: Math.min(last.serial + 1, 0xfff) } : { wall, serial: bytes[6]! }
  bytes.writeUIntBE(wall, 0, 6)
  bytes[6] = 0x70 | (last.serial >> 8)
  bytes[7] = last.serial & 0xff
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Below every id. */
export const lowestId = '00000000-0000-0000-0000-000000000000'

/** The lowest id of this time: no id created at this time or later is below it. */
export function lowestIdOf(wall: number): string {
  const hex = wall.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The creation time of a UUIDv7, in epoch milliseconds. */
export const momentOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
