import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, type Database, databaseNamed } from '../../dev/database.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { installedBinaries, serverOwner } from '../../dev/postgres-binaries.ts'
import { brevoAccount, startBrevo } from '../../dev/stand-ins/brevo.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { type CommandLine, readCommandLine } from '../../src/start/command-line.ts'
import { readConfig } from '../../src/start/config.ts'
import { sendsCommand } from '../../src/start/sends-commands.ts'
import { startDatabaseProxy } from '../harness/database-proxy.ts'
import { type ChaosInstallation, type KillableInstallation, query } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import type { ManagedProcess } from './managed-process.ts'
import { until } from './until.ts'
import { addressOf, createDebtors } from './weather-debtors.ts'

type ProviderKind = 'smtp' | 'brevo'

/** How much of what is due is sent before the record ends. */
const sentShare = 0.8

/** Where messages of a proof arrive, and the settings that send them there. */
async function openProvider(installation: ChaosInstallation, kind: ProviderKind) {
  if (kind === 'smtp')
    return {
      env: {},
      recipients: () => installation.mailbox.messages().map(({ to }) => to),
      stop: async () => {},
    }
  const standIn = await startBrevo()
  return {
    env: {
      EMAIL_PROVIDER: 'brevo',
      BREVO_API_KEY: brevoAccount.apiKey,
      BREVO_CALLBACK_TOKEN: brevoAccount.callbackToken,
      BREVO_BASE_URL: standIn.url,
    },
    recipients: () => standIn.effects().map(({ to }) => to),
    stop: () => standIn.stop(),
  }
}

interface Story {
  name: string
  installation: ChaosInstallation
  findings: Findings
  /** Of everybody, as often as they were written to. */
  recipients(): string[]
  env: Record<string, string>
  debtors: number
  /** From now on the copy learns nothing more. */
  copy(): Promise<void>
  /** The workers on the database that ends. */
  workers: readonly ManagedProcess[]
  /** The database ends, and the copy takes its place; workers run on it. */
  moveToCopy(): Promise<Database>
}

