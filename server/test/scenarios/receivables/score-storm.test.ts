import pg from 'pg'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { newScoreFixture } from './score-fixture.ts'

const installation = useInstallation()
const noMarks = () =>
  eventually(
    () => installation.sql('select 1 from score_marks limit 1'),
    rows => rows.length === 0,
  )

it('after a storm of changes what is kept is what a fresh look finds, of everybody', async () => {
  const sandbox = await newSandbox(installation)
  const invoices = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: Array.from({ length: 24 }, (_, i) => ({
      invoiceNumber: `S-${i}`,
      amountCents: 120_000,
      issueDate: '2026-08-01',
      dueDate: '2026-08-31',
      debtor: lyonDebtor(`Orage ${'abcdef'[i % 6]}`),
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
  // All at once, several on each invoice: some are refused, as they would be in sequence.
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
  const debtors = await installation.sql<{ id: string }>('select id from debtors where tenant_id = $1', [
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
  const stored = await read()
  await installation.sql('delete from debtor_scores where tenant_id = $1', [sandbox.tenantId])
  expect(stored).toEqual(await read())
})

it('a mark that is not committed yet lets everybody else mark the same debtor', async () => {
  const fixture = await newScoreFixture(installation)
  const { ids, debtorId } = await fixture.invoices(['2026-10-02'])
  await fixture.firstMessage(ids[0]!)
  const client = new pg.Client({ connectionString: installation.database.env.WORKER_DATABASE_URL })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('insert into score_marks (tenant_id, debtor_id) values ($1, $2)', [
      fixture.tenantId,
      debtorId,
    ])
    // Waiting would end with RES_004 after a second.
    await fixture.pay(ids[0]!, 10_000)
  } finally {
    await client.end()
  }
  await noMarks()
})

it('a sandbox that starts again has no scores', async () => {
  const fixture = await newScoreFixture(installation)
  await fixture.invoices(['2026-10-02'])
  await noMarks()
  const scores = () =>
    installation.sql('select 1 from debtor_scores where tenant_id = $1', [fixture.tenantId])
  expect(await scores()).toHaveLength(1)
  await fixture.done('POST', '/api/v1/sandbox/reset')
  expect(await scores()).toEqual([])
  await noMarks()
  expect(await scores()).toEqual([])
})
