import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { keysMost } from '../../src/features/access/api-keys/api-key.ts'
import { createKey } from '../../src/features/access/api-keys/create-key.ts'
import { lookupOf } from '../../src/features/access/api-keys/key-format.ts'
import { clientsMost } from '../../src/features/access/oauth/oauth-client.ts'
import { registerClient } from '../../src/features/access/oauth/register-client.ts'
import { scopesOfRole } from '../../src/features/access/roles.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import type { Operation, Scope } from '../../src/kit/operation.ts'
import type { House } from '../harness/house.ts'
import { exampleOf, type Maker, posted, word } from './posted.ts'

/** The guards go through hundreds of keys, and few may be enabled: the oldest, whose guard is done with them, make room. */
export const makeRoomForKey = (house: House, key: string) =>
  house.sql(
    `update api_keys set enabled = false where id in (
       select id from api_keys
        where tenant_id = (select tenant_id from api_keys where lookup = $1) and enabled and name <> 'First key'
        order by id desc offset ${keysMost - 20})`,
    [lookupOf(key)],
  )

/** Such that whoever may manage keys at all, and from the guards' listed address, may rotate and delete it. */
export const apiKey: Maker = async (house, key) => {
  await makeRoomForKey(house, key)
  return (await posted<{ id: string }>(house, key, createKey.path, exampleOf(createKey))).id
}

/** The same for applications. Those that guards act by have names of their own. */
export const makeRoomForClient = (house: House, key: string) =>
  house.sql(
    `update oauth_clients set enabled = false where id in (
       select id from oauth_clients
        where tenant_id = (select tenant_id from api_keys where lookup = $1) and enabled and name not like 'Guard%'
        order by created_at desc, id offset ${clientsMost - 60})`,
    [lookupOf(key)],
  )

export const oauthClient: Maker = async (house, key) => {
  await makeRoomForClient(house, key)
  const body = exampleOf(registerClient)
  return (await posted<{ clientId: string }>(house, key, registerClient.path, body)).clientId
}

/** People belong to a company and not to one of its environments: what a sandbox key could mean is nobody's. */
const companyOf = async (house: House, key: string): Promise<string> => {
  if (key.startsWith('fk_test_')) return randomUUIDv7()
  const [row] = await house.sql<{ company_id: string }>(
    'select t.company_id from api_keys k join tenants t on t.id = k.tenant_id where k.lookup = $1',
    [lookupOf(key)],
  )
  return row!.company_id
}

export const member: Maker = async (house, key) => {
  const id = randomUUIDv7()
  const now = new Date().toISOString()
  await house.sql(
    `with person as (
       insert into people (id, email, email_key, name, language, created_at) values ($1, $2, $2, 'Camille Exemple', 'fr', $4) returning id)
     insert into memberships (person_id, company_id, role, created_at) select id, $3, 'viewer', $4 from person`,
    [id, `membre-${word()}@example.org`, await companyOf(house, key), now],
  )
  return id
}

export const invitation: Maker = async (house, key) => {
  const id = randomUUIDv7()
  await house.sql(
    `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
     values ($1, $2, $3, $3, 'viewer', 'fr', $4, 'guard', $5, $5::timestamptz + interval '7 days')`,
    [
      id,
      await companyOf(house, key),
      `invite-${word()}@example.org`,
      randomBytes(32),
      new Date().toISOString(),
    ],
  )
  return id
}

/** Few may be open, and few be sent in a day: those there are become last month's. */
export const makeRoomForInvitation = async (house: House, key: string) =>
  house.sql(
    `update invitations set withdrawn_at = created_at, created_at = created_at - interval '30 days'
      where company_id = $1 and withdrawn_at is null`,
    [await companyOf(house, key)],
  )

/** Operations that give or take a role need what the role may do as well; that of the guards is a viewer. */
const concernRole = /^members\.(invite|withdrawInvitation|update|remove)$/
export const scopesFor = (operation: Operation): readonly Scope[] =>
  concernRole.test(operation.id)
    ? scopes.filter(
        scope => operation.scopes.includes(scope) || scopesOfRole('viewer', scopes).includes(scope),
      )
    : operation.scopes

/** Everything but one of the scopes it asks for, and but those that would do instead. */
export const scopesBut = ({ orScopes = [] }: Operation, missing: Scope): Scope[] =>
  scopes.filter(scope => scope !== missing && !orScopes.includes(scope))

/** What gives out power for good is not for a key that ends or is bound to addresses. */
export const isForUnlimitedKeys = ({ id }: Operation): boolean =>
  [
    'oauthClients.create',
    'oauthClients.update',
    'oauthClients.rotateSecret',
    'members.invite',
    'members.update',
  ].includes(id)
