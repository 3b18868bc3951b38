import pg from 'pg'
import { expect, it } from 'vitest'
import { eventually, useHouse } from '../../harness/house.ts'
import { lyon, newSandbox } from '../../harness/sandbox.ts'
import { startStory } from './score-story.ts'

const house = useHouse()
const noMarks = () =>
  eventually(
    () => house.sql('select 1 from score_marks limit 1'),
    rows => rows.length === 0,
  )

it('after a storm of changes what is kept is what a fresh look finds, of everybody', async () => {
  const sandbox = await newSandbox(house)
  const invoices = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: Array.from({ length: 24 }, (_, i) => ({
      invoiceNumber: `S-${i}`,
      amountCents: 120_000,
      issueDate: '2026-08-01',
      dueDate: '2026-08-31',
      debtor: lyon(`Orage ${'abcdef'[i % 6]}`),
    })),
  })
  const ids = invoices.results.map(result => result.id)
  const pay = (invoiceId: string, amountCents: number, status = 'completed') =>
    sandbox.call<{ id: string }>('POST', '/api/v1/payments', {
      invoiceId,
      amountCents,
      method: 'card',
      status,
    })
  // All at once, several on each invoice: some are refused, as they would be one after the other.
  await Promise.all(
    ids.flatMap((id, i) => [
      pay(id, 1_000 + i),
      pay(id, 2_000, 'pending').then(({ status, body }) =>
        status === 201
          ? sandbox.call('PUT', `/api/v1/payments/${body.data.id}`, {
              status: i % 2 === 0 ? 'failed' : 'completed',
            })
          : null,
      ),
      i % 3 === 0 ? sandbox.call('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Broken' }) : null,
      i % 4 === 0 ? sandbox.call('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-20' }) : null,
      i % 5 === 0 ? pay(id, 200_000) : null,
    ]),
  )
  await sandbox.advance('P9D')
  await noMarks()
  const debtors = await house.sql<{ id: string }>('select id from debtors where tenant_id = $1', [
    sandbox.tenantId,
  ])
  expect(debtors).toHaveLength(6)
  const read = async () =>
    Promise.all(
      debtors.map(async ({ id }) => {
        const { criteria } = await sandbox.done<{ criteria: unknown }>('GET', `/api/v1/debtors/${id}/score`)
        return criteria
      }),
    )
  const kept = await read()
  await house.sql('delete from debtor_scores where tenant_id = $1', [sandbox.tenantId])
  expect(kept).toEqual(await read())
})

it('a mark that is not committed yet lets everybody else mark the same debtor', async () => {
  const story = await startStory(house)
  const { ids, debtorId } = await story.invoices(['2026-10-02'])
  await story.firstMessage(ids[0]!)
  const client = new pg.Client({ connectionString: house.database.env.WORKER_DATABASE_URL })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('insert into score_marks (tenant_id, debtor_id) values ($1, $2)', [
      story.tenantId,
      debtorId,
    ])
    // Waiting would end with RES_004 after a second.
    await story.pay(ids[0]!, 10_000)
  } finally {
    await client.end()
  }
  await noMarks()
})

it('a sandbox that starts again has no scores', async () => {
  const story = await startStory(house)
  await story.invoices(['2026-10-02'])
  await noMarks()
  const scores = () => house.sql('select 1 from debtor_scores where tenant_id = $1', [story.tenantId])
  expect(await scores()).toHaveLength(1)
  await story.done('POST', '/api/v1/sandbox/reset')
  expect(await scores()).toEqual([])
  await noMarks()
  expect(await scores()).toEqual([])
})
