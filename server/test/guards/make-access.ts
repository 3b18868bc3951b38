import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { createKey } from '../../src/features/access/api-keys/create-key.ts'
import { lookupOf } from '../../src/features/access/api-keys/key-format.ts'
import { keysMax } from '../../src/features/access/api-keys/schema.ts'
import { registerClient } from '../../src/features/access/oauth/register-client.ts'
import { clientsMax } from '../../src/features/access/oauth/schema.ts'
import { scopesOfRole } from '../../src/features/access/roles.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { events } from '../../src/features/integrations/webhooks/event-catalogue.ts'
import { scopesNeededFor } from '../../src/features/integrations/webhooks/webhook-maker.ts'
import type { Scope } from '../../src/kit/actor.ts'
import type { Operation } from '../../src/kit/operation.ts'
import type { TestInstallation } from '../harness/use-installation.ts'
import { exampleOf, type Maker, postOk, randomHex } from './make-helpers.ts'

/** The guards create hundreds of keys, and few may be enabled at once: the oldest, which are no longer needed, are disabled. */
export const makeRoomForKey = (installation: TestInstallation, key: string) =>
  installation.sql(
    `update api_keys set enabled = false where id in (
       select id from api_keys
        where tenant_id = (select tenant_id from api_keys where lookup = $1) and enabled and name <> 'First key'
        order by id desc offset ${keysMax - 20})`,
    [lookupOf(key)],
  )

/** A key that every caller with the right to manage keys may rotate and delete. */
export const apiKey: Maker = async (installation, key) => {
  await makeRoomForKey(installation, key)
  return (await postOk<{ id: string }>(installation, key, createKey.path, exampleOf(createKey))).id
}

/** The same for applications, except those the guards use themselves, which have a name prefix. */
export const makeRoomForClient = (installation: TestInstallation, key: string) =>
  installation.sql(
    `update oauth_clients set enabled = false where id in (
       select id from oauth_clients
        where tenant_id = (select tenant_id from api_keys where lookup = $1) and enabled and name not like 'Guard%'
        order by created_at desc, id offset ${clientsMax - 60})`,
    [lookupOf(key)],
  )

export const oauthClient: Maker = async (installation, key) => {
  await makeRoomForClient(installation, key)
  const body = exampleOf(registerClient)
  return (await postOk<{ clientId: string }>(installation, key, registerClient.path, body)).clientId
}

/** People belong to a company and not to one of its environments: what a sandbox key could mean is nobody's. */
const companyOf = async (installation: TestInstallation, key: string): Promise<string> => {
  if (key.startsWith('fk_test_')) return randomUUIDv7()
  const [row] = await installation.sql<{ company_id: string }>(
    'select t.company_id from api_keys k join tenants t on t.id = k.tenant_id where k.lookup = $1',
    [lookupOf(key)],
  )
  return row!.company_id
}

export const member: Maker = async (installation, key) => {
  const id = randomUUIDv7()
  const now = new Date().toISOString()
  await installation.sql(
    `with person as (
       insert into people (id, email, email_key, name, language, created_at) values ($1, $2, $2, 'Camille Exemple', 'fr', $4) returning id)
     insert into memberships (person_id, company_id, role, created_at) select id, $3, 'viewer', $4 from person`,
    [id, `membre-${randomHex()}@example.org`, await companyOf(installation, key), now],
  )
  return id
}

export const invitation: Maker = async (installation, key) => {
  const id = randomUUIDv7()
  await installation.sql(
    `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
     values ($1, $2, $3, $3, 'viewer', 'fr', $4, 'guard', $5, $5::timestamptz + interval '7 days')`,
    [
      id,
      await companyOf(installation, key),
      `invite-${randomHex()}@example.org`,
      randomBytes(32),
      new Date().toISOString(),
    ],
  )
  return id
}

/** The number of open invitations and of those sent per day is limited: existing ones are moved to last month. */
export const makeRoomForInvitation = async (installation: TestInstallation, key: string) =>
  installation.sql(
    `update invitations set withdrawn_at = created_at, created_at = created_at - interval '30 days'
      where company_id = $1 and withdrawn_at is null`,
    [await companyOf(installation, key)],
  )

/** Operations on a webhook need the read scopes of its events; those of the guards have any of them. */
const concernsEvents = ({ id, path }: Operation) =>
  id === 'webhooks.create' || path.startsWith('/api/v1/webhooks/:id')
/** Operations that give or take a role need what the role may do as well; that of the guards is a viewer. */
const concernRole = /^members\.(invite|withdrawInvitation|update|remove)$/
export const scopesFor = (operation: Operation): readonly Scope[] =>
  concernsEvents(operation)
    ? scopesNeededFor(events.map(({ type }) => type))
    : concernRole.test(operation.id)
      ? scopes.filter(
          scope => operation.scopes.includes(scope) || scopesOfRole('viewer', scopes).includes(scope),
        )
      : operation.id === 'tasks.bulk'
        ? // Its example has a filter, which shows what it finds.
          [...operation.scopes, 'invoices:read']
        : operation.scopes

/** The example of a message is an email, which the scope of letters does not send; that of a task is a pause. */
const judgedByBody = /^workflow\.communicate$|^tasks\./

/** The scopes with which its example succeeds. */
export const enoughFor = (operation: Operation): (readonly Scope[])[] => [
  scopesFor(operation),
  ...(judgedByBody.test(operation.id) ? [] : (operation.orScopes ?? [])),
]

/** Everything but one of the scopes it asks for, and but those that would do instead. */
export const scopesBut = ({ orScopes = [] }: Operation, missing: Scope): Scope[] =>
  scopes.filter(scope => scope !== missing && !orScopes.flat().includes(scope))

/** Where money goes, each field with a value that is valid: in production no credential changes it. */
export const payoutBodies: readonly Record<string, unknown>[] = [
  { legalName: 'Somebody Else SAS' },
  { iban: 'DE89370400440532013000' },
  { accountHolder: 'Somebody Else' },
  { replyEmail: 'replies@elsewhere.example' },
  { telephone: '+33612345678' },
  { paymentAccount: 'acct_1SomebodyElse' },
  { mediator: { name: 'Somebody Else', website: 'elsewhere.example' } },
]

/** Operations that grant lasting access are refused to keys that expire or are limited to addresses. */
export const isForUnlimitedKeys = ({ id }: Operation): boolean =>
  [
    'oauthClients.create',
    'oauthClients.update',
    'oauthClients.rotateSecret',
    'members.invite',
    'members.update',
    'webhooks.create',
    'webhooks.update',
    'webhooks.recover',
  ].includes(id)