/** The copy is in quarantine by itself; after `reconcile` and `resume` nobody is written to twice, and the rest is written to or listed. */
async function judgeCopy(story: Story, kind: ProviderKind): Promise<void> {
  const { name, installation, findings, env, debtors } = story
  const begun = performance.now()
  const prefix = name.toUpperCase().replaceAll(' ', '-')
  const known = Array.from({ length: debtors }, (_, i) => `${prefix}-${i}`)
  const late = Array.from({ length: Math.ceil(debtors / 20) }, (_, i) => `${prefix}-LATE-${i}`)
  const wanted = new Set([...known, ...late].map(addressOf))
  const received = () => story.recipients().filter(to => wanted.has(to))

  await createDebtors(installation, known)
  await story.copy()
  await createDebtors(installation, late)
  // They go first, so that messages leave to people the copy has never heard of.
  await installation.query(
    `update agendas a set wake_at = a.wake_at - interval '1 hour' from debtors d
      where d.id = a.debtor_id and starts_with(d.email, $1)`,
    [`${prefix.toLowerCase()}-late-`],
  )
  await Promise.all(story.workers.map(worker => worker.start()))
  const enough = Math.floor(wanted.size * sentShare)
  await until(() => received().length >= enough, 1_200_000)
  const database = await story.moveToCopy()
  const sentBefore = new Set(received())
  const ask = <Row extends object>(text: string, values: unknown[] = []) =>
    query<Row>(database.adminUrl, text, values)

  const quarantined = await until(
    async () =>
      (await ask(`select 1 from stops where kind = 'quarantine' and ended_at is null`)).length === 1,
    15_000,
  )
  findings.check(`${name}: the copy puts itself in quarantine`, quarantined !== null)
  // Everybody who is due is looked at, and waits.
  const overdue = async () =>
    (
      await ask<{ n: number }>(
        'select count(*)::int as n from agendas where not is_sandbox and wake_at <= clock_timestamp()',
      )
    )[0]!.n
  await until(async () => (await overdue()) === 0, 300_000)
  const fenced = await ask(
    `select c.id from communications c join debtors d on d.id = c.debtor_id
      where starts_with(d.email, $1) and c.committing_at is not null`,
    [prefix.toLowerCase()],
  )
  const arrived = received().length - sentBefore.size
  findings.check(`${name}: not one message leaves from it`, fenced.length === 0 && arrived === 0, {
    fenced: fenced.length,
    arrived,
  })

  const file = join(installation.logDir, `${prefix}.csv`)
  const config = readConfig({ ...installation.env, ...env, ...database.env })
  const relance = (...args: string[]) => sendsCommand(config, readCommandLine(args) as CommandLine)
  await relance('sends', 'reconcile', '--file', file)
  const written = await ask<{ email: string }>(
    `select d.email from debtors d where exists (select from communications c where c.debtor_id = d.id and c.step = 'lost_record')`,
  )
  const recorded = new Set(written.map(({ email }) => email))
  const knownAddresses = known.map(addressOf)
  const forgotten = knownAddresses.filter(address => sentBefore.has(address) && !recorded.has(address))
  findings.check(`${name}: whoever was written to counts as contacted`, forgotten.length === 0, forgotten)

  await relance('sends', 'resume')
  // Those who waited are woken one after the other; what follows for the others is days away.
  const waiting = async () =>
    (
      await ask<{ n: number }>(
        `with own as (select id from debtors where starts_with(email, $1))
         select (select count(*)::int from pending_sends p join own on own.id = p.debtor_id)
              + (select count(*)::int from agendas a join own on own.id = a.debtor_id
                  where a.wake_because = 'sending_stopped' or a.wake_at <= clock_timestamp() + interval '1 hour') as n`,
        [prefix.toLowerCase()],
      )
    )[0]!.n
  const done = await until(async () => (await waiting()) === 0, 1_800_000)
  findings.check(
    `${name}: afterwards nobody waits`,
    done !== null,
    done === null ? await waiting() : undefined,
  )
  await pause(500)
  const total = received()
  findings.check(`${name}: nobody is written to twice`, new Set(total).size === total.length, {
    messages: total.length,
    people: new Set(total).size,
    sentBefore: sentBefore.size,
  })
  const csv = await readFile(file, 'utf8')
  const listed = await ask<{ email: string }>('select email from debtors where id = any ($1)', [
    [...csv.matchAll(/^cannot_be_asked,.*?([0-9a-f-]{36}),,\s*$/gm)].map(([, id]) => id),
  ])
  const explained = new Set([...total, ...listed.map(({ email }) => email)])
  const missing = knownAddresses.filter(address => !explained.has(address))
  findings.check(
    `${name}: everybody else is written to, or listed for a person`,
    missing.length === 0,
    missing,
  )
  findings.figure(`${name}: took`, `${((performance.now() - begun) / 1_000).toFixed(1)} s`)
  if (kind === 'brevo') {
    const unlisted = late.map(addressOf).filter(address => sentBefore.has(address) && !csv.includes(address))
    const isTried = late.some(number => sentBefore.has(addressOf(number)))
    findings.check(
      `${name}: messages to people the copy does not know are listed`,
      isTried && unlisted.length === 0,
      unlisted,
    )
    findings.check(
      `${name}: nobody is left out that could be asked about`,
      listed.length === 0,
      listed.length,
    )
  }
}

/** Where `pg_dump` and `pg_restore` are; null, and said, where they are not. */
export async function toolsDir(findings: Findings, name: string): Promise<string | null> {
  const binaries = await installedBinaries()
  if (!binaries) findings.figure(name, 'left out: no PostgreSQL with its tools is installed')
  return binaries?.dir ?? null
}

