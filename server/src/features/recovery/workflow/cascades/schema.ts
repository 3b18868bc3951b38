import { z } from 'zod'
import { channels } from '../../../../domain/contact/channel.ts'
import { debtorTypes } from '../../../../domain/debtor-type.ts'
import {
  type Cascade as BuiltIn,
  builtInCascades,
  knownSteps,
  type Step,
  type StepName,
} from '../../../../domain/recovery/cascade.ts'
import { faultsIn } from '../../../../domain/recovery/own-cascade.ts'
import type { Selection } from '../../../../domain/recovery/select-cascade.ts'
import { iso } from '../../../../kit/clock.ts'
import { dateTime, optional } from '../../../../kit/fields.ts'

const cents = z.int().min(0).max(1_000_000_000_000)
const score = z.int().min(0).max(195)

/** A condition that is absent matches every recovery. */
export const applies = z
  .strictObject({
    debtorTypes: optional(z.array(z.enum(debtorTypes)).min(1).max(debtorTypes.length)),
    minAmountCents: optional(cents),
    maxAmountCents: optional(cents),
    minScore: optional(score),
    maxScore: optional(score),
  })
  .superRefine((given, context) => {
    for (const [low, high] of [
      ['minAmountCents', 'maxAmountCents'],
      ['minScore', 'maxScore'],
    ] as const)
      if ((given[low] ?? 0) > (given[high] ?? Number.POSITIVE_INFINITY))
        context.addIssue({ code: 'custom', path: [high], message: `is less than ${low}` })
  })
  // Removes undefined fields, so that the value equals what is read back from the database.
  .transform(given => JSON.parse(JSON.stringify(given)) as Selection)
  .meta({
    description: 'Which invoices it applies to; if several cascades apply, the most specific one is used',
  })

const stepNames = Object.keys(knownSteps) as [StepName, ...StepName[]]

export const draftSteps = z
  .array(z.strictObject({ name: z.enum(stepNames), day: z.int().min(0) }))
  .superRefine((steps, context) => {
    for (const { step, field, message } of faultsIn(steps)) {
      const path = [...(step === null ? [] : [step]), ...(field === null ? [] : [field])]
      context.addIssue({ code: 'custom', path, message })
    }
  })
  .meta({
    description:
      'From `email_prise_en_charge` on day 0 to `revue_judiciaire`; days count from the start, at least 3 between two steps and 8 after the formal notice',
  })

const CascadeStep = z
  .object({
    name: z.string(),
    channel: z
      .enum(channels)
      .nullable()
      .meta({ description: 'Follows from the name; null: a person decides' }),
    day: z.int(),
  })
  .meta({ id: 'CascadeStep' })

export const Cascade = z
  .object({
    name: z.string(),
    version: z.int(),
    builtIn: z.boolean(),
    enabled: z.boolean().meta({ description: 'False: no new recovery takes it; running ones go on' }),
    applies: z
      .object({
        debtorTypes: z.array(z.enum(debtorTypes)).optional(),
        minAmountCents: z.int().optional(),
        maxAmountCents: z.int().optional(),
        minScore: z.int().optional(),
        maxScore: z.int().optional(),
      })
      .nullable()
      .meta({ description: 'Null for built-in cascades, which are used where none of your own applies' }),
    steps: z.array(CascadeStep),
    createdAt: dateTime.nullable(),
  })
  .meta({ id: 'Cascade' })

/** Case is ignored in a path, as for ids. */
export const cascadeInPath = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, 'must be the name of a cascade')
    .transform(name => name.toLowerCase()),
})

export interface CascadeRow {
  name: string
  version: number
  steps: Step[]
  applies: Selection
  enabled: boolean
  created_at: number
}

export const cascadeColumns = 'name, version, steps, applies, enabled, created_at'

const toStep = ({ name, channel, day }: Step) => ({ name, channel, day })

export const toCascade = (row: CascadeRow): z.input<typeof Cascade> => ({
  name: row.name,
  version: row.version,
  builtIn: false,
  enabled: row.enabled,
  applies: { ...row.applies, debtorTypes: row.applies.debtorTypes && [...row.applies.debtorTypes] },
  steps: row.steps.map(toStep),
  createdAt: iso(row.created_at),
})

export const toBuiltIn = ({ name, version, steps }: BuiltIn): z.input<typeof Cascade> => ({
  name,
  version,
  builtIn: true,
  enabled: true,
  applies: null,
  steps: steps.map(toStep),
  createdAt: null,
})

/** The current version of a built-in cascade. */
export const findBuiltIn = (name: string): BuiltIn | undefined =>
  builtInCascades.findLast(cascade => cascade.name === name)
