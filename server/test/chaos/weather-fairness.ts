import { setTimeout as pause } from 'node:timers/promises'
import { insertSleepingDebtors, vacuumTables } from './asleep-fill.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { until } from './until.ts'

const hour = 3_600_000
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`

/** A small tenant imports an invoice every half second beside a tenant with many due: how long until its debtors are written to? */
export async function smallBesideLarge(
  findings: Findings,
  { due, invoices }: { due: readonly [few: number, many: number]; invoices: number },
): Promise<void> {
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 1,
    leaseMs: 60_000,
  })
  try {
    const small = await installation.newCompany('Petit Atelier')
    const worker = installation.workers[0]!
    const lateness: number[][] = []
    let filled = 0
    for (const size of due) {
      await worker.stop()
      await fillDue(installation, filled, size)
      filled += size
      await worker.start()
      lateness.push(await measure(installation, small.productionKey, `S${size}`, invoices))
      const [left] = await installation.query<{ n: number }>(
        `select count(*)::int as n from (select from agendas where wake_at <= clock_timestamp() limit ${size}) due`,
      )
      findings.check(`beside ${size} due: the large tenant is still being served`, left!.n > 0)
    }
    const [few, many] = lateness.map(times => ({
      mean: times.reduce((sum, ms) => sum + ms, 0) / times.length,
      p99: times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!,
    })) as [{ mean: number; p99: number }, { mean: number; p99: number }]
    for (const [size, { mean, p99 }] of [[due[0], few] as const, [due[1], many] as const])
      findings.check(`beside ${size} due: 99 of 100 are written to within 5 s`, p99 < 5_000, {
        mean: seconds(mean),
        p99: seconds(p99),
      })
    findings.check('beside many it takes at most 1.5 × as long as beside few', many.mean <= 1.5 * few.mean, {
      ratio: (many.mean / few.mean).toFixed(2),
    })
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

async function fillDue(installation: ChaosInstallation, from: number, count: number): Promise<void> {
  const [row] = await installation.query<{ offset_ms: number }>(
    'select clock_offset_ms::float as offset_ms from installation',
  )
  const now = Date.now() + row!.offset_ms
  await insertSleepingDebtors(installation.database, {
    tenantId: installation.company.tenants.production,
    from,
    count,
    firstDue: now - hour,
    lastDue: now - 1_000,
    offsetMs: row!.offset_ms,
    isSandbox: false,
  })
  await vacuumTables(installation.database)
}

async function measure(
  installation: ChaosInstallation,
  key: string,
  prefix: string,
  invoices: number,
): Promise<number[]> {
  const addressOf = (n: number) => `${prefix}-${n}@petit.example`.toLowerCase()
  const created = new Map<string, number>()
  const received = new Map<string, number>()
  const collect = () => {
    for (const { to, receivedAt } of installation.mailbox.messages())
      if (created.has(to)) received.set(to, Date.parse(receivedAt))
    installation.mailbox.clear()
  }
  for (let n = 0; n < invoices; n++) {
    const response = await fetch(`${installation.apiUrls[0]}/api/v1/invoices`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        invoiceNumber: `${prefix}-${n}`,
        amountCents: 120_000,
        issueDate: '2026-09-15',
        dueDate: '2026-10-15',
        debtor: { name: `Petit ${n}`, email: addressOf(n), postalCode: '69002', city: 'Lyon' },
      }),
    })
    if (response.status !== 201) throw new Error(`an invoice was answered ${response.status}`)
    created.set(addressOf(n), Date.now())
    await pause(500)
    collect()
  }
  await until(() => {
    collect()
    return received.size === invoices
  }, 60_000)
  return [...created].map(([address, at]) => (received.get(address) ?? Number.POSITIVE_INFINITY) - at)
}
