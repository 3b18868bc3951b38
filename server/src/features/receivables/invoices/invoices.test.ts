import { beforeAll, describe, expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation' })

type Invoice = {
  id: string
  invoiceNumber: string
  amountCents: number
  status: string
  dueDate: string
  createdAt: string
  notes: string | null
  metadata: object
}
type Created = { id: string; debtor: { id: string; matched: boolean; ignoredFields: string[] } }
type Report = {
  total: number
  imported: number
  failed: number
  results: {
    index: number
    success: boolean
    id?: string
    invoiceNumber: string | null
    error?: { code: string }
  }[]
}

const createInvoice = (body: object) => installation.call<Created>('POST', '/api/v1/invoices', { body })
const listInvoices = (query = '') => installation.call<Invoice[]>('GET', `/api/v1/invoices${query}`)

describe('bulk import', () => {
  it('imports the valid invoices and reports where each fault is', async () => {
    const [good, twin] = [invoiceInput(), invoiceInput()]
    const answer = await installation.call<Report>('POST', '/api/v1/invoices/bulk', {
      body: {
        invoices: [
          good,
          { ...twin, amountCents: -1 },
          { ...twin, invoiceNumber: good.invoiceNumber },
          {
            ...twin,
            invoiceNumber: `${twin.invoiceNumber}-b`,
            debtor: { id: '00000000-0000-7000-8000-000000000000' },
          },
        ],
      },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ total: 4, imported: 1, failed: 3 })
    expect(answer.body.data.results.map(result => result.error?.code ?? 'ok')).toEqual([
      'ok',
      'VAL_001',
      'RES_002',
      'BIZ_003',
    ])
  })

  it('answers 400 with every fault when none could be imported', async () => {
    const answer = await installation.call('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [{}, { ...invoiceInput(), amountCents: 'x' }] },
    })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details!.map(fault => fault.field)).toContain('invoices[1].amountCents')
  })

  it.each([
    [{}, 'VAL_003'],
    [{ invoices: [] }, 'VAL_001'],
    [{ invoices: 'x' }, 'VAL_001'],
    [{ invoices: Array(101).fill({}) }, 'VAL_001'],
  ])('refuses %j with %s', async (body, code) => {
    expect((await installation.call('POST', '/api/v1/invoices/bulk', { body })).body.error.code).toBe(code)
  })

  it('without autostart the recovery is pending: it can be deleted, once, and only without payments', async () => {
    const answer = await installation.call<Report>('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [invoiceInput(), invoiceInput()], autoStartWorkflow: false },
    })
    const [first, second] = answer.body.data.results.map(result => result.id!)
    expect((await installation.call('GET', `/api/v1/workflow/invoice/${first}`)).body.data).toMatchObject({
      status: 'pending',
      startedAt: null,
      currentStep: null,
      nextActionAt: null,
    })
    expect((await installation.call('DELETE', `/api/v1/invoices/${first}`)).status).toBe(204)
    expect((await installation.call('DELETE', `/api/v1/invoices/${first}`)).status).toBe(404)
    await installation.call('POST', '/api/v1/payments', {
      body: { invoiceId: second, amountCents: 1, method: 'card' },
    })
    const kept = await installation.call('DELETE', `/api/v1/invoices/${second}`)
    expect([kept.status, kept.body.error.code]).toEqual([409, 'RES_003'])
  })

  it('a hundred invoices enter in one request, each with its recovery', async () => {
    const invoices = Array.from({ length: 100 }, () => invoiceInput({ dueDate: '2026-12-01' }))
    const answer = await installation.call<Report>('POST', '/api/v1/invoices/bulk', { body: { invoices } })
    expect(answer.body.data).toMatchObject({ total: 100, imported: 100, failed: 0 })
  })
})

describe('debtors inside invoices', () => {
  it('a known id needs nothing else; an unknown one is BIZ_003', async () => {
    const first = await createInvoice(invoiceInput())
    const again = await createInvoice(invoiceInput({ debtor: { id: first.body.data.debtor.id } }))
    expect(again.body.data.debtor).toEqual({
      id: first.body.data.debtor.id,
      matched: true,
      ignoredFields: [],
    })
    const unknown = await createInvoice(
      invoiceInput({ debtor: { id: '00000000-0000-7000-8000-000000000000' } }),
    )
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'BIZ_003'])
  })

  it('a match overwrites nothing, and says what it ignored', async () => {
    const debtor = {
      name: 'Rivière SAS',
      email: 'Rivière'.normalize('NFD').length > 7 ? 'r@riviere.example' : '',
      city: 'Lyon',
    }
    await createInvoice(invoiceInput({ debtor }))
    const second = await createInvoice(
      invoiceInput({ debtor: { ...debtor, name: 'RIVIÈRE  sas', city: 'Paris' } }),
    )
    expect(second.body.data.debtor).toMatchObject({ matched: true, ignoredFields: ['name', 'city'] })
  })

  it('a SIRET decides; two debtors with different SIRETs stay two', async () => {
    const base = { name: 'Groupe', email: 'g@groupe2.example' }
    const one = await createInvoice(invoiceInput({ debtor: { ...base, siret: '73282932000074' } }))
    const two = await createInvoice(invoiceInput({ debtor: { ...base, siret: '35600000000048' } }))
    const same = await createInvoice(
      invoiceInput({ debtor: { name: 'Other', email: 'o@other.example', siret: '73282932000074' } }),
    )
    expect(two.body.data.debtor.id).not.toBe(one.body.data.debtor.id)
    expect(same.body.data.debtor).toMatchObject({ id: one.body.data.debtor.id, matched: true })
  })

  it('a SIRET with a wrong check digit is kept with a warning and makes nobody a business', async () => {
    const answer = await createInvoice(
      invoiceInput({ debtor: { name: 'Wrong', email: 'w@wrong.example', siret: '73282932000075' } }),
    )
    expect(answer.body.warnings).toMatchObject([{ code: 'siret_checksum' }])
  })
})

