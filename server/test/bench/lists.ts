import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDatabase, rolePasswords } from '../../dev/database.ts'
import { newKeyring } from '../../dev/installation.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { createCompany } from '../../src/features/access/companies/create-company.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { invoiceSummary } from '../../src/features/receivables/invoices/invoice-summary.ts'
import { listInvoices } from '../../src/features/receivables/invoices/list-invoices.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
import { createPool, type Pool } from '../../src/kit/db/pool.ts'
import { reader } from '../../src/kit/db/reader.ts'
import type { Statement } from '../../src/kit/db/statement.ts'
import { writeCursor } from '../../src/kit/list.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { countAll, type Filled, fill, withoutIndexes } from './lists-fill.ts'

const enterByKey: Statement<{ offset_ms: number }> = {
  name: 'bench.enter-by-key',
  text: 'select enter_by_key($1, $2, $3) as offset_ms',
}

interface Tenant extends Filled {
  invoices: number
  keyId: string
  companyId: string
}

interface Question {
  name: string
  limitMs: number
  query(tenant: Tenant): string
  operation?: Operation
}

const half = {
  status: 'status=paid',
  date: 'fromDate=2025-01-01&toDate=2025-07-01',
  min: 'minAmount=101000',
  max: 'maxAmount=101000',
}
const ten = {
  status: 'status=written_off',
  date: 'fromDate=2019-06-01&toDate=2019-06-30',
  min: 'minAmount=900000000',
}
const debtor = (which: 'halfDebtor' | 'tenDebtor') => (tenant: Tenant) => `debtorId=${tenant[which]}`
const plain = (query: string) => () => query

const questions: Question[] = [
  { name: 'no filter', limitMs: 10, query: plain('') },
  { name: 'status, half', limitMs: 10, query: plain(half.status) },
  { name: 'status, ten', limitMs: 10, query: plain(ten.status) },
  { name: 'debtorId, half', limitMs: 10, query: debtor('halfDebtor') },
  { name: 'debtorId, ten', limitMs: 10, query: debtor('tenDebtor') },
  { name: 'issue dates, half', limitMs: 10, query: plain(half.date) },
  { name: 'issue dates, ten', limitMs: 10, query: plain(ten.date) },
  { name: 'minAmount, half', limitMs: 10, query: plain(half.min) },
  { name: 'minAmount, ten', limitMs: 10, query: plain(ten.min) },
  { name: 'maxAmount, half', limitMs: 10, query: plain(half.max) },
  ...(['half', 'ten'] as const).flatMap(size => {
    const filters =
      size === 'half'
        ? { ...half, debtor: debtor('halfDebtor') }
        : { ...ten, max: 'maxAmount=2000000000', debtor: debtor('tenDebtor') }
    const combination = (name: string, query: Question['query']): Question => ({
      name: `${name}, ${size}`,
      limitMs: 10,
      query,
    })
    return [
      combination('status + dates', plain(`${filters.status}&${filters.date}`)),
      combination('status + debtorId', tenant => `${filters.status}&${filters.debtor(tenant)}`),
      combination('status + minAmount', plain(`${filters.status}&${filters.min}`)),
      combination('dates + minAmount', plain(`${filters.date}&${filters.min}`)),
      combination('debtorId + dates', tenant => `${filters.debtor(tenant)}&${filters.date}`),
      combination('debtorId + minAmount', tenant => `${filters.debtor(tenant)}&${filters.min}`),
      combination('status, by due date', plain(`${filters.status}&sortBy=due_date&sortOrder=asc`)),
      combination('status, by amount', plain(`${filters.status}&sortBy=amount_cents`)),
      combination('dates, by amount', plain(`${filters.date}&sortBy=amount_cents&sortOrder=asc`)),
      combination('minAmount, by status', plain(`${filters.min}&sortBy=status`)),
    ]
  }),
  {
    name: 'cursor, nine tenths down',
    limitMs: 10,
    query: tenant => `cursor=${writeCursor('created_at desc', 2, [tenant.deepId])}`,
  },
  { name: 'search number, ten', limitMs: 10, query: plain('search=RARE77') },
  { name: 'search number, half', limitMs: 50, query: plain('search=ALPHA-') },
  { name: 'search debtor, ten', limitMs: 10, query: plain('search=zyxwvut') },
  { name: 'search debtor, half', limitMs: 50, query: plain('search=boulangerie') },
  { name: 'summary', limitMs: 10, query: plain(''), operation: invoiceSummary },
]

