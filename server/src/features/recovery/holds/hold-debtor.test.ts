import { describe, expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { historyLines, lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

type Debtor = { id: string; contactable: boolean; insolvency: unknown }
const liquidation = { kind: 'liquidation', openedOn: '2026-11-10' }

/** Due in the future: nothing is sent unless a test asks for it. */
const create = async (changes: Record<string, unknown> = {}) => {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  const { data } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: input,
    })
  ).body
  return { ...data, email: input.debtor.email }
}
const updateDebtor = (id: string, body: Record<string, unknown>) =>
  installation.call<Debtor>('PUT', `/api/v1/debtors/${id}`, { body })
const recoveryOf = async (id: string) =>
  (
    await installation.sql<{ status: string; holds: string[]; due_at: Date | null }>(
      'select status, holds, due_at from recoveries where invoice_id = $1',
      [id],
    )
  )[0]!
const historyOf = async (id: string) =>
  (
    await installation.call<{ action: string; status: string; details: string }[]>(
      'GET',
      `/api/v1/workflow/invoice/${id}/history`,
    )
  ).body.data
const stateOf = async (id: string) =>
  (await installation.sql<{ state: string }>('select state from communications where id = $1', [id]))[0]!
    .state

describe('insolvency', () => {
  it('pauses every started recovery of the debtor with the answer, and tells the company to declare its claim', async () => {
    const first = await create()
    const second = await create({ debtor: { id: first.debtor.id } })
    const elsewhere = await create()
    const answer = await updateDebtor(first.debtor.id, { insolvency: liquidation })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      insolvency: { ...liquidation, publishedOn: null, declareBy: '2027-01-10', declaredOn: null },
      contactable: false,
    })
    expect(answer.body.warnings).toEqual([
      {
        code: 'insolvency_declaration',
        message: expect.stringMatching(/by 2027-01-10 \(counted from the opening.*BODACC.*R622-24/),
      },
    ])
    for (const { id } of [first, second]) {
      expect(await recoveryOf(id)).toEqual({ status: 'paused', holds: ['insolvency'], due_at: null })
      expect(await historyOf(id)).toMatchObject([
        {
          action: 'insolvency',
          status: 'done',
          details: 'Liquidation proceedings are open since 10 November 2026; the reminders are paused.',
        },
      ])
    }
    expect(await recoveryOf(elsewhere.id)).toMatchObject({ status: 'in_recovery', holds: [] })
    const read = await installation.call<Debtor>('GET', `/api/v1/debtors/${first.debtor.id}`)
    expect(read.body.data).toEqual(answer.body.data)
    const invoice = await installation.call<{ debtor: Debtor }>('GET', `/api/v1/invoices/${first.id}`)
    expect(invoice.body.data.debtor).toMatchObject({ insolvency: liquidation, contactable: false })
  })

  it('calls back what is reserved and names what is already with a provider', async () => {
    const reserved = await create()
    const message = await worker.reserve(reserved.id)
    expect((await updateDebtor(reserved.debtor.id, { insolvency: liquidation })).body.warnings).toHaveLength(
      1,
    )
    expect(await stateOf(message)).toBe('cancelled')
    await worker.send(message)
    expect(installation.server.mailbox.messages().filter(mail => mail.to === reserved.email)).toEqual([])

    const leaving = await create()
    const other = await worker.reserve(leaving.id)
    await installation.sql(
      `update communications set state = 'sending', token = gen_random_uuid(), lease_until = '2100-01-01', committing_at = reserved_at
        where id = $1`,
      [other],
    )
    const { warnings } = (await updateDebtor(leaving.debtor.id, { insolvency: liquidation })).body
    expect(warnings?.at(-1)).toMatchObject({ code: 'in_flight', message: expect.stringContaining(other) })
    expect(await stateOf(other)).toBe('sending')
  })

  it('is recorded once: sent again, or with another kind, it pauses nothing a second time', async () => {
    const { id, debtor } = await create()
    await updateDebtor(debtor.id, { insolvency: { kind: 'receivership', openedOn: '2026-11-01' } })
    const again = await updateDebtor(debtor.id, { insolvency: liquidation })
    expect(again.body.data.insolvency).toMatchObject(liquidation)
    expect((await recoveryOf(id)).holds).toEqual(['insolvency'])
    expect(await historyOf(id)).toHaveLength(1)
  })

  it('leaves alone what was not started, and what is over', async () => {
    const { id: paid, debtor } = await create()
    await installation.call('POST', '/api/v1/payments', {
      body: { invoiceId: paid, amountCents: 120_000, method: 'bank_transfer' },
    })
    const asleep = await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [invoiceInput({ debtor: { id: debtor.id } })], autoStartWorkflow: false },
    })
    await updateDebtor(debtor.id, { insolvency: liquidation })
    expect(await recoveryOf(paid)).toMatchObject({ status: 'completed', holds: [] })
    expect(await recoveryOf(asleep.body.data.results[0]!.id)).toMatchObject({ status: 'pending', holds: [] })
  })

  it('cleared, the reminders go on, moved by the length of the pause; what waits for something else waits on', async () => {
    const sandbox = await newSandbox(installation)
    const debtor = lyonDebtor('Clair SARL')
    const { id, debtor: record } = await sandbox.invoice({ debtor })
    const { id: disputed } = await sandbox.invoice({ debtor: { id: record.id } })
    await sandbox.advanceToDay('2026-11-18')
    await sandbox.done('PUT', `/api/v1/debtors/${record.id}`, { insolvency: liquidation })
    await sandbox.done('POST', `/api/v1/invoices/${disputed}/dispute`, { reason: 'Never ordered' })
    expect(await sandbox.advance('P20D')).toEqual([])
    const cleared = await sandbox.done<Debtor>('PUT', `/api/v1/debtors/${record.id}`, { insolvency: null })
    expect(cleared).toMatchObject({ insolvency: null, contactable: true })
    expect(await sandbox.workflow(disputed)).toMatchObject({ status: 'paused' })
    expect((await sandbox.history(disputed)).at(-1)).toMatchObject({
      action: 'resume',
      details: 'The proceedings are over; still paused: a dispute is open.',
    })
    await sandbox.advanceToDay('2026-12-13')
    expect(historyLines(await sandbox.history(id)).slice(1)).toEqual([
      '2026-11-18 insolvency done',
      '2026-12-08 resume done',
      '2026-12-11 relance_email_1 sent',
    ])
  })

  it('ends a promise: nothing is promised any more, and over, the reminders go on', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Longue SARL') })
    await sandbox.done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-27' })
    await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { insolvency: liquidation })
    expect((await sandbox.nextAction(id)).blockedBy).toEqual(['insolvency'])
    await sandbox.advanceToDay('2026-12-15')
    await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { insolvency: null })
    await sandbox.advance('P1D')
    expect(await sandbox.workflow(id)).toMatchObject({ status: 'in_recovery' })
  })

  it('holds what is imported later, before anything is sent', async () => {
    const sandbox = await newSandbox(installation)
    const debtor = await sandbox.done<Debtor>('POST', '/api/v1/debtors', {
      ...lyonDebtor('Tard SARL'),
      insolvency: { kind: 'safeguard', openedOn: '2026-11-01' },
    })
    expect(debtor).toMatchObject({ contactable: false, insolvency: { kind: 'safeguard' } })
    const { id } = await sandbox.invoice({ debtor: { id: debtor.id } })
    await sandbox.advance('P10D')
    expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['insolvency'] })
    expect(await sandbox.messages()).toEqual([])
  })

  it.each([
    [{ kind: 'over_indebtedness', openedOn: '2026-11-10' }, 'FR', /commission/],
    [{ kind: 'liquidation', openedOn: '2026-11-10' }, 'DE', /law of the proceedings/],
  ])(
    'of another kind or country claims no French time limit: %j in %s',
    async (insolvency, country, said) => {
      const answer = await installation.call('POST', '/api/v1/debtors', {
        body: { name: 'Autre', email: 'autre@droit.example', country, insolvency },
      })
      const warning = answer.body.warnings?.find(({ code }) => code === 'insolvency_declaration') as
        | { message: string }
        | undefined
      expect(warning?.message).toMatch(said)
      expect(warning?.message).not.toMatch(/BODACC/)
    },
  )

  it.each([
    { kind: 'bankrupt', openedOn: '2026-11-10' },
    { kind: 'liquidation' },
    { kind: 'liquidation', openedOn: '2026-11-17' },
    'liquidation',
  ])('is refused when it makes no sense: %j', async insolvency => {
    const { debtor } = await create()
    const answer = await updateDebtor(debtor.id, { insolvency })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details?.[0]?.field).toMatch(/^insolvency/)
  })
})

