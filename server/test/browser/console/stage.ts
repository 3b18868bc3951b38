import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Database } from '../../../dev/database.ts'
import { type Installation, startInstallation } from '../../../dev/installation.ts'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import type { Role } from '../../../src/features/access/roles.ts'
import { mondayMorning } from '../../chaos/chaos-installation.ts'
import { openSession, randomAddress } from '../../scenarios/access/oauth/oauth-calls.ts'

export type Environment = 'production' | 'sandbox'

interface Person {
  id: string
  email: string
  name: string
}

/** A browser of its own, and everything that its pages may not do. */
export interface Visitor {
  page: Page
  signIn(person: Person): Promise<void>
  /** A second window of the same browser. */
  newWindow(): Promise<Page>
  /** What the policy refused, what the script of a page complained of, and what was asked of other hosts. */
  faults: string[]
  close(): Promise<void>
}

export interface Stage {
  server: Installation
  /** As browsers reach it. */
  issuer: string
  browser: Browser
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  newCompany(name?: string): Promise<CreatedCompany>
  newPerson(roles: Readonly<Record<string, Role>>, name?: string): Promise<Person>
  /** What the API answers to the key of a company. */
  call<Data>(company: CreatedCompany, method: string, path: string, body?: unknown): Promise<Data>
  callSandbox<Data>(company: CreatedCompany, method: string, path: string, body?: unknown): Promise<Data>
  /** Somebody at a browser, signed in where a person is given. */
  visit(person?: Person): Promise<Visitor>
  urlOf(company: CreatedCompany, environment: Environment, path?: string): string
  stop(): Promise<void>
}

interface Options {
  database: Database
  browser: Browser
  redisUrl?: string | undefined
  /** Without a worker nothing is sent, and what was filled in stays as it is. */
  hasWorker?: boolean
}

/** Runs before every script of a page. */
const reportRefusals = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
  console.error('refused by the policy:', violatedDirective, blockedURI, sourceFile))`

function watch(page: Page, origin: string, faults: string[]): void {
  page.setDefaultTimeout(60_000)
  page.on('pageerror', error => faults.push(String(error)))
  page.on('dialog', dialog => {
    faults.push(`a dialog of the browser: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', message => {
    // The browser itself says so of every answer of 4xx.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isAnswer) faults.push(message.text())
  })
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) faults.push(`asked for ${url}`)
  })
}

/** A whole Relance on a Monday at 09:00, with its worker, its mail server and a browser. */
export async function startStage({ database, browser, redisUrl, hasWorker = true }: Options): Promise<Stage> {
  const server = await startInstallation({
    database,
    redisUrl,
    hasWorker,
    now: mondayMorning,
    publicHost: 'localhost',
    logLevel: process.env.LOG_LEVEL ?? 'silent',
    env: { TRUSTED_PROXIES: '127.0.0.1', API_POOL: '4', WORKER_POOL: '6', DELIVERY_POOL: '3' },
  })
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 })
  admin.on('error', () => {})
  const sql: Stage['sql'] = async (text, values = []) => (await admin.query(text, values)).rows
  const issuer = server.baseUrl.replace('127.0.0.1', 'localhost')

  async function callWith<Data>(key: string, method: string, path: string, body?: unknown): Promise<Data> {
    const response = await fetch(`${server.baseUrl}/api/v1/${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (JSON.parse(text) as { data: Data }).data
  }

  return {
    server,
    issuer,
    browser,
    sql,
    newCompany: (name = 'Atelier Martin') =>
      server.createCompany({
        name,
        ownerEmail: 'comptabilite@atelier-martin.example',
        tier: 'enterprise',
        requestsPerMinute: 1_000_000,
        inFlight: 10_000,
        sellsTo: 'business',
      }),
    async newPerson(roles, name = 'Camille Roux') {
      const id = randomUUIDv7()
      const email = `${id}@example.com`
      const wall = new Date().toISOString()
      await sql(
        `insert into people (id, email, email_key, name, language, email_verified_at, created_at)
         values ($1, $2, $2, $3, 'fr', $4, $4)`,
        [id, email, name, wall],
      )
      for (const [companyId, role] of Object.entries(roles))
        await sql(
          'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
          [id, companyId, role, wall],
        )
      return { id, email, name }
    },
    call: (company, ...rest) => callWith(company.productionKey, ...rest),
    callSandbox: (company, ...rest) => callWith(company.sandboxKey, ...rest),
    async visit(person) {
      const context: BrowserContext = await browser.newContext({
        locale: 'fr-FR',
        viewport: { width: 1440, height: 900 },
        // Strangers are counted by their address.
        extraHTTPHeaders: { 'x-forwarded-for': randomAddress() },
      })
      await context.addInitScript(reportRefusals)
      const signIn = async (who: Person) => {
        const cookie = await openSession({ url: server.baseUrl, issuer, sql }, who.id)
        const [name = '', value = ''] = cookie.split('=')
        // The debugger takes a secure cookie for https alone; the browser then also sends it to http on localhost.
        const url = issuer.replace('http:', 'https:')
        await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Lax' }])
      }
      if (person) await signIn(person)
      const faults: string[] = []
      const newWindow = async () => {
        const page = await context.newPage()
        watch(page, issuer, faults)
        return page
      }
      return { page: await newWindow(), signIn, newWindow, faults, close: () => context.close() }
    },
    urlOf: ({ companyId }, environment, path = '') => `${issuer}/console/${companyId}/${environment}${path}`,
    async stop() {
      await server.stop()
      await admin.end()
    },
  }
}
