import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A built file, with compressed versions where they are smaller. */
interface ConsoleFile {
  readonly type: string
  readonly identity: Buffer
  readonly br: Buffer | null
  readonly gzip: Buffer | null
}

export interface ConsoleFiles {
  readonly page: Buffer
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

const builtFolder = join(import.meta.dirname, '../../../../../console/dist')

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path) : null)

/** The output of `npm run build -w console`, or null if nothing was built. It is small and read once. */
export function readConsoleFiles(folder = builtFolder): ConsoleFiles | null {
  const page = readIfThere(join(folder, 'index.html'))
  if (!page) return null
  const names = readdirSync(join(folder, 'assets'))
  const assets = new Map<string, ConsoleFile>()
  for (const name of names) {
    const type = types[name.split('.').at(-1)!]
    if (!type) continue
    const path = join(folder, 'assets', name)
    assets.set(name, {
      type,
      identity: readFileSync(path),
      br: readIfThere(`${path}.br`),
      gzip: readIfThere(`${path}.gz`),
    })
  }
  return { page, assets }
}

const accepts = (header: string, coding: string) =>
  header
    .toLowerCase()
    .split(',')
    .map(entry => entry.replaceAll(' ', '').split(';'))
    .some(([name, ...parameters]) => name === coding && !parameters.some(text => /^q=0(\.0*)?$/.test(text)))

/** The smallest form that the reader understands. */
export function bestForm(
  { br, gzip, identity }: ConsoleFile,
  acceptEncoding = '',
): { bytes: Buffer; encoding: string | null } {
  if (br && accepts(acceptEncoding, 'br')) return { bytes: br, encoding: 'br' }
  if (gzip && accepts(acceptEncoding, 'gzip')) return { bytes: gzip, encoding: 'gzip' }
  return { bytes: identity, encoding: null }
}
