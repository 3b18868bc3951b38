import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { ColumnMapping } from '../../../receivables/file-rows/row-fields.ts'
import type { TaskRow } from '../schema.ts'
import type { ImportReport } from './schema.ts'

const upsertPlan = sql(
  'imports.save-plan',
  `insert into imports (tenant_id, task_id, plan) values (current_setting('relance.tenant')::uuid, $1, $2)
   on conflict (tenant_id, task_id) do update set plan = excluded.plan`,
)
const findPlan = sql('imports.find-plan', 'select plan::text as plan from imports where task_id = $1').as<{
  plan: string
}>()
const removePlan = sql('imports.delete', 'delete from imports where task_id = $1')
const upsertMapping = sql(
  'import-mappings.save',
  `insert into import_mappings (tenant_id, signature, mapping, used_at) values (current_setting('relance.tenant')::uuid, $1, $2, $3)
   on conflict (tenant_id, signature) do update set mapping = excluded.mapping, used_at = excluded.used_at`,
)
const useMapping = sql(
  'import-mappings.use',
  'update import_mappings set used_at = $2 where signature = $1 returning mapping',
).as<{ mapping: ColumnMapping }>()

export const reportOf = ({ report }: TaskRow): ImportReport => report as unknown as ImportReport

/** The plan is JSON: only the thread that reads rows parses it. */
export const savePlan = (tx: Tx, taskId: string, plan: string): void =>
  tx.atCommit(upsertPlan, [taskId, plan])
export const deletePlan = (tx: Tx, taskId: string): void => tx.atCommit(removePlan, [taskId])
export const readPlan = async (tx: Tx, taskId: string): Promise<string> =>
  (await tx.rows(findPlan, [taskId]))[0]!.plan

/** Remembered for every file with the same titles in the same order. */
export const rememberMapping = (tx: Tx, signature: string, mapping: ColumnMapping, wall: number): void =>
  tx.atCommit(upsertMapping, [signature, JSON.stringify(mapping), iso(wall)])
export const recallMapping = async (
  tx: Tx,
  signature: string,
  wall: number,
): Promise<ColumnMapping | undefined> => (await tx.rows(useMapping, [signature, iso(wall)]))[0]?.mapping
