import { randomFillSync } from 'node:crypto'

// Asking the system for sixteen bytes at a time costs ten times the rest of this.
const noise = Buffer.alloc(4_096)
let used = noise.length

function sixteenBytes(): Buffer {
  if (used === noise.length) {
    randomFillSync(noise)
    used = 0
  }
  used += 16
  return noise.subarray(used - 16, used)
}

let last = { wall: 0, serial: 0 }

/**
 * A UUIDv7 of a given moment: ids sort as creation times do, and those of one moment and process in the order they were made,
 * by a serial number in the twelve bits after the time (RFC 9562, method 1).
 */
export function uuidv7(wall: number): string {
  const bytes = sixteenBytes()
  last = last.wall === wall ? { wall, serial: Math.min(last.serial + 1, 0xfff) } : { wall, serial: bytes[6]! }
  bytes.writeUIntBE(wall, 0, 6)
  bytes[6] = 0x70 | (last.serial >> 8)
  bytes[7] = last.serial & 0xff
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Not above any id of that moment or a later one. */
export function lowestIdOf(wall: number): string {
  const hex = wall.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The moment a UUIDv7 is of, as epoch milliseconds. */
export const momentOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
