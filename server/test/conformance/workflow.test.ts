import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

const read = async <Data>(id: string, more = '') =>
  (await installation.call<Data>('GET', `/api/v1/workflow/invoice/${id}${more}`)).body.data
const create = async (changes: object = {}) =>
  (
    await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ ...changes }),
    })
  ).body.data.id
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

it('the status of a recovery has every field of the specification', async () => {
  const id = await create({ dueDate: '2026-12-01' })
  expect(await read(id)).toEqual({
    invoiceId: id,
    status: 'in_recovery',
    standing: 'running',
    currentStep: 'email_prise_en_charge',
    startedAt: instant,
    actionsCompleted: 0,
    nextActionAt: instant,
  })
})

it('the next planned action has every field of the specification', async () => {
  const id = await create({ dueDate: '2026-12-01' })
  expect(await read(id, '/next-action')).toMatchObject({
    invoiceId: id,
    nextAction: 'email_prise_en_charge',
    scheduledAt: instant,
    channel: 'email',
    reason: expect.stringMatching(/\S/),
  })
})

it('an entry of the history has every field of the specification', async () => {
  const id = await create()
  const [entry] = await eventually(
    () => read<object[]>(id, '/history'),
    entries => entries.length > 0,
  )
  expect(entry).toEqual({
    action: 'email_prise_en_charge',
    channel: 'email',
    executedAt: instant,
    status: expect.stringMatching(/^(sent|delivered)$/),
    details: expect.any(String),
    code: 'message_accepted',
    params: { channel: 'email' },
    communicationId: expect.any(String),
    actor: { kind: 'worker', name: null, onBehalfOf: null },
  })
})

const trigger = (id: string, body: object, key = installation.company.productionKey) =>
  installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body, key })

it('a trigger takes an action and a reason, and answers where the recovery now stands', async () => {
  const id = await create({ dueDate: '2026-12-01' })
  const answer = await trigger(id, { action: 'pause', reason: 'Asked by the customer' })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toEqual({
    invoiceId: id,
    status: 'paused',
    standing: 'held:asked',
    currentStep: 'email_prise_en_charge',
    startedAt: instant,
    actionsCompleted: 0,
    nextActionAt: null,
    previousStatus: 'in_recovery',
    inFlight: [],
  })
  expect((await trigger(id, { action: 'resume' })).body.data).toMatchObject({
    status: 'in_recovery',
    nextActionAt: instant,
  })
  for (const body of [{}, { reason: 'x' }])
    expect((await trigger(id, body)).body.error).toMatchObject({
      code: 'VAL_003',
      details: [{ field: 'action' }],
    })
  expect((await trigger(id, { action: 'stop' })).body.error.code).toBe('VAL_001')
})

it('a trigger is refused with the codes of the specification', async () => {
  const id = await create({ dueDate: '2026-12-01' })
  const verdict = async (invoiceId: string, action: string, key?: string) => {
    const answer = await trigger(invoiceId, { action }, key)
    return [answer.status, answer.body.error.code]
  }
  expect(await verdict(id, 'resume')).toEqual([400, 'BIZ_004'])
  expect(await verdict(id, 'start')).toEqual([400, 'BIZ_002'])
  expect(await verdict(randomUUIDv7(), 'pause')).toEqual([404, 'RES_001'])
  await installation.sql(`update api_keys set scopes = '{workflow:read}' where tenant_id = $1`, [
    installation.company.tenants.sandbox,
  ])
  expect(await verdict(id, 'pause', installation.company.sandboxKey)).toEqual([403, 'AUTH_004'])
})

it('the statistics of recoveries have every field of the specification', async () => {
  const answer = await installation.call('GET', '/api/v1/workflow/stats')
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({
    active: expect.any(Number),
    paused: expect.any(Number),
    completed: expect.any(Number),
    cancelled: expect.any(Number),
    averageDaysToPayment: expect.any(Number),
    recoveryRate: expect.any(Number),
  })
  expect(answer.body.data.active).toBeGreaterThan(0)
})
