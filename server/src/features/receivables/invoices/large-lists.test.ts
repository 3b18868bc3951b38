import { beforeAll, expect, it } from 'vitest'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { builtInCascades } from '../../../domain/recovery/cascade.ts'
import { searchKey, trigrams } from '../../../kit/search-text.ts'
import { uuidv7 } from '../../../kit/uuid.ts'

const installation = useInstallation({ own: 'reads the whole installation' })

const oldCount = 11_000
const totalCount = 62_000
const debtors = 300
const begin = Date.parse('2026-01-01T00:00:00Z')
const debtorIds = Array.from({ length: debtors }, (_, i) => uuidv7(begin + i))
const statuses = ['paid', 'imported', 'disputed', 'paid', 'partial']

const steps = builtInCascades
  .find(({ name, version }) => name === 'fr_b2b_standard' && version === 1)!
  .steps.map(({ name }) => name)

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
    const kind = { country: 'FR', type: i % 7 === 0 ? 'consumer' : 'business', language: 'fr' }
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
    `insert into recoveries (tenant_id, invoice_id, debtor_id, cascade, cascade_version, created_at, step, due_because, status,
       started_at, anchor_at, wish_at, due_at, due_date, limitation_ends_on, limitation_from, limitation_because)
     select tenant_id, id, debtor_id, 'fr_b2b_standard', 1, created_at, place % 5,
            case when place % 4 = 0 then 'channel_cooldown' else 'planned' end,
            case when begun is null then 'pending' else 'in_recovery' end, begun, begun, begun, begun, due_date, issue_date + 1826, issue_date, 'issue_date'
       from (select *, case when place % 3 > 0 then created_at end as begun
               from (select *, row_number() over (order by id) as place from invoices) i) i`,
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

it.each([
  ['step=relance_email_1', `r.step = ${steps.indexOf('relance_email_1')} and r.status = 'in_recovery'`],
  ['reasonCode=channel_cooldown', `r.due_because = 'channel_cooldown' and r.status = 'in_recovery'`],
  ['debtorType=consumer', `d.type = 'consumer'`],
  ['debtorType=consumer&standing=running', `d.type = 'consumer' and r.status = 'in_recovery'`],
  ['debtorType=consumer&reasonCode=planned&dueTo=2026-01-31', 'false'],
  [
    'reasonCode=planned&step=relance_email_1&sortOrder=asc',
    `r.due_because = 'planned' and r.status = 'in_recovery' and r.step = ${steps.indexOf('relance_email_1')}`,
  ],
  [
    'reasonCode=channel_cooldown&dueFrom=2026-01-01&sortBy=due_date&sortOrder=asc',
    `r.due_because = 'channel_cooldown' and r.status = 'in_recovery'`,
  ],
  [
    'reasonCode=channel_cooldown&dueFrom=2026-01-01',
    `r.due_because = 'channel_cooldown' and r.status = 'in_recovery'`,
  ],
  [
    'reasonCode=planned&status=paid',
    `r.due_because = 'planned' and r.status = 'in_recovery' and i.status = 'paid'`,
  ],
])('what %s looks up is what a plain query finds, page after page', async (query, where) => {
  expect(steps).toContain('relance_email_1')
  const ask = (path: string) => installation.call<{ invoiceNumber: string }[]>('GET', path)
  let next: string | undefined = `/api/v1/invoices?${query}`
  const read: string[] = []
  for (let page = 0; page < 4 && next; page++) {
    const answer: Awaited<ReturnType<typeof ask>> = await ask(next)
    read.push(...answer.body.data.map(invoice => invoice.invoiceNumber))
    const { total } = answer.body.pagination
    expect(total).toBeLessThanOrEqual(500)
    expect('totalIsExact' in answer.body.pagination).toBe(where !== 'false')
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  const expected = await installation.sql<{ number: string }>(
    `select i.number from invoices i join recoveries r on r.invoice_id = i.id join debtors d on d.id = i.debtor_id
      where ${where} order by i.id ${query.includes('asc') ? 'asc' : 'desc'} limit 80`,
  )
  expect(read).toEqual(expected.map(({ number }) => number))
  expect(read).toHaveLength(where === 'false' ? 0 : 80)
})

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
      `select set_config('relance.tenant', $1, false), rare_grams_of_debtors($2::integer[]) as rare`,
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
