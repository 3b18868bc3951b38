import { isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'

const chunkBytes = 64 * 1024

/** By the byte order mark; else UTF-8 if every byte fits; else what Excel writes in France. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** The text in pieces, without its byte order mark. */
export function* decodeText(bytes: Uint8Array, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding)
  for (let from = 0; from < bytes.length; from += chunkBytes)
    yield decoder.decode(bytes.subarray(from, from + chunkBytes), { stream: true })
  yield decoder.decode()
}

export function firstText(bytes: Uint8Array, encoding: Encoding, length = chunkBytes): string {
  return new TextDecoder(encoding).decode(bytes.subarray(0, length), { stream: true })
}
