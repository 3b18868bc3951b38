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

/** Monday 16 November 2026, 09:00 in Paris: a morning on which anybody may be written to. */
export const mondayMorning = Date.parse('2026-11-16T09:00:00+01:00')

export interface Answer<Data = Record<string, unknown>> {
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

export interface House {
  database: Database
  installation: Installation
  company: CreatedCompany
  /** Calls the API with the production key of the house's company, unless another key (or none) is given. */
  call<Data = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { body?: unknown; key?: string | null; headers?: Record<string, string>; raw?: string },
  ): Promise<Answer<Data>>
  /** Questions as the administrator, who sees through every policy. */
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  setNow(now: number): Promise<unknown>
}

/** Everything the API says is JSON, but for files and for nothing at all. */
export const isJson = (response: Response) =>
  response.headers.get('content-type')?.startsWith('application/json') === true

let invoices = 0

/** An invoice nobody else has. */
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

/** A whole installation for one test file, on its own copy of the database. */
export function useHouse(options: Partial<InstallationOptions> = {}): House {
  const house = {} as House
  let admin: pg.Pool
  beforeAll(async () => {
    const adminUrl = inject('adminUrl')
    house.database = await createDatabase(adminUrl, newName('relance_test_'), inject('template'))
    admin = new pg.Pool({ connectionString: house.database.adminUrl, max: 2 })
    admin.on('error', () => {})
    house.installation = await startInstallation({
      database: house.database,
      redisUrl: inject('redisUrl') || undefined,
      dispatcher: 'in-process',
      now: mondayMorning,
      logLevel: process.env.LOG_LEVEL ?? 'silent',
      ...options,
      // Three houses stand at once, and a server as it is installed has a hundred connections for all of them.
      env: { WORKER_POOL: '12', COURIER_POOL: '4', ...options.env },
    })
    house.company = await house.installation.createCompany({
      name: 'Atelier Martin',
      ownerEmail: 'comptabilite@atelier-martin.example',
      tier: 'enterprise',
      requestsPerMinute: 1_000_000,
      inFlight: 10_000,
      sellsTo: 'business',
    })
  })
  afterAll(async () => {
    await house.installation?.stop()
    await admin?.end()
    if (house.database) await dropDatabase(inject('adminUrl'), house.database.name)
  })
  house.call = async (method, path, { body, key = house.company.productionKey, headers = {}, raw } = {}) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(house.installation.baseUrl + path, {
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
  house.sql = async (text, values = []) => (await admin.query(text, values)).rows
  house.setNow = now => shiftClock(house.database, now)
  return house
}

/** Waits for a truth, and says what it saw instead when it does not come. */
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
