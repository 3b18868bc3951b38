import { expect, it } from 'vitest'
import { waitForDatabase } from './wait-for-database.ts'

const silent = { debug() {}, info() {}, error() {} }
const away = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

it('a step of the start is repeated while the database is away, and says so once', async () => {
  const lines: string[] = []
  let left = 2
  const step = async () => {
    if (left-- > 0) throw away()
    return 'started'
  }
  const log = { ...silent, warn: (_facts: object, text: string) => void lines.push(text) }
  expect(await waitForDatabase(log, step)).toBe('started')
  expect(lines).toEqual(['the database cannot be reached; the start waits for it'])
})

it('another fault ends the start', async () => {
  const step = async () => {
    throw new Error('the schema is older than the program')
  }
  await expect(waitForDatabase({ ...silent, warn() {} }, step)).rejects.toThrow('the schema is older')
})
