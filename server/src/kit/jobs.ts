import { PgBoss } from 'pg-boss'
import { jobsSchema, type QueueName } from './db/jobs-schema.ts'
import type { Log } from './log.ts'
import { failureLog } from './poll-loop.ts'

/*
 * Work that takes too long for a request: jobs of pg-boss, in a separate schema. A job contains ids and may be lost, run twice or
 * come late. The work to do is stored in our own rows.
 */

/** A job for the whole installation has no tenant. */
export interface JobData {
  tenantId?: string
}

export interface JobWork {
  /** How many of its jobs this process runs at once. */
  places: number
  /** Safe to run twice, also at the same time. True: there is more, and the job is queued again behind the others. */
  run(data: JobData, isStopping: () => boolean): Promise<boolean>
}

/** Options of its pool. The connections are used every few seconds, so they stay open. */
const connections = { max: 2, idleTimeoutMillis: 600_000 }

/** Takes jobs and runs them, until it is stopped; a job under way then ends at its next pause. */
export function startJobs(
  { url, log, mayRun }: { url: string; log: Log; mayRun: () => boolean },
  works: Readonly<Partial<Record<QueueName, JobWork>>>,
): { stop(): Promise<void> } {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'relance-jobs',
    options: '-c jit=off -c timezone=UTC -c statement_timeout=30000',
    schema: jobsSchema,
    ...connections,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Only the owner of an index may rebuild it.
    reindex: false,
    monitorVacuum: false,
  })
  const logFailure = failureLog({ log, failure: 'a job could not be taken or ended; it is retried' })
  boss.on('error', logFailure)
  boss.on('warning', ({ message }) => log.info({ warning: message }, 'pg-boss warns'))
  let isStopping = false

  /** Completes a job and queues it again behind the others, in one transaction, because a key is never queued twice. */
  async function again(name: QueueName, job: { id: string; data: JobData }): Promise<void> {
    const transaction = await boss.getDb().beginTransaction!()
    try {
      const { db } = transaction
      await boss.complete(name, job.id, null, { db })
      await boss.send(name, job.data, { singletonKey: job.data.tenantId ?? 'all', db })
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }

  async function start(): Promise<void> {
    await boss.start()
    for (const [name, { places, run }] of Object.entries(works) as [QueueName, JobWork][])
      await boss.work<JobData>(
        name,
        { localConcurrency: places, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 },
        async ([job]) => {
          // The job is retried later, with growing pauses.
          if (!mayRun()) throw new Error('no job is run in a copy of the database')
          if (isStopping || (await run(job!.data, () => isStopping))) await again(name, job!)
        },
      )
  }
  // If the database is away now, the start is repeated until it is back.
  let retry: NodeJS.Timeout | undefined
  let starting: Promise<void>
  const tryToStart = () => {
    starting = start().catch(error => {
      logFailure(error)
      if (!isStopping) retry = setTimeout(tryToStart, 1_000)
    })
  }
  tryToStart()
  return {
    async stop() {
      isStopping = true
      clearTimeout(retry)
      await starting
      await boss.stop({ graceful: true, timeout: 8_000 })
    },
  }
}
