import { expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

interface Next {
  nextAction: string | null
  scheduledAt: string | null
  channel: string | null
  reason: string
  reasonCode: string
  blockedBy: string[]
  skipped: { action: string; reasonCode: string; reason: string }[]
}

const create = async (debtor: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) => {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  return (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: { ...input, debtor: { ...input.debtor, ...debtor } },
    })
  ).body.data
}
const next = async (id: string) =>
  (await installation.call<Next>('GET', `/api/v1/workflow/invoice/${id}/next-action`)).body.data
const put = (id: string, columns: string) =>
  installation.sql(`update recoveries set ${columns} where invoice_id = $1`, [id])
/** As every change of a debtor does: its plan is computed when it is read. */
const unplan = (debtorId: string) =>
  installation.sql('update agendas set plan_generation = 0 where debtor_id = $1', [debtorId])
const nothing = { nextAction: null, scheduledAt: null, channel: null }

it('the next step of the cascade is nobody’s obstacle', async () => {
  const { id } = await create()
  expect(await next(id)).toMatchObject({
    nextAction: 'email_prise_en_charge',
    scheduledAt: expect.stringMatching(/^2027-02-02T/),
    channel: 'email',
    reason: 'The next step of the cascade.',
    reasonCode: 'cascade',
    blockedBy: [],
  })
})

it('a paused recovery names each hold, in words and in codes', async () => {
  const { id } = await create()
  await put(
    id,
    `status = 'paused', holds = '{asked,dispute}', paused_at = created_at, wish_at = null, due_at = null`,
  )
  expect(await next(id)).toMatchObject({
    ...nothing,
    reason: 'The recovery is paused: paused on request, a dispute is open.',
    reasonCode: 'paused',
    blockedBy: ['asked', 'dispute'],
  })
})

it.each([
  ['pending', `status = 'pending', started_at = null, anchor_at = null, wish_at = null, due_at = null`],
  [
    'completed',
    `status = 'completed', outcome = 'paid', ended_at = created_at, wish_at = null, due_at = null`,
  ],
  [
    'cancelled',
    `status = 'cancelled', outcome = 'cancelled', ended_at = created_at, wish_at = null, due_at = null`,
  ],
  ['judicial', `status = 'judicial', wish_at = null, due_at = null`],
])('a recovery that is %s says so, and nothing stands in its way', async (status, columns) => {
  const { id } = await create()
  await put(id, columns)
  const said = await next(id)
  expect(said).toMatchObject({ ...nothing, reasonCode: status, blockedBy: [] })
  expect(said.reason).toMatch(/\w+\.$/)
})

it.each([
  ['awaiting_decision', []],
  ['time_barred', ['time_barred']],
  ['no_provider', ['no_provider']],
  ['calendar_missing', ['calendar_missing']],
])('one that stands because of %s says so', async (because, blockedBy) => {
  const { id } = await create()
  await put(id, `wish_at = null, due_at = null, due_because = '${because}'`)
  expect(await next(id)).toMatchObject({ ...nothing, reasonCode: because, blockedBy })
})

it('when a cascade of one’s own is over, a person decides', async () => {
  const { id } = await create()
  await put(id, 'wish_at = null, due_at = null, due_because = null')
  expect(await next(id)).toMatchObject({ ...nothing, reasonCode: 'awaiting_decision' })
})

it.each([
  [2, 'sms_reminder', {}, 120_000, 'no_mobile', 'relance_email_2'],
  [4, 'ai_call', {}, 120_000, 'no_phone', 'relance_email_3'],
  [4, 'ai_call', { phone: '+33478000000' }, 29_999, 'small_balance', 'relance_email_3'],
])(
  'step %i, %s, to a debtor with %j who owes %i will be left out: %s; what follows is announced',
  async (step, name, debtor, amountCents, because, following) => {
    const { id, debtor: whose } = await create(debtor, { amountCents })
    await put(id, `step = ${step}`)
    await unplan(whose.id)
    expect(await next(id)).toMatchObject({
      nextAction: following,
      scheduledAt: expect.any(String),
      channel: 'email',
      reasonCode: 'cascade',
      blockedBy: [],
      skipped: [{ action: name, reasonCode: because, reason: expect.stringMatching(/^Will be left out: /) }],
    })
  },
)

it('a channel that was closed is left out for that', async () => {
  const { id, debtor } = await create()
  await installation.sql(
    `insert into closed_points (tenant_id, point, channel, because, created_at)
     select tenant_id, unnest(contact_points(tenant_id, id, email_key, phone)), 'email', 'opt_out', created_at
       from debtors where id = $1`,
    [debtor.id],
  )
  await unplan(debtor.id)
  const { skipped } = await next(id)
  expect(skipped[0]).toMatchObject({ action: 'email_prise_en_charge', reasonCode: 'opted_out' })
})

it('a formal notice without an address is announced on the channel it will use', async () => {
  const { id, debtor } = await create()
  await put(id, 'step = 6')
  await unplan(debtor.id)
  expect(await next(id)).toMatchObject({ nextAction: 'lrar_mise_en_demeure', channel: 'email' })
})

it('a message on its way says so', async () => {
  const { id } = await create()
  await worker.reserve(id)
  expect(await next(id)).toMatchObject({
    nextAction: 'email_prise_en_charge',
    reasonCode: 'on_its_way',
    blockedBy: [],
  })
})
