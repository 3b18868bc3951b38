import { describe, expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { historyLines, lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

interface Paused {
  since: string
  until: string | null
  recoveriesHeld: number
  inFlight: { communicationId: string }[]
  plan: { before: unknown[]; after: unknown[] } | null
}

const createInvoice = async (changes: Record<string, unknown> = {}) =>
  (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01', ...changes }),
    })
  ).body.data
const pause = (id: string, body: Record<string, unknown> = {}) =>
  installation.call<Paused>('POST', `/api/v1/debtors/${id}/pause`, { body })
const resume = (id: string, body: Record<string, unknown> = {}) =>
  installation.call<Pick<Paused, 'plan'> & { recoveriesReleased: number }>(
    'POST',
    `/api/v1/debtors/${id}/resume`,
    { body },
  )
const recoveryOf = async (id: string) =>
  (
    await installation.sql<{ status: string; holds: string[]; due_because: string | null }>(
      'select status, holds, due_because from recoveries where invoice_id = $1',
      [id],
    )
  )[0]!
const pauseOf = async (id: string) =>
  (await installation.call<{ pause: unknown }>('GET', `/api/v1/debtors/${id}`)).body.data.pause

it('holds every recovery of the debtor and nobody else’s, calls back what is reserved, and ends on request', async () => {
  const first = await createInvoice()
  const second = await createInvoice({ debtor: { id: first.debtor.id } })
  const elsewhere = await createInvoice()
  const message = await worker.reserve(first.id)
  const tried = await pause(first.debtor.id, { dryRun: true })
  expect(tried.body.data).toMatchObject({ recoveriesHeld: 2, until: null, inFlight: [] })
  expect(await pauseOf(first.debtor.id)).toBeNull()
  expect(await recoveryOf(first.id)).toMatchObject({ status: 'in_recovery' })

  const paused = await pause(first.debtor.id, { reason: 'A meeting is fixed' })
  expect(paused.status, paused.text).toBe(200)
  expect(paused.body.data).toMatchObject({ recoveriesHeld: 2, until: null, inFlight: [] })
  expect(await pauseOf(first.debtor.id)).toEqual({ since: paused.body.data.since, until: null })
  for (const { id } of [first, second])
    expect(await recoveryOf(id)).toEqual({ status: 'paused', holds: ['debtor'], due_because: null })
  expect(await recoveryOf(elsewhere.id)).toMatchObject({ status: 'in_recovery' })
  expect(await installation.sql('select state from communications where id = $1', [message])).toEqual([
    { state: 'cancelled' },
  ])
  const history = await installation.call<{ details: string }[]>(
    'GET',
    `/api/v1/workflow/invoice/${first.id}/history`,
  )
  expect(history.body.data.at(-1)!.details).toBe('The debtor was paused. Reason: A meeting is fixed')
  // One invoice alone cannot be resumed, and paused again nothing more is held.
  const alone = await installation.call('POST', `/api/v1/workflow/invoice/${first.id}/trigger`, {
    body: { action: 'resume' },
  })
  expect(alone.body.error.code).toBe('BIZ_004')
  expect((await pause(first.debtor.id)).body.data).toMatchObject({
    recoveriesHeld: 0,
    since: paused.body.data.since,
  })

  const { recoveriesReleased, plan } = (await resume(first.debtor.id, { dryRun: true })).body.data
  expect(recoveriesReleased).toBe(2)
  expect(plan!.before).toEqual([])
  expect(plan!.after.length).toBeGreaterThan(0)
  expect((await resume(first.debtor.id)).body.data.recoveriesReleased).toBe(2)
  expect((await resume(first.debtor.id)).body.data.recoveriesReleased).toBe(0)
  expect(await pauseOf(first.debtor.id)).toBeNull()
  for (const { id } of [first, second])
    expect(await recoveryOf(id)).toMatchObject({ status: 'in_recovery', holds: [] })
})

it('names what is with a provider already', async () => {
  const { id, debtor } = await createInvoice()
  const message = await worker.reserve(id)
  await installation.sql(
    `update communications set state = 'sending', committing_at = reserved_at where id = $1`,
    [message],
  )
  const paused = await pause(debtor.id)
  expect(paused.body.data.inFlight).toMatchObject([{ communicationId: message, channel: 'email' }])
})

it('refuses an end in the past, and a debtor that is not there', async () => {
  const { debtor } = await createInvoice()
  const past = await pause(debtor.id, { until: '2026-11-01T09:00:00Z' })
  expect([past.status, past.body.error.details?.[0]?.field]).toEqual([400, 'until'])
  expect((await pause('01a1a0a3-0280-7644-9c2e-58d07ba1f346')).status).toBe(404)
  expect((await resume('01a1a0a3-0280-7644-9c2e-58d07ba1f346')).status).toBe(404)
})

