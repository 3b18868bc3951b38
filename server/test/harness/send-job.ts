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
