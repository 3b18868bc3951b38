import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { stopSends, waitForSendsToEnd } from '../../../src/features/access/companies/operate-sends.ts'
import { everything, wakeReleased } from '../../../src/features/access/companies/stops.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { queryOn } from '../../../src/kit/db/query.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock' })
const operator = operatorCalls(installation)
const manual = useManualWorker(installation)
const sunday = Date.parse('2026-11-15T10:00:00+01:00')

const companyId = () => installation.company.companyId
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

interface Waiting {
  invoiceId: string
  debtorId: string
  address: string
}

/** An invoice of Sunday: its first message is planned for Monday. */
async function waitingInvoice(): Promise<Waiting> {
  await installation.setNow(sunday)
  const input = invoiceInput()
  const made = await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: input,
  })
  expect(made.status, made.text).toBe(201)
  return {
    invoiceId: made.body.data.id,
    debtorId: made.body.data.debtor.id,
    address: input.debtor.email,
  }
}

/** Monday has come, and the moment of every waiting debtor. */
async function becomeDue(debtorIds: readonly string[]): Promise<void> {
  await installation.setNow(mondayMorning)
  await installation.sql(
    `update recoveries set wish_at = '2026-11-16T08:00:00+01:00', due_at = '2026-11-16T08:00:00+01:00' where debtor_id = any ($1)`,
    [debtorIds],
  )
  await installation.sql(
    `update agendas set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where debtor_id = any ($1)`,
    [debtorIds],
  )
}

const agendaOf = async (debtorId: string) =>
  (
    await installation.sql<{ wake_at: Date | null; wake_because: string | null }>(
      'select wake_at, wake_because from agendas where debtor_id = $1',
      [debtorId],
    )
  )[0]!

const untilItWaits = (debtorId: string) =>
  eventually(
    () => agendaOf(debtorId),
    agenda => agenda.wake_at === null && agenda.wake_because === 'sending_stopped',
  )

const nothingIsPending = async () => expect(await installation.sql('select * from pending_sends')).toEqual([])

beforeEach(() => installation.setNow(mondayMorning))
afterEach(async () => {
  await operator.open(companyId())
  await operator.resume()
  await operator.resume({ company: companyId() })
  await operator.resume({ provider: 'smtp' })
})

it('a closed company writes to nobody, and when it is opened again what waited is sent, once', async () => {
  const waiting = await waitingInvoice()
  await operator.close(companyId())
  await becomeDue([waiting.debtorId])
  await untilItWaits(waiting.debtorId)
  expect(mailsTo(waiting.address)).toEqual([])
  await nothingIsPending()
  expect(await operator.open(companyId())).toMatchObject({ isChanged: true, woken: 1 })
  await eventually(
    () => mailsTo(waiting.address),
    mails => mails.length > 0,
  )
  expect(await operator.open(companyId())).toMatchObject({ isChanged: false, woken: 0 })
  expect(mailsTo(waiting.address)).toHaveLength(1)
})

it('a stop of the whole installation is shown as the reason, holds every company, and lets sandboxes play on', async () => {
  const waiting = await waitingInvoice()
  expect(await operator.stop()).toMatchObject({ isChanged: true })
  expect(await operator.stop()).toMatchObject({ isChanged: false })
  await becomeDue([waiting.debtorId])
  await untilItWaits(waiting.debtorId)
  const path = `/api/v1/workflow/invoice/${waiting.invoiceId}`
  const next = await installation.call('GET', `${path}/next-action`)
  expect(next.body.data).toMatchObject({
    nextAction: null,
    scheduledAt: null,
    reasonCode: 'sending_stopped',
    blockedBy: ['sending_stopped'],
  })
  const plan = await installation.call('GET', `${path}/plan`)
  expect(plan.body.data).toMatchObject({ actions: [], reasonCode: 'sending_stopped' })
  expect((await installation.call('GET', path)).body.data).toMatchObject({ nextActionAt: null })

  const sandbox = invoiceInput()
  await installation.call('POST', '/api/v1/invoices', { body: sandbox, key: installation.company.sandboxKey })
  await eventually(
    () =>
      installation.call<{ to: string }[]>('GET', '/api/v1/sandbox/messages', {
        key: installation.company.sandboxKey,
      }),
    answer => JSON.stringify(answer.body.data).includes(sandbox.debtor.email),
  )
  expect(mailsTo(waiting.address)).toEqual([])
  await operator.resume()
  await eventually(
    () => mailsTo(waiting.address),
    mails => mails.length === 1,
  )
  // The mail arrives a moment before its outcome is written.
  await eventually(
    () => installation.call<{ nextAction: string }>('GET', `${path}/next-action`),
    ({ body }) => body.data.nextAction === 'relance_email_1',
  )
})

