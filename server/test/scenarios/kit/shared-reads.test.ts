import { expect, test } from 'vitest'
import { createPool } from '../../../src/kit/db/pool.ts'
import { reader } from '../../../src/kit/db/reader.ts'
import type { Statement } from '../../../src/kit/db/statement.ts'
import { asWorker } from '../../../src/kit/db/transaction.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

test('requests that share a transaction are each answered for themselves', async () => {
  const { body: mine } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  const other = { key: installation.company.sandboxKey, body: invoiceInput() }
  const { body: theirs } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', other)
  const requests = Array.from({ length: 60 }, (_, i) => [mine.data.id, theirs.data.id, mine.data.id][i % 3]!)
  const answers = await Promise.all(
    requests.map(id => installation.call<{ id: string }>('GET', `/api/v1/invoices/${id}`)),
  )
  answers.forEach((answer, i) => {
    const isMine = requests[i] === mine.data.id
    expect(answer.status).toBe(isMine ? 200 : 404)
    if (isMine) expect(answer.body.data.id).toBe(mine.data.id)
  })
})

test('a question that fails costs the others of its transaction nothing, and one client never takes the whole pool', async () => {
  const pool = createPool({
    url: installation.database.env.WORKER_DATABASE_URL,
    role: 'relance-worker',
    max: 8,
    statementTimeoutMs: 5_000,
  })
  try {
    const divide: Statement<{ n: number }> = { name: 'test.divide', text: 'select 100 / $1::integer as n' }
    const { rows } = reader(pool, asWorker(installation.company.tenants.production), 'one client')
    const divisors = Array.from({ length: 40 }, (_, i) => (i % 10 === 7 ? 0 : i + 1))
    const results = await Promise.allSettled(divisors.map(divisor => rows(divide, [divisor])))
    results.forEach((result, i) => {
      const divisor = divisors[i]!
      if (divisor === 0) expect(result).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
      else expect(result).toEqual({ status: 'fulfilled', value: [{ n: Math.trunc(100 / divisor) }] })
    })
    await Promise.all(divisors.map(() => rows(divide, [1])))
    expect(pool.totalCount).toBeLessThan(8)
  } finally {
    await pool.end()
  }
})

test('reads that are asked for together see one snapshot, whatever is committed in between', async () => {
  const pool = createPool({
    url: installation.database.env.WORKER_DATABASE_URL,
    role: 'relance-worker',
    max: 8,
    statementTimeoutMs: 5_000,
  })
  try {
    const wait: Statement<object> = { name: 'test.wait', text: 'select pg_sleep(0.5)' }
    const count: Statement<{ n: number }> = {
      name: 'test.count',
      text: 'select count(*)::integer as n from debtors',
    }
    const tenant = asWorker(installation.company.tenants.production)
    for (const { rows } of [reader(pool, tenant, 'one client'), reader(pool, tenant)]) {
      const together = Promise.all([rows(count, []), rows(wait, []), rows(count, [])])
      await new Promise(resolve => setTimeout(resolve, 200))
      await installation.call('POST', '/api/v1/debtors', {
        body: { name: 'Between', email: `between-${Math.random()}@debtor.example` },
      })
      const [[before], , [after]] = await together
      expect(after).toEqual(before)
      expect(await rows(count, [])).toEqual([{ n: before!.n + 1 }])
    }
  } finally {
    await pool.end()
  }
})
