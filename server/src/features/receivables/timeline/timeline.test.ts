import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Line {
  id: string
  at: string
  kind: string
  code: string | null
  params: Record<string, unknown>
  sentence: string
  actor: { kind: string; name: string | null; onBehalfOf: string | null } | null
  action: string | null
  status: string | null
  invoiceId: string | null
  communicationId: string | null
}
interface Page {
  data: Line[]
  pagination: { limit: number; hasNext: boolean; nextCursor: string }
}

const page = async (sandbox: Sandbox, path: string, query = '') => {
  const answer = await sandbox.call('GET', `/api/v1/${path}/timeline?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as Page
}

/** Walks the whole timeline in pages of a size. */
async function walk(sandbox: Sandbox, path: string, limit: number): Promise<Line[]> {
  const lines: Line[] = []
  let cursor = ''
  for (;;) {
    const { data, pagination } = await page(sandbox, path, `limit=${limit}${cursor}`)
    lines.push(...data)
    if (!pagination.hasNext) return lines
    cursor = `&cursor=${pagination.nextCursor}`
  }
}

/** Two invoices of one debtor: messages, a promise, a dispute, an opt-out, an answer, money and a credit note. */
async function eventfulDebtor() {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Frise SARL')
  const { id, debtor: known } = await sandbox.invoice({ debtor })
  const other = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2026-11-18')
  await sandbox.done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-20', note: 'by phone' })
  await sandbox.advanceToDay('2026-11-27')
  await sandbox.done('POST', `/api/v1/debtors/${known.id}/opt-out`, { channel: 'sms', reason: 'Said STOP' })
  await sandbox.advanceToDay('2026-11-28')
  await sandbox.done('POST', '/api/v1/payments', { invoiceId: id, amountCents: 5_000, method: 'card' })
  await sandbox.advanceToDay('2026-11-29')
  await sandbox.done('POST', `/api/v1/invoices/${id}/credits`, {
    number: 'A-1',
    amountCents: 1_000,
    issuedOn: '2026-11-29',
  })
  await sandbox.advanceToDay('2026-12-06')
  await sandbox.done('POST', `/api/v1/invoices/${other.id}/dispute`, { reason: 'Broken' })
  return { sandbox, debtorId: known.id, id, otherId: other.id }
}

it('tells everything of a debtor once, the newest first, with who did it, in the language asked for', async () => {
  const { sandbox, debtorId } = await eventfulDebtor()
  const { data, pagination } = await page(sandbox, `debtors/${debtorId}`, 'lang=fr&limit=100')
  expect(pagination.hasNext).toBe(false)
  expect(data.map(({ at }) => at)).toEqual(
    data
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  // The hour of a step is drawn: what is left out may stand before or after what is said on the same day.
  const codes = data
    .map(({ code }) => code)
    .toReversed()
    .filter(code => code !== 'step_skipped')
  expect(codes.slice(0, 8)).toEqual([
    'message_accepted',
    'promised',
    'message_accepted',
    'promise_broken',
    'message_accepted',
    'opted_out',
    'payment_received',
    'credit_added',
  ])
  expect(codes.at(-1)).toBe('disputed')
  const linesWith = (code: string) => data.filter(line => line.code === code)
  // It holds for both invoices, and is said once.
  expect(linesWith('opted_out')).toMatchObject([
    {
      kind: 'action',
      params: { channel: 'sms', reason: 'Said STOP' },
      sentence: 'Le client ne veut plus recevoir de SMS\u00a0: Said STOP',
      actor: { kind: 'api_key', onBehalfOf: null },
      invoiceId: null,
    },
  ])
  expect(linesWith('opted_out')[0]!.actor!.name).toMatch(/\S/)
  expect(linesWith('payment_received')).toMatchObject([
    {
      kind: 'money',
      params: { amountCents: 5_000, currency: 'EUR', method: 'card' },
      actor: { kind: 'api_key' },
    },
  ])
  expect(linesWith('credit_added')).toMatchObject([
    { kind: 'money', params: { amountCents: 1_000, number: 'A-1' } },
  ])
  expect(linesWith('disputed')).toMatchObject([
    { sentence: 'Le client conteste 1\u202f200,00\u00a0€ de la facture\u00a0: Broken' },
  ])
  expect(linesWith('promised')[0]!.sentence).toBe(
    '1\u202f200,00\u00a0€ promis pour le 20 novembre 2026\u00a0: by phone',
  )
  expect(linesWith('promise_broken')).toMatchObject([{ actor: { kind: 'worker', name: null } }])
  for (const line of linesWith('message_accepted')) {
    expect(line).toMatchObject({ kind: 'message', actor: { kind: 'worker' }, communicationId: line.id })
    expect(line.status).toMatch(/^(sent|delivered)$/)
  }
  for (const line of data) expect(line.actor, line.sentence).not.toBeNull()
})

it('walked in pages of any size, it is the same', async () => {
  const { sandbox, debtorId, id } = await eventfulDebtor()
  for (const path of [`debtors/${debtorId}`, `invoices/${id}`]) {
    const { data } = await page(sandbox, path, 'limit=100')
    expect(data.length).toBeGreaterThan(5)
    for (const limit of [1, 2, 3, 7]) expect(await walk(sandbox, path, limit)).toEqual(data)
  }
})

it('of one kind it has the lines of that kind, page by page', async () => {
  const { sandbox, debtorId } = await eventfulDebtor()
  await sandbox.done('POST', `/api/v1/debtors/${debtorId}/notes`, { text: 'Called back' })
  const whole = await walk(sandbox, `debtors/${debtorId}`, 100)
  const kinds = ['message', 'action', 'money', 'note']
  expect(new Set(whole.map(({ kind }) => kind))).toEqual(new Set(kinds))
  for (const kind of kinds) {
    const first = await page(sandbox, `debtors/${debtorId}`, `kind=${kind}&limit=1`)
    const rest = await page(
      sandbox,
      `debtors/${debtorId}`,
      `kind=${kind}&limit=100&cursor=${first.pagination.nextCursor}`,
    )
    expect([...first.data, ...rest.data], kind).toEqual(whole.filter(line => line.kind === kind))
  }
  expect((await sandbox.call('GET', `/api/v1/debtors/${debtorId}/timeline?kind=other`)).status).toBe(400)
})

it('of an invoice it has its own history and money only', async () => {
  const { sandbox, id, otherId } = await eventfulDebtor()
  const { data } = await page(sandbox, `invoices/${otherId}`, 'limit=100')
  expect(data.every(line => line.invoiceId === otherId)).toBe(true)
  expect(data.map(({ code }) => code)).not.toContain('payment_received')
  // What was said of the debtor is in the history of each invoice too.
  expect(data.map(({ code }) => code)).toEqual(expect.arrayContaining(['opted_out', 'disputed']))
  const lines = (await page(sandbox, `invoices/${id}`, 'limit=100')).data
  expect(lines.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['promised', 'promise_broken', 'payment_received', 'credit_added']),
  )
  const history = await sandbox.history(id)
  const told = lines.filter(({ kind }) => kind !== 'money').toReversed()
  expect(told.map(line => line.sentence)).toEqual(history.map(line => line.details))
})

it('a line that is older than the codes keeps its sentence', async () => {
  const { sandbox, id } = await eventfulDebtor()
  await installation.sql(
    `update actions set code = null, params = null, actor = null, details = 'As it was.' where invoice_id = $1 and code = 'promised'`,
    [id],
  )
  const { data } = await page(sandbox, `invoices/${id}`, 'limit=100&lang=fr')
  expect(data.filter(({ code }) => code === null)).toMatchObject([
    { sentence: 'As it was.', actor: null, params: {} },
  ])
})

it('a cursor of another list is refused', async () => {
  const { sandbox, debtorId } = await eventfulDebtor()
  const answer = await sandbox.call('GET', `/api/v1/debtors/${debtorId}/timeline?cursor=WyJ4Il0`)
  expect(answer.body.error.code).toBe('VAL_002')
})

it('the database refuses a line with a code and without an actor', async () => {
  const { id } = await (await newSandbox(installation)).invoice({ debtor: lyonDebtor('Sans auteur SARL') })
  const insert = (actor: string | null) =>
    installation.sql(
      `insert into actions (tenant_id, id, invoice_id, action, status, details, executed_at, code, params, actor)
       select tenant_id, gen_random_uuid(), id, 'pause', 'done', '', created_at, 'paused', '{}', $2 from invoices where id = $1`,
      [id, actor],
    )
  await expect(insert(null)).rejects.toThrow('actions_say_who')
  await insert('{"kind": "worker", "id": "x"}')
})