it.each([
  ['between the reservation and the claim', true],
  ['between the claim and the fence', false],
])('a stop %s keeps the message back, and it is sent once after the stop', async (_, isBeforeClaim) => {
  const waiting = await waitingInvoice()
  await installation.setNow(mondayMorning)
  const communicationId = await manual.reserve(waiting.invoiceId)
  if (isBeforeClaim) {
    await operator.close(companyId())
    await manual.send(communicationId)
  } else await manual.send(communicationId, () => operator.close(companyId()))
  const [communication] = await installation.sql('select state from communications where id = $1', [
    communicationId,
  ])
  expect(communication).toEqual({ state: 'lapsed' })
  await untilItWaits(waiting.debtorId)
  expect(mailsTo(waiting.address)).toEqual([])
  await nothingIsPending()
  await operator.open(companyId())
  await eventually(
    () => mailsTo(waiting.address),
    mails => mails.length > 0,
  )
  expect(mailsTo(waiting.address)).toHaveLength(1)
})

it('a stop of the sending of a company leaves its credentials alone, and is not ended by opening it', async () => {
  const waiting = await waitingInvoice()
  expect(await operator.stop({ company: companyId() })).toMatchObject({ isChanged: true })
  expect((await installation.call('GET', '/api/v1/company')).status).toBe(200)
  await becomeDue([waiting.debtorId])
  await untilItWaits(waiting.debtorId)
  await operator.close(companyId())
  expect((await installation.call('GET', '/api/v1/company')).status).toBe(403)
  expect(await operator.open(companyId())).toMatchObject({ isChanged: true, woken: 0 })
  expect((await installation.call('GET', '/api/v1/company')).status).toBe(200)
  expect(await operator.resume({ company: companyId() })).toMatchObject({ ended: ['stop'], woken: 1 })
  await eventually(
    () => mailsTo(waiting.address),
    mails => mails.length > 0,
  )
  expect(mailsTo(waiting.address)).toHaveLength(1)
})

it('a stop of the provider between the claim and the fence keeps the message back; one of another provider does not', async () => {
  const [held, free] = [await waitingInvoice(), await waitingInvoice()]
  await installation.setNow(mondayMorning)
  const heldId = await manual.reserve(held.invoiceId)
  await manual.send(heldId, () => operator.stop({ provider: 'smtp' }))
  expect(await installation.sql('select state from communications where id = $1', [heldId])).toEqual([
    { state: 'lapsed' },
  ])
  expect(mailsTo(held.address)).toEqual([])
  await operator.resume({ provider: 'smtp' })
  await manual.send(await manual.reserve(free.invoiceId), () => operator.stop({ provider: 'brevo' }))
  await operator.resume({ provider: 'brevo' })
  expect(mailsTo(free.address)).toHaveLength(1)
})

