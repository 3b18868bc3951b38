import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { asAdmin, createDatabase, type Database, dropDatabase, newName } from '../../dev/database.ts'
import {
  type Installation,
  type InstallationOptions,
  shiftClock,
  startInstallation,
} from '../../dev/installation.ts'
import type { CreatedCompany } from '../../src/features/access/companies/create-company.ts'
import type { PasswordCost } from '../../src/kit/password-hash.ts'
import { startDatabaseServer } from './own-cluster.ts'

/** A thousand passwords are chosen and typed in these tests. The cost of production is checked without an installation. */
export const testPasswordCost: PasswordCost = { memory: 64, passes: 1, parallelism: 1 }

/** Monday 16 November 2026, 09:00 in Paris: a morning on which anybody may be written to. */
export const mondayMorning = Date.parse('2026-11-16T09:00:00+01:00')

export interface ApiResponse<Data = Record<string, unknown>> {
  status: number
  headers: Headers
  text: string
  body: {
    success: boolean
    data: Data
    error: {
      code: string
      message: string
      details?: { field: string; code: string; message: string }[]
      requiredScopes?: string[]
    }
    pagination: {
      page: number
      limit: number
      total: number
      totalPages: number
      hasNext: boolean
      hasPrev: boolean
    }
    warnings?: { code: string }[]
    requestId: string
    timestamp: string
  }
}

export interface TestInstallation {
  database: Database
  server: Installation
  company: CreatedCompany
  /** Calls the API with the production key of the installation's company, unless another key (or none) is given. */
  call<Data = Record<string, unknown>>(
    method: string,
    path: string,
    options?: {
      body?: unknown
      key?: string | null
      headers?: Record<string, string>
      raw?: string | Buffer
    },
  ): Promise<ApiResponse<Data>>
  /** Queries as the administrator, without row-level security. */
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  setNow(now: number): Promise<unknown>
}

/** Every answer of the API is JSON, except files and empty bodies. */
export const isJson = (response: Response) =>
  response.headers.get('content-type')?.startsWith('application/json') === true

let invoices = 0

/** A new, unique invoice. */
export const invoiceInput = (changes: Record<string, unknown> = {}) => ({
  invoiceNumber: `F-${process.pid}-${++invoices}`,
  amountCents: 120_000,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: {
    name: `Durand ${invoices} SARL`,
    email: `compta${invoices}@durand.example`,
    postalCode: '69002',
    city: 'Lyon',
  },
  ...changes,
})

/** Why a file cannot share its installation with others. */
type OwnReason = 'moves the clock' | 'stops or changes parts' | 'reads the whole installation'

export type TestOptions = Partial<InstallationOptions> & {
  /** Files with equal options share an installation, unless they say why they cannot. */
  own?: OwnReason
  /** On a PostgreSQL of its own, for tests that change settings of the server. */
  hasOwnCluster?: boolean
}

interface RunningInstallation {
  database: Database
  admin: pg.Pool
  server: Installation
  /** How many files use it now. */
  users: number
  stop(): Promise<void>
}

async function cloneDatabase(): Promise<{ database: Database; stop(): Promise<unknown> }> {
  const adminUrl = inject('adminUrl')
  const database = await createDatabase(adminUrl, newName('relance_test_'), inject('template'))
  // A new connection plans a statement at each of its first five executions: two fifths of what a test file costs PostgreSQL.
  await asAdmin(adminUrl, client =>
    client.query(`alter database ${database.name} set plan_cache_mode = force_generic_plan`),
  )
  return { database, stop: () => dropDatabase(adminUrl, database.name) }
}

async function startRunning({
  hasOwnCluster = false,
  own: _reason,
  ...options
}: TestOptions): Promise<RunningInstallation> {
  const source = await (hasOwnCluster ? startDatabaseServer() : cloneDatabase())
  const { database } = source
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 })
  admin.on('error', () => {})
  const server = await startInstallation({
    database,
    redisUrl: inject('redisUrl') || undefined,
    now: mondayMorning,
    passwordCost: testPasswordCost,
    logLevel: process.env.LOG_LEVEL ?? 'silent',
    ...options,
    // Every connection plans each statement for itself: few of them make a test file cheaper by a fifth.
    env: { API_POOL: '4', WORKER_POOL: '6', DELIVERY_POOL: '3', ...options.env },
  })
  return {
    database,
    admin,
    server,
    users: 0,
    async stop() {
      await server.stop()
      await admin.end()
      await source.stop()
    },
  }
}

