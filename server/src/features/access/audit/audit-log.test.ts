import { expect, it } from 'vitest'
import { ownAddresses } from '../../../../test/harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { iso } from '../../../kit/clock.ts'
import { hmacSha256 } from '../../../kit/crypto.ts'
import { createPool } from '../../../kit/db/pool.ts'
import { setAuditYears } from '../companies/installation.ts'
import { purgeAuditLog } from './purge-audit-log.ts'

const installation = useInstallation({ own: 'reads the whole installation', env: ownAddresses })

interface LogRow {
  type: string
  data: Record<string, unknown>
  actor: { kind: string; id: string }
  ip: string | null
  user_agent: string | null
}

const logOf = (subjectId: string) =>
  installation.sql<LogRow>(
    'select type, data, actor, ip, user_agent from audit_log where subject_id = $1 order by id',
    [subjectId],
  )

const send = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
  const answer = await installation.call<Data>(method, path, {
    body,
    headers: { 'x-forwarded-for': '192.0.2.7', 'user-agent': `Accounting/3.1 ${'x'.repeat(300)}` },
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

const newDebtor = async () =>
  (await send<{ debtor: { id: string } }>('POST', '/api/v1/invoices', invoiceInput())).debtor.id

it('a changed debtor is in the audit log: which data, by whom, from where, and no value that could be read', async () => {
  const id = await newDebtor()
  await send('PUT', `/api/v1/debtors/${id}`, { email: 'neuf@durand.example', language: 'en' })
  const [row, ...more] = await logOf(id)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    type: 'debtor.changed',
    actor: { kind: 'api_key' },
    ip: '192.0.2.7',
    user_agent: expect.stringMatching(/^Accounting\/3\.1 x{185}$/),
    data: { debtorId: id, changed: ['email', 'language'] },
  })
  expect(JSON.stringify(row)).not.toContain('durand')
})

it('whoever has an address can prove that it was the one, until the salt of the debtor is erased', async () => {
  const id = await newDebtor()
  await send('PUT', `/api/v1/debtors/${id}`, { email: 'un@durand.example' })
  await send('PUT', `/api/v1/debtors/${id}`, { email: 'deux@durand.example' })
  const [first, second] = (await logOf(id)).map(row => row.data as { before: object; after: object })
  expect(second!.before).toEqual(first!.after)
  const [salt] = await installation.sql<{ salt: Buffer }>(
    'select salt from contact_salts where debtor_id = $1',
    [id],
  )
  const digest = hmacSha256(salt!.salt, 'deux@durand.example').toString('hex')
  expect(second!.after).toEqual({ email: digest })
})

it('a change that changes nothing is not in it, nor is a rehearsal', async () => {
  const id = await newDebtor()
  const { language } = await send<{ language: string }>('GET', `/api/v1/debtors/${id}`)
  await send('PUT', `/api/v1/debtors/${id}`, { language })
  expect(await logOf(id)).toEqual([])
  const invoice = await send<{ id: string }>('POST', '/api/v1/invoices', invoiceInput())
  await send('POST', `/api/v1/workflow/invoice/${invoice.id}/trigger`, { action: 'pause', dryRun: true })
  expect(await logOf(invoice.id)).toEqual([])
})

it('words of messages are in it as they were and as they are', async () => {
  const path = '/api/v1/templates/relance_email_1.email.fr'
  const opening = 'Bonjour, la facture {{reference}} attend.'
  await send('PUT', path, { opening })
  await send('DELETE', path)
  const rows = await logOf('relance_email_1.email.fr')
  const ours = { subject: null, opening: null }
  expect(rows.map(({ data: { before, after } }) => ({ before, after }))).toEqual([
    { before: ours, after: { ...ours, opening } },
    { before: { ...ours, opening }, after: ours },
  ])
})

it('an import of many invoices is one audit event', async () => {
  const invoices = Array.from({ length: 20 }, () => invoiceInput())
  const before = await installation.sql("select id from audit_log where type = 'invoice.imported'")
  await send('POST', '/api/v1/invoices/bulk', { invoices })
  const after = await installation.sql("select id from audit_log where type = 'invoice.imported'")
  expect(after.length).toBe(before.length + 1)
})

it('the operator who makes a company is in it', async () => {
  const { companyId } = await installation.server.createCompany({ name: 'A', ownerEmail: 'a@b.example' })
  expect(await logOf(companyId)).toMatchObject([
    { type: 'company.created', actor: { kind: 'operator' }, ip: null, user_agent: null },
  ])
})

it('is kept for its years to the day, and only the operator’s command deletes what is older', async () => {
  const pool = createPool({
    url: installation.server.config.OPERATOR_DATABASE_URL!,
    role: 'relance-operator',
    max: 1,
    statementTimeoutMs: 5_000,
  })
  try {
    const [{ n: all }] = (await installation.sql<{ n: number }>(
      'select count(*)::int as n from audit_log',
    )) as [{ n: number }]
    const [{ oldest }] = (await installation.sql<{ oldest: Date | number }>(
      'select min(recorded_at) as oldest from audit_log',
    )) as [{ oldest: Date | number }]
    const day = 24 * 3_600_000
    const inYears = (years: number, days: number) => {
      const moment = new Date(oldest)
      moment.setUTCFullYear(moment.getUTCFullYear() + years)
      return iso(moment.getTime() + days * day)
    }
    expect(await purgeAuditLog(pool, inYears(6, -1))).toBe(0)
    await setAuditYears(pool, 10)
    expect(await purgeAuditLog(pool, inYears(6, 1))).toBe(0)
    expect(await purgeAuditLog(pool, inYears(10, 1))).toBe(all)
  } finally {
    await pool.end()
  }
})
