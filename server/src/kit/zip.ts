import { Readable } from 'node:stream'
import yazl from 'yazl'

export interface ZipEntry {
  name: string
  /** Read when its turn comes, piece by piece. */
  content: () => AsyncIterable<Uint8Array>
}

/** A zip of files that are streamed, not held in memory. */
export async function* writeZip(entries: readonly ZipEntry[], mtime: Date): AsyncGenerator<Uint8Array> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const stop = (error: unknown) => output.destroy(error as Error)
  zip.on('error', stop)
  for (const { name, content } of entries)
    zip.addReadStreamLazy(name, { mtime, forceDosTimestamp: true, compressionLevel: 6 }, ready => {
      const stream = Readable.from(content(), { objectMode: false })
      stream.on('error', stop)
      ready(null, stream)
    })
  zip.end()
  yield* output as AsyncIterable<Uint8Array>
}
