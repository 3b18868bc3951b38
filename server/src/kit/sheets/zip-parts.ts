import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import { SheetError, type TableLimits } from './sheet-error.ts'

const partsMax = 2_000
/** Small parts may be compressed by any ratio: a thousand spaces are a few bytes. */
const ratioJudgedFrom = 1024 * 1024

const damaged = (cause: unknown) =>
  cause instanceof SheetError ? cause : new SheetError('damaged_file', {}, { cause })

/** The parts of a zipped workbook. Only parts that are asked for are unzipped, and all of them share one limit. */
export class ZipParts {
  private readonly zip: yauzl.ZipFile
  private readonly entries: Map<string, yauzl.Entry>
  private readonly limits: TableLimits
  private unzippedBytes = 0

  private constructor(zip: yauzl.ZipFile, entries: Map<string, yauzl.Entry>, limits: TableLimits) {
    this.zip = zip
    this.entries = entries
    this.limits = limits
  }

  static async open(bytes: Uint8Array, limits: TableLimits): Promise<ZipParts> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const entries = new Map<string, yauzl.Entry>()
    try {
      const zip = await yauzl.fromBufferPromise(buffer, { autoClose: false })
      if (zip.entryCount > partsMax) throw new SheetError('too_many_parts', { limit: partsMax })
      for await (const entry of zip.eachEntry()) {
        if (entry.isEncrypted()) throw new SheetError('encrypted_file')
        // The names of parts are case-insensitive.
        entries.set(entry.fileName.toLowerCase(), entry)
      }
      return new ZipParts(zip, entries, limits)
    } catch (error) {
      throw damaged(error)
    }
  }

  has(name: string): boolean {
    return this.entries.has(name.toLowerCase())
  }

  names(): IterableIterator<string> {
    return this.entries.keys()
  }

  /** The text of a part, in pieces. */
  async *text(name: string): AsyncGenerator<string> {
    const entry = this.entries.get(name.toLowerCase())
    if (!entry) throw new SheetError('damaged_file')
    const { unzippedBytes, ratio } = this.limits
    if (entry.uncompressedSize > unzippedBytes)
      throw new SheetError('unzips_too_large', { limit: unzippedBytes })
    if (entry.uncompressedSize > ratioJudgedFrom && entry.uncompressedSize > entry.compressedSize * ratio)
      throw new SheetError('compressed_too_much', { limit: ratio })
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let checksum = 0
    try {
      // The library refuses a part that unzips to more or fewer bytes than it declares.
      for await (const chunk of (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        this.unzippedBytes += chunk.length
        if (this.unzippedBytes > unzippedBytes)
          throw new SheetError('unzips_too_large', { limit: unzippedBytes })
        checksum = crc32(chunk, checksum)
        yield decoder.decode(chunk, { stream: true })
      }
      yield decoder.decode()
    } catch (error) {
      throw damaged(error)
    }
    if (checksum !== entry.crc32) throw new SheetError('damaged_file')
  }
}
