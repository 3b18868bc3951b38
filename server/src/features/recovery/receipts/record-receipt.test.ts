import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import type { ReceiptOutcome } from '../../../domain/contact/receipt.ts'
import type { Actor } from '../../../kit/actor.ts'
import { createPool, type Pool } from '../../../kit/db/pool.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import { transact } from '../../../kit/db/transaction.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { type RecordResult, recordReceipt } from './record-receipt.ts'

const installation = useInstallation({ redisUrl: undefined })
let pool: Pool
beforeAll(() => {
  // With the rights of the API, which is where receipts arrive.
  pool = createPool({
    url: installation.database.env.API_DATABASE_URL,
    role: 'relance-api',
    max: 4,
    statementTimeoutMs: 5_000,
  })
})
afterAll(() => pool?.end())

const enter = adHoc<{ offset_ms: number }>(
  `select set_config('relance.tenant', $1, true),
          (select t.clock_offset_ms + i.clock_offset_ms from tenants t, installation i where t.id = $1::uuid) as offset_ms`,
)

/** Records a receipt of a sandbox message, at the current moment of the sandbox unless another is given. */
const record = (
  { tenantId }: Sandbox,
  communicationId: string,
  outcome: ReceiptOutcome,
  at?: string,
): Promise<RecordResult> =>
  transact(pool, { statement: enter, values: [tenantId] }, [], ({ tx, offsetMs }) => {
    const wall = Date.now()
    const now = wall + offsetMs
    const actor: Actor = {
      kind: 'api_key',
      id: 'test',
      tenantId,
      companyId: '',
      environment: 'sandbox',
      scopes: [],
    }
    const context = { tx, actor, now, wall, requestId: 'receipt', newId: () => uuidv7(wall) }
    return recordReceipt(context, { communicationId, outcome, at: at ? Date.parse(at) : now })
  })

const messageOf = async (id: string) =>
  (
    await installation.sql<{ state: string; delivered_at: Date | null; slots: number }>(
      `select c.state, c.delivered_at, (select count(*)::integer from contact_slots s where s.communication_id = c.id) as slots
         from communications c where c.id = $1`,
      [id],
    )
  )[0]!
const outcomesIn = async (debtorId: string) =>
  (
    await installation.sql<{ entry: string }>(
      'select entry from contact_ledger where debtor_id = $1 order by position',
      [debtorId],
    )
  )
    .map(row => JSON.parse(row.entry) as { kind: string; fate: string })
    .filter(entry => entry.kind === 'outcome')
    .map(entry => entry.fate)
const chainOf = async (sandbox: Sandbox, debtorId: string) =>
  (await sandbox.done<{ chain: { valid: boolean } }>('GET', `/api/v1/debtors/${debtorId}/contacts`)).chain
const noticeReceiptOf = async (id: string) =>
  (
    await installation.sql<{ notice_receipt: string | null; notice_receipt_at: Date | null }>(
      'select notice_receipt, notice_receipt_at from recoveries where invoice_id = $1',
      [id],
    )
  )[0]!

/** A recovery in its sandbox on that day, and its latest message. */
async function sentMessageOn(day: string, changes: Record<string, unknown> = {}) {
  const sandbox = await newSandbox(installation)
  const invoice = await sandbox.invoice({ debtor: lyonDebtor('Recette SARL'), ...changes })
  await sandbox.advanceToDay(day)
  const [latest] = await sandbox.messages()
  const again = { sandbox, id: invoice.id, debtorId: invoice.debtor.id, message: latest!.communicationId }
  return { ...again, lastLine: async () => (await sandbox.history(invoice.id)).at(-1)! }
}

