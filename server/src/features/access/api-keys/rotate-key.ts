import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordActs } from '../../platform/events/record-events.ts'
import { created, rotated } from './acts.ts'
import { NewApiKey, toNewApiKey } from './api-key.ts'
import {
  keyHasExpired,
  keyIsOff,
  keyNotFound,
  outlivesCaller,
  reachesBeyondCaller,
  scopesBeyondCaller,
} from './errors.ts'
import { beyond } from './power.ts'
import { aloneWithKey, deactivate, mint } from './store.ts'

export const rotateKey = operation({
  id: 'apiKeys.rotate',
  method: 'POST',
  path: '/api/v1/api-keys/:id/rotate',
  summary: 'Replace a key by a new one with the same settings; the old one is dead at once',
  description:
    'Replace keys every 90 days; to do so without a pause, create a new one first and delete the old one later. The new key has a new id. A key may rotate itself; the answer then cannot be asked for again, because nobody is left to ask for it.',
  scopes: ['webhooks:manage'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: NewApiKey,
  shownOnce: 'Keep this key now: it is shown this once and cannot be read again. The old key works no more.',
  errors: [keyNotFound, scopesBeyondCaller, outlivesCaller, reachesBeyondCaller, keyIsOff, keyHasExpired],
  assistant: 'never',
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller, key } = await aloneWithKey(tx, actor, params.id)
    const refusal = beyond(caller, key)
    if (refusal) throw refusal
    if (!key.enabled) throw keyIsOff.make()
    if (key.expires_at !== null && key.expires_at <= wall) throw keyHasExpired.make()
    deactivate(tx, key.id)
    const { row, text } = mint(call, caller.cell, key)
    recordActs(tx, [rotated(key, actor.environment, row.id), created(row, actor.environment)], call)
    return toNewApiKey(row, text, actor.environment)
  },
})