/** Those of this process that files share, by their options. */
const shared = new Map<string, RunningInstallation>()

/** Each that runs polls its database: one that no file uses any more ends when another is wanted. */
async function takeShared(options: TestOptions): Promise<RunningInstallation> {
  const key = JSON.stringify(options, (_name, value) => (value === undefined ? null : value))
  for (const [otherKey, other] of shared)
    if (otherKey !== key && other.users === 0) {
      shared.delete(otherKey)
      await other.stop()
    }
  const found = shared.get(key) ?? (await startRunning(options))
  shared.set(key, found)
  found.users++
  return found
}

/** What holds for everybody in an installation, and only tests and operators change. */
const selectSettings = `select clock_offset_ms, maintenance_until, audit_years,
  (select count(*) from late_payment_rates) as rates,
  (select count(*) from stops where scope = 'installation' and ended_at is null) as stops from installation`

/** What a file leaves in a shared installation acts no more: its companies are closed, its people and applications are gone. */
async function closeFile(
  { admin, server }: RunningInstallation,
  companies: readonly CreatedCompany[],
): Promise<void> {
  await admin.query(
    `insert into stops (id, scope, target, kind, reason, since, stopped_by)
     select gen_random_uuid(), 'company', id::text, 'close', 'the file is over', $2, 'tests' from unnest($1::uuid[]) id
     on conflict do nothing`,
    [companies.map(({ companyId }) => companyId), new Date()],
  )
  await admin.query('delete from card_accounts')
  await admin.query('delete from people')
  server.mailbox.setMood(null)
  server.mailbox.clear()
}

/**
 * A whole installation for a test file, with a company of its own. Files of one process with equal options share the installation,
 * one after another. A file that moves the clock, stops parts, or reads rows or metrics of everybody asks for its `own`.
 */
export function useInstallation(options: TestOptions = {}): TestInstallation {
  const installation = {} as TestInstallation
  const isShared = options.own === undefined && !options.hasOwnCluster
  const companies: CreatedCompany[] = []
  let running: RunningInstallation | undefined
  let settings: unknown
  const readSettings = async () => (await running!.admin.query(selectSettings)).rows
  beforeAll(async () => {
    running = await (isShared ? takeShared(options) : startRunning(options))
    installation.database = running.database
    installation.server = {
      ...running.server,
      async createCompany(...args) {
        const created = await running!.server.createCompany(...args)
        companies.push(created)
        return created
      },
    }
    settings = await readSettings()
    installation.company = await installation.server.createCompany({
      name: 'Atelier Martin',
      ownerEmail: 'comptabilite@atelier-martin.example',
      tier: 'enterprise',
      requestsPerMinute: 1_000_000,
      inFlight: 10_000,
      sellsTo: 'business',
    })
  })
  afterAll(async () => {
    if (!running) return
    if (!isShared) return running.stop()
    running.users--
    await closeFile(running, companies)
    // The next file would meet it.
    expect(await readSettings(), 'the file changed the installation: it needs its own').toEqual(settings)
  })
  installation.call = async (
    method,
    path,
    { body, key = installation.company.productionKey, headers = {}, raw } = {},
  ) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(installation.server.baseUrl + path, {
      method,
      headers: {
        ...(key && { 'x-api-key': key }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    })
    const answer = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      body: isJson(response) ? JSON.parse(answer) : {},
    } as never
  }
  installation.sql = async (text, values = []) => (await running!.admin.query(text, values)).rows
  installation.setNow = now => {
    if (isShared) throw new Error("this file shares its installation: ask for { own: 'moves the clock' }")
    return shiftClock(installation.database, now)
  }
  return installation
}

const patienceMs = 60_000

/**
 * Waits until a condition holds; on timeout the error shows the last value seen. A shorter time than usual is for a test whose
 * promise is the time itself: elsewhere it would only fail on a busy machine.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  isTrue: (seen: T) => boolean,
  withinMs = patienceMs,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (isTrue(seen)) return seen
    if (Date.now() > giveUpAt) throw new Error(`waited ${withinMs} ms in vain; saw ${JSON.stringify(seen)}`)
    await new Promise(resolve => setTimeout(resolve, 40))
  }
}
