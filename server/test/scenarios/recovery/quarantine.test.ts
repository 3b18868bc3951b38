import { afterEach, beforeEach, expect, it } from 'vitest'
import { endMaintenance, startMaintenance } from '../../../src/features/access/companies/installation.ts'
import { useClone } from '../../guards/clone.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { command, operatorCalls } from '../../harness/operator.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock' })
const operator = operatorCalls(installation)
const manual = useManualWorker(installation)
const relance = command(installation)
const copy = useClone()

const sunday = Date.parse('2026-11-15T10:00:00+01:00')

const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

const untilMailed = (address: string) =>
  eventually(
    () => mailsTo(address),
    mails => mails.length > 0,
  )

/** Its first message waits for Monday morning. */
async function waitingInvoice() {
  await installation.setNow(sunday)
  return newInvoice()
}

/** Due at once on Monday, unless something holds it. */
async function newInvoice() {
  const input = invoiceInput()
  const made = await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: input,
  })
  expect(made.status, made.text).toBe(201)
  return { invoiceId: made.body.data.id, debtorId: made.body.data.debtor.id, address: input.debtor.email }
}

const untilItWaits = (debtorId: string) =>
  eventually(
    () => installation.sql('select wake_because from agendas where debtor_id = $1', [debtorId]),
    ([agenda]) => (agenda as { wake_because: string }).wake_because === 'sending_stopped',
  )

/** Monday has come, and the moment of the debtor. */
async function becomeDue(debtorId: string): Promise<void> {
  await installation.setNow(mondayMorning)
  await installation.sql(
    `update recoveries set wish_at = '2026-11-16T08:00:00+01:00', due_at = '2026-11-16T08:00:00+01:00' where debtor_id = $1`,
    [debtorId],
  )
  await installation.sql(
    'update agendas set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where debtor_id = $1',
    [debtorId],
  )
}

const openStops = () =>
  installation.sql<{ kind: string; stopped_by: string; known_until: Date | null }>(
    'select kind, stopped_by, known_until from stops where ended_at is null order by kind',
  )

const identity = async (): Promise<string> =>
  (await installation.sql<{ identity: string }>('select database_identity() as identity'))[0]!.identity

/** As a copy is: what is remembered came from elsewhere. */
const becomeCopy = () => installation.sql(`update sending_database set identity = 'of another database'`)

beforeEach(() => installation.setNow(mondayMorning))
afterEach(async () => {
  await operator.withContext(endMaintenance)
  await operator.resume()
})

it('in maintenance nothing is sent, and what waited goes on when it is switched off', async () => {
  const waiting = await waitingInvoice()
  await operator.withContext(context => startMaintenance(context, context.wall + 60_000))
  await becomeDue(waiting.debtorId)
  await untilItWaits(waiting.debtorId)
  expect(await openStops()).toMatchObject([{ kind: 'maintenance', stopped_by: 'operator' }])
  expect(mailsTo(waiting.address)).toEqual([])
  await operator.withContext(endMaintenance)
  await untilMailed(waiting.address)
  expect(mailsTo(waiting.address)).toHaveLength(1)
})

it('maintenance that ends by its moment lets sending go on, but not while the operator has stopped it', async () => {
  await operator.withContext(context => startMaintenance(context, context.wall + 1_500))
  await operator.stop()
  await eventually(openStops, stops => stops.length === 1 && stops[0]!.kind === 'stop')
  const waiting = await newInvoice()
  await untilItWaits(waiting.debtorId)
  await operator.withContext(context => startMaintenance(context, context.wall + 1_500))
  await operator.resume()
  expect(mailsTo(waiting.address)).toEqual([])
  await untilMailed(waiting.address)
  expect(await openStops()).toEqual([])
})

it('the identity of a database stays when its tables are rewritten, and a copy has another', async () => {
  const before = await identity()
  await installation.sql('vacuum full freeze database_marker')
  expect(await identity()).toBe(before)
  const [timeline, system, database, marker] = before.split('/')
  const [copied] = await copy.query<{ identity: string }>('select database_identity() as identity')
  expect(copied!.identity).toMatch(new RegExp(`^${timeline}/${system}/\\d+/${marker}$`))
  expect(copied!.identity).not.toBe(before)
  // As a restored dump does: the row is written again.
  await installation.sql('delete from database_marker')
  await installation.sql('insert into database_marker default values')
  expect(await identity()).toMatch(new RegExp(`^${timeline}/${system}/${database}/`))
  expect(await identity()).not.toBe(before)
  await operator.resume()
})