/** How much longer a hundred times as many may take. */
const ratioMax = 1.5

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timeQuestion(pool: Pool, tenant: Tenant, question: Question): Promise<number> {
  const operation = question.operation ?? listInvoices
  const query = operation.query?.parse(Object.fromEntries(new URLSearchParams(question.query(tenant))))
  const tx = reader(pool, { statement: enterByKey, values: [tenant.keyId, 1, new Date().toISOString()] })
  const startedAt = performance.now()
  await operation.run!({
    tx,
    actor: {
      kind: 'api_key',
      id: tenant.keyId,
      tenantId: tenant.tenantId,
      companyId: tenant.companyId,
      environment: 'production',
      scopes,
    },
    now: 0,
    wall: 0,
    requestId: '',
    keyring: null as never,
    publicUrl: '',
    newId: () => '',
    params: undefined,
    query,
    body: undefined,
  })
  return performance.now() - startedAt
}

/** Builds one tenant with 100,000 invoices and one with many more, and asks both the same. Answers the exit code. */
export async function benchLists(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { invoices: { type: 'string', default: '10000000' }, repeats: { type: 'string', default: '9' } },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'relance-lists-'))
  const cluster = await startOwnCluster({ dataDir, durable: false })
  const logProgress = (text: string) =>
    console.error(`${((performance.now() / 1000) | 0).toString().padStart(5)} s  ${text}`)
  try {
    await bootstrapRoles(cluster.adminUrl, rolePasswords)
    const database = await createDatabase(cluster.adminUrl, 'lists')
    await migrate(database.adminUrl, join(import.meta.dirname, '../../migrations'), new Date().toISOString())
    const operator = createPool({
      url: database.env.OPERATOR_DATABASE_URL,
      role: 'bench',
      max: 1,
      statementTimeoutMs: 60_000,
    })
    const admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
    const tenants: Tenant[] = []
    await withoutIndexes(admin, ['invoices', 'debtors', 'recoveries'], async () => {
      for (const invoices of [100_000, Number(values.invoices)]) {
        const made = await createCompany(
          {
            pool: operator,
            keyring: keyring(newKeyring()),
            wall: Date.now(),
            newId: () => uuidv7(Date.now()),
          },
          { name: `With ${invoices}`, ownerEmail: 'o@bench.example' },
        )
        const tenantId = made.tenants.production
        const filled = await fill(database.adminUrl, tenantId, invoices, logProgress)
        const key = await admin.query<{ id: string }>('select id from api_keys where tenant_id = $1', [
          tenantId,
        ])
        tenants.push({ ...filled, invoices, keyId: key.rows[0]!.id, companyId: made.companyId })
      }
      logProgress('making the indexes')
    })
    await countAll(admin)
    logProgress('vacuum and analyze')
    await admin.query('vacuum analyze invoices')
    await admin.query('vacuum analyze debtors')
    await admin.query('vacuum analyze recoveries')
    await admin.query('analyze')
    const pool = createPool({
      url: database.env.API_DATABASE_URL,
      role: 'bench',
      max: 4,
      statementTimeoutMs: 60_000,
    })
    const [small, large] = tenants as [Tenant, Tenant]
    console.log(
      `| question | ms at 100,000 | ms at ${large.invoices.toLocaleString('en')} | ratio | limit | |`,
    )
    console.log('|---|---|---|---|---|---|')
    let broken = 0
    for (const question of questions) {
      const times: [number[], number[]] = [[], []]
      for (let i = 0; i < Number(values.repeats) + 2; i++) {
        const [a, b] = [await timeQuestion(pool, small, question), await timeQuestion(pool, large, question)]
        // The first two warm the caches and the connection.
        if (i >= 2) {
          times[0].push(a)
          times[1].push(b)
        }
      }
      const [a, b] = [median(times[0]), median(times[1])]
      const isFine = b <= question.limitMs && b <= a * ratioMax
      if (!isFine) broken++
      console.log(
        `| ${question.name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} | ${question.limitMs} | ${isFine ? '' : 'over'} |`,
      )
    }
    console.log(`${questions.length - broken} passed, ${broken} failed`)
    await pool.end()
    await operator.end()
    await admin.end()
    return broken === 0 ? 0 : 1
  } finally {
    await cluster.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