describe('in time', () => {
  it('nothing is sent until the pause ends, also for an invoice that came later, and then both go on', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Pause SARL') })
    await sandbox.advanceToDay('2026-11-18')
    const until = '2026-12-09T09:00:00+01:00'
    await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, { until })
    const later = await sandbox.invoice({ debtor: { id: debtor.id } })
    await sandbox.advance('P10D')
    for (const invoice of [id, later.id])
      expect(await sandbox.nextAction(invoice)).toMatchObject({ blockedBy: ['debtor'] })
    await sandbox.advanceToDay('2026-12-13')
    const lines = historyLines(await sandbox.history(id))
    expect(lines).toContain('2026-12-09 resume done')
    expect(
      lines.filter(line => line.endsWith('sent')).every(line => line < '2026-11-18' || line > '2026-12-09'),
    ).toBe(true)
    const laterLines = historyLines(await sandbox.history(later.id))
    expect(laterLines.find(line => line.endsWith('sent'))! > '2026-12-09').toBe(true)
  })

  it('asked what it would do, it tells the plan before and after, and the pause keeps to it', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Essai SARL') })
    await sandbox.advanceToDay('2026-11-18')
    const path = `/api/v1/debtors/${debtor.id}/pause`
    const until = '2026-12-09T09:00:00+01:00'
    type Plan = { plan: { before: { at: string }[]; after: { at: string; action: string }[] } | null }
    const { plan } = await sandbox.done<Plan>('POST', path, { until, dryRun: true })
    expect(plan!.before[0]!.at < '2026-12-09').toBe(true)
    expect(plan!.after.every(({ at }) => at > '2026-12-09')).toBe(true)
    expect(await sandbox.done('POST', path, { until })).not.toHaveProperty('plan')
    await sandbox.advanceToDay('2026-12-20')
    const sent = (await sandbox.history(id)).filter(line => line.status === 'sent').slice(1)
    expect(sent.map(line => [line.executedAt.slice(0, 10), line.action])).toEqual(
      plan!.after.slice(0, sent.length).map(({ at, action }) => [at.slice(0, 10), action]),
    )
    expect(sent.length).toBeGreaterThan(0)
  })

  it('asked what it would do, it shows the plan to who may read plans only, and keeps no answer for a key', async () => {
    const { debtor } = await createInvoice()
    const key = (
      await installation.call<{ apiKey: string }>('POST', '/api/v1/api-keys', {
        body: { scopes: ['debtors:write', 'workflow:trigger'] },
      })
    ).body.data.apiKey
    const ask = (action: string, body: object, idempotencyKey: string) =>
      installation.call<{ plan?: unknown; recoveriesHeld?: number }>(
        'POST',
        `/api/v1/debtors/${debtor.id}/${action}`,
        { body, key, headers: { 'idempotency-key': idempotencyKey } },
      )
    const rehearsed = (await ask('pause', { dryRun: true }, 'pause')).body.data
    expect(rehearsed).toMatchObject({ recoveriesHeld: 1, dryRun: true })
    expect(rehearsed).not.toHaveProperty('plan')
    expect((await ask('pause', {}, 'pause')).status).toBe(200)
    expect((await ask('resume', { dryRun: true }, 'resume')).status).toBe(200)
    expect((await ask('resume', {}, 'resume')).status).toBe(200)
  })

  it('a pause that is given another end keeps to it, earlier or later', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Autre fin SARL') })
    await sandbox.advanceToDay('2026-11-18')
    const path = `/api/v1/debtors/${debtor.id}/pause`
    await sandbox.done('POST', path, {})
    await sandbox.done('POST', path, { until: '2027-03-01T09:00:00+01:00' })
    await sandbox.done('POST', path, { until: '2026-12-02T09:00:00+01:00' })
    await sandbox.advanceToDay('2026-12-03')
    expect(historyLines(await sandbox.history(id))).toContain('2026-12-02 resume done')
    expect(await sandbox.workflow(id)).toMatchObject({ status: 'in_recovery' })
  })

  it('a dispute that outlasts the pause holds on, and one that ends before it does not end the pause', async () => {
    const sandbox = await newSandbox(installation)
    const until = '2026-12-02T09:00:00+01:00'
    const make = async (name: string) => {
      const invoice = await sandbox.invoice({ debtor: lyonDebtor(name) })
      await sandbox.done('POST', `/api/v1/invoices/${invoice.id}/dispute`, { reason: 'not_as_agreed' })
      await sandbox.done('POST', `/api/v1/debtors/${invoice.debtor.id}/pause`, { until })
      return invoice
    }
    const [outlasting, ending] = [await make('Long litige SARL'), await make('Court litige SARL')]
    const resolve = (id: string) =>
      sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
    await sandbox.advanceToDay('2026-11-20')
    await resolve(ending.id)
    await sandbox.advance('P2D')
    expect(await sandbox.nextAction(ending.id)).toMatchObject({ blockedBy: ['debtor'] })
    await sandbox.advanceToDay('2026-12-03')
    expect(await sandbox.workflow(ending.id)).toMatchObject({ status: 'in_recovery' })
    expect(await sandbox.nextAction(outlasting.id)).toMatchObject({ blockedBy: ['dispute'] })
    await resolve(outlasting.id)
    expect(await sandbox.workflow(outlasting.id)).toMatchObject({ status: 'in_recovery' })
  })
})
