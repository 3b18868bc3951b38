import { afterAll, beforeAll, expect, it } from 'vitest'
import { Relance } from '../../../sdk/src/index.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'
import { startCuttingProxy } from './cutting-proxy.ts'

const installation = useInstallation({ hasWorker: false })
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
beforeAll(async () => {
  proxy = await startCuttingProxy(installation.server.baseUrl)
})
afterAll(() => proxy?.stop())

const client = () => new Relance({ apiKey: installation.company.productionKey, baseUrl: proxy.url })
const countOf = async (number: string) => {
  const [row] = await installation.sql<{ n: number }>(
    'select count(*)::integer as n from invoices where number = $1',
    [number],
  )
  return row!.n
}

it('an answer that is lost on the way and asked for again makes one invoice', async () => {
  const input = invoiceInput()
  proxy.statuses.length = 0
  proxy.cutNext(2)
  const whole = await client().invoices.create(input).withResponse()
  expect(proxy.statuses).toEqual([201, 201, 201])
  expect(whole.headers.get('idempotent-replayed')).toBe('true')
  expect(whole.data.invoiceNumber).toBe(input.invoiceNumber)
  expect(await countOf(input.invoiceNumber)).toBe(1)
})

it('without the key the second attempt would be refused as a second invoice', async () => {
  const input = invoiceInput()
  proxy.cutNext(1)
  await expect(client().invoices.create(input, { maxRetries: 0 })).rejects.toMatchObject({
    code: 'NO_ANSWER',
  })
  await expect(client().invoices.create(input)).rejects.toMatchObject({ code: 'RES_002', status: 409 })
  expect(await countOf(input.invoiceNumber)).toBe(1)
})

it('twenty at once, each with its answer lost, make twenty invoices', async () => {
  const inputs = Array.from({ length: 20 }, () => invoiceInput())
  proxy.cutNext(20)
  const relance = client()
  const created = await Promise.all(inputs.map(input => relance.invoices.create(input, { maxRetries: 8 })))
  expect(new Set(created.map(({ id }) => id)).size).toBe(20)
  for (const { invoiceNumber } of inputs) expect(await countOf(invoiceNumber)).toBe(1)
})
