import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import yauzl from 'yauzl'

/** The files of a zip, by their names. */
export async function zipEntries(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(zip, {
    lazyEntries: true,
  })
  const files = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    file.on('error', reject)
    file.on('end', () => resolve(files))
    file.on('entry', (entry: yauzl.Entry) => {
      file.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        buffer(stream).then(content => {
          files.set(entry.fileName, content)
          file.readEntry()
        }, reject)
      })
    })
    file.readEntry()
  })
}
