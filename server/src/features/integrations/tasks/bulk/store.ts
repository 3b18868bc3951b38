import { sql } from '../../../../kit/db/statement.ts'

/** Claims the items that are not done yet, only while this attempt runs. */
export const claimItems = sql(
  'tasks.claim-items',
  `insert into task_items (tenant_id, task_id, is_dry_run, subject_id, chunk)
   select t.tenant_id, t.id, false, x.id, $3 from tasks t cross join unnest($2::uuid[]) as x(id)
    where t.id = $1 and t.status = 'running' and t.attempt = $4
   on conflict do nothing returning subject_id`,
)
