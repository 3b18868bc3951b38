import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CreatedCompany } from '../src/features/access/companies/create-company.ts'
import { bootstrapRoles } from '../src/kit/db/bootstrap.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { buildConsole } from './build-console.ts'
import { createDatabase, dropDatabase, dropLeftovers, newName, rolePasswords } from './database.ts'
import { type Installation, startInstallation } from './installation.ts'
import { findPostgres } from './postgres.ts'
import { findRedis } from './redis.ts'
import { startSignInLink } from './sign-in-link.ts'

export interface Dev {
  installation: Installation
  company: CreatedCompany
  /** Opens the console, signed in; works once. */
  signInUrl: string
  postgres: string
  redis: string
  stop(): Promise<void>
}

const prefix = 'relance_dev_'

/** Everything on loopback, without docker or accounts; its database goes when it ends. */
export async function startDev(options: {
  now?: number | undefined
  port?: number | undefined
  logLevel?: string
}): Promise<Dev> {
  const dataDir = join(import.meta.dirname, '../../.data/postgres')
  const databaseUrl = process.env.DATABASE_URL
  const postgres = await findPostgres({ dataDir, ...(databaseUrl && { databaseUrl }) })
  const stops: (() => Promise<unknown>)[] = [() => postgres.stop()]
  const stop = async () => {
    for (const end of stops.reverse()) await end()
  }
  try {
    await bootstrapRoles(postgres.adminUrl, rolePasswords)
    await dropLeftovers(postgres.adminUrl, prefix)
    const name = newName(prefix)
    const database = await createDatabase(postgres.adminUrl, name)
    stops.push(() => dropDatabase(postgres.adminUrl, name))
    await migrate(database.adminUrl, join(import.meta.dirname, '../migrations'), new Date().toISOString())
    const redisUrl = await findRedis(process.env.REDIS_URL)
    const installation = await startInstallation({
      database,
      redisUrl: redisUrl ?? undefined,
      hasEngine: true,
      publicHost: 'localhost',
      // The language model is the only external service without a stand-in.
      env: Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) =>
          name.startsWith('MODEL_') && value !== undefined ? [[name, value]] : [],
        ),
      ),
      ...options,
    })
    stops.push(() => installation.stop())
    const company = await installation.createCompany({
      name: 'Atelier Martin',
      ownerEmail: 'comptabilite@atelier-martin.example',
      tier: 'pro',
      sellsTo: 'business',
    })
    const link = await startSignInLink({
      adminUrl: database.adminUrl,
      companyId: company.companyId,
      to: `http://localhost:${installation.config.PORT}/console/${company.companyId}/sandbox`,
    })
    stops.push(() => link.stop())
    return {
      installation,
      company,
      signInUrl: link.url,
      postgres: postgres.origin,
      redis: redisUrl ? 'Redis' : 'in this process',
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const startupMessage = (dev: Dev) => `
Relance is running. Stop it with Ctrl-C; nothing of it stays.

  API             ${dev.installation.baseUrl}
  Production key  ${dev.company.productionKey}
  Sandbox key     ${dev.company.sandboxKey}
  Console         ${dev.signInUrl} (signed in; works once)
  Emails received ${dev.installation.mailbox.mailboxUrl}
  OpenAPI         ${dev.installation.baseUrl}/openapi.json
  Metrics         ${dev.installation.metricsUrl}
  Postgres        ${dev.postgres}
  Limits          ${dev.redis}

Send an overdue invoice:

  curl -s ${dev.installation.baseUrl}/api/v1/invoices -H 'X-API-Key: ${dev.company.productionKey}' -H 'content-type: application/json' -d '{
    "invoiceNumber": "F-2026-0042", "amountCents": 120000, "issueDate": "2026-09-15", "dueDate": "2026-10-15",
    "debtor": {"name": "Durand SARL", "email": "compta@durand.example", "postalCode": "69002", "city": "Lyon"}}'
`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, now: { type: 'string' }, port: { type: 'string' } },
  })
  const now = values.now === undefined ? undefined : Date.parse(values.now)
  if (Number.isNaN(now)) throw new Error('--now wants a moment such as 2026-11-16T09:00:00+01:00')
  // Registered before anything starts, so that a signal during the start is not lost.
  const stopSignal = new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  await buildConsole()
  const dev = await startDev({ now, port: values.port === undefined ? undefined : Number(values.port) })
  const { installation, company } = dev
  console.log(
    values.json
      ? JSON.stringify({
          baseUrl: installation.baseUrl,
          signInUrl: dev.signInUrl,
          productionKey: company.productionKey,
          sandboxKey: company.sandboxKey,
          smtp: installation.mailbox.smtpUrl,
          mailbox: installation.mailbox.mailboxUrl,
        })
      : startupMessage(dev),
  )
  await stopSignal
  await dev.stop()
}

if (import.meta.main) await main()
