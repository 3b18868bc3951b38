import { afterEach, beforeEach, expect, it } from 'vitest'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock' })
const operator = operatorCalls(installation)
const manual = useManualWorker(installation)
const sunday = Date.parse('2026-11-15T10:00:00+01:00')

interface Stop {
  since: string
  reason: string
  inFlight: { communicationId: string; debtorId: string }[]
}
interface Resume {
  stoppedSince: string | null
  stillStopped: string | null
  debtorsWoken: number
}

const stop = (reason = 'wrong prices') =>
  installation.call<Stop>('POST', '/api/v1/company/stop-sending', { body: { reason } })
const resume = (body: { reason?: string } = {}) =>
  installation.call<Resume>('POST', '/api/v1/company/resume-sending', { body })
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

/** An invoice of Sunday whose first message is due on Monday. */
async function dueInvoice() {
  await installation.setNow(sunday)
  const input = invoiceInput()
  const { id, debtor } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: input,
    })
  ).body.data
  await installation.setNow(mondayMorning)
  await installation.sql(
    `update recoveries set wish_at = '2026-11-16T08:00:00+01:00', due_at = '2026-11-16T08:00:00+01:00' where debtor_id = $1`,
    [debtor.id],
  )
  return { id, debtorId: debtor.id, address: input.debtor.email }
}
const wake = (debtorId: string) =>
  installation.sql(
    `update agendas set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where debtor_id = $1`,
    [debtorId],
  )

beforeEach(() => installation.setNow(mondayMorning))
afterEach(async () => {
  await resume()
  await operator.resume()
})

it('nothing is sent until the company resumes, and then what waited leaves, once', async () => {
  const { id, debtorId, address } = await dueInvoice()
  const stopped = await stop()
  expect(stopped.status, stopped.text).toBe(200)
  expect(stopped.body.data).toMatchObject({ reason: 'wrong prices', inFlight: [] })
  const company = await installation.call<{ sendingStop: unknown }>('GET', '/api/v1/company')
  expect(company.body.data.sendingStop).toEqual({
    since: stopped.body.data.since,
    reason: 'wrong prices',
    by: { kind: 'api_key', name: expect.any(String) },
  })
  // Asked again it is the same stop.
  expect((await stop('again')).body.data).toEqual(stopped.body.data)
  await wake(debtorId)
  await eventually(
    () =>
      installation.sql('select wake_because from agendas where debtor_id = $1 and wake_at is null', [
        debtorId,
      ]),
    rows => rows.length > 0,
  )
  expect(mailsTo(address)).toEqual([])
  // An invoice that comes meanwhile, with a later moment, does not replace the end of the stop.
  const later = invoiceInput({ dueDate: '2027-03-01', debtor: { id: debtorId } })
  expect((await installation.call('POST', '/api/v1/invoices', { body: later })).status).toBe(201)
  const next = await installation.call('GET', `/api/v1/workflow/invoice/${id}/next-action`)
  expect(next.body.data).toMatchObject({ reasonCode: 'sending_stopped' })

  const resumed = await resume()
  expect(resumed.body.data).toEqual({
    stoppedSince: stopped.body.data.since,
    stillStopped: null,
    debtorsWoken: 1,
  })
  await eventually(
    () => mailsTo(address),
    mails => mails.length > 0,
  )
  expect(mailsTo(address)).toHaveLength(1)
  expect((await resume()).body.data).toEqual({ stoppedSince: null, stillStopped: null, debtorsWoken: 0 })
})

it('why it was stopped and why it goes on is in the audit log', async () => {
  const { since } = (await stop('wrong prices')).body.data
  await resume({ reason: 'the prices are right again' })
  await resume()
  const rows = await installation.sql<{ type: string; data: unknown }>(
    `select type, data from audit_log where subject_id = $1 and type like 'company.sending_%' order by id desc limit 3`,
    [installation.company.tenants.production],
  )
  expect(rows.toReversed().map(({ type, data }) => [type, data])).toEqual([
    ['company.sending_stopped', { reason: 'wrong prices' }],
    ['company.sending_resumed', { stoppedSince: since, reason: 'the prices are right again' }],
    ['company.sending_resumed', { stoppedSince: null, reason: null }],
  ])
})

it('a message that is reserved is not claimed, and one beyond the fence is named', async () => {
  const reserved = await dueInvoice()
  const message = await manual.reserve(reserved.id)
  const leaving = await dueInvoice()
  const other = await manual.reserve(leaving.id)
  await installation.sql(
    `update communications set state = 'sending', token = id, lease_until = clock_timestamp() + interval '1 minute',
       committing_at = clock_timestamp(), provider = 'smtp' where id = $1`,
    [other],
  )
  const stopped = await stop()
  expect(stopped.body.data.inFlight).toMatchObject([{ communicationId: other, debtorId: leaving.debtorId }])
  await manual.send(message)
  expect(mailsTo(reserved.address)).toEqual([])
})

it('does not end a stop of the operator, and does not stop the other environment', async () => {
  await stop()
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Joue SARL') })
  await sandbox.advanceToDay('2026-11-17')
  expect(await sandbox.history(id)).not.toEqual([])
  await operator.stop({ company: installation.company.companyId })
  expect((await resume()).body.data).toMatchObject({ stillStopped: 'sending_stopped', debtorsWoken: 0 })
  await operator.resume({ company: installation.company.companyId })
})

it('a sandbox may be stopped alone', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.done('POST', '/api/v1/company/stop-sending', { reason: 'a test' })
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Arrêt SARL') })
  await sandbox.advance('P5D')
  expect((await sandbox.history(id)).filter(line => line.status === 'sent')).toEqual([])
  await sandbox.done('POST', '/api/v1/company/resume-sending', {})
  await sandbox.advance('P5D')
  expect((await sandbox.history(id)).filter(line => line.status === 'sent')).not.toEqual([])
})
