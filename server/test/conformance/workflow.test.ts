import { expect, it } from 'vitest'
import { eventually, invoiceInput, useHouse } from '../harness/house.ts'

const house = useHouse({ redisUrl: undefined })

const read = async <Data>(id: string, more = '') =>
  (await house.call<Data>('GET', `/api/v1/workflow/invoice/${id}${more}`)).body.data
const create = async (changes: object = {}) =>
  (await house.call<{ id: string }>('POST', '/api/v1/invoices', { body: invoiceInput({ ...changes }) })).body
    .data.id
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

it('the status of a recovery has every field of the specification', async () => {
  const id = await create({ dueDate: '2026-12-01' })
  expect(await read(id)).toEqual({
    invoiceId: id,
    status: 'in_recovery',
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
  })
})
