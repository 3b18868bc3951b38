import { describe, expect, it } from 'vitest'
import { everyStatement } from '../../generate/every-statement.ts'
import { tables } from '../../src/features/tables.ts'
import { useClone } from './clone.ts'

const clone = useClone()

/** What the worker needs to write a mail to somebody, and nothing else of anybody. */
const readByWorker: Record<string, string[]> = {
  people: ['email', 'id', 'language', 'name'],
  invitations: ['accepted_at', 'company_id', 'email', 'expires_at', 'id', 'language', 'role', 'withdrawn_at'],
}

/** What the api does with each table, by whole tables or by columns. Who a person was and what was agreed to is not deleted by it. */
const usedByApi: Record<(typeof tables.identity)[number], { rights: string[]; update?: string[] }> = {
  people: {
    rights: ['select', 'insert'],
    update: ['email_verified_at', 'language', 'name', 'password_hash'],
  },
  memberships: { rights: ['select', 'insert', 'delete'], update: ['receives_alerts', 'role', 'role_since'] },
  invitations: { rights: ['select', 'insert'], update: ['accepted_at', 'withdrawn_at'] },
  mail_links: { rights: ['select', 'insert', 'delete'], update: ['used_at'] },
  passkeys: { rights: ['select', 'insert', 'delete'], update: ['counter', 'last_used_at'] },
  passkey_challenges: { rights: ['select', 'insert', 'delete'] },
  sessions: { rights: ['select', 'insert', 'delete'], update: ['seen_at'] },
  sign_in_failures: { rights: ['select', 'insert', 'delete'], update: ['failures', 'since'] },
  oauth_clients: {
    rights: ['select', 'insert'],
    update: [
      'enabled',
      'grant_types',
      'made_by',
      'maker_role',
      'name',
      'redirect_uris',
      'scopes',
      'secret_hash',
      'updated_at',
    ],
  },
  oauth_grants: {
    rights: ['select', 'insert'],
    update: ['company_ids', 'last_used_at', 'revoked_at', 'revoked_because'],
  },
  oauth_codes: { rights: ['select', 'insert'], update: ['used_at'] },
  oauth_refresh_tokens: { rights: ['select', 'insert'], update: ['used_at'] },
  oauth_revoked_tokens: { rights: ['select', 'insert'] },
  signing_keys: { rights: ['select', 'insert'], update: ['activated_at', 'retired_at', 'state'] },
}

const rights = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'] as const

describe.each(tables.identity)('identity table %s', table => {
  it('has no policy: who it belongs to is said by each statement', async () => {
    const [facts] = await clone.query(
      `select relrowsecurity, relforcerowsecurity, (select count(*)::integer from pg_policy where polrelid = c.oid) as policies
         from pg_class c where oid = $1::regclass`,
      [table],
    )
    expect(facts).toEqual({ relrowsecurity: false, relforcerowsecurity: false, policies: 0 })
  })

  it('is written by the api alone, and read by nobody else but for what a mail needs', async () => {
    const granted = await clone.query<{ role: string; rights: string[]; columns: string[] }>(
      `select r.rolname as role,
              array(select p from unnest($2::text[]) p where has_table_privilege(r.oid, $1::regclass, p)) as rights,
              array(select a.attname::text || case when p = 'select' then '' else ' ' || p end
                      from pg_attribute a cross join unnest(array['select', 'insert', 'update', 'references']) p
                     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
                       and has_column_privilege(r.oid, a.attrelid, a.attnum, p) order by 1) as columns
         from pg_roles r where r.rolname in ('relance_api', 'relance_worker', 'relance_operator') order by 1`,
      [table, rights],
    )
    const [api] = granted
    expect(api).toMatchObject({ role: 'relance_api', rights: usedByApi[table].rights })
    const updated = api!.columns.filter(column => column.endsWith(' update'))
    expect(updated).toEqual((usedByApi[table].update ?? []).map(column => `${column} update`))
    expect(granted[1]).toEqual({ role: 'relance_operator', rights: [], columns: [] })
    expect(granted[2]).toEqual({ role: 'relance_worker', rights: [], columns: readByWorker[table] ?? [] })
  })
})

it('nothing refers from here to a table of a cell, or back: people and applications belong to no cell', async () => {
  const references = await clone.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`,
  )
  const isIdentity = (table: string) => (tables.identity as readonly string[]).includes(table)
  const crossing = references.filter(({ from, to }) => isIdentity(from) !== isIdentity(to))
  expect(references.some(({ from }) => isIdentity(from))).toBe(true)
  expect(crossing).toEqual([])
})

it('no secret is stored as it is: what is handed out is known by its hash, or sealed', async () => {
  const columns = await clone.query<{ name: string; type: string }>(
    `select attrelid::regclass || '.' || attname as name, format_type(atttypid, null) as type
       from pg_attribute a where attrelid = any ($1::regclass[]) and attnum > 0 and not attisdropped`,
    [tables.identity],
  )
  const secret = columns.filter(({ name }) => /secret|token|code|password|private/.test(name.split('.')[1]!))
  expect(secret.length).toBeGreaterThan(5)
  for (const { name, type } of secret)
    expect([name, type]).toEqual([
      expect.stringMatching(/_(hash|sealed)$/),
      expect.stringMatching(/^(bytea|text)$/),
    ])
})

/**
 * Statements of operations on data of a company or tenant must filter by the entered tenant; without the filter they would
 * affect everybody's rows. Statements of pages and of OAuth run outside any tenant and find a row by a secret or a session.
 */
it('every statement that changes a client, a member or an invitation in a tenant says whose', async () => {
  const concerned = (await everyStatement()).filter(({ text }) =>
    /\b(from|update|into|join) (oauth_clients|memberships|invitations)\b/.test(text),
  )
  expect(concerned.length).toBeGreaterThan(10)
  const writing = concerned.filter(({ text }) =>
    /^\s*(update|delete from) (oauth_clients|memberships|invitations)\b/.test(text),
  )
  const withoutTenant = writing.filter(
    ({ text }) => !text.includes(`current_setting('relance.tenant')::uuid`),
  )
  // The one who holds the link accepts the invitation; an owner's own page and the operator name the company.
  for (const { text } of withoutTenant) expect(text).toMatch(/where token_hash = \$1|\bcompany_id = \$\d/)
})
