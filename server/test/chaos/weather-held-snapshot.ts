import pg from 'pg'
import { listOldest } from '../../src/features/recovery/agenda/wake-store.ts'
import { insertSleepingDebtors, vacuumTables } from './asleep-fill.ts'
import { median } from './asleep-measure.ts'
import { mondayMorning, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

const rounds = 9
const marginMs = 5_000

/**
 * A backup or an analyst holds a snapshot while so many debtors are served. What they leave in the index of what is due cannot
 * be removed meanwhile, and the workers look four times a second.
 */
export async function proveHeldSnapshot(findings: Findings, served: number): Promise<void> {
  const installation = await startChaosInstallation({
    apis: 0,
    workers: 0,
    leaseMs: 60_000,
    isStarted: false,
  })
  const holder = new pg.Client({ connectionString: installation.database.adminUrl })
  const client = new pg.Client({ connectionString: installation.database.adminUrl })
  try {
    const wall = Date.now()
    const dueAt = wall - 3_600_000
    await insertSleepingDebtors(installation.database, {
      tenantId: installation.company.tenants.production,
      from: 0,
      count: served,
      firstDue: dueAt,
      lastDue: wall - 2 * marginMs,
      offsetMs: 0,
      isSandbox: false,
    })
    await vacuumTables(installation.database)
    await Promise.all([holder.connect(), client.connect()])
    await holder.query('begin isolation level repeatable read')
    await holder.query('select count(*) from tenants')
    // Taken, and then waiting for the next step: two new versions of each row.
    await installation.query('update agendas set taken_generation = wake_generation')
    await installation.query('update agendas set wake_generation = wake_generation + 1, wake_at = $1', [
      new Date(mondayMorning + 30 * 86_400_000).toISOString(),
    ])
    const look = async (from: number) => {
      const startedAt = performance.now()
      const values = [new Date(wall).toISOString(), false, 80, new Date(from).toISOString()]
      const { rows } = await client.query({ name: 'look', text: listOldest.text, values })
      return { ms: performance.now() - startedAt, found: rows.length }
    }
    const fromBeginning: number[] = []
    const fromFloor: number[] = []
    let found = 0
    for (let i = 0; i < rounds; i++) {
      const full = await look(0)
      const bounded = await look(wall - marginMs)
      fromBeginning.push(full.ms)
      fromFloor.push(bounded.ms)
      found += full.found + bounded.found
    }
    findings.figure(`the due query with ${served} served under a held snapshot, ms`, {
      fromTheBeginning: Number(median(fromBeginning).toFixed(2)),
      fromTheFloor: Number(median(fromFloor).toFixed(2)),
    })
    findings.check('nothing was due', found === 0)
    findings.check('it takes less than 5 ms', median(fromFloor) < 5, median(fromFloor))
  } finally {
    await Promise.all([holder, client].map(one => one.end().catch(() => {})))
    await installation.close(false)
  }
}
