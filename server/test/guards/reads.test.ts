import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import type { Actor } from '../../src/kit/actor.ts'
import { createPool, type Pool } from '../../src/kit/db/pool.ts'
import type { Statement } from '../../src/kit/db/statement.ts'
import type { Tx, Value } from '../../src/kit/db/transaction.ts'
import type { Operation } from '../../src/kit/operation.ts'
import type { Page } from '../../src/kit/page.ts'
import { fillWithManyRows, useClone } from './clone.ts'
import { type Judge, judgePlans, type PlanNode } from './plan-checks.ts'

const clone = useClone()
let pool: Pool
let tenant: string
let growing: Judge
let known: Record<string, string>

beforeAll(async () => {
  tenant = (await fillWithManyRows(clone, 30_000)).large
  growing = await judgePlans(clone)
  pool = createPool({
    url: clone.database.env.API_DATABASE_URL,
    role: 'guard',
    max: 1,
    statementTimeoutMs: 60_000,
  })
  const [some] = await clone.query<{
    invoice: string
    debtor: string
    payment: string
    webhook: string
    conversation: string
    task: string
    message: string
    list: string
    receipt: string
  }>(
    `select p.id as payment, i.id as invoice, i.debtor_id as debtor,
            (select d.webhook_id from webhook_deliveries d where d.tenant_id = p.tenant_id limit 1) as webhook,
            (select m.communication_id from sent_messages m where m.tenant_id = p.tenant_id limit 1) as message,
            (select y.id from claim_lists y where y.tenant_id = p.tenant_id limit 1) as list,
            (select z.receipt_id from payments z where z.tenant_id = p.tenant_id and z.receipt_id is not null limit 1) as receipt,
            (select x.task_id from task_items x where x.tenant_id = p.tenant_id limit 1) as task,
            (select c.id from conversations c where c.tenant_id = p.tenant_id and c.opener = 'api_key ' limit 1) as conversation
       from payments p join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id where p.tenant_id = $1 limit 1`,
    [tenant],
  )
  known = {
    'invoices/:id': some!.invoice,
    'invoice/:invoiceId': some!.invoice,
    'debtors/:id': some!.debtor,
    'payments/:id': some!.payment,
    'cascades/:name': 'own_1',
    'webhooks/:id': some!.webhook,
    'conversations/:id': some!.conversation,
    'tasks/:id': some!.task,
    'claim-lists/:id': some!.list,
    'communications/:id': some!.message,
    'oauth-clients/:id': `oc_e1${'7'.padStart(20, '0')}`,
    debtorId: some!.debtor,
    invoiceId: some!.invoice,
    receiptId: some!.receipt,
  }
}, 180_000)
afterAll(() => pool.end())

/** What a query parameter may be asked for, by its name where its declaration does not list it. */
const plausible: Record<string, string[]> = {
  page: ['1', '40'],
  limit: ['100'],
  offset: ['40'],
  language: ['fr'],
  fromDate: ['2026-08-01'],
  toDate: ['2026-02-01'],
  minAmount: ['50000'],
  maxAmount: ['2000'],
  search: ['F-4999', 'debtor 149', 'zzz'],
  edges: ['30,60,90'],
  back: ['14'],
  currency: ['EUR'],
  date: ['2026-11-16'],
  standing: ['held:promise', 'running', 'decide,ended'],
  dueFrom: ['2026-08-01'],
  dueTo: ['2026-02-01'],
  overdueMin: ['60'],
  overdueMax: ['60'],
  step: ['email_prise_en_charge', 'ai_call'],
  nextFrom: ['2026-11-16T09:00:00Z'],
  nextTo: ['2026-11-16T12:00:00Z'],
  reasonCode: ['cascade'],
  minBalance: ['2000', '50000'],
  q: ['F-4999', 'debtor 149', 'zzz'],
  from: ['2026-11-02'],
  to: ['2026-11-30'],
  sentFrom: ['2026-11-16T08:00:00Z'],
  sentTo: ['2026-11-16T12:00:00Z'],
  types: ['invoice.created', 'payment.failed,judicial.started'],
  include: ['account', 'sameAddress,account'],
  inCharge: ['none', 'me'],
}

