import { crc32, inflateSync } from 'node:zlib'

const channelsByColour: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Chunk {
  type: string
  data: Buffer
}

/** Null if a chunk is cut off, or its checksum is wrong. */
function chunksOf(png: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = 8; at < png.length; ) {
    if (at + 12 > png.length) return null
    const end = at + 12 + png.readUInt32BE(at)
    if (end > png.length || crc32(png.subarray(at + 4, end - 4)) !== png.readUInt32BE(end - 4)) return null
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end - 4) })
    at = end
  }
  return chunks
}

/**
 * Whether a PNG can be drawn into a letter: the drawing library ends the process if its pixels cannot be unpacked. Only eight
 * bits per channel without interlacing, which is usual for logos.
 */
export function isDrawablePng(png: Buffer): boolean {
  const chunks = chunksOf(png)
  const header = chunks?.[0]?.data
  if (!chunks || header?.length !== 13) return false
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, colour, , , interlace] = header.subarray(8)
  const channels = channelsByColour[colour!]
  if (depth !== 8 || interlace !== 0 || channels === undefined) return false
  if (colour === 3 && !chunks.some(({ type }) => type === 'PLTE')) return false
  const size = height * (1 + width * channels)
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  try {
    return inflateSync(packed, { maxOutputLength: size + 1 }).length === size
  } catch {
    // Any error means that it cannot be unpacked.
    return false
  }
}
