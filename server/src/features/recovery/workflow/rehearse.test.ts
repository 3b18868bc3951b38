import { expect, it } from 'vitest'
import { digestOf } from '../../../../test/guards/digest.ts'
import { useOperationCalls } from '../../../../test/guards/operation-calls.ts'
import { invoiceInput } from '../../../../test/harness/use-installation.ts'

/** It is Sunday 15 November 2026, 09:00 in Paris: nothing is sent meanwhile. */
const { installation } = useOperationCalls()

interface Plan {
  invoiceId: string
  status: string
  reasonCode: string
  actions: {
    action: string
    communicationId: string | null
    channel: string | null
    scheduledAt: string | null
    skipped: boolean
  }[]
}
interface Answer {
  id?: string
  plan?: { before: Plan[]; after: Plan[] }
}

const post = (path: string, body: object) => installation.call<Answer>('POST', `/api/v1/${path}`, { body })
const done = async (path: string, body: object) => {
  const answer = await post(path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}
const create = async () => {
  const input = invoiceInput()
  const debtor = { ...input.debtor, phone: '+33612345678' }
  const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    {
      body: { ...input, debtor },
    },
  )
  return body.data
}
/** Without what only the plan of an invoice has: its moment and its pauses so far. */
const planOf = async (id: string): Promise<Plan> => {
  const path = `/api/v1/workflow/invoice/${id}/plan`
  const answer = await installation.call<Plan & { now: string; pauses: unknown[] }>('GET', path)
  const { now: _now, pauses: _pauses, ...plan } = answer.body.data
  return plan
}
/** Moments that count from now differ by what passes between two requests. */
const days = (plan: Plan) => ({
  ...plan,
  actions: plan.actions.map(({ action, channel, scheduledAt, skipped }) => ({
    action,
    channel,
    skipped,
    on: scheduledAt?.slice(0, 10),
  })),
})
const allRows = () => digestOf(installation, Object.values(installation.company.tenants))

/** Rehearses an operation, checks that it changed nothing, performs it, and compares. */
async function rehearse(
  invoiceId: string,
  path: string,
  body: object,
): Promise<{ before: Plan; after: Plan }> {
  const before = await allRows()
  const rehearsed = await done(path, { ...body, dryRun: true })
  expect(await allRows()).toEqual(before)
  const { plan } = rehearsed
  expect(plan!.before.map(days)).toEqual([days(await planOf(invoiceId))])
  await done(path, body)
  // What is planned now is what the rehearsal said.
  expect(plan!.after.map(days)).toEqual([days(await planOf(invoiceId))])
  return { before: plan!.before[0]!, after: plan!.after[0]! }
}

it('a pause stops the plan, and after a promise it goes on', async () => {
  const { id } = await create()
  const paused = await rehearse(id, `workflow/invoice/${id}/trigger`, { action: 'pause' })
  expect(paused.before.actions.length).toBeGreaterThan(0)
  expect(paused.after).toMatchObject({ status: 'paused', reasonCode: 'paused', actions: [] })
  await done(`workflow/invoice/${id}/trigger`, { action: 'resume' })
  const promised = await rehearse(id, `invoices/${id}/promise`, { date: '2026-11-20' })
  expect(promised.after).toMatchObject({ status: 'paused', reasonCode: 'paused' })
  expect(promised.after.actions[0]!.scheduledAt! > '2026-11-20').toBe(true)
})

it('a message beside the cascade stands in the new plan', async () => {
  const { id } = await create()
  const { before, after } = await rehearse(id, `workflow/invoice/${id}/communications`, { channel: 'email' })
  expect(before.actions.map(({ action }) => action)).not.toContain('extra_message')
  expect(after.actions.map(({ action }) => action)).toContain('extra_message')
})

it('a dispute stops the plan, and its resolution brings it back', async () => {
  const { id } = await create()
  expect((await rehearse(id, `invoices/${id}/dispute`, { reason: 'broken' })).after.actions).toEqual([])
  const resolved = await rehearse(id, `invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
  expect(resolved.before.actions).toEqual([])
  expect(resolved.after.actions.length).toBeGreaterThan(0)
})

it('money ends the plan, its refund reopens it paused, and a credit of all ends it too', async () => {
  const { id } = await create()
  const payment = { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' }
  expect((await rehearse(id, 'payments', payment)).after).toMatchObject({ status: 'completed', actions: [] })
  const [row] = await installation.sql<{ id: string }>('select id from payments where invoice_id = $1', [id])
  const refund = await rehearse(id, `payments/${row!.id}/refund`, { reason: 'paid twice' })
  expect(refund.after).toMatchObject({ status: 'paused' })
  const other = await create()
  const credit = { number: 'A-all', amountCents: 120_000, issuedOn: '2026-11-01' }
  expect((await rehearse(other.id, `invoices/${other.id}/credits`, credit)).after.actions).toEqual([])
})

it.each([
  ['cancel', { reason: 'invoiced twice' }, 'cancelled'],
  ['write-off', { basis: 'amicable_failed' }, 'completed'],
])('%s ends the plan', async (path, body, status) => {
  const { id } = await create()
  const { before, after } = await rehearse(id, `invoices/${id}/${path}`, body)
  expect(before.actions.length).toBeGreaterThan(0)
  expect(after).toMatchObject({ status, actions: [] })
})

it('a planned message has the id by which it is taken back', async () => {
  const { id } = await create()
  const { id: messageId } = await done(`workflow/invoice/${id}/communications`, { channel: 'email' })
  const { actions } = await planOf(id)
  expect(actions.flatMap(({ communicationId }) => communicationId ?? [])).toEqual([messageId])
  const taken = await installation.call(
    'DELETE',
    `/api/v1/workflow/invoice/${id}/communications/${messageId}`,
  )
  expect(taken.status, taken.text).toBe(204)
})

it('a closed channel leaves its steps out, in the plans of the debtor’s invoices', async () => {
  const { id, debtor } = await create()
  const { before, after } = await rehearse(id, `debtors/${debtor.id}/opt-out`, { channel: 'email' })
  const reminder = (plan: Plan) => plan.actions.find(({ action }) => action === 'relance_email_1')
  expect(reminder(before)).toMatchObject({ skipped: false })
  expect(reminder(after)).toMatchObject({ skipped: true })
})

it('a refusal is the same in words only, and an idempotency key of a dry run is still free', async () => {
  const { id } = await create()
  const body = { date: '2020-01-01' }
  const [rehearsed, real] = [
    await post(`invoices/${id}/promise`, { ...body, dryRun: true }),
    await post(`invoices/${id}/promise`, body),
  ]
  expect(rehearsed.body.error).toEqual(real.body.error)
  const headers = { 'idempotency-key': 'once-after-a-dry-run' }
  const call = (dryRun: boolean) =>
    installation.call<Answer>('POST', `/api/v1/workflow/invoice/${id}/trigger`, {
      body: { action: 'pause', dryRun },
      headers,
    })
  expect((await call(true)).body.data.plan).toBeDefined()
  const performed = await call(false)
  expect(performed.status, performed.text).toBe(200)
  expect(performed.body.data.plan).toBeUndefined()
  expect(await planOf(id)).toMatchObject({ status: 'paused' })
})
