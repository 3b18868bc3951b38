import { expect, it } from 'vitest'
import { digestOf } from '../../../../test/guards/digest.ts'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Preview {
  cascade: string
  cascadeVersion: number
  actions: {
    action: string
    channel: string | null
    scheduledAt: string
    skipped: boolean
    reasonCode: string
  }[]
  reasonCode: string
}

const reachable = {
  type: 'business',
  phone: '+33612345678',
  address: '12 rue Mercière',
  postalCode: '69002',
  city: 'Lyon',
}
const preview = (changes: Record<string, unknown> = {}) =>
  installation.call<Preview>('POST', '/api/v1/workflow/preview', {
    body: { amountCents: 120_000, dueDate: '2026-10-15', debtor: reachable, ...changes },
  })
const days = ({ actions }: Preview) => actions.map(action => action.scheduledAt.slice(0, 10))

it('says the days of the worked example, for a business in Lyon that starts on Monday 16 November 2026', async () => {
  const { data } = (await preview()).body
  expect(data).toMatchObject({ cascade: 'fr_b2b_standard', cascadeVersion: 1, reasonCode: 'planned' })
  expect(days(data).slice(0, 7)).toEqual([
    '2026-11-16',
    '2026-11-21',
    '2026-11-25',
    '2026-11-30',
    '2026-12-04',
    '2026-12-09',
    '2026-12-14',
  ])
  expect(data.actions).toHaveLength(10)
})

it('is the plan the invoice then has, day by day', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Marchand SARL')
  const { name: _, email: __, ...known } = debtor
  const body = { amountCents: 120_000, dueDate: '2026-11-20', debtor: known }
  const previewed = await sandbox.done<Preview>('POST', '/api/v1/workflow/preview', body)
  const { id } = await sandbox.invoice({ debtor, amountCents: 120_000, dueDate: '2026-11-20' })
  const plan = await sandbox.done<Preview>('GET', `/api/v1/workflow/invoice/${id}/plan`)
  expect(days(plan)).toEqual(days(previewed))
  expect(plan.actions.map(action => action.action)).toEqual(previewed.actions.map(action => action.action))
})

it('takes the body of a create as it is, and says that the hour is an example', async () => {
  const body = {
    invoiceNumber: 'F-2026-1',
    amountCents: 120_000,
    currency: 'EUR',
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    description: 'Chairs',
    metadata: { file: 'A-17' },
    debtor: lyonDebtor('Corps SARL'),
  }
  const answer = await installation.call<Preview>('POST', '/api/v1/workflow/preview', { body })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toMatchObject({ precision: 'day', reasonCode: 'planned' })
  const wrong = await installation.call('POST', '/api/v1/workflow/preview', {
    body: { ...body, issueDate: '2026-10-16' },
  })
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 'VAL_001'])
})

it('for a known debtor it counts what was sent and what waits: it is the plan the invoice then has, to the minute', async () => {
  const sandbox = await newSandbox(installation)
  const first = await sandbox.invoice({ debtor: lyonDebtor('Connu SARL'), dueDate: '2026-10-15' })
  await sandbox.advance('PT2H')
  const debtor = { id: first.debtor.id }
  const body = { amountCents: 80_000, dueDate: '2026-10-15', debtor }
  const previewed = await sandbox.done<Preview>('POST', '/api/v1/workflow/preview', body)
  expect(previewed).toMatchObject({ precision: 'minute' })
  // The day is taken by the first message.
  expect(days(previewed)[0]! > '2026-11-16').toBe(true)
  const { id } = await sandbox.invoice({ ...body, invoiceNumber: 'K-2' })
  const plan = await sandbox.done<Preview>('GET', `/api/v1/workflow/invoice/${id}/plan`)
  const moments = ({ actions }: Preview) =>
    actions.map(({ action, scheduledAt }) => [action, scheduledAt.slice(0, 16)])
  expect(moments(plan)).toEqual(moments(previewed))
  const unknown = await sandbox.call('POST', '/api/v1/workflow/preview', {
    ...body,
    debtor: { id: '01a1d3c4-5e00-7b21-9f64-0c8d7a3e1b52' },
  })
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'BIZ_003'])
})

it('writes nothing', async () => {
  const tenants = Object.values(installation.company.tenants)
  const before = await digestOf(installation, tenants)
  expect((await preview()).status).toBe(200)
  expect(await digestOf(installation, tenants)).toEqual(before)
})

it('leaves out what the debtor cannot be reached by, and says why', async () => {
  const { data } = (await preview({ debtor: { type: 'business', postalCode: '69002' } })).body
  expect(data.actions.filter(action => action.skipped).map(action => action.reasonCode)).toEqual([
    'no_mobile',
    'no_phone',
    'no_phone',
  ])
  expect(data.actions.find(action => action.action === 'lrar_mise_en_demeure')).toMatchObject({
    channel: 'email',
    skipped: false,
  })
})

it('chooses the cascade as an import would, or takes the one that is named', async () => {
  const chosen = async (changes: Record<string, unknown>) => (await preview(changes)).body.data.cascade
  expect(await chosen({ debtor: { ...reachable, type: 'consumer' } })).toBe('fr_consumer')
  expect(await chosen({ amountCents: 14_999 })).toBe('fr_b2b_small')
  expect(await chosen({ cascade: 'fr_b2b_fast' })).toBe('fr_b2b_fast')
  const steps = [{ name: 'email_prise_en_charge', channel: 'email', day: 0 }]
  await installation.sql(
    `insert into cascades (tenant_id, name, version, steps, applies, enabled, is_current, created_at)
     values ($1, 'ours', 2, $2, '{"minAmountCents": 5000000}', true, true, '2026-11-16T08:00:00Z')`,
    [installation.company.tenants.production, JSON.stringify(steps)],
  )
  expect(await chosen({ amountCents: 5_000_000 })).toBe('ours')
  expect((await preview({ cascade: 'ours' })).body.data).toMatchObject({ cascade: 'ours', cascadeVersion: 2 })
  const unknown = await preview({ cascade: 'theirs' })
  expect(unknown.body.error).toMatchObject({ code: 'VAL_001', details: [{ field: 'cascade' }] })
})

it('starts when it is asked to, never in the past, and not before the invoice is overdue', async () => {
  expect(days((await preview({ startAt: '2026-12-01T10:00:00+01:00' })).body.data)[0]).toBe('2026-12-01')
  const past = await preview({ startAt: '2026-11-15T10:00:00+01:00' })
  expect(past.body.error).toMatchObject({ code: 'VAL_001', details: [{ field: 'startAt' }] })
  expect(days((await preview({ dueDate: '2026-12-30' })).body.data)[0]).toBe('2026-12-31')
})

it('keeps to the company’s own caps', async () => {
  await installation.sql(
    'update company_settings set contacts_per_week = 1, contacts_per_month = 2 where tenant_id = $1',
    [installation.company.tenants.production],
  )
  const { data } = (await preview()).body
  await installation.sql('delete from company_settings where tenant_id = $1', [
    installation.company.tenants.production,
  ])
  expect(days(data).slice(0, 3)).toEqual(['2026-11-16', '2026-11-23', '2026-12-16'])
  expect(data.actions[2]).toMatchObject({ reasonCode: 'monthly_cap' })
})

it('has no plan for a country without a calendar, and says so', async () => {
  const { data } = (await preview({ debtor: { country: 'JP' } })).body
  expect(data).toMatchObject({ actions: [], reasonCode: 'calendar_missing' })
})