describe('email', () => {
  it('delivered changes the line in place, once however often it is reported', async () => {
    const { sandbox, message, debtorId, lastLine } = await sentMessageOn('2026-11-17')
    const at = '2026-11-16T10:00:00+01:00'
    expect(await record(sandbox, message, 'delivered', at)).toEqual({ recorded: true, debtorId })
    const line = await lastLine()
    expect(line).toMatchObject({
      action: 'email_prise_en_charge',
      status: 'delivered',
      details: 'Accepted by the mail server. Delivered on 16 November 2026.',
    })
    expect(await messageOf(message)).toEqual({ state: 'delivered', delivered_at: new Date(at), slots: 3 })
    expect(await record(sandbox, message, 'delivered')).toEqual({ recorded: false, because: 'known' })
    expect(await lastLine()).toEqual(line)
    expect(await outcomesIn(debtorId)).toEqual(['delivered'])
    expect(await chainOf(sandbox, debtorId)).toMatchObject({ valid: true, length: 2 })
  })

  it('bounced does not count: the day and the channel are free again, and the next email waits for an address', async () => {
    const { sandbox, id, message, debtorId, lastLine } = await sentMessageOn('2026-11-17')
    expect(await record(sandbox, message, 'bounced')).toMatchObject({ recorded: true })
    expect(await lastLine()).toMatchObject({
      status: 'bounced',
      details: expect.stringContaining(
        'Came back undelivered on 17 November 2026; it does not count as a contact.',
      ),
    })
    expect(await messageOf(message)).toEqual({ state: 'bounced', delivered_at: null, slots: 0 })
    expect(await outcomesIn(debtorId)).toEqual(['bounced'])
    await sandbox.advanceToDay('2026-11-22')
    expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused', currentStep: 'relance_email_1' })
    await sandbox.done('PUT', `/api/v1/debtors/${debtorId}`, { email: 'compta@neuve.example' })
    await sandbox.advance('P7D')
    expect(historyLines(await sandbox.history(id)).at(-1)).toMatch(/ relance_email_1 sent$/)
  })

  it('the cool-down of a message that bounced keeps nobody waiting', async () => {
    const { sandbox, message, debtorId } = await sentMessageOn('2026-11-17')
    const waits = await sandbox.invoice({ debtor: { id: debtorId } })
    await sandbox.advance('PT1M')
    expect(await sandbox.nextAction(waits.id)).toMatchObject({ reasonCode: 'channel_cooldown' })
    await record(sandbox, message, 'bounced')
    await sandbox.advance('PT1M')
    await sandbox.done('POST', `/api/v1/debtors/${debtorId}/retry-address`, { channel: 'email' })
    await sandbox.advance('PT1M')
    expect(historyLines(await sandbox.history(waits.id)).at(-1)).toBe('2026-11-17 email_prise_en_charge sent')
  })

  it('whatever comes first, what came back has not arrived', async () => {
    for (const order of [
      ['delivered', 'bounced'],
      ['bounced', 'delivered'],
    ] as const) {
      const { sandbox, message, lastLine } = await sentMessageOn('2026-11-17')
      for (const outcome of order) await record(sandbox, message, outcome)
      expect(await messageOf(message)).toEqual({ state: 'bounced', delivered_at: null, slots: 0 })
      expect(await lastLine()).toMatchObject({ status: 'bounced' })
    }
  })

  it('the same receipt five times at once is recorded once', async () => {
    const { sandbox, message, debtorId } = await sentMessageOn('2026-11-17')
    const results = await Promise.all(Array.from({ length: 5 }, () => record(sandbox, message, 'delivered')))
    expect(results.filter(one => one.recorded)).toHaveLength(1)
    expect(await outcomesIn(debtorId)).toEqual(['delivered'])
    expect(await chainOf(sandbox, debtorId)).toMatchObject({ valid: true })
  })

  it('changes the line of every invoice it was sent for', async () => {
    const sandbox = await newSandbox(installation)
    const debtor = lyonDebtor('Groupe SARL')
    const report = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      invoices: [invoiceInput({ debtor }), invoiceInput({ debtor })],
    })
    const ids = report.results.map(({ id }) => id)
    await sandbox.advanceToDay('2026-11-17')
    const [message] = await sandbox.messages()
    expect(message!.invoiceIds).toHaveLength(2)
    await record(sandbox, message!.communicationId, 'delivered')
    const lines = (await Promise.all(ids.map(sandbox.history))).map(lines => lines.at(-1)!)
    expect(lines.map(line => line.status)).toEqual(['delivered', 'delivered'])
    expect(lines.filter(line => line.details.startsWith('Grouped with '))).toHaveLength(1)
  })
})

