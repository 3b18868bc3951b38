import { setTimeout as pause } from 'node:timers/promises'
import { asAdmin } from '../../dev/database.ts'
import type { BenchEnvironment } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import type { Size } from './http.ts'
import { runWave, type Sender, startSender } from './sends.ts'

const timeoutMs = 900_000

/** Changes a cap of the company, which concerns the plan of each of its debtors. */
const changeCap = ({ installation, template }: Sender, perWeek: number) =>
  asAdmin(installation.database.adminUrl, async admin => {
    const { rowCount } = await admin.query(
      'update company_settings set contacts_per_week = $2 where tenant_id = $1',
      [template.tenantId, perWeek],
    )
    if (rowCount !== 1) throw new Error('the company has no settings')
  })

/** Waits until every plan is stored anew; answers how long it took. */
const untilRefreshed = ({ installation, template }: Sender): Promise<number> =>
  asAdmin(installation.database.adminUrl, async admin => {
    const startedAt = performance.now()
    const isOpen = async () => {
      const { rows } = await admin.query(
        `select from tenants t where id = $1 and (stale_plans_cursor is not null or exists (
           select from agendas a where a.tenant_id = t.id and a.plan_generation <> a.wake_generation and a.wake_at is not null))`,
        [template.tenantId],
      )
      return rows.length > 0
    }
    while (await isOpen()) {
      if (performance.now() > startedAt + timeoutMs) throw new Error('the plans take too long')
      await pause(250)
    }
    return (performance.now() - startedAt) / 1_000
  })

/** A company with very many debtors changes a cap: how long it takes to plan them all anew, and what sends lose meanwhile. */
export async function benchPlans(environment: BenchEnvironment, { rounds, small }: Size): Promise<Figure[]> {
  const debtors = small ? 2_000 : 100_000
  const count = small ? 100 : 2_000
  console.log(`plans: ${debtors} debtors, ${count} messages at a time, ${environment.postgres}`)
  const sender = await startSender(environment, 'product', debtors)
  await runWave(sender, count)
  const [quiet, busy, seconds]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    quiet.push((await runWave(sender, count)).perSecond)
    await changeCap(sender, (round % 2) + 1)
    const refreshed = untilRefreshed(sender)
    busy.push((await runWave(sender, count)).perSecond)
    seconds.push(await refreshed)
  }
  return [
    { name: 'sends, without a change', unit: 'sends/s', values: quiet },
    { name: 'sends, while plans are made', unit: 'sends/s', values: busy },
    { name: 'while plans are made / without', unit: '', values: ratios(busy, quiet), target: { least: 0.9 } },
    { name: 'all plans made anew', unit: 's', values: seconds, target: { most: 120 } },
  ]
}