describe('four thousand recoveries of one debtor', () => {
  const many = 4_000

  /** As many as an import would have created, without waiting for it. */
  async function crowdOf(invoiceId: string): Promise<void> {
    await installation.sql(
      `insert into invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'number', i.number || '-' || n))).*
         from invoices i cross join generate_series(2, $2) n where i.id = $1`,
      [invoiceId, many],
    )
    await installation.sql(
      `insert into recoveries select (jsonb_populate_record(r, jsonb_build_object('invoice_id', i.id))).*
         from recoveries r join invoices i on i.debtor_id = r.debtor_id and i.id <> r.invoice_id where r.invoice_id = $1`,
      [invoiceId],
    )
    // Autovacuum does the same within a minute. Until then the plans are those of the empty tables of a moment ago.
    await installation.sql('analyze invoices, recoveries')
  }
  const counted = (debtorId: string) =>
    installation.sql<{ status: string; holds: string[]; n: number; is_planned: boolean }>(
      `select status, holds, due_at is not null as is_planned, count(*)::integer as n from recoveries where debtor_id = $1
        group by 1, 2, 3`,
      [debtorId],
    )

  it('are held in one call and released in one call, each with its line, as quickly as they could be inserted', async () => {
    const { id, debtor } = await create()
    const bare = performance.now()
    await crowdOf(id)
    const insertedIn = performance.now() - bare
    const started = performance.now()
    const held = await updateDebtor(debtor.id, { insolvency: liquidation })
    const heldAfter = performance.now() - started
    expect(held.status, held.text).toBe(200)
    expect(await counted(debtor.id)).toEqual([
      { status: 'paused', holds: ['insolvency'], is_planned: false, n: many },
    ])
    const lines = `select count(*)::integer as n, count(distinct a.id)::integer as ids from actions a
      join recoveries r on r.invoice_id = a.invoice_id where r.debtor_id = $1 and a.action = $2`
    expect(await installation.sql(lines, [debtor.id, 'insolvency'])).toEqual([{ n: many, ids: many }])
    const again = performance.now()
    const released = await updateDebtor(debtor.id, { insolvency: null })
    const releasedAfter = performance.now() - again
    expect(released.status, released.text).toBe(200)
    expect(await counted(debtor.id)).toEqual([
      { status: 'in_recovery', holds: [], is_planned: true, n: many },
    ])
    expect(await installation.sql(lines, [debtor.id, 'resume'])).toEqual([{ n: many, ids: many }])
    // Against the same machine in the same minute: one by one would be a hundred times as long.
    expect(heldAfter).toBeLessThan(10 * insertedIn)
    expect(releasedAfter).toBeLessThan(10 * insertedIn)
  })
})