it('a message with an unknown outcome is marked as sent late, and the notice is not sent again', async () => {
  const fog = { ...lyonDebtor('Brume SARL'), email: 'unknown+1@brume.example' }
  const { sandbox, id, message, lastLine } = await sentMessageOn('2026-11-17', { debtor: fog })
  expect(await lastLine()).toMatchObject({ status: 'unknown' })
  expect(await sandbox.status(id)).toBe('imported')
  expect(await sandbox.workflow(id)).toMatchObject({
    currentStep: 'email_prise_en_charge',
    actionsCompleted: 0,
  })
  await record(sandbox, message, 'delivered')
  expect(await lastLine()).toMatchObject({ status: 'delivered' })
  expect(await sandbox.status(id)).toBe('in_recovery')
  expect(await sandbox.workflow(id)).toMatchObject({ currentStep: 'relance_email_1', actionsCompleted: 1 })
  const changed = (await sandbox.events(id)).find(event => event.type === 'invoice.status_changed')
  expect(changed?.data).toMatchObject({ newStatus: 'in_recovery', cause: 'email_prise_en_charge' })
  await sandbox.advanceToDay('2026-11-22')
  expect((await sandbox.history(id)).map(line => line.action)).toEqual([
    'email_prise_en_charge',
    'relance_email_1',
  ])
})

it('a call nobody answered was a contact all the same; answered outweighs it', async () => {
  const { sandbox, message, lastLine } = await sentMessageOn('2026-12-05')
  expect(await lastLine()).toMatchObject({ action: 'ai_call' })
  await record(sandbox, message, 'no_answer')
  expect(await lastLine()).toMatchObject({
    status: 'sent',
    details: expect.stringMatching(/Nobody answered\.$/),
  })
  expect(await messageOf(message)).toMatchObject({ state: 'sent', slots: 3 })
  await record(sandbox, message, 'delivered')
  expect(await lastLine()).toMatchObject({ status: 'delivered' })
  expect(await record(sandbox, message, 'no_answer')).toEqual({ recorded: false, because: 'known' })
})

