import { once } from 'node:events'
import pg from 'pg'
import { startChild } from '../../src/kit/child-process.ts'
import { searchKey, trigrams } from '../../src/kit/search-text.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'

export interface Filled {
  tenantId: string
  /** Debtors that own half of the invoices, and ten of them. */
  halfDebtor: string
  tenDebtor: string
  /** The id nine tenths down the list, newest first. */
  deepId: string
}

const begin = Date.parse('2026-01-01T00:00:00Z')
const debtorsMax = 100_000

/** A spread that looks random and is the same every time. */
const mix = (i: number, salt: number) => (Math.imul(i ^ (salt * 0x9e3779b1), 0x85ebca6b) >>> 0) / 2 ** 32

const isoDay = (days: number) =>
  new Date(Date.parse('2025-01-01') + days * 86_400_000).toISOString().slice(0, 10)

/** Ten invoices spread over the whole table stand out in every respect; half of all share every other one. */
export async function fill(
  adminUrl: string,
  tenantId: string,
  invoices: number,
  logProgress: (text: string) => void,
): Promise<Filled> {
  const debtors = Math.min(debtorsMax, Math.max(100, invoices / 50))
  const debtorIds = Array.from({ length: debtors }, (_, i) => uuidv7(begin - debtors + i))
  const hashes = new Map<string, number[]>()
  const gramsOf = (key: string) => {
    const known = hashes.get(key)
    if (known) return known
    const made = trigrams(tenantId, key)
    if (hashes.size < 50_000) hashes.set(key, made)
    return made
  }
  const list = (numbers: number[]) => `{${numbers.join(',')}}`
  const at = (i: number) => new Date(begin + i).toISOString()
  await copy(
    adminUrl,
    `debtors (tenant_id, id, name, name_key, email, email_key, country, postal_code, type, language, search_text, search_grams, created_at, updated_at)`,
    debtors,
    i => {
      const name = i === 1 ? 'Zyxwvut SARL' : i % 2 === 0 ? `Boulangerie ${i}` : `Garage ${i}`
      const email = `d${i}@debtors.example`
      const text = `${searchKey(name)}\n${email}\n`
      return [
        tenantId,
        debtorIds[i]!,
        name,
        name.toLowerCase(),
        email,
        email,
        'FR',
        '69002',
        'business',
        'fr',
        text.replaceAll('\n', '\\n'),
        list(gramsOf(text)),
        at(0),
        at(0),
      ].join('\t')
    },
  )
  logProgress(`${debtors} debtors`)
  const every = Math.floor(invoices / 10)
  const rare = (i: number) => i % every === Math.floor(every / 2)
  const statuses = ['imported', 'in_recovery', 'partial', 'disputed', 'lrar_sent']
  // Two passes over the same numbers need the same ids: they are kept as bytes, not as strings.
  const bytes = Buffer.alloc(invoices * 16)
  for (let i = 0; i < invoices; i++)
    bytes.write(uuidv7(begin + Math.floor(i / 20)).replaceAll('-', ''), i * 16, 'hex')
  const uuidAt = (i: number) => {
    const hex = bytes.toString('hex', i * 16, i * 16 + 16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
  const debtorOf = (i: number) =>
    rare(i)
      ? debtorIds[1]!
      : mix(i, 1) < 0.5
        ? debtorIds[0]!
        : debtorIds[2 + Math.floor(mix(i, 2) * (debtors - 2))]!
  await copy(
    adminUrl,
    `invoices (tenant_id, id, debtor_id, number, number_search, number_grams, amount_cents, currency, issue_date, due_date, status, created_at, updated_at)`,
    invoices,
    i => {
      const number = rare(i) ? `RARE77-${i}` : mix(i, 3) < 0.5 ? `ALPHA-${i}` : `BETA-${i}`
      const key = number.toLowerCase()
      const amount = rare(i) ? 900_000_000 + i : 1_000 + Math.floor(mix(i, 4) * 200_000)
      const issued = rare(i) ? '2019-06-15' : isoDay(Math.floor(mix(i, 5) * 365))
      const status = rare(i)
        ? 'written_off'
        : mix(i, 6) < 0.5
          ? 'paid'
          : statuses[Math.floor(mix(i, 7) * statuses.length)]!
      return [
        tenantId,
        uuidAt(i),
        debtorOf(i),
        number,
        key,
        list(trigrams(tenantId, key)),
        amount,
        'EUR',
        issued,
        '2026-02-01',
        status,
        at(Math.floor(i / 20)),
        at(Math.floor(i / 20)),
      ].join('\t')
    },
  )
  logProgress(`${invoices} invoices`)
  await copy(
    adminUrl,
    `recoveries (tenant_id, invoice_id, debtor_id, status, cascade, cascade_version, created_at)`,
    invoices,
    i => [tenantId, uuidAt(i), debtorOf(i), 'pending', 'fr_b2b_standard', 1, at(0)].join('\t'),
  )
  logProgress(`${invoices} recoveries`)
  return {
    tenantId,
    halfDebtor: debtorIds[0]!,
    tenDebtor: debtorIds[1]!,
    deepId: uuidAt(Math.floor(invoices / 10)),
  }
}

/** Rows through psql's copy: the one loader every PostgreSQL comes with. */
async function copy(url: string, target: string, rows: number, rowOf: (i: number) => string): Promise<void> {
  const psql = startChild(
    'psql',
    [
      url,
      '-q',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      'set session_replication_role = replica',
      '-c',
      `copy ${target} from stdin`,
    ],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  )
  const input = psql.stdin!
  let chunk = ''
  for (let i = 0; i < rows; i++) {
    chunk += `${rowOf(i)}\n`
    if (chunk.length > 1_000_000) {
      if (!input.write(chunk)) await once(input, 'drain')
      chunk = ''
    }
  }
  input.end(chunk)
  const [code] = (await once(psql, 'exit')) as [number]
  if (code !== 0) throw new Error(`copy ${target} failed`)
}

/** Loads without secondary indexes and makes them afterwards: an hour becomes minutes. */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = any ($1) and indexname not in (select conname from pg_constraint)`,
    [tables],
  )
  for (const { indexname } of rows) await client.query(`drop index ${pg.escapeIdentifier(indexname)}`)
  await load()
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { indexdef } of rows) await client.query(indexdef)
}

/** What the triggers would have counted. */
export async function countAll(client: pg.Client): Promise<void> {
  await client.query(
    'truncate count_deltas, count_totals, count_days, count_debtor_invoices, count_magnitudes, count_due, count_debtor_open, count_debtor_standings, count_standings, count_slots',
  )
  await client.query(
    `insert into count_totals select tenant_id, 'invoice', status, currency, count(*), sum(amount_cents), sum(least(paid_cents, amount_cents - credited_cents))
       from invoices group by tenant_id, status, currency`,
  )
  await client.query(
    `insert into count_totals select tenant_id, 'debtor', '', '', count(*), 0, 0 from debtors group by tenant_id`,
  )
  await client.query(
    `insert into count_totals select tenant_id, 'slot', 'planned', '', count(*), 0, 0 from agendas
      where contact_channel is not null group by tenant_id`,
  )
  await client.query(
    `insert into count_days select tenant_id, 'invoice', status, issue_date, currency, '', count(*), sum(amount_cents)
       from invoices group by tenant_id, status, issue_date, currency`,
  )
  await client.query(
    'insert into count_debtor_invoices select tenant_id, debtor_id, count(*) from invoices group by tenant_id, debtor_id',
  )
  await client.query(
    `insert into count_due select i.tenant_id, i.currency, i.due_date, r.standing, count(*), sum(i.open_cents)
       from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id where i.open_cents > 0 group by 1, 2, 3, 4`,
  )
  await client.query(
    `insert into count_debtor_open select tenant_id, debtor_id, currency, count(*), sum(open_cents)
       from invoices where open_cents > 0 group by 1, 2, 3`,
  )
  await client.query(
    `insert into count_debtor_standings select i.tenant_id, i.debtor_id, r.standing, count(*)
       from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
      where i.open_cents > 0 and (r.standing = 'decide' or r.standing like 'held:%') group by 1, 2, 3`,
  )
  await client.query(
    'insert into count_standings select tenant_id, standing, count(*) from count_debtor_standings group by 1, 2',
  )
  await client.query(
    `insert into count_slots
     select tenant_id, contact_slot, contact_channel, 'planned', count(*) from agendas where contact_channel is not null group by 1, 2, 3
     union all
     select tenant_id, slot_of(coalesce(sent_at, reserved_at)), channel, state, count(*) from communications
      where state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') group by 1, 2, 3, 4`,
  )
}
