// @module-tag long
import { beforeAll, expect, it } from 'vitest'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { searchKey, trigrams } from '../../../kit/search-text.ts'
import { uuidv7 } from '../../../kit/uuid.ts'

const installation = useInstallation()

const oldCount = 11_000
const totalCount = 62_000
const debtors = 300
const begin = Date.parse('2026-01-01T00:00:00Z')
const debtorIds = Array.from({ length: debtors }, (_, i) => uuidv7(begin + i))
const statuses = ['paid', 'imported', 'disputed', 'paid', 'partial']

const nameOf = (i: number) => (i % 2 === 0 ? `Boulangerie ${i}` : `Garage ${i}`)
const insertInto = (table: string, columns: string, rows: object[]) =>
  installation.sql(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  )

/** More rows than a scan reads, old and new ones, so that one text is found at once and another only far down. */
beforeAll(async () => {
  const tenant_id = installation.company.tenants.production
  const at = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
  const debtorRows = debtorIds.map((id, i) => {
    const [name, email] = [nameOf(i), `d${i}@large.example`]
    const search_text = `${searchKey(name)}\n${email}\n`
    const keys = { name, name_key: searchKey(name), email, email_key: email, search_text }
    const kind = { country: 'FR', type: 'business', language: 'fr' }
    return { tenant_id, id, ...keys, ...kind, search_grams: trigrams(tenant_id, search_text), ...at }
  })
  await insertInto('debtors', Object.keys(debtorRows[0]!).join(), debtorRows)
  for (let from = 0; from < totalCount; from += 6_200) {
    const rows = Array.from({ length: 6_200 }, (_, k) => {
      const i = from + k
      const number = i < oldCount ? `OLD-${i}` : i % 2 === 0 ? `NEW-${i}` : `ODD-${i}`
      return {
        tenant_id,
        id: uuidv7(begin + 1_000 + i),
        debtor_id: i % 3 === 0 ? debtorIds[0] : debtorIds[i % debtors],
        number,
        number_search: searchKey(number),
        number_grams: trigrams(tenant_id, searchKey(number)),
        amount_cents: 1_000 + ((i * 7_919) % 100_000),
        currency: 'EUR',
        issue_date: `2025-${String((i % 12) + 1).padStart(2, '0')}-01`,
        due_date: '2026-02-01',
        metadata: {},
        status: i % 6_000 === 0 ? 'judicial' : statuses[i % statuses.length],
        paid_cents: 0,
        credited_cents: 0,
        claimed_cents: 0,
        event_seq: 0,
        last_action_is_letter: false,
        ...at,
      }
    })
    await insertInto('invoices', Object.keys(rows[0]!).join(), rows)
  }
  await installation.sql(
    `insert into recoveries (tenant_id, invoice_id, debtor_id, status, cascade, cascade_version, created_at)
     select tenant_id, id, debtor_id, 'pending', 'fr_b2b_standard', 1, created_at from invoices`,
  )
  await installation.sql('vacuum analyze invoices, debtors, recoveries')
})

/** The same query without any optimisation. */
async function expectedPage(asked: URLSearchParams): Promise<{ numbers: string[]; n: number }> {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const like = asked.has('search') && bind(`%${searchKey(asked.get('search')!)}%`)
  const where = [
    like && `(i.number_search like ${like} or split_part(d.search_text, E'\\n', 1) like ${like})`,
    asked.has('status') && `i.status = ${bind(asked.get('status'))}`,
    asked.has('debtorId') && `i.debtor_id = ${bind(asked.get('debtorId'))}`,
    asked.has('minAmount') && `i.amount_cents >= ${bind(asked.get('minAmount'))}`,
    asked.has('maxAmount') && `i.amount_cents <= ${bind(asked.get('maxAmount'))}`,
    asked.has('fromDate') && `i.issue_date >= ${bind(asked.get('fromDate'))}`,
  ].filter(Boolean)
  const order = `${asked.get('sortBy') ?? 'created_at'} ${asked.get('sortOrder') ?? 'desc'}`
  const from = `from invoices i join debtors d on d.id = i.debtor_id where ${where.join(' and ')}`
  const counted = await installation.sql<{ n: number }>(`select count(*)::integer as n ${from}`, values)
  const rows = await installation.sql<{ number: string }>(
    `select i.number ${from} order by i.${order}, i.id ${asked.get('sortOrder') ?? 'desc'}
      limit 20 offset ${(Number(asked.get('page') ?? 1) - 1) * 20}`,
    values,
  )
  return { numbers: rows.map(row => row.number), n: counted[0]!.n }
}

