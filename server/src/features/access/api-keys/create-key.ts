import { z } from 'zod'
import { line, moment, optional } from '../../../kit/fields.ts'
import { companyNotOpened } from '../../../kit/http/envelope.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { keyCreated, keyCreatedEvent } from './audit-events.ts'
import {
  expiryExceedsCaller,
  expiryHasPassed,
  reservedToProduction,
  scopesExceedCaller,
  tooManyKeys,
  whitelistExceedsCaller,
  wrongEnvironment,
} from './errors.ts'
import { blocksOf, exceeds } from './key-grants.ts'
import { environments, keysMax, NewApiKey, scopeList, toNewApiKey, whitelist } from './schema.ts'
import { issueKey, lockKeys } from './store.ts'

const defaultName = 'API key'

const ApiKeyInput = z
  .strictObject({
    name: optional(line(100)).meta({ default: defaultName }),
    scopes: optional(scopeList).meta({ description: 'Scopes that you have yourself; default all of them' }),
    ipWhitelist: optional(whitelist).meta({
      description:
        'Addresses and ranges the key may be used from; empty: any. Within those of your own key; default the same. IPv4 and IPv6 are separate: `0.0.0.0/0` is every IPv4 address and no other',
    }),
    expiresAt: optional(moment).meta({ description: 'Not after that of your own key; default the same' }),
    environment: optional(z.enum(environments)).meta({ description: 'That of your own key' }),
  })
  .meta({ id: 'ApiKeyInput' })

export const createKey = operation({
  id: 'apiKeys.create',
  method: 'POST',
  path: '/api/v1/api-keys',
  summary: 'Create a key with the same or fewer permissions than yours',
  description: `It can have only scopes, addresses and an expiry within those of your key. A tenant has ${keysMax} enabled keys at most.`,
  scopes: ['webhooks:manage'],
  fresh: true,
  body: ApiKeyInput,
  status: 201,
  reply: NewApiKey,
  secret: { shownOnce: 'Keep this key now: it is shown this once and cannot be read again.' },
  errors: [
    scopesExceedCaller,
    expiryExceedsCaller,
    whitelistExceedsCaller,
    reservedToProduction,
    wrongEnvironment,
    expiryHasPassed,
    tooManyKeys,
    companyNotOpened,
  ],
  // The reply contains a secret, and a model could repeat it.
  assistant: 'never',
  audit: [keyCreated],
  example: {
    body: {
      name: 'Deployment pipeline',
      scopes: ['webhooks:manage'],
      ipWhitelist: ['192.0.2.17', '192.0.2.64/28'],
    },
  },
  async run(call) {
    const { tx, actor, wall, body } = call
    if (body.environment !== undefined && body.environment !== actor.environment)
      throw actor.environment === 'sandbox' ? reservedToProduction.make() : wrongEnvironment.make()
    if (body.expiresAt !== undefined && body.expiresAt <= wall) throw expiryHasPassed.make()
    const caller = await lockKeys(tx, actor)
    const settings = {
      name: body.name ?? defaultName,
      scopes: body.scopes ?? caller.scopes,
      ip_whitelist: body.ipWhitelist ?? caller.ip_whitelist,
      expires_at: body.expiresAt ?? caller.expires_at,
    }
    // The company page can call this for a production tenant that the operator has not opened.
    if (!caller.is_open) throw companyNotOpened.make()
    const refusal = exceeds(caller, settings)
    if (refusal) throw refusal
    if (caller.enabled_keys >= keysMax) throw tooManyKeys.make(keysMax)
    const { row, text } = await issueKey(call, caller, settings)
    recordAudit(tx, [keyCreatedEvent(row, actor.environment)], call)
    const answer = toNewApiKey(row, text, actor.environment)
    const open = blocksOf(settings.ip_whitelist).filter(({ bits }) => bits === 0)
    return open.length === 0
      ? answer
      : new WithWarnings(answer, [
          {
            code: 'whitelist_open',
            message: `The whitelist lets in every ${open.map(({ address }) => (address.kind() === 'ipv4' ? 'IPv4' : 'IPv6')).join(' and ')} address.`,
          },
        ])
  },
})
