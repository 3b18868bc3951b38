import { expect, it } from 'vitest'
import { digestOf } from '../../../../test/guards/digest.ts'
import { useOperationCalls } from '../../../../test/guards/operation-calls.ts'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput } from '../../../../test/harness/use-installation.ts'

/** It is Sunday 15 November 2026, 09:00 in Paris. */
const calls = useOperationCalls()
const { installation } = calls

interface Requested {
  id: string
  invoiceId: string
  channel: string
  scheduledAt: string
  reason: string
  reasonCode: string
  shifts: { because: string; detail: string; from: string; until: string }[]
  shown?: { text: string }
  findings?: object[]
  plan?: { after: { actions: { action: string }[] }[] }
}

const reachable = { phone: '+33612345678', address: '12 rue Mercière' }
const create = async (debtor: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) => {
  const input = invoiceInput(changes)
  return (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: { ...input, debtor: { ...input.debtor, ...debtor } },
    })
  ).body.data
}
const ask = (id: string, body: Record<string, unknown>, key = installation.company.productionKey) =>
  installation.call<Requested>('POST', `/api/v1/workflow/invoice/${id}/communications`, { body, key })
const extrasOf = (id: string) =>
  installation.sql<{
    id: string
    step: string
    channel: string
    status: string
    due_at: Date
    due_because: string
  }>('select * from extra_messages where invoice_id = $1', [id])

it('is planned for the next allowed moment, says when and why, and moves no step', async () => {
  const { id } = await create()
  const before = await installation.sql('select step, due_at from recoveries where invoice_id = $1', [id])
  const answer = await ask(id, { channel: 'email' })
  expect(answer.status).toBe(202)
  const { data } = answer.body
  expect(data).toMatchObject({
    invoiceId: id,
    channel: 'email',
    reason: 'Nobody is contacted on a Sunday.',
    reasonCode: 'sunday',
    shifts: [{ because: 'sunday', detail: 'Sunday 2026-11-15', until: '2026-11-16T07:00:00.000Z' }],
  })
  expect(data.scheduledAt.slice(0, 10)).toBe('2026-11-16')
  const [extra] = await extrasOf(id)
  expect(extra).toMatchObject({ id: data.id, step: 'extra_message', channel: 'email', status: 'planned' })
  expect(extra!.due_at.toISOString()).toBe(data.scheduledAt)
  expect(await installation.sql('select step, due_at from recoveries where invoice_id = $1', [id])).toEqual(
    before,
  )
})

it('rehearsed, it says when and why, and changes no row of anybody', async () => {
  const { id } = await create()
  const before = await digestOf(installation, Object.values(installation.company.tenants))
  const { plan, shown, findings, ...rehearsed } = (await ask(id, { channel: 'email', dryRun: true })).body
    .data
  expect(shown!.text).toContain('vous rappelons')
  expect(findings).toEqual([])
  expect(plan!.after[0]!.actions.map(({ action }) => action)).toContain('extra_message')
  expect(rehearsed).toMatchObject({ id: null, invoiceId: id, reasonCode: 'sunday' })
  expect((await ask(id, { channel: 'sms', dryRun: true })).body.error.code).toBe('VAL_001')
  expect(await digestOf(installation, Object.values(installation.company.tenants))).toEqual(before)
  const { data } = (await ask(id, { channel: 'email' })).body
  expect({ ...data, id: null, dryRun: true, shifts: [] }).toEqual({ ...rehearsed, shifts: [] })
})

