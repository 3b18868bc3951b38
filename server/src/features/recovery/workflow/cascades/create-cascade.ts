import { z } from 'zod'
import { toSteps } from '../../../../domain/recovery/own-cascade.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { newEvent } from '../../../../kit/events.ts'
import { optional } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { ownCascadesMax } from '../../../access/companies/company.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { cascadeCreated } from './audit-events.ts'
import { cascadeNameTaken, tooManyCascades } from './errors.ts'
import { applies, Cascade, type CascadeRow, draftSteps, findBuiltIn, toCascade } from './schema.ts'

const CascadeInput = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be 1 to 40 of a-z, 0-9 and _, a letter first'),
    steps: draftSteps,
    applies: optional(applies),
    enabled: optional(z.boolean()).meta({ default: true }),
  })
  .meta({ id: 'CascadeInput' })

const countOwnCascades = sql(
  'cascades.count',
  `select count(*) as n from (select 1 from cascades where is_current limit ${ownCascadesMax}) own`,
).as<{ n: number }>()
const insertCascade = sql(
  'cascades.insert',
  `insert into cascades (tenant_id, name, version, steps, applies, enabled, is_current, created_at)
   values (current_setting('relance.tenant')::uuid, $1, 1, $2, $3, $4, true, $5) on conflict do nothing returning name`,
)

export const createCascade = operation({
  id: 'cascades.create',
  method: 'POST',
  path: '/api/v1/cascades',
  summary: 'Create a cascade of your own; new recoveries that it applies to use it',
  scopes: ['company:manage'],
  body: CascadeInput,
  status: 201,
  reply: Cascade,
  errors: [cascadeNameTaken, tooManyCascades],
  assistant: 'confirm',
  audit: [cascadeCreated],
  example: {
    body: {
      name: 'gentle',
      steps: [
        { name: 'email_prise_en_charge', day: 0 },
        { name: 'relance_email_1', day: 10 },
        { name: 'lrar_mise_en_demeure', day: 30 },
        { name: 'revue_judiciaire', day: 60 },
      ],
      applies: { debtorTypes: ['business'], minAmountCents: 100_000_000 },
      enabled: true,
    },
  },
  async run(call) {
    const { tx, now, body } = call
    if (findBuiltIn(body.name)) throw cascadeNameTaken.make(body.name, true)
    const row: CascadeRow = {
      name: body.name,
      version: 1,
      steps: toSteps(body.steps),
      applies: body.applies ?? {},
      enabled: body.enabled ?? true,
      created_at: now,
    }
    const [[own], [inserted]] = await Promise.all([
      tx.rows(countOwnCascades, []),
      tx.rows(insertCascade, [
        row.name,
        JSON.stringify(row.steps),
        JSON.stringify(row.applies),
        row.enabled,
        iso(now),
      ]),
    ])
    if (!inserted) throw cascadeNameTaken.make(body.name, false)
    if (own!.n >= ownCascadesMax) throw tooManyCascades.make(ownCascadesMax)
    const { name, version, enabled } = row
    recordAudit(tx, [newEvent(cascadeCreated, name, { name, version, enabled })], call)
    return toCascade(row)
  },
})