async function expectSamePage(query: string) {
  const { numbers, n } = await expectedPage(new URLSearchParams(query))
  const answer = await installation.call<{ invoiceNumber: string }[]>('GET', `/api/v1/invoices?${query}`)
  expect(answer.body.data.map(invoice => invoice.invoiceNumber)).toEqual(numbers)
  expect(answer.body.pagination).toMatchObject({ total: Math.min(n, 10_000) })
  expect('totalIsExact' in answer.body.pagination).toBe(n > 10_000)
  return answer
}

it.each([
  'search=NEW-',
  'search=NEW-&page=300',
  'search=NEW-&sortOrder=asc',
  'search=OLD-',
  'search=OLD-&page=500',
  'search=OLD-&sortBy=amount_cents',
  'search=OLD-1',
  'search=OLD-10999',
  'search=boulangerie',
  'search=boulangerie&sortBy=amount_cents&sortOrder=asc',
  'search=Garage 1',
  'search=garage 299',
  'search=w-',
  'search=zq',
  'search=NEW-&status=paid',
  'search=NEW-&status=judicial',
  'search=OLD-&status=paid',
  'search=OLD-&minAmount=20000&sortBy=due_date&sortOrder=asc',
  'search=boulangerie&minAmount=60000',
  `search=garage&debtorId=${debtorIds[0]}`,
  `search=boulangerie&debtorId=${debtorIds[0]}`,
  'minAmount=51000',
  'maxAmount=51000',
  'minAmount=100900',
  'status=paid&minAmount=20000',
  'status=judicial&minAmount=20000',
  'fromDate=2025-06-01&minAmount=1500',
  `status=paid&debtorId=${debtorIds[0]}`,
  `status=paid&debtorId=${debtorIds[7]}`,
  `fromDate=2025-06-01&debtorId=${debtorIds[0]}`,
  `minAmount=1100&debtorId=${debtorIds[0]}`,
])('%s answers what a plain count and sort would', async query => {
  await expectSamePage(query)
})

it.each(['search=NEW-', 'search=OLD-', 'search=boulangerie&sortBy=amount_cents', 'search=OLD-&status=paid'])(
  'the cursor of %s continues where the page ended',
  async query => {
    const first = await expectSamePage(query)
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')![1]!
    const second = await installation.call<{ invoiceNumber: string }[]>('GET', next)
    const { numbers } = await expectedPage(new URLSearchParams(`${query}&page=2`))
    expect(second.body.data.map(invoice => invoice.invoiceNumber)).toEqual(numbers)
  },
)

it.each(['garage 1', 'boulangerie 28', 'd12@large', 'large.example', 'd299@large.example'])(
  'the search for %s finds the newest debtors that have it',
  async q => {
    const answer = await installation.call<{ debtors: { id: string }[] }>(
      'GET',
      `/api/v1/search?q=${encodeURIComponent(q)}`,
    )
    const expected = await installation.sql<{ id: string }>(
      'select id from debtors where search_text like $1 order by id desc limit 8',
      [`%${q}%`],
    )
    expect(expected).not.toEqual([])
    expect(answer.body.data.debtors.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  },
)

it('the pieces that most have are not looked for beside rarer ones', async () => {
  const tenantId = installation.company.tenants.production
  const piecesOf = (text: string) => trigrams(tenantId, text)
  const rare = async (text: string) => {
    const [row] = await installation.sql<{ rare: number[] }>(
      `select set_config('relance.tenant', $1, false), rare_pieces_of_debtors($2::integer[]) as rare`,
      [tenantId, piecesOf(text)],
    )
    return row!.rare.toSorted()
  }
  expect(await rare('d12@large')).toEqual(['d12', '12@', '2@l'].flatMap(piecesOf).toSorted())
  expect(await rare('large')).toEqual(piecesOf('large').toSorted())
})

it('what was deleted a moment ago is not taken for proof that many match', async () => {
  const gone = `(select id from invoices where debtor_id <> '${debtorIds[0]}' or number_search not like 'old%')`
  // Nothing else refers to them, and to look for that in every table takes most of the time: only the counters are kept.
  await installation.sql(
    `begin;
     do $$ declare counter record; begin
       for counter in select tgrelid::regclass as owner, tgname as name from pg_trigger
         where not tgisinternal and tgrelid in ('invoices'::regclass, 'recoveries'::regclass)
       loop execute format('alter table %s enable always trigger %I', counter.owner, counter.name); end loop;
     end $$;
     set local session_replication_role = replica;
     delete from recoveries where invoice_id in ${gone}; delete from invoices where id in ${gone};
     commit`,
  )
  const answer = await expectSamePage('search=boulangerie')
  expect(answer.body.pagination.total).toBeLessThan(10_000)
})
