import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { keyCreated, keyCreatedEvent, keyRotated, keyRotatedEvent } from './audit-events.ts'
import {
  expiryExceedsCaller,
  keyHasExpired,
  keyIsOff,
  keyNotFound,
  scopesExceedCaller,
  whitelistExceedsCaller,
} from './errors.ts'
import { exceeds } from './key-grants.ts'
import { NewApiKey, toNewApiKey } from './schema.ts'
import { deactivateKey, issueKey, lockKey } from './store.ts'

export const rotateKey = operation({
  id: 'apiKeys.rotate',
  method: 'POST',
  path: '/api/v1/api-keys/:id/rotate',
  summary: 'Replace a key by a new one with the same settings; the old one is disabled at once',
  description:
    'Replace keys every 90 days; to do so without an interruption, create a new one first and delete the old one later. The new key has a new id, and the webhooks of the old one. A key may rotate itself; the answer then cannot be requested again.',
  scopes: ['webhooks:manage'],
  fresh: true,
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: NewApiKey,
  secret: {
    shownOnce:
      'Keep this key now: it is shown this once and cannot be read again. The old key works no more.',
  },
  errors: [
    keyNotFound,
    scopesExceedCaller,
    expiryExceedsCaller,
    whitelistExceedsCaller,
    keyIsOff,
    keyHasExpired,
  ],
  assistant: 'never',
  audit: [keyRotated, keyCreated],
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller, key } = await lockKey(tx, actor, params.id)
    const refusal = exceeds(caller, key)
    if (refusal) throw refusal
    if (!key.enabled) throw keyIsOff.make()
    if (key.expires_at !== null && key.expires_at <= wall) throw keyHasExpired.make()
    // A key of the operator has no maker: what it rotates keeps its own.
    const maker = caller.made_by === null ? key : caller
    const { made_by, maker_role } = maker
    const { row, text } = await issueKey(call, { cell: caller.cell, made_by, maker_role }, key)
    deactivateKey(tx, key.id, row.id)
    recordAudit(
      tx,
      [keyRotatedEvent(key, actor.environment, row.id), keyCreatedEvent(row, actor.environment)],
      call,
    )
    return toNewApiKey(row, text, actor.environment)
  },
})
