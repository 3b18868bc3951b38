/** Queues the job of the whole installation that its schedule would queue, and tells the workers. */
export const sendJob = (
  { sql }: { sql(text: string, values?: unknown[]): Promise<unknown> },
  queue: 'nights' | 'housekeeping',
): Promise<unknown> =>
  sql(
    `with queued as (
       insert into jobs.job (name, data, singleton_key, policy, retry_limit, expire_seconds, heartbeat_seconds)
       select name, '{}', 'all', policy, retry_limit, expire_seconds, heartbeat_seconds from jobs.queue where name = $1
       on conflict do nothing)
     select pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), $1)`,
    [queue],
  )

/** From now on no job is queued for a task: it waits, and a test can look at it or change it. */
export const holdTasks = ({ sql }: { sql(text: string): Promise<unknown> }): Promise<unknown> =>
  sql(
    `create or replace function queue_lane(p_tenant uuid, p_lane text) returns void language plpgsql security definer
     set search_path = public, pg_temp as 'begin end'`,
  )