describe('registered letter', () => {
  it('has an event when it is deposited and when it is signed, and the time to pay runs from there', async () => {
    const { sandbox, id, message, debtorId, lastLine } = await sentMessageOn('2026-12-18')
    expect(await lastLine()).toMatchObject({ action: 'lrar_mise_en_demeure', channel: 'lrar' })
    expect(await sandbox.status(id)).toBe('lrar_sent')
    expect((await sandbox.events(id)).find(event => event.type === 'lrar.sent')?.data).toMatchObject({
      communicationId: message,
      trackingNumber: `sim_${message}`,
    })
    const before = await sandbox.workflow(id)
    await record(sandbox, message, 'signed', '2026-12-18T10:00:00+01:00')
    expect(await lastLine()).toMatchObject({
      status: 'delivered',
      details: 'Registered letter deposited. Signed for on 18 December 2026.',
    })
    expect(await noticeReceiptOf(id)).toEqual({
      notice_receipt: 'signed',
      notice_receipt_at: new Date('2026-12-18T10:00:00+01:00'),
    })
    const event = (await sandbox.events(id)).at(-1)
    expect(event).toMatchObject({
      type: 'lrar.delivered',
      data: {
        invoiceId: id,
        debtorId,
        communicationId: message,
        trackingNumber: `sim_${message}`,
        deliveredAt: '2026-12-18T09:00:00.000Z',
      },
    })
    // Without news the call would wait until 23 days after the letter; signed on the 18th, for the 26th, a Saturday.
    expect(before.nextActionAt!.slice(0, 10)).toBe('2027-01-06')
    expect((await sandbox.workflow(id)).nextActionAt!.slice(0, 10)).toBe('2026-12-28')
    await sandbox.advanceToDay('2026-12-29')
    expect(historyLines(await sandbox.history(id)).at(-1)).toBe('2026-12-28 ai_call_2 sent')
  })

  it.each([
    ['refused', 'refused', 'Refused by the recipient on 18 December 2026.'],
    ['unclaimed', 'unclaimed', 'Not collected, returned on 18 December 2026.'],
    ['presented', 'sent', 'Presented on 18 December 2026.'],
  ] as const)('%s: the line says so, and the time to pay runs from there', async (outcome, status, words) => {
    const { sandbox, id, message, lastLine } = await sentMessageOn('2026-12-18')
    await record(sandbox, message, outcome, '2026-12-18T10:00:00+01:00')
    expect(await lastLine()).toMatchObject({ status, details: `Registered letter deposited. ${words}` })
    expect(await noticeReceiptOf(id)).toMatchObject({ notice_receipt: outcome })
    expect((await sandbox.workflow(id)).nextActionAt!.slice(0, 10)).toBe('2026-12-28')
    expect((await sandbox.events(id)).map(event => event.type)).not.toContain('lrar.delivered')
    expect(await messageOf(message)).toMatchObject({ state: 'sent' })
  })

  it('signed after presented counts from the signature, in whatever order they are reported', async () => {
    const presented = ['presented', '2026-12-15T10:00:00+01:00'] as const
    const signed = ['signed', '2026-12-18T10:00:00+01:00'] as const
    for (const order of [
      [presented, signed],
      [signed, presented],
    ]) {
      const { sandbox, id, message } = await sentMessageOn('2026-12-18')
      for (const [outcome, at] of order) await record(sandbox, message, outcome, at)
      expect(await noticeReceiptOf(id)).toEqual({
        notice_receipt: 'signed',
        notice_receipt_at: new Date(signed[1]),
      })
      expect((await sandbox.workflow(id)).nextActionAt!.slice(0, 10)).toBe('2026-12-28')
      const delivered = (await sandbox.events(id)).filter(event => event.type === 'lrar.delivered')
      expect(delivered).toHaveLength(1)
    }
  })

  it('a letter that came back undelivered is no receipt: the time without a receipt runs again', async () => {
    const { sandbox, id, message } = await sentMessageOn('2026-12-18')
    await record(sandbox, message, 'presented', '2026-12-15T10:00:00+01:00')
    await record(sandbox, message, 'bounced')
    expect(await noticeReceiptOf(id)).toEqual({ notice_receipt: null, notice_receipt_at: null })
    expect((await sandbox.workflow(id)).nextActionAt!.slice(0, 10)).toBe('2027-01-06')
  })

  it('a paused recovery records it and plans nothing; resumed, it counts from there', async () => {
    const { sandbox, id, message } = await sentMessageOn('2026-12-18')
    await sandbox.trigger(id, { action: 'pause' })
    await record(sandbox, message, 'signed')
    expect(await noticeReceiptOf(id)).toMatchObject({ notice_receipt: 'signed' })
    expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused', nextActionAt: null })
    await sandbox.trigger(id, { action: 'resume' })
    expect((await sandbox.workflow(id)).nextActionAt!.slice(0, 10)).toBe('2026-12-28')
  })
})

it('nothing is recorded of what was never sent, is not yet written down, or cannot be', async () => {
  const { sandbox, id, message, debtorId } = await sentMessageOn('2026-11-17')
  const set = (state: string) =>
    installation.sql('update communications set state = $2 where id = $1', [message, state])
  expect(await record(sandbox, message, 'signed')).toEqual({ recorded: false, because: 'not_for_channel' })
  await set('sending')
  expect(await record(sandbox, message, 'delivered')).toEqual({ recorded: false, because: 'not_yet' })
  await set('sent')
  const attach = (communicationId: string | null) =>
    installation.sql('update recoveries set communication_id = $2 where invoice_id = $1', [
      id,
      communicationId,
    ])
  await attach(message)
  expect(await record(sandbox, message, 'bounced')).toEqual({ recorded: false, because: 'not_yet' })
  await attach(null)
  for (const state of ['cancelled', 'lapsed', 'failed']) {
    await set(state)
    expect(await record(sandbox, message, 'delivered')).toEqual({ recorded: false, because: 'not_sent' })
  }
  const other = await newSandbox(installation)
  expect(await record(other, message, 'delivered')).toEqual({ recorded: false, because: 'unknown_message' })
  expect(await outcomesIn(debtorId)).toEqual([])
})

it('a receipt dated in the future counts as received now', async () => {
  const { sandbox, message } = await sentMessageOn('2026-11-17')
  await record(sandbox, message, 'delivered', '2027-03-01T10:00:00+01:00')
  expect((await messageOf(message)).delivered_at!.toISOString().slice(0, 10)).toBe('2026-11-17')
})
