import { expect, it } from 'vitest'
import { Relance } from '../../../sdk/src/index.ts'
import { answerWith, refuseWith, useScriptedServer } from './scripted-server.ts'

const server = useScriptedServer()
const client = () => new Relance({ apiKey: 'fk_test_x', baseUrl: server.baseUrl })
const urls = () => server.seen.map(({ url }) => url)
const page = (data: unknown[], pagination: object) => answerWith(200, { success: true, data, pagination })
async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

it('awaited a list is one page, asked for once', async () => {
  server.answer(page([{ id: 'a' }], { page: 1, limit: 1, total: 2, hasNext: true, nextCursor: 'c1' }))
  const list = client().invoices.list({ limit: 1 })
  const first = await list
  expect(first.data.map(({ id }) => id)).toEqual(['a'])
  expect([first.nextCursor, first.pagination.total, first.requestId]).toEqual(['c1', 2, 'r-1'])
  expect((await list).data).toBe(first.data)
  expect(urls()).toHaveLength(1)
})

it('catch and finally work as those of a promise, and the page is asked for once', async () => {
  server.answer(page(['a'], { page: 1, hasNext: false }), refuseWith(404, 'RES_001'))
  const [list, refused] = [client().invoices.list(), client().invoices.list()]
  const ended: string[] = []
  expect((await list.finally(() => ended.push('list')).catch(() => null))?.data).toEqual(['a'])
  expect((await list).data).toEqual(['a'])
  expect(await refused.catch((error: unknown) => (error as { code: string }).code)).toBe('RES_001')
  await expect(refused.finally(() => ended.push('refused'))).rejects.toMatchObject({ code: 'RES_001' })
  expect(ended).toEqual(['list', 'refused'])
  expect(urls()).toHaveLength(2)
})

it('a list that nobody uses is never asked for', async () => {
  client().invoices.list()
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(urls()).toEqual([])
})

it('with for await it is every item, by cursor', async () => {
  server.answer(
    page(['a', 'b'], { page: 1, limit: 2, total: 3, hasNext: true, nextCursor: 'c/1' }),
    page(['c'], { page: 2, limit: 2, total: 3, hasNext: false, nextCursor: null }),
  )
  expect(await all(client().invoices.list({ limit: 2, page: 1 }))).toEqual(['a', 'b', 'c'])
  expect(urls()).toEqual(['/api/v1/invoices?limit=2&page=1', '/api/v1/invoices?limit=2&cursor=c%2F1'])
})

it('where there is no cursor, by page', async () => {
  server.answer(page(['a'], { page: 1, limit: 1, hasNext: true }), page(['b'], { page: 2, hasNext: false }))
  expect(await all(client().cascades.list({ limit: 1 }))).toEqual(['a', 'b'])
  expect(urls()).toEqual(['/api/v1/cascades?limit=1', '/api/v1/cascades?limit=1&page=2'])
})

it('where it is paged by offset, by offset, also when the total is not exact', async () => {
  server.answer(
    page(['a', 'b'], { limit: 2, offset: 0, total: 2, totalIsExact: false }),
    page(['c'], { limit: 2, offset: 2, total: 3 }),
  )
  expect(await all(client().webhooks.deliveries('w'))).toEqual(['a', 'b', 'c'])
  expect(urls()).toEqual(['/api/v1/webhooks/w/deliveries', '/api/v1/webhooks/w/deliveries?offset=2'])
})

it('a feed ends where nothing more has happened yet, and its page says where to go on', async () => {
  server.answer(
    page(['a'], { limit: 1, hasNext: true, nextCursor: 'f1' }),
    page(['b'], { limit: 1, hasNext: false, nextCursor: 'f2' }),
  )
  const pages = await all(client().events.list({ start: 'oldest' }).pages())
  expect(pages.flatMap(({ data }) => data)).toEqual(['a', 'b'])
  expect(pages.at(-1)!.nextCursor).toBe('f2')
  expect(urls()).toEqual(['/api/v1/events?start=oldest', '/api/v1/events?cursor=f1'])
})

it('whoever stops early asks for nothing more, and a refusal on the way is thrown', async () => {
  server.answer(page(['a', 'b'], { page: 1, hasNext: true, nextCursor: 'c' }), refuseWith(404, 'RES_001'))
  for await (const _ of client().invoices.list()) break
  expect(urls()).toHaveLength(1)
  await expect(all(client().invoices.list())).rejects.toMatchObject({ code: 'RES_001' })
})
