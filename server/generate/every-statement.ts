import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { type Statement, statements } from '../src/kit/db/statement.ts'

/** Every statement of the program: importing a file declares its statements. A `.thread.ts` is the program of a thread. */
export async function everyStatement(): Promise<Statement<unknown>[]> {
  const source = join(import.meta.dirname, '../src')
  for await (const file of glob('{features,kit,start}/**/*.ts', { cwd: source }))
    if (!/\.(test|generated|thread)\.ts$/.test(file)) await import(join(source, file))
  return [...statements.values()]
}
