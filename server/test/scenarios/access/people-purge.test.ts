import { describe, expect, it } from 'vitest'
import { runHousekeeping } from '../../../src/start/housekeeping.ts'
import { useManualDelivery } from '../../harness/manual-delivery.ts'
import { newEmail, peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { tokenCalls } from '../../harness/tokens.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation', ...withProxy, hasWorker: false })
const delivery = useManualDelivery(installation)
const people = peopleCalls(installation)
const tokens = tokenCalls(installation)

const day = 24 * 3_600_000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
const purgeWith = async (purge: 'purge_identity' | 'purge_unconfirmed', limit = 1_000) =>
  (await delivery.context.pool.query<{ n: number }>(`select ${purge}($1, $2) as n`, [ago(0), limit])).rows[0]!
    .n
const count = async (table: string) =>
  (await installation.sql<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]!.n

const challenges = (many: number) =>
  installation.sql(
    `insert into passkey_challenges (challenge, expires_at) select 'c' || i, $2 from generate_series(1, $1::integer) i`,
    [many, ago(1)],
  )

describe('what is over goes', () => {
  it('so many at a time, and nothing of it is looked for among what is not over', async () => {
    await challenges(25)
    expect([await purgeWith('purge_identity', 10), await purgeWith('purge_identity', 10)]).toEqual([10, 10])
    expect([await purgeWith('purge_identity', 10), await purgeWith('purge_identity', 10)]).toEqual([5, 0])
    const indexed = await installation.sql<{ name: string }>(
      `select i.indrelid::regclass::text as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where a.attname = 'expires_at'`,
    )
    expect(indexed.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'invitations',
        'mail_links',
        'oauth_codes',
        'oauth_refresh_tokens',
        'oauth_revoked_tokens',
        'passkey_challenges',
        'sessions',
      ]),
    )
  })

  it('in one round of housekeeping, however much there is', async () => {
    await challenges(2_345)
    const { form } = await people.signUp()
    await installation.sql('update people set created_at = $2 where email = $1', [form.email, ago(8)])
    const { pool, clock, log } = delivery.context
    await runHousekeeping({ pool, clock, log })
    expect(await count('passkey_challenges')).toBe(0)
    expect(await installation.sql('select 1 from people where email = $1', [form.email])).toEqual([])
  })

  it('an invitation a month after it ran out', async () => {
    const send = () =>
      installation.call<{ id: string }>('POST', '/api/v1/members/invitations', {
        body: { email: newEmail(), role: 'viewer' },
      })
    const [old, recent] = [(await send()).body.data.id, (await send()).body.data.id]
    await installation.sql('update invitations set expires_at = $2 where id = $1', [old, ago(30.1)])
    await installation.sql('update invitations set expires_at = $2 where id = $1', [recent, ago(29.9)])
    await purgeWith('purge_identity')
    expect(await installation.sql('select id from invitations')).toEqual([{ id: recent }])
  })

  it('a consent after the last of its codes and tokens, revoked or not', async () => {
    const client = await tokens.client()
    const { id: personId } = await tokens.person()
    await tokens.addMember(personId, 'viewer')
    const grants = []
    for (let i = 0; i < 4; i++) grants.push((await tokens.consent({ client, personId })).grantId)
    const [over, revoked, young, living] = grants as [string, string, string, string]
    await installation.sql('update oauth_grants set created_at = $2 where id = any ($1)', [
      [over, revoked, living],
      ago(40),
    ])
    await installation.sql(
      `update oauth_grants set revoked_at = $2, revoked_because = 'person' where id = $1`,
      [revoked, ago(35)],
    )
    for (const table of ['oauth_codes', 'oauth_refresh_tokens'])
      await installation.sql(`update ${table} set expires_at = $2 where grant_id = any ($1)`, [
        [over, revoked, young],
        ago(1.1),
      ])
    await purgeWith('purge_identity')
    const left = await installation.sql<{ id: string }>('select id from oauth_grants order by id')
    expect(left.map(({ id }) => id)).toEqual([young, living].sort())
    expect(await count('oauth_refresh_tokens')).toBe(1)
  })
})

describe('who never opened the mail', () => {
  /** Signed up so many days ago. */
  async function stranger(daysAgo: number) {
    const { form } = await people.signUp()
    const [row] = await installation.sql<{ person_id: string; company_id: string; tenant_id: string }>(
      `update people p set created_at = $2 from memberships m, tenants t
        where p.email = $1 and m.person_id = p.id and t.company_id = m.company_id and t.environment = 'production'
       returning m.person_id, m.company_id, t.id as tenant_id`,
      [form.email, ago(daysAgo)],
    )
    return { email: form.email, ...row! }
  }
  const isThere = async (id: string) =>
    (await installation.sql('select 1 from companies where id = $1', [id])).length === 1

  it('goes after a week, with the company and its book, and may come again', async () => {
    const [late, early] = [await stranger(7.01), await stranger(6.99)]
    const auditEvents = () =>
      installation.sql('select type from audit_log where tenant_id = $1', [late.tenant_id])
    expect(await auditEvents()).toEqual([{ type: 'person.signed_up' }])
    expect(await purgeWith('purge_unconfirmed')).toBe(1)
    expect([await isThere(late.company_id), await isThere(early.company_id)]).toEqual([false, true])
    expect(await auditEvents()).toEqual([])
    expect(
      await installation.sql('select 1 from memberships where company_id = $1', [late.company_id]),
    ).toEqual([])
    expect(await installation.sql('select 1 from mail_links where person_id = $1', [late.person_id])).toEqual(
      [],
    )
    await delivery.sendMail()
    expect(people.mailsTo(late.email)).toEqual([])
    await people.signUp({ email: late.email })
    await delivery.sendMail()
    expect(people.mailsTo(late.email)).toHaveLength(1)
  })

  it('stays where somebody else is a member, or a key was made', async () => {
    const [shared, keyed, confirmed] = [await stranger(8), await stranger(8), await stranger(8)]
    await tokens.addMember((await tokens.person()).id, 'viewer', shared.company_id)
    await installation.sql(
      `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, created_at)
       values (gen_random_uuid(), $1::uuid, 'K', $1::text, 'x', 'x', '{}', $2)`,
      [keyed.tenant_id, ago(1)],
    )
    await installation.sql('update people set email_verified_at = $2 where id = $1', [
      confirmed.person_id,
      ago(1),
    ])
    expect(await purgeWith('purge_unconfirmed')).toBe(0)
    for (const one of [shared, keyed, confirmed]) expect(await isThere(one.company_id)).toBe(true)
  })
})
