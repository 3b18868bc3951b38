import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'stops or changes parts', redisUrl: undefined })

let sandbox: Sandbox
let holder: pg.Client
beforeEach(async () => {
  sandbox = await newSandbox(installation)
  holder = new pg.Client({ connectionString: installation.database.adminUrl })
  await holder.connect()
})
afterEach(() => holder.end())

/** Folding waits for this lock; readers do not. */
const stopFolding = () => holder.query('begin; lock table count_debtor_open in share mode')
const untilFolded = () =>
  eventually(
    () => installation.sql('select 1 from count_deltas where tenant_id = $1', [sandbox.tenantId]),
    rows => rows.length === 0,
  )

const invoice = (name: string, amountCents: number, changes: object = {}) =>
  sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`), amountCents, ...changes })
const pay = (invoiceId: string, amountCents: number) =>
  sandbox.done('POST', '/api/v1/payments', { invoiceId, amountCents, method: 'bank_transfer' })

const list = (query: string) => sandbox.call<{ id: string; name: string }[]>('GET', `/api/v1/debtors${query}`)
const found = async (query: string) => {
  const { body } = await list(query)
  return {
    names: body.data.map(({ name }) => name.replace(' SARL', '')),
    total: body.pagination.total,
  }
}

it('the next request finds a new debtor by its balance, in each order and under each filter', async () => {
  await stopFolding()
  const { debtor } = await invoice('Alpha', 30_000, { dueDate: '2026-12-01' })
  await invoice('Bravo', 20_000)
  await invoice('Sterling', 90_000, { currency: 'GBP' })
  const both = { names: ['Alpha', 'Bravo'], total: 2 }
  expect(await found('?sortBy=balance')).toEqual(both)
  expect(await found('?sortBy=balance&sortOrder=asc')).toEqual({ names: ['Bravo', 'Alpha'], total: 2 })
  expect(await found('?sortBy=balance&minBalance=20000')).toEqual(both)
  expect(await found('?sortBy=balance&standing=running')).toEqual(both)
  const alpha = { names: ['Alpha'], total: 1 }
  expect(await found('?sortBy=balance&minBalance=20001')).toEqual(alpha)
  expect(await found('?sortBy=name&minBalance=20001')).toEqual(alpha)
  expect(await found('?sortBy=balance&search=alpha')).toEqual(alpha)
  expect(await found('?sortBy=name&search=sarl&minBalance=20001')).toEqual(alpha)
  expect(await found('?sortBy=name&standing=running&minBalance=20001')).toEqual(alpha)
  expect((await found('?sortBy=next_contact')).names).toContain('Alpha')
  for (const path of [
    '/invoices?standing=running&minAmount=30000&maxAmount=30000',
    `/invoices?debtorId=${debtor.id}`,
    '/invoices?search=alpha',
    '/invoices?workflowStatus=in_recovery&overdueMin=-60&maxAmount=30000&minAmount=30000',
    '/invoices?sortBy=next_action_at&minAmount=30000&maxAmount=30000',
  ]) {
    const { body } = await sandbox.call<unknown[]>('GET', `/api/v1${path}`)
    expect(body.data, path).toHaveLength(1)
    expect(body.pagination.total, path).toBe(1)
  }
})

it('a debtor whose balance changed stands where it belongs at once', async () => {
  const ids = new Map<string, string>()
  for (const [name, cents] of [
    ['Alpha', 10_000],
    ['Bravo', 20_000],
    ['Charlie', 30_000],
    ['Delta', 40_000],
  ] as const)
    ids.set(name, (await invoice(name, cents)).id)
  await untilFolded()
  await stopFolding()
  await pay(ids.get('Delta')!, 25_000)
  await pay(ids.get('Charlie')!, 30_000)
  await invoice('Echo', 20_000)
  expect(await found('?sortBy=balance&sortOrder=asc')).toEqual({
    names: ['Alpha', 'Delta', 'Bravo', 'Echo'],
    total: 4,
  })
  expect(await found('?minBalance=15000&sortBy=name')).toEqual({
    names: ['Bravo', 'Delta', 'Echo'],
    total: 3,
  })
  expect(await found('?minBalance=15001&sortBy=balance')).toEqual({ names: ['Echo', 'Bravo'], total: 2 })
  expect(await found('?minBalance=20001')).toEqual({ names: [], total: 0 })
})

it('pages by cursor give every debtor once and in order, some folded and some not', async () => {
  const made: string[] = []
  for (let i = 0; i < 12; i++) made.push((await invoice(`Client ${i}`, 10_000 + 1_000 * (i % 5))).id)
  await untilFolded()
  await stopFolding()
  for (const [i, id] of made.entries()) if (i % 3 === 0) await pay(id, 1_000 * (1 + (i % 4)))
  for (let i = 12; i < 18; i++) await invoice(`Client ${i}`, 10_000 + 1_000 * (i % 5))
  const owed = await installation.sql<{ id: string }>(
    `select debtor_id as id from invoices where tenant_id = $1 group by 1 order by sum(open_cents) desc, 1 desc`,
    [sandbox.tenantId],
  )
  const expected = owed.map(({ id }) => id)
  for (const sortOrder of ['desc', 'asc']) {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await list(`?sortBy=balance&sortOrder=${sortOrder}&limit=4${cursor}`)
      seen.push(...body.data.map(({ id }) => id))
      expect(body.pagination.total).toBe(18)
      const { nextCursor } = body.pagination as { nextCursor?: string | null }
      if (!nextCursor) break
      cursor = `&cursor=${nextCursor}`
    }
    expect(seen).toEqual(sortOrder === 'desc' ? expected : expected.toReversed())
  }
  const [third] = (await list('?sortBy=balance&limit=4&page=3')).body.data
  expect(third!.id).toBe(expected[8])
})
