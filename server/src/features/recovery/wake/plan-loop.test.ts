import { afterAll, beforeAll, expect, it } from 'vitest'
import { longestStretchMs } from '../../../../test/harness/longest-stretch.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { workerWithoutLoop } from '../../../../test/harness/worker-without-loop.ts'
import { addDays } from '../../../domain/time.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { computePlans } from '../case/debtor-plan.ts'
import { firstTurns, storeMissingPlans } from './plan-loop.ts'

const installation = useInstallation({ hasWorker: false, own: 'stops or changes parts' })
let worker: ReturnType<typeof workerWithoutLoop>
beforeAll(() => {
  worker = workerWithoutLoop(installation.database, { connections: 2, reclaimAfterMs: 75_000 })
})
afterAll(() => worker.stop())

const debtorsCount = 12
/** Each becomes due on another day, so each needs a message of its own. */
async function fill(sandbox: Sandbox): Promise<string[]> {
  for (let n = 0; n < debtorsCount; n++) {
    const debtor = lyonDebtor(`Crowd ${n} SARL`)
    await sandbox.done('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: 100 }, (_, i) =>
        invoiceInput({ debtor, dueDate: addDays('2026-12-01', i * 3) }),
      ),
    })
  }
  const found = await installation.sql<{ id: string }>('select id from debtors where tenant_id = $1', [
    sandbox.tenantId,
  ])
  return found.map(({ id }) => id)
}

const markAll = (sandbox: Sandbox) =>
  installation.sql('update agendas set plan_generation = 0 where tenant_id = $1', [sandbox.tenantId])
const unplanned = async (sandbox: Sandbox) =>
  (
    await installation.sql<{ n: number }>(
      'select count(*)::integer as n from agendas where tenant_id = $1 and plan_generation <> wake_generation',
      [sandbox.tenantId],
    )
  )[0]!.n

it('debtors with many invoices hold up neither the process nor the transaction that plans them', async () => {
  const sandbox = await newSandbox(installation)
  const debtorIds = await fill(sandbox)
  const turns = firstTurns()
  let longest = Number.POSITIVE_INFINITY
  // Other processes on the same cores make the same work cost up to twice the CPU: the best of several rounds counts.
  for (let i = 0; i < 10 && longest > 50; i++) {
    await markAll(sandbox)
    longest = Math.min(longest, await longestStretchMs(() => storeMissingPlans(worker, turns)))
  }
  expect(longest).toBeLessThan(50)
  while (await storeMissingPlans(worker, turns));
  expect(await unplanned(sandbox)).toBe(0)

  // A batch that takes too long ends with the debtors it has done; the next pass does the others.
  const planned = await transact(worker.pool, asWorker(sandbox.tenantId), [], ({ tx, offsetMs }) =>
    computePlans(tx, sandbox.tenantId, debtorIds, worker.clock.wall() + offsetMs, 0),
  )
  expect(planned.size).toBeGreaterThan(0)
  expect(planned.size).toBeLessThan(debtorsCount)
}, 120_000)

it('a company that changes its rules again and again does not keep another one waiting', async () => {
  const [first, second] = [await newSandbox(installation), await newSandbox(installation)]
  await first.invoice({ debtor: lyonDebtor('First SARL') })
  await second.invoice({ debtor: lyonDebtor('Second SARL') })
  const change = (sandbox: Sandbox) =>
    installation.sql(
      `update tenants set stale_plans_cursor = '00000000-0000-0000-0000-000000000000' where id = $1`,
      [sandbox.tenantId],
    )
  const waits = async (sandbox: Sandbox) =>
    (
      await installation.sql<{ waits: boolean }>(
        'select stale_plans_cursor is not null as waits from tenants where id = $1',
        [sandbox.tenantId],
      )
    )[0]!.waits
  const turns = firstTurns()
  await change(second)
  for (let pass = 0; pass < 3; pass++) {
    await change(first)
    await storeMissingPlans(worker, turns)
  }
  expect(await waits(second)).toBe(false)
})
