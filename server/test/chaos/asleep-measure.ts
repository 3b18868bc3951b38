import pg from 'pg'
// Declares the statements that look for due debtors.
import '../../src/features/recovery/wake/pull.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { type StatementName, statements } from '../../src/kit/db/statement.ts'
import { lowestId } from '../../src/kit/uuid.ts'
import type { ChaosInstallation } from './chaos-installation.ts'

export interface Lateness {
  median: number
  p99: number
  max: number
}

export interface Passes {
  count: number
  within: number
  meanMs: number
}

export async function memoryMb(pid: number): Promise<number> {
  return Number((await runChild('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1_024
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

/** The debtors made last have the highest ids. */
export async function firstIdOfLast(installation: ChaosInstallation, count: number): Promise<string> {
  const [row] = await installation.query<{ id: string }>(
    'select id from debtors where tenant_id = $1 order by id desc offset $2 limit 1',
    [installation.company.tenants.sandbox, count - 1],
  )
  return row!.id
}

export async function sentFrom(installation: ChaosInstallation, firstId: string): Promise<number> {
  const [row] = await installation.query<{ sent: number }>(
    `select count(*)::int as sent from communications
      where tenant_id = $1 and debtor_id >= $2 and sent_at is not null`,
    [installation.company.tenants.sandbox, firstId],
  )
  return row!.sent
}

/**
 * From the moment a step was planned for to the moment its message was settled, by the wall; seconds. In the sandbox's own time
 * everything happens exactly when it was due.
 */
export async function latenessOf(installation: ChaosInstallation, firstId: string): Promise<Lateness> {
  const [row] = await installation.query<Record<'median' | 'p99' | 'max', number | null>>(
    `select percentile_cont(0.5) within group (order by late) as median,
            percentile_cont(0.99) within group (order by late) as p99, max(late) as max
       from (select extract(epoch from e.recorded_at - (i.metadata ->> 'plannedAt')::timestamptz)::float8
                      + (t.clock_offset_ms + n.clock_offset_ms) / 1000.0 as late
               from invoices i
               join tenants t on t.id = i.tenant_id
               cross join installation n
               join events e on e.tenant_id = i.tenant_id and e.subject_id = i.id and e.type = 'debtor.contacted'
              where i.tenant_id = $1 and i.debtor_id >= $2) x`,
    [installation.company.tenants.sandbox, firstId],
  )
  const round = (value: number | null) => Math.round((value ?? Number.POSITIVE_INFINITY) * 100) / 100
  return { median: round(row!.median), p99: round(row!.p99), max: round(row!.max) }
}

export async function passesOf(installation: ChaosInstallation, passMs: number): Promise<Passes> {
  const text = await (
    await fetch(installation.metricsUrls[0]!, { signal: AbortSignal.timeout(5_000) })
  ).text()
  const figure = (suffix: string) => {
    const line = text
      .split('\n')
      .find(candidate => candidate.startsWith(`relance_take_pass_seconds_${suffix} `))
    return line === undefined ? Number.NaN : Number(line.split(' ').at(-1))
  }
  const count = figure('count')
  return {
    count,
    within: figure(`bucket{le="${passMs / 1_000}"}`),
    meanMs: Math.round((figure('sum') / count) * 10_000) / 10,
  }
}

const minute = 60_000
const rounds = 100

/** The queries of a look that finds nothing, timed from outside the worker: a figure of the database alone. */
export async function queriesMs(installation: ChaosInstallation): Promise<number> {
  const [now, before] = [new Date().toISOString(), new Date(Date.now() - 2 * minute).toISOString()]
  const longAgo = new Date(0).toISOString()
  const statementWith = (name: StatementName, values: unknown[]) => ({
    name,
    text: statements.get(name)!.text,
    values,
  })
  const queries = [
    statementWith('agenda.list-oldest-due', [now, false, 500, longAgo]),
    statementWith('agenda.list-oldest-due', [now, true, 500, longAgo]),
    statementWith('agenda.list-due-tenants', [now, false]),
    statementWith('agenda.list-due-tenants', [now, true]),
    statementWith('agenda.release-late', [before, 2 * minute, now]),
    statementWith('messages.take-lost-sends', [now, 5, 2 * minute, lowestId]),
  ]
  const client = new pg.Client({ connectionString: installation.database.env.WORKER_DATABASE_URL })
  await client.connect()
  try {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      for (const query of queries) await client.query(query)
      times.push(performance.now() - start)
    }
    return Math.round(times.sort((a, b) => a - b)[rounds / 2]! * 10) / 10
  } finally {
    await client.end()
  }
}
