import { randomBytes, randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { switchCompany } from '../../../../test/harness/operator.ts'
import { peopleCalls, type SignedUpPerson, withProxy } from '../../../../test/harness/people-calls.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

let client: pg.Client
let owner: SignedUpPerson
let stranger: SignedUpPerson

interface Entering {
  hash: Buffer
  person: string
  role: string
  tenant: string
  wall: Date
}

const sessionOf = async ({ personId }: SignedUpPerson) =>
  (
    await installation.sql<{ token_hash: Buffer }>('select token_hash from sessions where person_id = $1', [
      personId,
    ])
  )[0]!.token_hash
const tenantOf = async ({ companyId }: SignedUpPerson, environment = 'production') =>
  (
    await installation.sql<{ id: string }>(
      'select id from tenants where company_id = $1 and environment = $2',
      [companyId, environment],
    )
  )[0]!.id

/** The tenant that was entered, or the state it was refused with. */
async function enter(changes: Partial<Entering> = {}): Promise<string> {
  const hash = changes.hash ?? (await sessionOf(owner))
  const tenant = changes.tenant ?? (await tenantOf(owner))
  const { person, role, wall } = { person: owner.personId, role: 'owner', wall: new Date(), ...changes }
  await client.query('begin')
  try {
    await client.query('select enter_by_session($1, $2, $3, $4, $5)', [hash, person, role, tenant, wall])
    const { rows } = await client.query(`select current_setting('relance.tenant') as tenant`)
    return rows[0].tenant
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.query('rollback')
  }
}

beforeAll(async () => {
  client = new pg.Client({ connectionString: installation.database.env.API_DATABASE_URL })
  await client.connect()
  owner = await people.newOwner()
  stranger = await people.newOwner()
})
afterAll(() => client?.end())

it('a session enters both tenants of a company its person belongs to', async () => {
  for (const environment of ['production', 'sandbox']) {
    const tenant = await tenantOf(owner, environment)
    expect(await enter({ tenant })).toBe(tenant)
  }
})

it('nothing is entered with a session, a person, a role or a company that do not belong together', async () => {
  const refused: Partial<Entering>[] = [
    { hash: randomBytes(32) },
    { hash: await sessionOf(stranger) },
    { person: stranger.personId },
    { hash: await sessionOf(stranger), person: stranger.personId },
    { role: 'manager' },
    { role: '' },
    { tenant: await tenantOf(stranger) },
    { tenant: randomUUIDv7() },
    { wall: new Date(Date.now() + 12 * 3_600_000 + 1_000) },
  ]
  for (const changes of refused) expect(await enter(changes), JSON.stringify(changes)).toBe('RL001')
})

it('what is withdrawn is refused at once: the role, the membership, the company, the session', async () => {
  const { personId, companyId } = owner
  const setRole = (role: string) =>
    installation.sql('update memberships set role = $3 where person_id = $1 and company_id = $2', [
      personId,
      companyId,
      role,
    ])
  await setRole('viewer')
  expect([await enter(), await enter({ role: 'viewer' })]).toEqual(['RL001', await tenantOf(owner)])
  await setRole('owner')
  await switchCompany(installation, companyId, false)
  expect(await enter()).toBe('RL002')
  await switchCompany(installation, companyId, true)
  const hash = await sessionOf(owner)
  await owner.visitor.submit(await owner.visitor.get('/account'), '/account/sessions/end-all')
  expect(await enter({ hash })).toBe('RL001')
})

it('neither the worker nor the operator enters by a session', async () => {
  for (const url of ['WORKER_DATABASE_URL', 'OPERATOR_DATABASE_URL'] as const) {
    const other = new pg.Client({ connectionString: installation.database.env[url] })
    await other.connect()
    const asked = other.query('select enter_by_session($1, $2, $3, $4, $5)', [
      await sessionOf(stranger),
      stranger.personId,
      'owner',
      await tenantOf(stranger),
      new Date(),
    ])
    await expect(asked.finally(() => other.end())).rejects.toMatchObject({ code: '42501' })
  }
})
