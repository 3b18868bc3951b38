import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import { defaultCaps } from '../../../domain/contact/contact-rules.ts'
import { isMobile } from '../../../domain/contact/phone.ts'
import { cents } from '../../../domain/money/money.ts'
import { builtInCascades } from '../../../domain/recovery/cascade.ts'
import { forecastActions } from '../../../domain/recovery/forecast.ts'
import { anchorOf, planFirstStep } from '../../../domain/recovery/plan-step.ts'
import { type OwnCascade, selectCascade } from '../../../domain/recovery/select-cascade.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { centsInput, day, line, moment, optional, optionalText } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompanyWithCascades } from '../../access/companies/company.ts'
import { reasonText } from '../../recovery/case/reason-texts.ts'
import { planFields, toPlannedActions } from '../../recovery/workflow/plan-schema.ts'
import { debtorFields, debtorTypeOf } from '../debtors/input-schema.ts'

const PreviewInput = z
  .strictObject({
    amountCents: centsInput,
    dueDate: day,
    debtor: z.strictObject({
      type: optional(debtorFields.type),
      siret: optionalText(debtorFields.siret),
      phone: optionalText(debtorFields.phone),
      address: optionalText(debtorFields.address),
      postalCode: optionalText(debtorFields.postalCode),
      city: optionalText(debtorFields.city),
      country: optionalText(debtorFields.country),
    }),
    startAt: optional(moment).meta({ description: 'When the recovery would start; default now' }),
    cascade: optional(line(40)).meta({
      description: 'Name of a cascade, the house’s or your own; default the one that would be chosen',
    }),
  })
  .meta({ id: 'PlanPreviewInput' })

const PlanPreview = z.object(planFields).meta({ id: 'PlanPreview' })

const readCaps = sql(
  'invoices.get-contact-caps',
  `select contacts_per_week, contacts_per_month from company_settings where tenant_id = current_setting('relance.tenant')::uuid`,
)

/** There is no debtor id yet to spread messages over the day, so the hour is only an example. */
const seed = 'preview'

export const previewPlan = operation({
  id: 'workflow.preview',
  method: 'POST',
  path: '/api/v1/workflow/preview',
  summary: 'Work out the plan of an invoice that does not exist yet; writes nothing',
  description:
    'The same rules as for a real one, for a debtor who was never contacted. Days are exact as things stand; the hour within a day depends on the debtor’s record and is an example.',
  scopes: ['workflow:read'],
  body: PreviewInput,
  status: 200,
  reply: PlanPreview,
  errors: [],
  assistant: 'read',
  audit: 'none: it plans what does not exist, and writes nothing',
  example: {
    body: {
      amountCents: 120_000,
      dueDate: '2026-10-15',
      debtor: { siret: '73282932000074', phone: '+33612345678', postalCode: '69002', city: 'Lyon' },
    },
  },
  async run({ tx, actor, body, now }) {
    const [company, [settings]] = await Promise.all([
      findCompanyWithCascades(tx, actor.companyId),
      tx.rows(readCaps, []),
    ])
    const { debtor, dueDate } = body
    if (body.startAt !== undefined && body.startAt < now) throw invalidField('startAt', 'is in the past')
    const startAt = body.startAt ?? now
    const type = debtorTypeOf(debtor.type, debtor.siret, company.default_debtor_type)
    const amount = cents(body.amountCents)
    const cascade =
      body.cascade === undefined
        ? selectCascade({ type, isNaturalPerson: false, amount, score: null }, company.own_cascades)
        : cascadeByName(body.cascade, company.own_cascades)
    const calendar = calendarFor({
      country: debtor.country ?? 'FR',
      postalCode: debtor.postalCode ?? null,
    })
    const rules = {
      calendar,
      contacts: [],
      month: [],
      caps: settings
        ? { perWeek: settings.contacts_per_week, perMonth: settings.contacts_per_month }
        : defaultCaps,
      isConsumer: type === 'consumer',
      quietUntil: null,
    }
    const first = planFirstStep(rules, cascade, dueDate, startAt, seed)
    const actions = forecastActions(
      [
        {
          invoiceId: '',
          status: 'in_recovery',
          holds: [],
          pausedAt: null,
          lastAt: null,
          progress: {
            cascade,
            step: 0,
            attempt: 0,
            anchor: anchorOf(calendar, startAt, dueDate),
            notice: null,
          },
          due: first,
          reach: {
            hasPhone: debtor.phone !== undefined,
            hasMobile: debtor.phone !== undefined && isMobile(debtor.phone),
            hasAddress:
              debtor.address !== undefined && debtor.postalCode !== undefined && debtor.city !== undefined,
            closed: [],
            balance: amount,
            missing: [],
          },
          dueDate,
          acknowledgedAt: null,
        },
      ],
      [],
      { rules, now: startAt, seed, hold: null, unusable: [] },
    )
    const reasonCode = first.at === null ? first.because : 'planned'
    return {
      cascade: cascade.name,
      cascadeVersion: cascade.version,
      actions: toPlannedActions(actions),
      reason: reasonText(reasonCode),
      reasonCode,
    }
  },
})

/** The latest version of a cascade by name: the company's own before a built-in one, as when a recovery starts. */
function cascadeByName(name: string, own: readonly OwnCascade[]) {
  const found =
    own.find(cascade => cascade.name === name) ?? builtInCascades.findLast(cascade => cascade.name === name)
  if (!found) throw invalidField('cascade', 'is not the name of a cascade in use')
  return found
}

const invalidField = (field: string, message: string) =>
  new ApiError('VAL_001', `${field} ${message}.`, { details: [{ field, code: 'invalid', message }] })