it('a database that is not the one messages were sent from is put in quarantine, and knows until when it knows', async () => {
  await eventually(
    () => installation.sql('select heartbeat_at from last_heartbeat'),
    rows => rows.length === 1,
  )
  await becomeCopy()
  const [beat] = await installation.sql<{ heartbeat_at: Date }>('select heartbeat_at from last_heartbeat')
  const stops = await eventually(openStops, found => found.length > 0)
  expect(stops).toEqual([{ kind: 'quarantine', stopped_by: 'relance', known_until: beat!.heartbeat_at }])
  const waiting = await newInvoice()
  const { invoiceId } = await newInvoice()
  const task = await installation.call<{ id: string }>('POST', '/api/v1/tasks/bulk', {
    body: { action: 'cancel', ids: [invoiceId] },
  })
  const statusOfTask = async () =>
    (await installation.call<{ status: string }>('GET', `/api/v1/tasks/${task.body.data.id}`)).body.data
      .status
  await untilItWaits(waiting.debtorId)
  expect(await statusOfTask()).toBe('waiting')
  expect((await relance('sends', 'status')).out).toContain(
    `this database knows what was sent until ${beat!.heartbeat_at.toISOString()}`,
  )
  // The copy is not used, so the moment stands still.
  expect(await installation.sql('select heartbeat_at from last_heartbeat')).toEqual([beat])
  expect((await relance('sends', 'resume')).out).toContain('messages are sent from this database')
  await untilMailed(waiting.address)
  expect(mailsTo(waiting.address)).toHaveLength(1)
  expect(await openStops()).toEqual([])
  await eventually(statusOfTask, status => status === 'finished')
})

it('a message that was claimed before the database moved does not leave, and is sent once after the operator has looked', async () => {
  const waiting = await waitingInvoice()
  await installation.setNow(mondayMorning)
  const communicationId = await manual.reserve(waiting.invoiceId)
  await manual.send(communicationId, becomeCopy)
  expect(mailsTo(waiting.address)).toEqual([])
  expect(await openStops()).toMatchObject([{ kind: 'quarantine' }])
  expect(await installation.sql('select state from communications where id = $1', [communicationId])).toEqual(
    [{ state: 'lapsed' }],
  )
  await untilItWaits(waiting.debtorId)
  await operator.resume()
  await untilMailed(waiting.address)
  expect(mailsTo(waiting.address)).toHaveLength(1)
})

it('a quarantine beside a stop of the operator stays visible', async () => {
  await operator.stop()
  await becomeCopy()
  await eventually(openStops, stops => stops.length === 2)
  expect(await operator.resume()).toMatchObject({ ended: expect.arrayContaining(['stop', 'quarantine']) })
})

it('by SMTP nobody can be asked: everybody who was due counts as contacted and is listed, and the others are written to', async () => {
  const [due, later] = [await waitingInvoice(), await waitingInvoice()]
  await becomeCopy()
  await eventually(openStops, stops => stops.length === 1)
  await becomeDue(due.debtorId)
  await untilItWaits(due.debtorId)
  const { out } = await relance('sends', 'reconcile')
  expect(out).toContain('1 debtors count as contacted')
  expect(out.split('\n').filter(line => line.startsWith('cannot_be_asked,email,smtp,'))).toEqual([
    expect.stringContaining(due.debtorId),
  ])
  const again = await relance('sends', 'reconcile')
  expect(again.out).toContain('0 debtors count as contacted')
  expect(again.out).toContain(due.debtorId)
  await becomeDue(later.debtorId)
  await untilItWaits(later.debtorId)
  await operator.resume()
  await untilMailed(later.address)
  await eventually(
    () =>
      installation.sql<{ due_at: Date }>('select due_at from recoveries where debtor_id = $1', [
        due.debtorId,
      ]),
    ([recovery]) => recovery!.due_at.getTime() > mondayMorning + 48 * 3_600_000,
  )
  expect(mailsTo(due.address)).toEqual([])
})
