import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { randomFrom } from './random.ts'
import { startSlowProxy } from './slow-proxy.ts'
import { until } from './until.ts'
import { provePromotion, proveRestore } from './weather-copies.ts'
import { addressOf, createDebtors } from './weather-debtors.ts'
import { smallBesideLarge } from './weather-fairness.ts'
import { proveHeldSnapshot } from './weather-held-snapshot.ts'
import { outagesOnEachChannel } from './weather-outages.ts'
import { proveOwnStops } from './weather-own-stops.ts'
import { proveStops } from './weather-stops.ts'

const seconds = (ms: number | null) => (ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`)

const sections = [
  'outages',
  'workers',
  'stop-races',
  'own-stops',
  'restore',
  'promote',
  'fairness',
  'held-snapshot',
] as const
/** These have an installation of their own. */
const apart: readonly string[] = ['outages', 'fairness', 'held-snapshot']
/** Too long for the check: a second server and a base backup, and a million rows. */
const fullOnly: readonly string[] = ['promote', 'fairness']

/**
 * What happens to sending when the weather is bad: providers in trouble, workers that are frozen, killed or vanished, stops that race
 * messages, a database that comes back from a dump, a standby that was promoted, a tenant with a million due, a snapshot that is
 * held for long.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'boolean', default: false },
      debtors: { type: 'string' },
      races: { type: 'string' },
      sends: { type: 'string' },
      section: { type: 'string', multiple: true },
      /** Of the section outages: `away`, `throttled`, `unpaid` or `hanging`. */
      outage: { type: 'string' },
    },
  })
  const { small: isSmall } = values
  const wanted: readonly string[] =
    values.section ?? sections.filter(name => !isSmall || !fullOnly.includes(name))
  if (wanted.includes('outages'))
    await outagesOnEachChannel(findings, { debtors: isSmall ? 6 : 40, isSmall, only: values.outage })
  if (wanted.includes('fairness'))
    await smallBesideLarge(
      findings,
      isSmall ? { due: [200, 5_000], invoices: 12 } : { due: [10_000, 1_000_000], invoices: 120 },
    )
  if (wanted.includes('held-snapshot')) await proveHeldSnapshot(findings, isSmall ? 10_000 : 200_000)
  if (wanted.every(name => apart.includes(name))) return
  const debtors = Number(values.debtors ?? (isSmall ? 40 : 400))
  const races = Number(values.races ?? (isSmall ? 4 : 200))
  const sends = Number(values.sends ?? (isSmall ? 60 : 10_000))
  const random = randomFrom(Date.now() % 1_000_000)
  let smtpDelayMs = () => 300
  // A few places and a slow mail server, so that the worker that is taken away has messages at hand.
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 2,
    leaseMs: 60_000,
    smtpDelayMs: () => smtpDelayMs(),
    env: { CONCURRENCY: '4' },
    harmsPostgres: true,
  })
  const before = findings.counts().failed
  try {
    if (wanted.includes('workers')) {
      const [worker] = installation.workers
      await withoutWorker(installation, findings, debtors, {
        how: 'frozen',
        takeAway: async () => void process.kill(worker!.pid(), 'SIGSTOP'),
        bringBack: async () => {
          process.kill(worker!.pid(), 'SIGCONT')
          await pause(2_000)
        },
      })
      await withoutWorker(installation, findings, debtors, {
        how: 'killed',
        takeAway: () => worker!.kill(),
        bringBack: () => worker!.start(),
      })
      await vanishedWorker(installation, findings, debtors)
      await leaderFrozen(installation, findings)
    }
    smtpDelayMs = () => random.between(0, 200)
    if (wanted.includes('stop-races')) await proveStops(installation, findings, races, random)
    if (wanted.includes('own-stops'))
      await proveOwnStops(installation, findings, Math.min(races, 100), random)
    smtpDelayMs = () => 0
    if (wanted.includes('restore')) {
      await proveRestore(installation, findings, 'smtp', Math.min(sends, 4_000))
      if (!isSmall) await proveRestore(installation, findings, 'brevo', sends)
    }
    if (wanted.includes('promote')) await provePromotion(installation, findings, Math.min(sends, 1_000))
    const mails = installation.mailbox.messages().map(({ to }) => to)
    findings.check('nobody was written to twice', new Set(mails).size === mails.length)
    findings.check('no process ended by itself', installation.unexpectedExits.length === 0)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

/**
 * One of two workers is taken away in the middle of sending. A message it had at the mail server may stay unknown; whatever
 * it had not claimed is sent by the other within 20 s of the last sign of life.
 */
async function withoutWorker(
  installation: ChaosInstallation,
  findings: Findings,
  debtors: number,
  { how, takeAway, bringBack }: { how: string; takeAway(): Promise<void>; bringBack(): Promise<void> },
): Promise<void> {
  const numbers = Array.from({ length: debtors }, (_, i) => `${how.toUpperCase()}-${i + 1}`)
  await createDebtors(installation, numbers)
  const wanted = new Set(numbers.map(addressOf))
  const received = () => installation.mailbox.messages().filter(({ to }) => wanted.has(to)).length
  await until(() => received() >= Math.min(4, debtors / 4), 30_000)
  await takeAway()
  const takenAway = performance.now()
  /** Nobody has begun to send these. */
  const unserved = async () => {
    const [row] = await installation.query<{ n: number }>(
      `select (select count(*)::int from agendas where wake_at is not null and wake_because is distinct from 'cascade'
                 and wake_at <= clock_timestamp())
            + (select count(*)::int from communications where state = 'reserved'
                 or (state = 'sending' and committing_at is null)) as n`,
    )
    return row!.n
  }
  const served = await until(async () => (await unserved()) === 0, 60_000)
  const atOnce = received()
  const ms = served === null ? null : performance.now() - takenAway
  findings.check(`${how}: what it had not begun to send is served within 20 s`, ms !== null && ms <= 20_000, {
    took: seconds(ms),
    debtors,
    received: atOnce,
  })
  await bringBack()
  const unknown = await installation.query<{ n: number }>(
    `select count(*)::int as n from communications where state = 'sending' and committing_at is not null`,
  )
  findings.figure(`${how}: messages still with the worker when it came back`, unknown[0]!.n)
  const done = await until(() => received() === debtors, 150_000)
  const missing = debtors - received()
  const [lost] = await installation.query<{ n: number }>(
    `select count(*)::int as n from communications where state = 'unknown'`,
  )
  findings.check(
    `${how}: everybody was written to, or the outcome is unknown`,
    done !== null || missing <= lost!.n,
    {
      missing,
      unknown: lost!.n,
    },
  )
}

/** The host of a worker vanishes: its lines to the database and the mail server stay open, and nothing comes through. */
async function vanishedWorker(
  installation: ChaosInstallation,
  findings: Findings,
  debtors: number,
): Promise<void> {
  const [near] = installation.workers
  const databaseUrl = new URL(installation.env.WORKER_DATABASE_URL!)
  const smtpUrl = new URL(installation.env.SMTP_URL!)
  const lineTo = ({ hostname, port }: URL) => startSlowProxy({ host: hostname, port: Number(port) })
  const lines = [await lineTo(databaseUrl), await lineTo(smtpUrl)] as const
  databaseUrl.host = `127.0.0.1:${lines[0].port}`
  smtpUrl.host = `127.0.0.1:${lines[1].port}`
  const far = await installation.newWorker('far', {
    WORKER_DATABASE_URL: databaseUrl.href,
    SMTP_URL: smtpUrl.href,
  })
  await near!.stop()
  await far.start()
  try {
    await withoutWorker(installation, findings, debtors, {
      how: 'vanished',
      async takeAway() {
        for (const line of lines) line.cut()
      },
      async bringBack() {
        await far.kill()
        await near!.start()
      },
    })
  } finally {
    await Promise.all(lines.map(line => line.stop()))
  }
}

/** The worker that leads fan-out, scores and the sweep of tasks is frozen: the other takes the loops over. */
async function leaderFrozen(installation: ChaosInstallation, findings: Findings): Promise<void> {
  const leaders = () =>
    installation.query<{ loop: string; worker_id: string }>(
      'select loop, worker_id from loop_leases order by loop',
    )
  const before = await leaders()
  const led = before.map(({ loop }) => loop).join(' ')
  findings.check('the loops have one leader each', led === 'deliveries plans scores tasks', before)
  for (const worker of installation.workers) {
    process.kill(worker.pid(), 'SIGSTOP')
    const frozenAt = performance.now()
    const changed = await until(async () => {
      const now = await leaders()
      return now.every(({ loop, worker_id }) =>
        before.some(old => old.loop === loop && old.worker_id !== worker_id),
      )
    }, 22_000)
    process.kill(worker.pid(), 'SIGCONT')
    if (changed === null) continue
    const ms = performance.now() - frozenAt
    findings.check('frozen leader: another leads within 20 s', ms <= 20_000, seconds(ms))
    return
  }
  findings.check('frozen leader: another leads within 20 s', false, await leaders())
}
