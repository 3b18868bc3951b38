import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the build of the console made, before these tests. */
export const consoleFolder = join(import.meta.dirname, '../../../../console/dist')

export const assetsOf = (names: RegExp): string[] =>
  readdirSync(join(consoleFolder, 'assets')).filter(name => names.test(name))

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const readManifest = (): Record<string, Chunk> =>
  JSON.parse(readFileSync(join(consoleFolder, '.vite/manifest.json'), 'utf8'))

const gzipped = (file: string) => statSync(join(consoleFolder, `${file}.gz`), { throwIfNoEntry: false })
const bytesOf = (file: string) => (gzipped(file) ?? statSync(join(consoleFolder, file))).size
const sum = (files: Iterable<string>) => [...files].reduce((bytes, file) => bytes + bytesOf(file), 0)

/** In bytes, gzipped. */
export interface Sizes {
  /** The script before the first paint. */
  entry: number
  /** What each screen adds to it, by its source. */
  screens: Record<string, number>
  styles: number
}

export function readSizes(): Sizes {
  const manifest = readManifest()
  const withImports = (key: string, found = new Set<string>()): Set<string> => {
    if (found.has(key)) return found
    found.add(key)
    for (const other of manifest[key]!.imports ?? []) withImports(other, found)
    return found
  }
  const files = (keys: Set<string>) => new Set([...keys].map(key => manifest[key]!.file))
  const entry = files(withImports(Object.keys(manifest).find(key => manifest[key]!.isEntry)!))
  const screens = Object.keys(manifest).filter(key => key.startsWith('src/routes/'))
  const styles = new Set(Object.values(manifest).flatMap(({ css = [] }) => css))
  return {
    entry: sum(entry),
    screens: Object.fromEntries(
      screens.map(key => [key, sum(files(withImports(key)).difference(entry))] as const),
    ),
    styles: sum(styles),
  }
}
