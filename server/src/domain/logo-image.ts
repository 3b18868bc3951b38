export const logoBytesMax = 200 * 1024
/** A small file can be a very large picture, which costs memory wherever it is drawn. */
const sideMax = 2_000

export type LogoType = 'image/png' | 'image/jpeg'

export type LogoVerdict =
  | { allowed: true; type: LogoType; width: number; height: number }
  | { allowed: false; because: string }

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const pngEnd = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]

const holdsAt = (bytes: Uint8Array, at: number, part: readonly number[]) =>
  part.every((byte, i) => bytes[at + i] === byte)

interface Size {
  width: number
  height: number
}

/** From the first chunk, which must be the header. The last chunk must be the end, so that no other data follows. */
function sizeOfPng(bytes: Uint8Array): Size | null {
  const isWhole = holdsAt(bytes, 12, [0x49, 0x48, 0x44, 0x52]) && holdsAt(bytes, bytes.length - 8, pngEnd)
  if (!isWhole) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Frame headers are C0 to CF, but for three that are not. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** From the first frame header, found by walking over the segments before it. */
function sizeOfJpeg(bytes: Uint8Array): Size | null {
  if (!holdsAt(bytes, bytes.length - 2, [0xff, 0xd9])) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2))
    if (isFrameHeader(bytes[at + 1]!))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
  return null
}

const refused = (because: string): LogoVerdict => ({ allowed: false, because })

/** Judges a logo by its bytes, not by its declared type. */
export function judgeLogo(bytes: Uint8Array): LogoVerdict {
  if (bytes.length > logoBytesMax) return refused('is larger than 200 KB')
  const isPng = holdsAt(bytes, 0, pngSignature)
  if (!isPng && !holdsAt(bytes, 0, [0xff, 0xd8, 0xff])) return refused('is neither PNG nor JPEG')
  const size = isPng ? sizeOfPng(bytes) : sizeOfJpeg(bytes)
  if (size === null) return refused('is not a whole picture')
  const { width, height } = size
  if (width < 1 || height < 1 || width > sideMax || height > sideMax)
    return refused(`is ${width} × ${height} pixels; each side has 1 to ${sideMax}`)
  return { allowed: true, type: isPng ? 'image/png' : 'image/jpeg', width, height }
}
