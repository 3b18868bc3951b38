import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { advisoryLocks, tenantLockClasses } from '../../src/kit/db/advisory-locks.ts'

const server = join(import.meta.dirname, '../..')

/** The arguments of each call that takes an advisory lock, as they are written. */
async function lockCalls(pattern: string): Promise<{ file: string; args: string[] }[]> {
  const calls: { file: string; args: string[] }[] = []
  for await (const file of glob(pattern, { cwd: server })) {
    const text = await readFile(join(server, file), 'utf8')
    for (const match of text.matchAll(/pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\(/g)) {
      const args = ['']
      let depth = 1
      for (const char of text.slice(match.index + match[0].length)) {
        if (char === '(') depth++
        if (char === ')' && --depth === 0) break
        if (char === ',' && depth === 1) args.push('')
        else args[args.length - 1] += char
      }
      calls.push({ file, args: args.map(arg => arg.trim()) })
    }
  }
  return calls
}

it('no two advisory locks have the same key', () => {
  const keys = Object.values(advisoryLocks).map(key => key.join(' '))
  expect(new Set(keys).size).toBe(keys.length)
  // A hash may be any number, so a class of hashes is shared with nobody.
  const classes = [
    ...new Set<number>(Object.values(advisoryLocks).map(([lockClass]) => lockClass)),
    ...Object.values(tenantLockClasses),
  ]
  expect(new Set(classes).size).toBe(classes.length)
})

it('every lock with two numbers takes them from the list', async () => {
  const calls = await lockCalls('src/**/*.ts')
  expect(calls.length).toBeGreaterThan(8)
  expect(
    calls.filter(({ args }) => /\d/.test(args[0]!.replace(/\$\d|hashtextextended\(.*\)$/s, ''))),
  ).toEqual([])
})

it('the classes of locks in the migrations are in the list', async () => {
  const classes = (await lockCalls('migrations/*.sql'))
    .filter(({ args }) => args.length === 2)
    .map(({ args }) => Number(args[0]))
  expect(classes.length).toBeGreaterThan(0)
  const known: number[] = Object.values(tenantLockClasses)
  expect(classes.filter(lockClass => !known.includes(lockClass))).toEqual([])
})
