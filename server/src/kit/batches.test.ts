import { expect, it } from 'vitest'
import { createBatches } from './batches.ts'

const moment = () => new Promise(resolve => setTimeout(resolve, 5))

/** Batches that end when they are told, and what each was given. */
function heldBatches(options: { max?: number; atOnce?: number; gatherMs?: () => number } = {}) {
  const ran: string[][] = []
  const ends: (() => void)[] = []
  const add = createBatches<string, string>({
    max: options.max ?? 10,
    atOnce: options.atOnce ?? 1,
    ...(options.gatherMs && { gatherMs: options.gatherMs }),
    async run(items) {
      ran.push([...items])
      await new Promise<void>(resolve => ends.push(resolve))
      if (items.length > 1 && items.includes('bad')) throw new Error('the batch failed')
      if (items[0] === 'bad') throw new Error('bad')
      return items.map(item => item.toUpperCase())
    },
  })
  const endNext = async () => {
    ends.shift()?.()
    await moment()
  }
  return { ran, add, endNext }
}

it('the first is run at once; those that come meanwhile are run together, each with its own result', async () => {
  const { ran, add, endNext } = heldBatches({ max: 2 })
  const all = Promise.all(['a', 'b', 'c', 'd'].map(item => add('key', item)))
  expect(ran).toEqual([['a']])
  await endNext()
  await endNext()
  await endNext()
  expect(await all).toEqual(['A', 'B', 'C', 'D'])
  expect(ran).toEqual([['a'], ['b', 'c'], ['d']])
})

it('another key does not wait', () => {
  const { ran, add } = heldBatches()
  void add('one', 'a')
  void add('two', 'b')
  expect(ran).toEqual([['a'], ['b']])
})

it('when a batch fails, its items are run one by one, and only the failing one fails', async () => {
  const { ran, add, endNext } = heldBatches()
  const first = add('key', 'a')
  const rest = Promise.allSettled(['b', 'bad', 'c'].map(item => add('key', item)))
  for (let i = 0; i < 5; i++) await endNext()
  expect(await first).toBe('A')
  expect((await rest).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(ran).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
})

it('the first may wait a moment for others', async () => {
  const { ran, add } = heldBatches({ gatherMs: () => 2 })
  void add('key', 'a')
  void add('key', 'b')
  expect(ran).toEqual([])
  await moment()
  expect(ran).toEqual([['a', 'b']])
})

it('a full batch does not wait', () => {
  const { ran, add } = heldBatches({ max: 2, gatherMs: () => 60_000 })
  void add('key', 'a')
  void add('key', 'b')
  expect(ran).toEqual([['a', 'b']])
})
