import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { createDatabase, type Database, dropDatabase, newName } from '../../dev/database.ts'
import {
  type Installation,
  type InstallationOptions,
  shiftClock,
  startInstallation,
} from '../../dev/installation.ts'
import type { CreatedCompany } from '../../src/features/access/companies/create-company.ts'
import { passwordCost } from '../../src/features/access/people/password-hash.ts'
import { startDatabaseServer } from './own-cluster.ts'

// A thousand passwords are chosen and typed in these tests. The cost of production is checked beside it, without an installation.
Object.assign(passwordCost, { memory: 64, passes: 1 })

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

async function cloneDatabase(): Promise<{ database: Database; stop(): Promise<unknown> }> {
  const adminUrl = inject('adminUrl')
  const database = await createDatabase(adminUrl, newName('relance_test_'), inject('template'))
  return { database, stop: () => dropDatabase(adminUrl, database.name) }
}

/** A whole installation for one test file, on its own copy of the database, or with `hasOwnCluster` on its own PostgreSQL. */
export function useInstallation({
  hasOwnCluster = false,
  ...options
}: Partial<InstallationOptions> & { hasOwnCluster?: boolean } = {}): TestInstallation {
  const installation = {} as TestInstallation
  let admin: pg.Pool
  let source: Awaited<ReturnType<typeof cloneDatabase>> | undefined
  beforeAll(async () => {
    source = await (hasOwnCluster ? startDatabaseServer() : cloneDatabase())
    installation.database = source.database
    admin = new pg.Pool({ connectionString: installation.database.adminUrl, max: 2 })
    admin.on('error', () => {})
    installation.server = await startInstallation({
      database: installation.database,
      redisUrl: inject('redisUrl') || undefined,
      now: mondayMorning,
      logLevel: process.env.LOG_LEVEL ?? 'silent',
      ...options,
      // Every connection plans each statement for itself: few of them make a test file cheaper by a fifth.
      env: { API_POOL: '4', WORKER_POOL: '6', DELIVERY_POOL: '3', ...options.env },
    })
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
    await installation.server?.stop()
    await admin?.end()
    await source?.stop()
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
  installation.sql = async (text, values = []) => (await admin.query(text, values)).rows
  installation.setNow = now => shiftClock(installation.database, now)
  return installation
}

/** Waits until a condition holds; on timeout the error shows the last value seen. */
export async function eventually<T>(
  look: () => Promise<T> | T,
  isTrue: (seen: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (isTrue(seen)) return seen
    if (Date.now() > giveUpAt) throw new Error(`waited ${withinMs} ms in vain; saw ${JSON.stringify(seen)}`)
    await new Promise(resolve => setTimeout(resolve, 40))
  }
}
