import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { newVisitor, visibleText } from '../../../../test/harness/visitor.ts'
import { createPool, type Pool } from '../../../kit/db/pool.ts'
import { alertDueRequests } from './alert-due-requests.ts'

const installation = useInstallation({ own: 'reads the whole installation' })
const mails = () =>
  installation.server.mailbox.messages().filter(({ to }) => to === 'comptabilite@atelier-martin.example')

interface Request {
  id: string
  kind: string
  receivedOn: string
  dueOn: string
  decision: string | null
  decidedOn: string | null
}

let pool: Pool
beforeAll(() => {
  const url = installation.database.env.WORKER_DATABASE_URL
  pool = createPool({ url, role: 'relance-worker', max: 2, statementTimeoutMs: 30_000 })
})
afterAll(() => pool.end())

const newDebtor = async () => {
  const body = invoiceInput({ dueDate: '2027-02-01' })
  const answer = await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body,
  })
  return { invoiceId: answer.body.data.id, debtorId: answer.body.data.debtor.id }
}
const post = <Data = Request>(path: string, body: object) => installation.call<Data>('POST', path, { body })
const requestsOf = (debtorId: string) => `/api/v1/debtors/${debtorId}/data-requests`
const holdsOf = async (invoiceId: string) =>
  (
    await installation.sql<{ holds: string[] }>('select holds from recoveries where invoice_id = $1', [
      invoiceId,
    ])
  )[0]!.holds

