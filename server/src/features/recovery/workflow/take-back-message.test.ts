import { expect, it } from 'vitest'
import { useOperationCalls } from '../../../../test/guards/operation-calls.ts'
import { invoiceInput } from '../../../../test/harness/use-installation.ts'

/** It is Sunday 15 November 2026, 09:00 in Paris: what is asked for waits until Monday. */
const { installation } = useOperationCalls()

const create = async () =>
  (await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: invoiceInput() })).body.data.id
const ask = async (invoiceId: string) =>
  (
    await installation.call<{ id: string }>('POST', `/api/v1/workflow/invoice/${invoiceId}/communications`, {
      body: { channel: 'email' },
    })
  ).body.data.id
const takeBack = (invoiceId: string, id: string, key = installation.company.productionKey) =>
  installation.call('DELETE', `/api/v1/workflow/invoice/${invoiceId}/communications/${id}`, { key })
const extraOf = async (id: string) =>
  (
    await installation.sql('select status, due_at, communication_id from extra_messages where id = $1', [id])
  )[0]

it('is cancelled, and the history says who took it back', async () => {
  const invoiceId = await create()
  const id = await ask(invoiceId)
  expect((await takeBack(invoiceId, id)).status).toBe(204)
  expect(await extraOf(id)).toEqual({ status: 'cancelled', due_at: null, communication_id: null })
  const history = await installation.call<object[]>('GET', `/api/v1/workflow/invoice/${invoiceId}/history`)
  expect(history.body.data.at(-1)).toMatchObject({
    action: 'extra_message',
    channel: 'email',
    status: 'cancelled',
    code: 'message_taken_back',
    actor: { kind: 'api_key', name: expect.any(String) },
  })
  const again = await takeBack(invoiceId, id)
  expect(again.body.error).toMatchObject({ code: 'BIZ_004', message: expect.stringContaining('cancelled') })
})

/** As if a worker had reserved it and died, had claimed it, or was sending it. */
const giveMessage = async (invoiceId: string, id: string, state: string, isFenced = false) =>
  (
    await installation.sql<{ id: string }>(
      `with made as (
         insert into communications (tenant_id, id, debtor_id, wake_generation, channel, step, state, not_after, verdict, reserved_at, lead_invoice_id, committing_at)
         select tenant_id, gen_random_uuid(), debtor_id, 0, 'email', 'extra_message', $3, created_at, '{}', created_at, id,
                case when $4::boolean then created_at end
           from invoices where id = $1 returning id)
       update extra_messages set communication_id = made.id from made where extra_messages.id = $2 returning made.id`,
      [invoiceId, id, state, isFenced],
    )
  )[0]!.id

it.each(['reserved', 'sending'])('takes a message with it that is %s and has not left', async state => {
  const invoiceId = await create()
  const id = await ask(invoiceId)
  const communicationId = await giveMessage(invoiceId, id, state)
  expect((await takeBack(invoiceId, id)).status).toBe(204)
  const [communication] = await installation.sql('select state, reason from communications where id = $1', [
    communicationId,
  ])
  expect(communication).toEqual({ state: 'cancelled', reason: 'taken_back' })
})

it('one that is with its provider cannot be taken back', async () => {
  const invoiceId = await create()
  const sending = await ask(invoiceId)
  await giveMessage(invoiceId, sending, 'sending', true)
  expect((await takeBack(invoiceId, sending)).body.error.code).toBe('RES_004')
  expect(await extraOf(sending)).toMatchObject({ status: 'planned' })
})

it('a message of another invoice, and an answer to the debtor, are not found', async () => {
  const [invoiceId, other] = [await create(), await create()]
  const id = await ask(invoiceId)
  expect((await takeBack(other, id)).body.error.code).toBe('RES_001')
  await installation.sql(`update extra_messages set step = 'payment_receipt' where id = $1`, [id])
  expect((await takeBack(invoiceId, id)).body.error.code).toBe('RES_001')
})
