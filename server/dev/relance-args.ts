import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a child gets of our environment, whatever else it gets. Half of the cost of a start is compiling the sources: their cache is passed on. */
export function inheritedEnv(): Record<string, string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { ...(PATH && { PATH }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}

/** What `npm run relance-server` gives to Node: whoever measures the program starts it as an operator does, with the same flags of V8. */
export function relanceArgs(root = join(import.meta.dirname, '../..')): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  // A commit to compare with may have the script's first name.
  const [, ...args] = (scripts['relance-server'] ?? scripts.relance!).split(' ')
  return [...args.slice(0, -1), join(root, args.at(-1)!)]
}
