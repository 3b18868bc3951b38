import { beforeAll, expect, it } from 'vitest'
import type { Debtor } from '../../../../../sdk/src/index.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
type Account = NonNullable<Debtor['account']>

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await newSandbox(installation)
})

const accountOf = async (id: string): Promise<Account> => {
  const { status, text, body } = await sandbox.call<Debtor>('GET', `/api/v1/debtors/${id}?include=account`)
  expect(status, text).toBe(200)
  return body.data.account!
}
const withInvoices = async (name: string, dues: readonly (readonly [string, number])[]) => {
  const invoices = []
  for (const [dueDate, amountCents] of dues)
    invoices.push(
      await sandbox.invoice({ debtor: lyonDebtor(name), issueDate: '2026-07-01', dueDate, amountCents }),
    )
  const { id } = invoices[0]!.debtor
  return { id, invoices }
}

it('what is open is in five buckets, due from the day after the due date on', async () => {
  const { id } = await withInvoices('Seaux SARL', [
    ['2026-12-01', 100],
    ['2026-11-16', 1_000],
    ['2026-11-15', 10_000],
    ['2026-10-17', 20_000],
    ['2026-10-16', 100_000],
    ['2026-08-18', 1_000_000],
    ['2026-08-17', 10_000_000],
  ])
  const account = await accountOf(id)
  expect(account).toMatchObject({
    openCents: 11_131_100,
    dueCents: 11_130_000,
    notDueCents: 1_100,
    nextDueDate: '2026-11-16',
    promisedCents: 0,
    promisedOn: null,
    disputedCents: 0,
    disputedInvoices: 0,
  })
  expect(account.ageing).toEqual([
    { fromDays: null, toDays: 0, invoices: 2, openCents: 1_100 },
    { fromDays: 1, toDays: 30, invoices: 2, openCents: 30_000 },
    { fromDays: 31, toDays: 60, invoices: 1, openCents: 100_000 },
    { fromDays: 61, toDays: 90, invoices: 1, openCents: 1_000_000 },
    { fromDays: 91, toDays: null, invoices: 1, openCents: 10_000_000 },
  ])
})

it('what is promised and disputed is what of it is still open', async () => {
  const { id, invoices } = await withInvoices('Promet SARL', [
    ['2026-11-01', 120_000],
    ['2026-11-02', 80_000],
    ['2026-11-03', 50_000],
  ])
  const [promised, disputed, whole] = invoices
  await sandbox.done('POST', `/api/v1/invoices/${promised!.id}/promise`, {
    date: '2026-11-20',
    amountCents: 100_000,
  })
  const pay = (invoiceId: string, amountCents: number) =>
    sandbox.done('POST', '/api/v1/payments', { invoiceId, amountCents, method: 'bank_transfer' })
  await pay(promised!.id, 30_000)
  await sandbox.done('POST', `/api/v1/invoices/${disputed!.id}/dispute`, {
    reason: 'Il en manque',
    amountCents: 30_000,
  })
  await sandbox.done('POST', `/api/v1/invoices/${whole!.id}/dispute`, { reason: 'Jamais commandé' })
  await pay(whole!.id, 20_000)
  expect(await accountOf(id)).toMatchObject({
    dueCents: 200_000,
    promisedCents: 70_000,
    promisedOn: '2026-11-20',
    disputedCents: 60_000,
    disputedInvoices: 2,
  })
  await sandbox.done('POST', `/api/v1/invoices/${disputed!.id}/dispute/resolve`, { outcome: 'rejected' })
  await pay(promised!.id, 90_000)
  expect(await accountOf(id)).toMatchObject({
    promisedCents: 0,
    promisedOn: null,
    disputedCents: 30_000,
    disputedInvoices: 1,
  })
})

it('a list has no sums by due date, and says whether a debtor needs attention', async () => {
  const { id } = await withInvoices('Tardive SARL', [['2026-08-01', 5_000]])
  const { body } = await sandbox.call<{ id: string; account: Account }[]>(
    'GET',
    '/api/v1/debtors?include=account&limit=100',
  )
  const listed = body.data.find(debtor => debtor.id === id)!.account
  expect(listed).not.toHaveProperty('dueCents')
  expect(listed.attention).toEqual({ level: 'high', reasons: [{ code: 'overdue_90_days', days: 107 }] })
  expect((await accountOf(id)).attention).toEqual(listed.attention)
})

it('a formal notice, a broken promise and a refused address ask for attention until somebody answers', async () => {
  const { id, invoices } = await withInvoices('Silencieuse SARL', [['2026-11-01', 5_000]])
  const invoiceId = invoices[0]!.id
  expect((await accountOf(id)).attention).toEqual({ level: 'none', reasons: [] })
  const set = (values: string) =>
    installation.sql(`update recoveries set ${values} where tenant_id = $1 and invoice_id = $2`, [
      sandbox.tenantId,
      invoiceId,
    ])
  await set("promise_broken_at = '2026-11-12T08:00:00Z'")
  expect((await accountOf(id)).attention).toEqual({
    level: 'watch',
    reasons: [{ code: 'promise_broken', days: 4 }],
  })
  await set("notice_at = '2026-11-04T09:00:00Z', notice_channel = 'lrar'")
  await installation.sql(
    `insert into closed_points (tenant_id, point, channel, because, created_at)
     select tenant_id, (contact_points(tenant_id, id, email_key, phone))[2], 'email', 'refused', created_at from debtors where id = $1`,
    [id],
  )
  expect((await accountOf(id)).attention).toEqual({
    level: 'high',
    reasons: [
      { code: 'formal_notice_unanswered', days: 12 },
      { code: 'promise_broken', days: 4 },
      { code: 'address_refused', days: null },
    ],
  })
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId,
    amountCents: 1_000,
    method: 'bank_transfer',
    paidAt: '2026-11-16T07:00:00Z',
  })
  expect((await accountOf(id)).attention.level).toBe('watch')
})

it('more open invoices than are added up have no sums', async () => {
  const { id, invoices } = await withInvoices('Énorme SARL', [['2026-11-01', 5_000]])
  await installation.sql(
    `insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, number_search, number_grams,
       status, open_cents, created_at, updated_at)
     select i.tenant_id, gen_random_uuid(), i.debtor_id, 'E-' || n, 100, i.currency, i.issue_date, i.due_date, 'e-' || n, '{}',
       'in_recovery', 100, i.created_at, i.updated_at
       from invoices i cross join generate_series(1, 10000) n where i.id = $1`,
    [invoices[0]!.id],
  )
  expect(await accountOf(id)).toMatchObject({
    openInvoices: 10_001,
    dueCents: null,
    notDueCents: null,
    promisedCents: null,
    disputedCents: null,
    ageing: null,
  })
})