describe('update', () => {
  it('changes notes and metadata, emits an event without the text of the notes, and clears with null', async () => {
    const { id } = (await createInvoice(invoiceInput())).body.data
    const updated = await installation.call<Invoice>('PUT', `/api/v1/invoices/${id}`, {
      body: { notes: 'called', metadata: { crm: 7 } },
    })
    expect(updated.body.data).toMatchObject({ notes: 'called', metadata: { crm: 7 } })
    const [event] = await installation.sql<{ data: object }>(
      `select data from events where subject_id = $1 and type = 'invoice.updated'`,
      [id],
    )
    expect(event!.data).toMatchObject({ changed: ['notes', 'metadata'], metadata: { crm: 7 } })
    expect(JSON.stringify(event)).not.toContain('called')
    const cleared = await installation.call<Invoice>('PUT', `/api/v1/invoices/${id}`, {
      body: { notes: null },
    })
    expect(cleared.body.data).toMatchObject({ notes: null, metadata: { crm: 7 } })
  })

  it('an update that changes nothing emits no event', async () => {
    const { id } = (await createInvoice(invoiceInput())).body.data
    await installation.call('PUT', `/api/v1/invoices/${id}`, { body: { metadata: {} } })
    expect(
      await installation.sql(`select 1 from events where subject_id = $1 and type = 'invoice.updated'`, [id]),
    ).toEqual([])
  })

  it.each(['amount', 'amountCents', 'invoiceNumber', 'issueDate', 'dueDate', 'currency', 'debtor'])(
    '%s is immutable, and that outranks every other fault',
    async field => {
      const { id } = (await createInvoice(invoiceInput())).body.data
      const answer = await installation.call('PUT', `/api/v1/invoices/${id}`, {
        body: { [field]: 1, notes: 5, unknown: true },
      })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'FORBIDDEN_FIELD_MODIFICATION'])
    },
  )

  it('an empty update is VAL_001', async () => {
    const { id } = (await createInvoice(invoiceInput())).body.data
    expect((await installation.call('PUT', `/api/v1/invoices/${id}`, { body: {} })).body.error.code).toBe(
      'VAL_001',
    )
  })

  it('a running recovery cannot be deleted', async () => {
    const { id } = (await createInvoice(invoiceInput())).body.data
    const answer = await installation.call('DELETE', `/api/v1/invoices/${id}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BIZ_002'])
  })
})

describe('lists', () => {
  beforeAll(async () => {
    const invoices = Array.from({ length: 30 }, (_, i) =>
      invoiceInput({
        invoiceNumber: `LIST-${String(i).padStart(3, '0')}`,
        amountCents: 1_000 + (i % 7) * 100,
        issueDate: `2026-08-${String((i % 28) + 1).padStart(2, '0')}`,
        dueDate: `2026-12-${String((i % 9) + 1).padStart(2, '0')}`,
        debtor: {
          name: i % 2 ? 'Élégance Impair' : 'Boulangerie Pair',
          email: `pair${i % 2}@list.example`,
          postalCode: '69001',
        },
      }),
    )
    await installation.call('POST', '/api/v1/invoices/bulk', { body: { invoices } })
  })

  it.each(['created_at', 'due_date', 'amount_cents', 'status'])(
    'sorted by %s, both ways, cursor pages give exactly what pages give',
    async sortBy => {
      for (const sortOrder of ['asc', 'desc']) {
        const query = `?search=LIST-&sortBy=${sortBy}&sortOrder=${sortOrder}`
        const whole = (await listInvoices(`${query}&limit=100`)).body.data.map(
          invoice => invoice.invoiceNumber,
        )
        expect(whole).toHaveLength(30)
        const byPage: string[] = []
        for (let page = 1; page <= 5; page++)
          byPage.push(
            ...(await listInvoices(`${query}&limit=7&page=${page}`)).body.data.map(i => i.invoiceNumber),
          )
        const byCursor: string[] = []
        let next: string | undefined = `/api/v1/invoices${query}&limit=7`
        while (next) {
          const answer: Awaited<ReturnType<typeof listInvoices>> = await installation.call<Invoice[]>(
            'GET',
            next,
          )
          byCursor.push(...answer.body.data.map(i => i.invoiceNumber))
          next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
        }
        expect(byPage).toEqual(whole)
        expect(byCursor).toEqual(whole)
      }
    },
  )

  it.each([
    ['?search=list-01', 10],
    ['?search=elegance', 15],
    ['?search=PAIR', 30],
    ['?search=boulan', 15],
    ['?search=%25', 0],
    ['?search=LIST-&minAmount=1600', 4],
    ['?search=LIST-&fromDate=2026-08-01&toDate=2026-08-02', 4],
    ['?search=LIST-&status=paid', 0],
  ])('%s finds %i', async (query, count) => {
    const answer = await listInvoices(`${query}&limit=100`)
    expect(answer.body.data).toHaveLength(count)
    expect(answer.body.pagination.total).toBe(count)
  })

  it.each([
    '',
    '?status=imported',
    '?fromDate=2026-08-05&toDate=2026-08-20',
    '?status=imported&fromDate=2026-08-05',
    '?debtorId=',
  ])('the total for "%s" is exact, folded or not', async query => {
    const [debtor] = await installation.sql<{ id: string }>(
      `select id from debtors where email = 'pair1@list.example'`,
    )
    const asked = query === '?debtorId=' ? `?debtorId=${debtor!.id}` : query
    const total = async () => (await listInvoices(asked)).body.pagination.total
    const where = [
      asked.includes('status') && `status = 'imported'`,
      asked.includes('fromDate') && `issue_date >= '2026-08-05'`,
      asked.includes('toDate') && `issue_date <= '2026-08-20'`,
      asked.includes('debtorId') && `debtor_id = '${debtor!.id}'`,
    ].filter(Boolean)
    await createInvoice(invoiceInput({ issueDate: '2026-08-10', dueDate: '2026-12-01' }))
    const real = async () =>
      Number(
        (
          await installation.sql<{ n: string }>(
            `select count(*) as n from invoices ${where.length ? `where ${where.join(' and ')}` : ''}`,
          )
        )[0]!.n,
      )
    expect(await total()).toBe(await real())
    await eventually(
      () => installation.sql<{ n: string }>('select count(*) as n from count_deltas'),
      rows => Number(rows[0]!.n) === 0,
    )
    expect(await total()).toBe(await real())
  })

  it.each([
    '?limit=500',
    '?limit=0',
    '?page=0',
    '?page=x',
    '?status=unpaid',
    '?debtorId=1',
    '?fromDate=2026-02-30',
    '?minAmount=-1',
    '?sortBy=name',
    '?sortOrder=up',
    '?cursor=abc',
    '?page=2&cursor=abc',
    '?page=60000&limit=20',
    '?unknown=1',
    '?status=paid&status=paid',
  ])('%s is VAL_002', async query => {
    const answer = await listInvoices(query)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_002'])
  })
})

it('the summary adds up, in the company’s currency, and keeps other currencies apart', async () => {
  const before = (await installation.call<Record<string, never>>('GET', '/api/v1/invoices/stats/summary'))
    .body.data as never as {
    totalInvoices: number
    totalAmountCents: number
    byStatus: Record<string, number>
    recoveryRate: number
    byCurrency: Record<string, { totalInvoices: number }>
  }
  await createInvoice(invoiceInput({ amountCents: 5_000, dueDate: '2026-12-01' }))
  await createInvoice(invoiceInput({ amountCents: 7_000, currency: 'USD', dueDate: '2026-12-01' }))
  const after = (await installation.call('GET', '/api/v1/invoices/stats/summary')).body
    .data as never as typeof before
  expect(after.totalInvoices - before.totalInvoices).toBe(2)
  expect(after.totalAmountCents - before.totalAmountCents).toBe(5_000)
  expect(after.byStatus.imported! - before.byStatus.imported!).toBe(2)
  expect(after.byCurrency.USD).toEqual({ totalInvoices: 1, totalAmountCents: 7_000 })
})

it.each([
  [{ 'k\u0000': 1 }, 'VAL_004'],
  [{ k: 'a\u202eb' }, 'VAL_004'],
  [{ k: 'x'.repeat(501) }, 'VAL_001'],
  [{ ['k'.repeat(41)]: 1 }, 'VAL_001'],
  [{ k: { a: { b: { c: {} } } } }, 'VAL_001'],
  [Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])), 'VAL_001'],
])('metadata %j is refused with %s', async (metadata, code) => {
  expect((await createInvoice(invoiceInput({ metadata }))).body.error.code).toBe(code)
})

it('metadata is kept composed, whatever form it came in', async () => {
  const { id } = (await createInvoice(invoiceInput({ metadata: { ville: 'Orle\u0301ans' } }))).body.data
  expect((await installation.call<Invoice>('GET', `/api/v1/invoices/${id}`)).body.data.metadata).toEqual({
    ville: 'Orl\u00e9ans',
  })
})