it('a request is recorded with its month, holds the reminders, and stands in the timeline and the audit log', async () => {
  const { invoiceId, debtorId } = await newDebtor()
  const made = await post(requestsOf(debtorId), {
    kind: 'objection',
    receivedOn: '2026-10-31',
    reason: 'By letter',
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body.data).toMatchObject({
    kind: 'objection',
    receivedOn: '2026-10-31',
    dueOn: '2026-11-30',
    decision: null,
    decidedOn: null,
    inFlight: [],
  })
  expect(await holdsOf(invoiceId)).toEqual(['debtor'])
  const timeline = await installation.call<{ code: string; sentence: string }[]>(
    'GET',
    `/api/v1/debtors/${debtorId}/timeline?lang=fr`,
  )
  expect(timeline.body.data.map(({ sentence }) => sentence)).toContain(
    'Opposition à l’usage des données (art. 21 du RGPD)\u00a0: reçue le 31 octobre 2026, réponse due le 30 novembre 2026 au plus tard. Les relances attendent. Motif\u00a0: By letter',
  )
  const [audited] = await installation.sql<{ data: object }>(
    `select data from audit_log where type = 'debtor.request_recorded' and subject_id = $1`,
    [debtorId],
  )
  expect(audited!.data).toMatchObject({ kind: 'objection', receivedOn: '2026-10-31', dueOn: '2026-11-30' })
})

it('without a day it was received today; a day to come is refused', async () => {
  const { debtorId } = await newDebtor()
  const today = (await post(requestsOf(debtorId), { kind: 'restriction' })).body.data
  expect([today.receivedOn, today.dueOn]).toEqual(['2026-11-16', '2026-12-16'])
  const later = await post(requestsOf(debtorId), { kind: 'restriction', receivedOn: '2026-11-17' })
  expect([later.status, later.body.error.details?.[0]?.field]).toEqual([400, 'receivedOn'])
})

it('no pause, resume or trigger ends it: only its decision does, and the last one of several', async () => {
  const { invoiceId, debtorId } = await newDebtor()
  const first = (await post(requestsOf(debtorId), { kind: 'restriction' })).body.data
  const second = (await post(requestsOf(debtorId), { kind: 'objection' })).body.data
  await post(`/api/v1/debtors/${debtorId}/pause`, { until: '2026-12-01T09:00:00+01:00' })
  const resumed = await post<{ recoveriesReleased: number }>(`/api/v1/debtors/${debtorId}/resume`, {})
  expect(resumed.body.data.recoveriesReleased).toBe(0)
  const trigger = await post(`/api/v1/workflow/invoice/${invoiceId}/trigger`, { action: 'resume' })
  expect(trigger.body.error.code).toBe('BIZ_004')
  const decide = (id: string, decision: string) =>
    post(`${requestsOf(debtorId)}/${id}/decide`, { decision, reason: 'Looked at' })
  expect((await decide(second.id, 'refused')).body.data).toMatchObject({
    decision: 'refused',
    decidedOn: '2026-11-16',
  })
  expect(await holdsOf(invoiceId)).toEqual(['debtor'])
  // A restriction that is granted goes on holding the reminders, until it is lifted.
  expect((await decide(first.id, 'granted')).status).toBe(200)
  expect(await holdsOf(invoiceId)).toEqual(['debtor'])
  expect((await decide(first.id, 'refused')).body.error.code).toBe('BIZ_004')
  expect((await decide(first.id, 'lifted')).status).toBe(200)
  expect(await holdsOf(invoiceId)).toEqual([])
  const listed = await installation.call<{ requests: Request[] }>('GET', requestsOf(debtorId))
  expect(listed.body.data.requests.map(({ id, decision }) => [id, decision])).toEqual([
    [second.id, 'refused'],
    [first.id, 'lifted'],
  ])
})

it('a pause that a person made before goes on after the decision', async () => {
  const { invoiceId, debtorId } = await newDebtor()
  await post(`/api/v1/debtors/${debtorId}/pause`, { until: '2026-12-01T09:00:00+01:00' })
  const { id } = (await post(requestsOf(debtorId), { kind: 'objection' })).body.data
  const dueAt = async () =>
    (
      await installation.sql<{ due_at: Date | null }>('select due_at from recoveries where invoice_id = $1', [
        invoiceId,
      ])
    )[0]!.due_at
  expect(await dueAt()).toBeNull()
  await post(`${requestsOf(debtorId)}/${id}/decide`, { decision: 'refused' })
  expect(await holdsOf(invoiceId)).toEqual(['debtor'])
  expect((await dueAt())?.toISOString()).toBe('2026-12-01T08:00:00.000Z')
})

/** The night that begins this day, of the tenant's time. */
async function nightOf(day: string): Promise<void> {
  const [row] = await installation.sql<{ ms: string }>('select clock_offset_ms as ms from installation')
  const clock = { wall: () => Date.parse(`${day}T02:00:00Z`) - Number(row!.ms) }
  await alertDueRequests({ pool, clock, newId: randomUUIDv7 }, installation.company.tenants.production)
}

describe('before the month ends', () => {
  it('the creditor gets one mail a week before, with the day, and records the decision on its page', async () => {
    const { invoiceId, debtorId } = await newDebtor()
    const { id, dueOn } = (
      await post(requestsOf(debtorId), { kind: 'restriction', receivedOn: '2026-11-02' })
    ).body.data
    expect(dueOn).toBe('2026-12-02')
    const told = () =>
      installation.sql<{ data: object }>(
        `select data from events where subject_id = $1 and type = 'debtor.request_due'`,
        [invoiceId],
      )
    await nightOf('2026-11-24')
    expect(await told()).toEqual([])
    // What was announced of other requests is another mail.
    await installation.sql('delete from alerts')
    await installation.sql('delete from alert_batches')
    await nightOf('2026-11-25')
    await nightOf('2026-11-26')
    expect(await told()).toMatchObject([{ data: { dataRequestId: id, dueOn: '2026-12-02' } }])
    const mailed = await eventually(
      () => mails().filter(({ text }) => text.includes('limiter l’usage')),
      found => found.length > 0,
    )
    expect(mailed).toHaveLength(1)
    expect(mailed[0]!.text).toContain('Votre réponse est due le 2 décembre 2026 au plus tard.')
    const link = /https?:\/\/[^/\s]+(\/alerts\S+)/.exec(mailed[0]!.text)![1]!
    const browser = newVisitor(installation.server.baseUrl, { acceptLanguage: 'fr' })
    const page = await browser.get(link)
    expect(visibleText(page.html)).toContain('Qu’avez-vous décidé')
    const done = await browser.submit(page, '/alerts', { decision: 'refused' })
    expect(done.status, done.html).toBe(303)
    expect(await holdsOf(invoiceId)).toEqual([])
  })

  it('one that is recorded late is announced at once, and not again in the night', async () => {
    const { invoiceId, debtorId } = await newDebtor()
    await post(requestsOf(debtorId), { kind: 'objection', receivedOn: '2026-10-20' })
    await nightOf('2026-11-17')
    const events = await installation.sql<{ data: object; actor: object }>(
      `select data, actor from events where subject_id = $1 and type = 'debtor.request_due'`,
      [invoiceId],
    )
    expect(events).toMatchObject([{ data: { dueOn: '2026-11-20' }, actor: { kind: 'worker' } }])
  })

  it('all of them are announced, however many there are', async () => {
    const { invoiceId, debtorId } = await newDebtor()
    await installation.sql(
      `insert into data_requests (tenant_id, id, debtor_id, kind, received_on, due_on, created_at)
       select tenant_id, gen_random_uuid(), id, 'objection', '2026-11-01', '2026-12-01', '2026-11-01T09:00:00Z'
         from debtors cross join generate_series(1, 401) where id = $1`,
      [debtorId],
    )
    await nightOf('2026-11-25')
    const told = await installation.sql(
      `select from events where subject_id = $1 and type = 'debtor.request_due'`,
      [invoiceId],
    )
    expect(told).toHaveLength(401)
  })

  it('one that is decided is not announced', async () => {
    const { invoiceId, debtorId } = await newDebtor()
    const { id } = (await post(requestsOf(debtorId), { kind: 'objection', receivedOn: '2026-11-01' })).body
      .data
    await post(`${requestsOf(debtorId)}/${id}/decide`, { decision: 'granted' })
    await nightOf('2026-11-30')
    expect(
      await installation.sql(`select from events where subject_id = $1 and type = 'debtor.request_due'`, [
        invoiceId,
      ]),
    ).toEqual([])
  })
})

it('nothing is sent for months, an invoice that comes later waits too, and a refusal lets both go on', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Limite SARL') })
  await sandbox.advanceToDay('2026-11-18')
  const before = (await sandbox.messages()).length
  expect(before).toBe(1)
  const request = await sandbox.done<Request>('POST', requestsOf(debtor.id), { kind: 'restriction' })
  const later = await sandbox.invoice({ debtor: { id: debtor.id } })
  await sandbox.advance('P60D')
  expect(await sandbox.messages()).toHaveLength(before)
  for (const invoice of [id, later.id])
    expect(await sandbox.nextAction(invoice)).toMatchObject({ blockedBy: ['debtor'] })
  await sandbox.done('POST', `${requestsOf(debtor.id)}/${request.id}/decide`, { decision: 'refused' })
  await sandbox.advance('P10D')
  expect((await sandbox.messages()).length).toBeGreaterThan(before)
})