it('the command waits for a message that passed the fence before it', async () => {
  const waiting = await waitingInvoice()
  await installation.setNow(mondayMorning)
  const communicationId = await manual.reserve(waiting.invoiceId)
  await installation.sql(
    `update communications set state = 'sending', provider = 'smtp', token = gen_random_uuid(), committing_at = clock_timestamp(),
            lease_until = clock_timestamp() + interval '60 seconds' where id = $1`,
    [communicationId],
  )
  const waited: number[] = []
  let isOver = false
  const over = operator
    .withContext(async context => {
      const { target } = await stopSends(context, { provider: 'smtp' }, 'test')
      const leaving = (count: number) => void waited.push(count)
      await waitForSendsToEnd({ pool: context.pool, clock: systemClock, leaseMs: 60_000 }, target, leaving)
    })
    .then(() => {
      isOver = true
    })
  await eventually(
    async () => waited,
    counts => counts.length > 0,
  )
  expect([waited, isOver]).toEqual([[1], false])
  await installation.sql(`update communications set state = 'sent' where id = $1`, [communicationId])
  await over
})

it('the command waits for a fence that looked before the stop was committed', async () => {
  const writer = new pg.Client({ connectionString: installation.database.adminUrl })
  await writer.connect()
  await writer.query('begin')
  await writer.query(`update communications set reason = reason where false`)
  let isOver = false
  const over = operator
    .withContext(async ({ pool }) =>
      waitForSendsToEnd({ pool, clock: systemClock, leaseMs: 60_000 }, everything),
    )
    .then(() => {
      isOver = true
    })
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(isOver).toBe(false)
  await writer.query('rollback')
  await over
  await writer.end()
})

it('a stop after the fence cannot call the message back: it is recorded as sent', async () => {
  const waiting = await waitingInvoice()
  await installation.setNow(mondayMorning)
  const communicationId = await manual.reserve(waiting.invoiceId)
  await manual.send(communicationId)
  await operator.close(companyId())
  expect(mailsTo(waiting.address)).toHaveLength(1)
  const [communication] = await installation.sql('select state from communications where id = $1', [
    communicationId,
  ])
  expect(communication).toEqual({ state: 'sent' })
})

it('those who waited are woken one after the other, and one that the end of the stop missed is found later', async () => {
  const waiting = []
  for (let i = 0; i < 5; i++) waiting.push(await waitingInvoice())
  await operator.close(companyId())
  await becomeDue(waiting.map(one => one.debtorId))
  for (const one of waiting) await untilItWaits(one.debtorId)
  // As a wake-up leaves them that read the stop before its end and was saved after it.
  await installation.sql(`update stops set ended_at = since, ended_by = 'test' where ended_at is null`)
  const wall = Date.parse('2027-01-01T00:00:00Z')
  expect(await operator.withContext(({ pool }) => wakeReleased(queryOn(pool), wall))).toBe(5)
  const agendas = await installation.sql<{ wake_at: Date }>(
    'select wake_at from agendas where debtor_id = any ($1) order by wake_at',
    [waiting.map(one => one.debtorId)],
  )
  expect(agendas.map(agenda => agenda.wake_at.getTime() - wall)).toEqual([20, 40, 60, 80, 100])
})

it('a look at a debtor that saw the stop and is saved after its end is found at once', async () => {
  const waiting = await waitingInvoice()
  await operator.stop()
  await becomeDue([waiting.debtorId])
  await untilItWaits(waiting.debtorId)
  // As a wake-up does that is slow: it has locked the agenda, and nobody can see yet that the debtor waits.
  const look = new pg.Client({ connectionString: installation.database.adminUrl })
  await look.connect()
  await look.query('begin')
  await look.query('select from agendas where debtor_id = $1 for no key update', [waiting.debtorId])
  const resuming = operator.resume()
  await new Promise(resolve => setTimeout(resolve, 300))
  await look.query('commit')
  await look.end()
  expect(await resuming).toMatchObject({ woken: 1 })
  await eventually(
    () => mailsTo(waiting.address),
    mails => mails.length === 1,
  )
})

it('nobody can switch a company off beside the stops, and half', async () => {
  await expect(
    installation.sql('update companies set enabled = false where id = $1', [companyId()]),
  ).rejects.toThrow('relance-server company close')
})
