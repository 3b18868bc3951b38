import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `npm run relance-server` gives to Node: whoever measures the program starts it as an operator does, with the same flags of V8. */
export function relanceArgs(root = join(import.meta.dirname, '../..')): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  // A commit to compare with may have the script's first name.
  const [, ...args] = (scripts['relance-server'] ?? scripts.relance!).split(' ')
  return [...args.slice(0, -1), join(root, args.at(-1)!)]
}
