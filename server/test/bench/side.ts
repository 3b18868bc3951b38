import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { completeTenants } from '../../dev/complete-company.ts'
import { asAdmin, createDatabase, type Database, databaseNamed } from '../../dev/database.ts'
import { newKeyring } from '../../dev/installation.ts'
import { freePort } from '../../dev/ports.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { inheritedEnv, relanceArgs } from '../../dev/relance-args.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { type Process, startProcess, treeCpuMs, untilListening } from './processes.ts'

/**
 * One of the two that are compared: a checkout of the product with a database server of its own. It is used by its command line,
 * its API and the names in its database alone, so that a commit which knows nothing of this bench can be measured as well.
 */
export interface Side {
  /** CPU time of its database server so far: every session and every background process. */
  postgresMs(): Promise<number>
  newInstallation(cleanup: AsyncDisposableStack): Promise<SideInstallation>
}

/** A migrated database with one company, and the programs of that checkout. */
export interface SideInstallation {
  database: Database
  /** Of the production environment. */
  apiKey: string
  startApi(): Promise<{ process: Process; port: number }>
  startWorker(env: Record<string, string>): Promise<Process>
  /** What autovacuum would do at a moment of its own choice: it is off. */
  vacuum(): Promise<void>
}

export async function openSide(
  root: string,
  redisUrl: string | undefined,
  cleanup: AsyncDisposableStack,
): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'relance-bench-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  const cluster = await startOwnCluster({ dataDir, durable: true })
  cleanup.defer(() => cluster.stop())
  await asAdmin(cluster.adminUrl, async admin => {
    await admin.query('alter system set autovacuum = off')
    await admin.query('select pg_reload_conf()')
  })
  const main = relanceArgs(root)
  const run = async (args: string[], env: Record<string, string>) =>
    (await runChild(process.execPath, [...main, ...args], { env: { ...inheritedEnv(), ...env } })).stdout
  await run(['bootstrap'], databaseNamed(cluster.adminUrl, 'postgres').env)
  let installations = 0

  return {
    postgresMs: () => treeCpuMs(cluster.pid()),
    async newInstallation(ownCleanup) {
      const database = await createDatabase(cluster.adminUrl, `relance_${++installations}`)
      const env = {
        RELANCE_ENV: 'development',
        // A slow request of the fill is no news.
        LOG_LEVEL: 'error',
        KEYRING: newKeyring(),
        ...database.env,
        ...(redisUrl && { REDIS_URL: redisUrl }),
      }
      await run(['migrate'], env)
      const company = await run(
        [...'company create --json --tier enterprise'.split(' '), ...companyArgs],
        env,
      )
      const { productionKey, tenants } = JSON.parse(company) as {
        productionKey: string
        tenants: Record<string, string>
      }
      await completeTenants(database.adminUrl, Object.values(tenants))
      const start = async (role: string, own: Record<string, string>) => {
        const started = await startProcess([...main, role], { ...env, ...own })
        ownCleanup.defer(() => started.stop())
        return started
      }
      return {
        database,
        apiKey: productionKey,
        async startApi() {
          const port = await freePort()
          const api = await start('api', { PORT: String(port) })
          await untilListening(port)
          return { process: api, port }
        },
        startWorker: own => start('worker', own),
        vacuum: () =>
          asAdmin(database.adminUrl, async admin => {
            await admin.query('vacuum (analyze)')
            await admin.query('checkpoint')
          }),
      }
    },
  }
}

const companyArgs = [
  ...['--name', 'Atelier Martin', '--owner-email', 'comptabilite@atelier-martin.example'],
  ...['--sells-to', 'business', '--requests-per-minute', '1000000', '--in-flight', '10000'],
]