it('is not planned before the moment asked for, nor before the invoice is overdue', async () => {
  const { id } = await create()
  const asked = (await ask(id, { channel: 'email', at: '2026-12-04T10:30:00+01:00' })).body.data
  expect(asked).toMatchObject({
    scheduledAt: '2026-12-04T09:30:00.000Z',
    reasonCode: 'requested',
    reason: 'Asked for beside the cascade.',
    shifts: [],
  })
  // A reminder of 30 November comes first.
  const other = await create()
  const after = (await ask(other.id, { channel: 'email', at: '2026-12-01T10:30:00+01:00' })).body.data
  expect(after.scheduledAt.slice(0, 10)).toBe('2026-12-03')
  expect(after).toMatchObject({
    reasonCode: 'channel_cooldown',
    shifts: [{ because: 'channel_cooldown', from: '2026-12-01T09:30:00.000Z', until: after.scheduledAt }],
  })
  const notDue = await create({}, { dueDate: '2026-12-10' })
  const waiting = (await ask(notDue.id, { channel: 'email', at: '2026-12-01T10:30:00+01:00' })).body.data
  expect(waiting.scheduledAt.slice(0, 10)).toBe('2026-12-11')
  expect(waiting).toMatchObject({
    reasonCode: 'not_due',
    shifts: [{ because: 'not_due', detail: 'due on 2026-12-10' }],
  })
})

it('leaves at that moment, once, beside the reminders', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Roux SARL') })
  const { scheduledAt } = await sandbox.done<Requested>(
    'POST',
    `/api/v1/workflow/invoice/${id}/communications`,
    { channel: 'sms', at: '2026-11-18T10:00:00+01:00' },
  )
  await sandbox.advanceToDay('2026-11-20')
  const [message] = await sandbox.messages()
  expect(message).toMatchObject({ channel: 'sms', createdAt: scheduledAt })
  expect((await sandbox.history(id)).map(line => [line.action, line.status])).toEqual([
    ['email_prise_en_charge', 'sent'],
    ['extra_message', 'sent'],
  ])
  expect(await sandbox.workflow(id)).toMatchObject({ currentStep: 'relance_email_1', actionsCompleted: 2 })
})

it('a registered letter needs lrar:send and nothing else, every other channel notifications:send', async () => {
  const { id } = await create(reachable)
  const { text } = await calls.makeKey(['notifications:send'])
  const refused = await ask(id, { channel: 'lrar' }, text)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_004'])
  expect(refused.body.error.requiredScopes).toEqual(['lrar:send'])
  for (const channel of ['email', 'sms', 'voice']) expect((await ask(id, { channel }, text)).status).toBe(202)
  const alone = await calls.makeKey(['lrar:send'])
  expect((await ask(id, { channel: 'lrar' }, alone.text)).status).toBe(202)
  for (const channel of ['email', 'sms', 'voice']) {
    const answer = await ask(id, { channel }, alone.text)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_004'])
    expect(answer.body.error.requiredScopes).toEqual(['notifications:send'])
  }
})

it.each([
  ['sms', {}, 'mobile'],
  ['sms', { phone: '+33478000000' }, 'mobile'],
  ['voice', {}, 'telephone'],
  ['lrar', {}, 'postal address'],
  ['email', { country: 'JP' }, 'calendar'],
])('%s to a debtor with %j is refused and says what is missing', async (channel, debtor, words) => {
  const { id } = await create(debtor)
  const answer = await ask(id, { channel })
  expect([answer.status, answer.body.error.code], answer.text).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details).toMatchObject([
    { field: 'channel', message: expect.stringContaining(words) },
  ])
  expect(await extrasOf(id)).toEqual([])
})

it('a channel the person closed stays closed', async () => {
  const { id, debtor } = await create()
  await installation.sql(
    `insert into closed_points (tenant_id, point, channel, because, created_at)
     select tenant_id, unnest(contact_points(tenant_id, id, email_key, phone)), 'email', 'opt_out', created_at
       from debtors where id = $1`,
    [debtor.id],
  )
  const answer = await ask(id, { channel: 'email' })
  expect(answer.body.error).toMatchObject({ code: 'VAL_001', details: [{ field: 'channel' }] })
})

it.each([
  [{ channel: 'email', at: '2026-11-15T07:00:00Z' }, 'at'],
  [{ channel: 'email', at: '2099-12-31T10:00:00Z' }, 'at'],
  [{ channel: 'fax' }, 'channel'],
  [{ channel: 'email', template: 'threat' }, 'template'],
])('%j is refused and names the field', async (body, field) => {
  const { id } = await create()
  const answer = await ask(id, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details!.map(detail => detail.field)).toEqual([field])
})

