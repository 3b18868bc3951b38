import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { toSteps } from '../../../../domain/recovery/own-cascade.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { newEvent } from '../../../../kit/events.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { cascadeChanged } from './audit-events.ts'
import { cascadeIsBuiltIn, cascadeNotFound } from './errors.ts'
import {
  applies,
  Cascade,
  type CascadeRow,
  cascadeColumns,
  cascadeInPath,
  draftSteps,
  findBuiltIn,
  toCascade,
} from './schema.ts'

const CascadeUpdate = z
  .strictObject({
    steps: draftSteps.optional(),
    applies: applies
      .nullable()
      .optional()
      .meta({ description: 'Replaced as a whole; null: applies to all invoices' }),
    enabled: z.boolean().optional(),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'CascadeUpdate', description: 'Only the fields sent change' })

// The row of version 1 always exists, so it serves as the lock of the cascade.
const lockCascade = sql(
  'cascades.lock',
  'select name from cascades where name = $1 and version = 1 for no key update',
)
const readCurrent = sql(
  'cascades.get-current',
  `select ${cascadeColumns} from cascades where name = $1 and is_current`,
).as<CascadeRow>()
const setEnabled = sql(
  'cascades.set-enabled',
  'update cascades set enabled = $2 where name = $1 and is_current',
)
const retireCurrent = sql(
  'cascades.retire-current',
  'update cascades set is_current = false where name = $1 and is_current',
)
const insertCascadeVersion = sql(
  'cascades.insert-version',
  `insert into cascades (tenant_id, name, version, steps, applies, enabled, is_current, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, true, $6)`,
)

export const updateCascade = operation({
  id: 'cascades.update',
  method: 'PUT',
  path: '/api/v1/cascades/:name',
  summary: 'Change a cascade: new recoveries take the new version, running ones keep theirs',
  description: 'Switching it on or off makes no new version.',
  scopes: ['company:manage'],
  params: cascadeInPath,
  body: CascadeUpdate,
  status: 200,
  reply: Cascade,
  errors: [cascadeNotFound, cascadeIsBuiltIn],
  assistant: 'confirm',
  audit: [cascadeChanged],
  example: {
    body: {
      steps: [
        { name: 'email_prise_en_charge', day: 0 },
        { name: 'relance_email_1', day: 7 },
        { name: 'revue_judiciaire', day: 30 },
      ],
      applies: { debtorTypes: ['business'], minAmountCents: 100_000_000 },
      enabled: true,
    },
  },
  async run(call) {
    const { tx, now, params, body } = call
    if (findBuiltIn(params.name)) throw cascadeIsBuiltIn.make(params.name)
    const [, [current]] = await Promise.all([
      tx.rows(lockCascade, [params.name]),
      tx.rows(readCurrent, [params.name]),
    ])
    if (!current) throw cascadeNotFound.make()
    const changed = {
      ...current,
      steps: body.steps ? toSteps(body.steps) : current.steps,
      applies: body.applies === undefined ? current.applies : (body.applies ?? {}),
      enabled: body.enabled ?? current.enabled,
    }
    const record = ({ name, version, enabled }: CascadeRow) =>
      recordAudit(tx, [newEvent(cascadeChanged, name, { name, version, enabled })], call)
    if (isDeepStrictEqual(contentOf(changed), contentOf(current))) {
      if (changed.enabled !== current.enabled) record(changed)
      tx.atCommit(setEnabled, [current.name, changed.enabled])
      return toCascade(changed)
    }
    const next = { ...changed, version: current.version + 1, created_at: now }
    tx.atCommit(retireCurrent, [next.name])
    tx.atCommit(insertCascadeVersion, [
      next.name,
      next.version,
      JSON.stringify(next.steps),
      JSON.stringify(next.applies),
      next.enabled,
      iso(now),
    ])
    record(next)
    return toCascade(next)
  },
})

const contentOf = ({ steps, applies: meant }: CascadeRow) => ({ steps, applies: meant })
