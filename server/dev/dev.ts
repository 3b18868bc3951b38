import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Relance } from '../../sdk/src/index.ts'
import type { CreatedCompany } from '../src/features/access/companies/create-company.ts'
import { bootstrapRoles } from '../src/kit/db/bootstrap.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { UsageError } from '../src/start/command-line.ts'
import { buildConsole } from './build-console.ts'
import { createDatabase, dropDatabase, dropLeftovers, newName, rolePasswords } from './database.ts'
import { type DevPages, startDevPages } from './dev-pages.ts'
import { type Installation, startInstallation } from './installation.ts'
import { addPeople, signInCookie } from './people.ts'
import { findPostgres } from './postgres.ts'
import { findRedis } from './redis.ts'
import { readOptions, runScript } from './script.ts'

export interface Dev {
  installation: Installation
  company: CreatedCompany
  pages: DevPages
  postgres: string
  redis: string
  stop(): Promise<void>
}

const prefix = 'relance_dev_'

/** Starts everything on loopback, without Docker or provider accounts. The database is dropped when it stops. */
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
    const people = await addPeople(database.adminUrl, company.companyId)
    const publicUrl = `http://localhost:${installation.config.PORT}`
    const pages = await startDevPages({
      mailbox: installation.mailbox,
      exports: { BASE_URL: installation.baseUrl, API_KEY: company.sandboxKey },
      links: [
        { name: 'the documentation', url: `${publicUrl}/docs` },
        { name: 'the OpenAPI document', url: `${publicUrl}/openapi.json` },
        { name: 'the metrics', url: installation.metricsUrl },
      ],
      signIn: role => signInCookie(database.adminUrl, people[role]),
      consoleUrl: `${publicUrl}/console/${company.companyId}/sandbox`,
    })
    stops.push(() => pages.stop())
    return {
      installation,
      company,
      pages,
      postgres: postgres.origin,
      redis: redisUrl ? 'Redis' : 'in this process',
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Both environments send all their events to the page that shows them. */
export async function receiveWebhooks({ installation, company, pages }: Dev): Promise<void> {
  for (const apiKey of [company.productionKey, company.sandboxKey]) {
    const relance = new Relance({ apiKey, baseUrl: installation.baseUrl })
    const events = (await relance.webhooks.events({ limit: 100 })).data.map(({ event }) => event)
    const { secret } = await relance.webhooks.create({ url: pages.receiverUrl, events })
    pages.addSecret(secret)
  }
}

/** Where a running `npm run dev` writes its address and keys, for `npm run seed`. */
export const devFile = join(import.meta.dirname, '../../.data/dev.json')

const startupMessage = ({ installation, company, pages, postgres, redis }: Dev) => `
Relance is running on this machine. Stop it with Ctrl-C; its database is then deleted.

  Start here      ${pages.url}  (mails, webhooks, people to sign in as)
  Console         ${pages.signInUrl}  (signed in)
  Documentation   ${installation.baseUrl}/docs
  API             ${installation.baseUrl}
  Production key  ${company.productionKey}
  Sandbox key     ${company.sandboxKey}
  Metrics         ${installation.metricsUrl}
  Postgres        ${postgres}
  Limits          ${redis}

In another terminal, for the commands of the documentation:

  export BASE_URL=${installation.baseUrl} API_KEY=${company.sandboxKey}

Then follow ${installation.baseUrl}/docs/quickstart from step 2, or fill the sandbox: npm run seed
`

const usage = `npm run dev -- [--port 8080] [--now 2026-11-16T09:00:00+01:00] [--json]

Starts Relance on loopback with everything it needs; its database is deleted when it ends.

  --port   the port of the API; a free one unless given
  --now    the moment to start at; time runs on from there
  --json   prints addresses and keys as one line of JSON`

async function main(): Promise<void> {
  const { values } = readOptions(usage, {
    options: { json: { type: 'boolean', default: false }, now: { type: 'string' }, port: { type: 'string' } },
  })
  const now = values.now === undefined ? undefined : Date.parse(values.now)
  if (Number.isNaN(now)) throw new UsageError('--now must be a moment such as 2026-11-16T09:00:00+01:00')
  // Registered before anything starts, so that a signal during the start is not lost.
  const stopSignal = new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  await buildConsole()
  const dev = await startDev({ now, port: values.port === undefined ? undefined : Number(values.port) })
  await receiveWebhooks(dev)
  const { installation, company, pages } = dev
  const addresses = {
    baseUrl: installation.baseUrl,
    pages: pages.url,
    signInUrl: pages.signInUrl,
    companyId: company.companyId,
    productionKey: company.productionKey,
    sandboxKey: company.sandboxKey,
    smtp: installation.mailbox.smtpUrl,
    mailbox: installation.mailbox.mailboxUrl,
  }
  await mkdir(join(devFile, '..'), { recursive: true })
  await writeFile(devFile, JSON.stringify(addresses), { mode: 0o600 })
  console.log(values.json ? JSON.stringify(addresses) : startupMessage(dev))
  await stopSignal
  await rm(devFile, { force: true })
  await dev.stop()
}

if (import.meta.main) await runScript(main)