it('only while the recovery runs', async () => {
  const { id } = await create()
  await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body: { action: 'pause' } })
  const answer = await ask(id, { channel: 'email' })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'BIZ_004'])
  expect(answer.body.error.message).toContain('paused')
})

it('nobody is written to whose insolvency is known, not even before the first look', async () => {
  const { id, debtor } = await create()
  await installation.sql(
    `update debtors set insolvency_kind = 'liquidation', insolvency_opened_on = '2026-11-01' where id = $1`,
    [debtor.id],
  )
  const answer = await ask(id, { channel: 'email' })
  expect(answer.body.error).toMatchObject({ code: 'BIZ_004', details: [{ code: 'insolvency' }] })
})

it('a consumer is not reminded of a debt that is time-barred by then', async () => {
  const { id } = await create({ type: 'consumer' }, { issueDate: '2024-11-20', dueDate: '2024-11-20' })
  expect((await ask(id, { channel: 'email' })).status).toBe(202)
  const answer = await ask(id, { channel: 'email', at: '2026-11-23T10:00:00Z' })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'BIZ_004'])
  expect(answer.body.error.message).toContain('time-barred')
})

it('makes no registered letter of the same day leave earlier', async () => {
  const sandbox = await newSandbox(installation)
  const letters = await Promise.all(
    ['Bastide', 'Corniche', 'Dauphine'].map(async name => {
      const { id } = await sandbox.invoice({ debtor: lyonDebtor(name) })
      const path = `/api/v1/workflow/invoice/${id}/plan`
      const { actions } = await sandbox.done<{ actions: { channel: string; scheduledAt: string }[] }>(
        'GET',
        path,
      )
      return { id, at: actions.find(({ channel }) => channel === 'lrar')!.scheduledAt }
    }),
  )
  // The latest of the day leaves the most time before it.
  const { id, at } = letters.toSorted((left, right) => (left.at.slice(11) < right.at.slice(11) ? 1 : -1))[0]!
  await sandbox.advance({ to: `${at.slice(0, 10)}T07:10:00Z` })
  expect(await sandbox.nextAction(id)).toMatchObject({ nextAction: 'lrar_mise_en_demeure', scheduledAt: at })
  expect((await ask(id, { channel: 'email' }, sandbox.key)).status).toBe(202)
  await sandbox.advance('PT20M')
  const sentByLetter = (await sandbox.messages()).filter(
    ({ channel, invoiceIds }) => channel === 'lrar' && invoiceIds.includes(id),
  )
  expect(sentByLetter).toEqual([])
  expect(Date.parse((await sandbox.nextAction(id)).scheduledAt!)).toBeGreaterThanOrEqual(Date.parse(at))
})

it('a pause calls it back', async () => {
  const { id } = await create()
  await ask(id, { channel: 'email' })
  await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body: { action: 'pause' } })
  expect(await extrasOf(id)).toMatchObject([{ status: 'cancelled', due_at: null }])
})

it('replaces the next step if asked, and no step otherwise', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Lemaire SARL') })
  const path = `/api/v1/workflow/invoice/${id}/communications`
  const body = { channel: 'sms', at: '2026-11-20T10:00:00+01:00', replaceNextStep: true }
  const refused = await sandbox.call('POST', path, body)
  expect(refused.status).toBe(400)
  expect(refused.body.error!.message).toBe(
    'replaceNextStep is not possible: email_prise_en_charge cannot be left out.',
  )
  await sandbox.advanceToDay('2026-11-17')
  await sandbox.done('POST', path, body)
  await sandbox.advanceToDay('2026-12-01')
  expect(
    (await sandbox.history(id)).map(({ action, status, executedAt }) => [
      action,
      status,
      executedAt.slice(0, 10),
    ]),
  ).toEqual([
    ['email_prise_en_charge', 'sent', '2026-11-16'],
    ['relance_email_1', 'skipped', '2026-11-17'],
    ['extra_message', 'sent', '2026-11-20'],
    ['sms_reminder', 'sent', '2026-11-24'],
    ['relance_email_2', 'sent', '2026-11-30'],
  ])
})
