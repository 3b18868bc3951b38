import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Whether a file of tests is there and has these words, whichever apostrophe they are written with. */
export const testHolds = (path: string, words: string): boolean =>
  existsSync(join(root, path)) &&
  readFileSync(join(root, path), 'utf8').replaceAll(/\\?'/g, '’').includes(words.replaceAll("'", '’'))
