import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The environment that every child inherits. The compile cache is passed on, because compiling is half of the startup cost. */
export function inheritedEnv(): Record<string, string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { ...(PATH && { PATH }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}

/** The Node arguments of `npm run relance-server`: measurements use the same V8 flags as an operator. */
export function relanceArgs(root = join(import.meta.dirname, '../..')): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  // In a commit to compare with, the script may be named `relance`.
  const [, ...args] = (scripts['relance-server'] ?? scripts.relance!).split(' ')
  return [...args.slice(0, -1), join(root, args.at(-1)!)]
}