/** A dump is taken, sending goes on, everything is lost, and the dump is restored into another database. */
export async function proveRestore(
  installation: ChaosInstallation,
  findings: Findings,
  kind: ProviderKind,
  debtors: number,
): Promise<void> {
  const name = `restore by ${kind}`
  const tools = await toolsDir(findings, name)
  if (tools === null) return
  const provider = await openProvider(installation, kind)
  const dump = join(installation.logDir, `${kind}.dump`)
  const env = { CONCURRENCY: '20', ...provider.env }
  await Promise.all(installation.workers.map(worker => worker.stop()))
  const workers = [await installation.newWorker(kind, env)]
  const { adminUrl } = installation.database
  let restored: ManagedProcess | undefined
  const story: Story = {
    name,
    installation,
    findings,
    recipients: provider.recipients,
    env,
    debtors,
    copy: async () =>
      void (await runChild(join(tools, 'pg_dump'), ['-Fc', '-f', dump, adminUrl], { env: process.env })),
    workers,
    async moveToCopy() {
      await Promise.all(workers.map(worker => worker.kill()))
      const copy = await createDatabase(adminUrl, `restored_${kind}`)
      const args = ['--exit-on-error', '-j', '2', '-d', copy.adminUrl, dump]
      await runChild(join(tools, 'pg_restore'), args, { env: process.env })
      restored = await installation.newWorker(`${kind} restored`, { ...env, ...copy.env })
      await restored.start()
      return copy
    },
  }
  try {
    await judgeCopy(story, kind)
  } finally {
    await restored?.stop()
    await provider.stop()
  }
}

/** A standby lags, the primary is lost, and the standby is promoted under the workers that are sending. */
export async function provePromotion(
  installation: KillableInstallation,
  findings: Findings,
  debtors: number,
): Promise<void> {
  const name = 'promote'
  const tools = await toolsDir(findings, name)
  if (tools === null) return
  const owner = await serverOwner()
  const provider = await openProvider(installation, 'brevo')
  const primary = new URL(installation.database.adminUrl)
  const parent = await mkdtemp(join(tmpdir(), 'relance-chaos-standby-'))
  await runChild('chmod', ['777', parent])
  const dataDir = join(parent, 'data')
  const proxy = await startDatabaseProxy(primary.href)
  const urls = Object.entries(installation.database.env).map(([key, url]) => [key, proxy.through(url)])
  const env = { CONCURRENCY: '20', ...provider.env, ...Object.fromEntries(urls) }
  await Promise.all(installation.workers.map(worker => worker.stop()))
  const workers = [
    await installation.newWorker('promote a', env),
    await installation.newWorker('promote b', env),
  ]
  const backup = [
    '-D',
    dataDir,
    '-h',
    '127.0.0.1',
    '-p',
    primary.port,
    '-U',
    'postgres',
    '-R',
    '-X',
    'stream',
  ]
  await runChild(join(tools, 'pg_basebackup'), [...backup, '--checkpoint=fast'], { ...owner, cwd: '/' })
  const standby = await startOwnCluster({ dataDir, durable: true })
  const copy = databaseNamed(standby.adminUrl, 'relance')
  const onStandby = (text: string) => query<{ is: boolean }>(standby.adminUrl, text, [])
  const story: Story = {
    name,
    installation,
    findings,
    recipients: provider.recipients,
    env: provider.env,
    debtors,
    // The standby has heard of the debtors, and then hears nothing more.
    async copy() {
      const [end] = await query<{ lsn: string }>(primary.href, 'select pg_current_wal_lsn()::text as lsn', [])
      await until(
        async () => (await onStandby(`select pg_last_wal_replay_lsn() >= '${end!.lsn}' as is`))[0]!.is,
        30_000,
      )
      await onStandby(`alter system set primary_conninfo = ''`)
      await onStandby('select pg_reload_conf() as is')
      await until(
        async () => (await onStandby('select not exists (select from pg_stat_wal_receiver) as is'))[0]!.is,
        30_000,
      )
    },
    workers,
    async moveToCopy() {
      await installation.postgres.kill()
      proxy.moveTo(standby.adminUrl)
      await onStandby('select pg_promote() as is')
      // What passed the fence of the lost primary may still be arriving.
      await pause(2_000)
      return copy
    },
  }
  try {
    await judgeCopy(story, 'brevo')
  } finally {
    await Promise.all(workers.map(worker => worker.kill()))
    await proxy.stop()
    await standby.stop()
    await provider.stop()
    await rm(parent, { recursive: true, force: true })
  }
}
