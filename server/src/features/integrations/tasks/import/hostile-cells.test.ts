import { beforeEach, expect, it } from 'vitest'
import { longestStretchMs } from '../../../../../test/harness/longest-stretch.ts'
import { useManualTasks } from '../../../../../test/harness/manual-tasks.ts'
import { newSandbox, type Sandbox } from '../../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../../test/harness/use-installation.ts'
import { runLane } from '../run-lane.ts'

const installation = useInstallation({ hasWorker: false, own: 'stops or changes parts' })
const tasks = useManualTasks(installation)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await newSandbox(installation)
})

const titles = 'N° facture;Client;E-mail;Date facture;Échéance;Montant TTC'
const upload = async (lines: readonly string[]): Promise<string> => {
  const { body } = await installation.call<{ id: string }>('POST', '/api/v1/tasks/import', {
    key: sandbox.key,
    raw: [titles, ...lines].join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
  return body.data!.id
}
const read = (id: string) =>
  sandbox.done<{ status: string; refused: number; refusals: { code: string }[]; failure: string | null }>(
    'GET',
    `/api/v1/tasks/${id}`,
  )

/** The best of three: a collection of garbage may fall into one. */
async function stretchOf(lines: readonly string[]): Promise<{ id: string; ms: number }> {
  let best = { id: '', ms: Number.POSITIVE_INFINITY }
  for (let i = 0; i < 3 && best.ms > 50; i++) {
    const id = await upload(lines)
    const ms = await longestStretchMs(() => tasks.runAll(sandbox.tenantId))
    if (ms < best.ms) best = { id, ms }
  }
  return best
}

it('a cell that is long and hostile is refused, and never holds up the main thread', async () => {
  const address = `a@${'.'.repeat(32_750)}@`
  const lines = Array.from({ length: 25 }, (_, n) => `Q-${n};Petit;${address};01/09/2026;01/10/2026;1,00`)
  const { id, ms } = await stretchOf(lines)
  expect(ms).toBeLessThan(50)
  expect(await read(id)).toMatchObject({
    status: 'review',
    refused: 25,
    refusals: [{ code: 'text_too_long' }],
  })
})

it('a step whose transaction is ended twice fails its task, and says so', async () => {
  // As PostgreSQL ends a transaction in which nothing happens for too long.
  await installation.sql(
    `create function end_transaction() returns trigger language plpgsql as $$
     begin raise exception 'terminating connection due to idle-in-transaction timeout' using errcode = '25P03'; end $$`,
  )
  await installation.sql(
    'create trigger ends before update on import_rows for each row when (new.cells is not null) execute function end_transaction()',
  )
  const id = await upload(['Q-1;Petit;a@b.fr;01/09/2026;01/10/2026;1,00'])
  // It says whether there may be more.
  while (await runLane(tasks.context(), sandbox.tenantId, 'read', () => false));
  expect(await read(id)).toMatchObject({ status: 'failed', failure: /took too long, twice/ })
})

it('an import of many rows is cancelled at once, although PostgreSQL knows nothing of its size', async () => {
  const { body } = await installation.call<{ id: string }>('POST', '/api/v1/tasks/import', {
    key: sandbox.key,
    raw: Array.from({ length: 30_000 }, (_, n) => `note ${n};without;titles`).join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
  const { id } = body.data
  await tasks.runAll(sandbox.tenantId)
  const cells = () =>
    installation.sql<{ n: number }>(
      'select count(*)::integer as n from import_rows where task_id = $1 and cells is not null',
      [id],
    )
  expect(await cells()).toEqual([{ n: 30_000 }])
  await sandbox.done('POST', `/api/v1/tasks/${id}/cancel`)
  expect(await cells()).toEqual([{ n: 0 }])
})