function valuesOf(operation: Operation): [name: string, values: string[]][] {
  if (!operation.query) return []
  interface Schema {
    properties?: Record<string, { enum?: string[] }>
    $ref?: string
    $defs?: Record<string, Schema>
  }
  const root = z.toJSONSchema(operation.query, { io: 'input', unrepresentable: 'any' }) as Schema
  const named = root.$ref ? root.$defs![root.$ref.replace('#/$defs/', '')]! : root
  const properties = named.properties ?? {}
  expect(Object.keys(properties), operation.id).not.toEqual([])
  return Object.entries(properties)
    .filter(([name]) => name !== 'cursor')
    .map(([name, { enum: listed }]) => {
      const values = listed ?? plausible[name] ?? (known[name] && [known[name]])
      if (!values) throw new Error(`the guards have no value for the parameter ${name} of ${operation.id}`)
      // The same order in camel case is the same query.
      const snake = (value: string) => value.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
      return [name, values.filter(value => snake(value) === value || !values.includes(snake(value)))]
    })
}

/** Queries that must scan, because no index could help. */
const walkedThrough: Record<string, string>[] = [
  // An issue date bounds the due date from below only: the newer ones are passed one by one.
  { sortBy: 'due_date', sortOrder: 'desc', toDate: '2026-02-01' },
]
const isWalkedThrough = (query: Record<string, string>) =>
  walkedThrough.some(walked => Object.entries(walked).every(([name, value]) => query[name] === value))

/** Nothing, each parameter by itself, and each filter in each order. */
function queriesOf(operation: Operation): Record<string, string>[] {
  const parameters = valuesOf(operation)
  const each = (selected: typeof parameters) =>
    selected.flatMap(([name, values]) => values.map(value => ({ [name]: value }) as Record<string, string>))
  const orders = parameters.filter(([name]) => name === 'sortBy')
  const directions = each(parameters.filter(([name]) => name === 'sortOrder'))
  const filters = each(parameters.filter(([name]) => !['sortBy', 'sortOrder'].includes(name)))
  const sorted = each(orders).flatMap(order => directions.map(direction => ({ ...order, ...direction })))
  return [
    {},
    ...filters,
    ...sorted,
    ...sorted.flatMap(order => filters.map(filter => ({ ...order, ...filter }))),
  ]
}

function paramsFor(operation: Operation): Record<string, string> {
  const segments = operation.path.split('/')
  return Object.fromEntries(
    segments.flatMap((segment, at) => {
      if (!segment.startsWith(':')) return []
      const what = `${segments[at - 1]}/${segment}`
      if (!known[what]) throw new Error(`the crowd has no ${what}: tell reads.test.ts which`)
      return [[segment.slice(1), known[what]]]
    }),
  )
}

/** Asks the database as the api does, and writes down what grows. */
async function inTenant<T>(found: string[], work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`select set_config('relance.tenant', $1, true)`, [tenant])
  const rows = async <Row>({ text }: Statement<Row>, values: readonly Value[]) => {
    const plan = await client.query(`explain (analyze, timing off, format json) ${text}`, values as unknown[])
    const scans = growing((plan.rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]!.Plan)
    found.push(...scans.map(scan => `${scan}: ${text.replace(/\s+/g, ' ')}`))
    return (await client.query(text, values as unknown[])).rows as Row[]
  }
  try {
    return await work({ rows, atCommit: () => {} })
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe.each(operations.filter(operation => operation.method === 'GET'))('$method $path', operation => {
  it('reads what it shows and not all there is, whatever it is asked for', async () => {
    const [company] = await clone.query<{ id: string }>(
      'select company_id as id from tenants where id = $1',
      [tenant],
    )
    const actor = {
      kind: 'api_key',
      id: '',
      tenantId: tenant,
      companyId: company!.id,
      scopes,
    } as unknown as Actor
    const found = new Set<string>()
    const runQuery = async (query: Record<string, string>) => {
      const scans: string[] = []
      const now = Date.parse('2026-11-16T09:00:00+01:00')
      const call = {
        actor,
        now,
        wall: now,
        requestId: 'guard',
        newId: () => '',
        keyring: null as never,
        publicUrl: '',
        params: paramsFor(operation),
        query: operation.query?.parse(query),
        body: undefined,
      }
      const answer = await inTenant(scans, tx => operation.run!({ ...call, tx }))
      if (!isWalkedThrough(query)) for (const scan of scans) found.add(`${JSON.stringify(query)} ${scan}`)
      return answer
    }
    for (const query of queriesOf(operation)) {
      const answer = await runQuery(query)
      const { nextCursor } = (operation.list ? answer : {}) as Partial<Page<unknown>>
      if (nextCursor && query.page === undefined) await runQuery({ ...query, cursor: nextCursor })
    }
    expect([...found]).toEqual([])
  })
})
