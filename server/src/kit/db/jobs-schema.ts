import { PgBoss } from 'pg-boss'

/** Where the tables of pg-boss are. */
export const jobsSchema = 'jobs'

/** One job per key is queued or active. Workers write a heartbeat every 5 s; after 10 s without one, another takes the job. */
const options = {
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  // Ended jobs are not needed: their outcome is in our own rows.
  deleteAfterSeconds: 60,
} as const

/** `acts` and `reads` have a job per tenant with tasks of that lane; the others have one job, at the times of their schedule. */
const queues = {
  acts: {},
  reads: {},
  nights: { cron: '* * * * *' },
  housekeeping: { cron: '7 * * * *' },
} as const satisfies Record<string, { cron?: string }>
export type QueueName = keyof typeof queues

/** Makes the schema, its queues and its schedules, or brings them up to date: a part of `migrate`. */
export async function installJobs(adminUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: adminUrl,
    application_name: 'relance-migrate',
    options: '-c role=relance_owner',
    schema: jobsSchema,
    max: 1,
    supervise: false,
    schedule: false,
  })
  let fault: unknown
  boss.on('error', error => {
    fault ??= error
  })
  try {
    await boss.start()
    for (const [name, queue] of Object.entries(queues)) {
      await boss.createQueue(name, { policy: 'exclusive', ...options })
      await boss.updateQueue(name, options)
      if ('cron' in queue) await boss.schedule(name, queue.cron, {}, { singletonKey: 'all', missed: 'once' })
    }
    await boss.getDb().executeSql(`
      grant usage on schema ${jobsSchema} to relance_worker, relance_operator;
      grant select, insert, update, delete on all tables in schema ${jobsSchema} to relance_worker;
      grant select on all tables in schema ${jobsSchema} to relance_operator`)
  } finally {
    await boss.stop({ graceful: false })
  }
  if (fault) throw fault
}
