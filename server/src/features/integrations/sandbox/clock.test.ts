import { expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type SandboxAction } from '../../../../test/harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { uuidv7 } from '../../../kit/uuid.ts'

const installation = useInstallation()
const clock = '/api/v1/sandbox/clock'

interface Advance {
  status: string
  from: string
  now: string
  happened: SandboxAction[]
  more: boolean
}
interface Clock {
  now: string
  offsetMs: number
  status: string
  due: number
}

const day = 24 * 3_600_000

it('sixty days pass in one request, each step at its own moment, and the answer tells them all', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  const before = await sandbox.now()
  const answer = await sandbox.done<Advance>('POST', clock, { advance: 'P60D' })
  expect(answer).toMatchObject({ status: 'done', more: false })
  expect(Date.parse(answer.now) - Date.parse(answer.from)).toBe(60 * day)
  expect(Date.parse(answer.from)).toBeGreaterThanOrEqual(before)
  const lines = answer.happened.map(({ at, ...rest }) => ({ executedAt: at, ...rest }))
  expect(historyLines(lines)).toEqual([
    '2026-11-21 relance_email_1 sent',
    '2026-11-25 sms_reminder sent',
    '2026-11-30 relance_email_2 sent',
    '2026-12-04 ai_call sent',
    '2026-12-09 relance_email_3 sent',
    '2026-12-14 lrar_mise_en_demeure sent',
    '2027-01-06 ai_call_2 sent',
    '2027-01-09 email_dernier_avis sent',
    '2027-01-12 revue_judiciaire done',
  ])
  const history = await sandbox.history(id)
  expect(history.slice(1).map(({ executedAt }) => executedAt)).toEqual(answer.happened.map(({ at }) => at))
  expect(answer.happened.every(({ invoiceId }) => invoiceId === id)).toBe(true)
  expect(await sandbox.done<Clock>('GET', clock)).toMatchObject({
    offsetMs: 60 * day,
    status: 'idle',
    due: 0,
  })
})

it('time passes for the sandbox that asked for it, and for nobody else', async () => {
  const sandbox = await newSandbox(installation)
  const other = await newSandbox(installation)
  const theirs = await other.invoice({ debtor: lyonDebtor('Voisin SARL') })
  const inProduction = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  const next = async () => [
    await other.nextAction(theirs.id),
    (await installation.call('GET', `/api/v1/workflow/invoice/${inProduction.body.data.id}/next-action`)).body
      .data,
  ]
  // Wait for the first messages; then compare what comes next.
  const before = await eventually(next, both => both.every(one => one!.nextAction === 'relance_email_1'))
  await sandbox.advance('P60D')
  expect(await next()).toEqual(before)
  expect(Math.abs((await other.now()) - (await sandbox.now()) + 60 * day)).toBeLessThan(60_000)
})

it('what is created afterwards lives in the time of the sandbox', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.advance({ to: '2027-03-01T10:00:00+01:00' })
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Mars SARL') })
  await sandbox.advance('P1D')
  expect(historyLines(await sandbox.history(id))).toEqual(['2027-03-01 email_prise_en_charge sent'])
})

it.each([
  [{}, 'VAL_003', 'advance'],
  [{ advance: 'P1M' }, 'VAL_001', 'advance'],
  [{ advance: 'P367D' }, 'VAL_001', 'advance'],
  [{ advance: 'P1D', to: '2027-01-01T00:00:00Z' }, 'VAL_001', 'to'],
  [{ to: '2026-11-15T00:00:00Z' }, 'VAL_001', 'to'],
  [{ to: '2028-01-01T00:00:00Z' }, 'VAL_001', 'to'],
  [{ to: 'tomorrow' }, 'VAL_001', 'to'],
])('%j is refused, and no time passes', async (body, code, field) => {
  const sandbox = await newSandbox(installation)
  const answer = await sandbox.call('POST', clock, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, code])
  expect(answer.body.error.details?.[0]?.field).toBe(field)
  expect(await sandbox.done<Clock>('GET', clock)).toMatchObject({ offsetMs: 0 })
})

it('of many lines the first five hundred are returned, in the order of their moments', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Foule SARL') })
  // As many lines as a hundred recoveries would write, inserted directly; the last one inserted has the earliest moment.
  const now = await sandbox.now()
  await installation.sql(
    `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, executed_at)
     select $1, ($2::uuid[])[n], $3, 'counted', null, 'done', n::text, to_timestamp($4 + 3600 * (601 - n))
       from generate_series(1, 600) n`,
    [sandbox.tenantId, Array.from({ length: 600 }, () => uuidv7(Date.now())), id, Math.floor(now / 1000)],
  )
  const { status, happened, more } = await sandbox.done<Advance>('POST', clock, { advance: 'P30D' })
  expect([status, happened.length, more]).toEqual(['done', 500, true])
  const moments = happened.map(({ at }) => at)
  expect(moments.toSorted()).toEqual(moments)
  const counted = happened.filter(({ action }) => action === 'counted').map(({ details }) => Number(details))
  expect(counted).toEqual(counted.map((_, place) => 600 - place))
  expect(counted.length).toBeGreaterThan(490)
})

it('invoices that arrive while time passes are woken at their moment, not a day late', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.advance({ to: '2026-11-22T01:00:00+01:00' })
  // On a Sunday nothing is sent: every agenda must wait for exactly what it waits for, however the clock was moved meanwhile.
  let isMoving = true
  const creating = (async () => {
    const made: string[] = []
    while (isMoving) {
      const some = Array.from({ length: 6 }, () => sandbox.invoice({}))
      made.push(...(await Promise.all(some)).map(({ id }) => id))
      await sandbox.call('POST', '/api/v1/sandbox/simulate/payment', {
        invoiceId: made.at(-1),
        amountCents: 100,
      })
    }
    return made
  })()
  for (let i = 0; i < 40; i++) await sandbox.advance('PT20M')
  isMoving = false
  const made = await creating
  expect(made.length).toBeGreaterThan(30)
  const late = await installation.sql(
    `select a.debtor_id from agendas a
       join tenants t on t.id = a.tenant_id cross join installation n
       join recoveries r on r.tenant_id = a.tenant_id and r.debtor_id = a.debtor_id
      where a.tenant_id = $1
        and a.wake_at is distinct from r.due_at - (t.clock_offset_ms + n.clock_offset_ms) * interval '1 millisecond'`,
    [sandbox.tenantId],
  )
  expect(late).toEqual([])
})
