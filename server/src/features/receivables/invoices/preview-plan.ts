import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import { defaultCaps } from '../../../domain/contact/contact-rules.ts'
import { isMobile } from '../../../domain/contact/phone.ts'
import { type DebtorType, isNaturalPerson } from '../../../domain/debtor-type.ts'
import { cents } from '../../../domain/money/money.ts'
import { builtInCascades, type Reach } from '../../../domain/recovery/cascade.ts'
import { forecastActions, type OngoingRecovery } from '../../../domain/recovery/forecast.ts'
import { anchorOf, planFirstStep } from '../../../domain/recovery/plan-step.ts'
import { type OwnCascade, selectCascade } from '../../../domain/recovery/select-cascade.ts'
import type { LookContext, WaitingExtra } from '../../../domain/recovery/waiting.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { centsInput, day, line, moment, optional, uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { findCompanyWithCascades } from '../../access/companies/company.ts'
import { contactFile, lookContextOf, newlyListed, reachOf } from '../../recovery/case/debtor-file.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorNotFound } from '../../recovery/case/errors.ts'
import { reasonText } from '../../recovery/case/reason-texts.ts'
import {
  selectWaitingExtras,
  selectWaitingRecoveries,
  waitingExtraOf,
  waitingRecoveryOf,
} from '../../recovery/case/recovery-store.ts'
import { planFields, toPlannedActions } from '../../recovery/workflow/plan-schema.ts'
import { debtorFields, debtorTypeOf, optionalDebtorFields, withStoredPhone } from '../debtors/input-schema.ts'
import { dueAfterIssue, notPlannedFields, optionalLimitation, timeBarOfNew } from './schema.ts'

const PreviewInput = z
  .strictObject({
    amountCents: centsInput,
    dueDate: day,
    debtor: z
      .strictObject({
        id: optional(uuid),
        name: optional(debtorFields.name),
        email: optional(debtorFields.email),
        ...optionalDebtorFields,
      })
      .check(withStoredPhone)
      .meta({
        description:
          'An existing debtor by `id`; else what is known of one. Nothing else is needed for a plan',
      }),
    ...notPlannedFields,
    ...optionalLimitation,
    startAt: optional(moment).meta({ description: 'When the recovery would start; default now' }),
    cascade: optional(line(40)).meta({
      description: 'Name of a cascade, the house’s or your own; default the one that would be chosen',
    }),
  })
  .superRefine(dueAfterIssue)
  .meta({ id: 'PlanPreviewInput' })

const precisions = ['day', 'minute'] as const
const PlanPreview = z
  .object({
    ...planFields,
    precision: z.enum(precisions).meta({
      description:
        'How exact the moments are. `day`: the hour within a day is an example, because it depends on the record of the debtor',
    }),
  })
  .meta({ id: 'PlanPreview' })

const readCaps = sql(
  'invoices.get-contact-caps',
  `select contacts_per_week, contacts_per_month from company_settings where tenant_id = current_setting('relance.tenant')::uuid`,
)

const readQuiet = sql(
  'invoices.get-quiet-period',
  'select quiet_until from agendas where tenant_id = $1 and debtor_id = $2',
)
const readScore = sql('invoices.get-score', 'select score from debtor_scores where debtor_id = $1')

type PreviewCall = Call<unknown, unknown, z.output<typeof PreviewInput>>
type Company = Awaited<ReturnType<typeof findCompanyWithCascades>>

/** Everything a plan needs to know about a debtor. */
interface PreviewedDebtor {
  type: DebtorType
  isPerson: boolean
  score: number | null
  reach: Reach
  context: LookContext
  /** What else waits for the debtor, and competes for its days. */
  others: readonly OngoingRecovery[]
  extras: readonly WaitingExtra[]
}

/** A debtor that exists: its record, its contacts, and what waits for it. What is sent beside its id changes nothing. */
async function knownDebtor(
  { tx, actor, body }: PreviewCall,
  id: string,
  startAt: number,
): Promise<PreviewedDebtor> {
  const [[file], [agenda], [scored], waiting, extras] = await Promise.all([
    tx.rows(selectDebtorFile, [id]),
    tx.rows(readQuiet, [actor.tenantId, id]),
    tx.rows(readScore, [id]),
    tx.rows(selectWaitingRecoveries, [id]),
    tx.rows(selectWaitingExtras, [id]),
  ])
  if (!file) throw debtorNotFound.make(id)
  return {
    type: file.type,
    isPerson: isNaturalPerson(file.type, file.name),
    score: scored?.score ?? null,
    reach: reachOf(file, cents(body.amountCents), newlyListed(file)),
    context: lookContextOf(file, contactFile(file, agenda ?? null), startAt),
    others: waiting.map(row => {
      const recovery = waitingRecoveryOf(row, file)
      return { ...recovery, due: { ...recovery.due, shifts: [] } }
    }),
    extras: extras.map(extra => waitingExtraOf(extra, file)),
  }
}

/** There is no debtor id yet to spread messages over the day, so the hour is only an example. */
const exampleSeed = 'preview'

async function newDebtor(
  { tx, body }: PreviewCall,
  company: Company,
  startAt: number,
): Promise<PreviewedDebtor> {
  const [settings] = await tx.rows(readCaps, [])
  const { debtor } = body
  const type = debtorTypeOf(debtor.type, debtor.siret, company.default_debtor_type)
  const rules = {
    calendar: calendarFor({ country: debtor.country ?? 'FR', postalCode: debtor.postalCode ?? null }),
    contacts: [],
    month: [],
    caps: settings
      ? { perWeek: settings.contacts_per_week, perMonth: settings.contacts_per_month }
      : defaultCaps,
    isConsumer: type === 'consumer',
    quietUntil: null,
  }
  return {
    type,
    isPerson: debtor.name !== undefined && isNaturalPerson(type, debtor.name),
    score: null,
    reach: {
      hasPhone: debtor.phone !== undefined,
      hasMobile: debtor.phone !== undefined && isMobile(debtor.phone),
      hasAddress:
        debtor.address !== undefined && debtor.postalCode !== undefined && debtor.city !== undefined,
      closed: [],
      balance: cents(body.amountCents),
      missing: [],
    },
    context: { rules, now: startAt, seed: exampleSeed, hold: null, unusable: [] },
    others: [],
    extras: [],
  }
}

export const previewPlan = operation({
  id: 'workflow.preview',
  method: 'POST',
  path: '/api/v1/workflow/preview',
  summary: 'Work out the plan of an invoice that does not exist yet; writes nothing',
  description:
    'Takes the body of `POST /api/v1/invoices`, or as much of it as is known. The same rules as for a real one. Without `debtor.id` it plans for a debtor who was never contacted: days are exact as things stand, and the hour within a day is an example (`precision` is `day`). With it, what was sent to this debtor and what waits for it counts too.',
  scopes: ['workflow:read'],
  body: PreviewInput,
  status: 200,
  reply: PlanPreview,
  errors: [debtorNotFound],
  assistant: 'read',
  audit: 'none: it plans what does not exist, and writes nothing',
  example: {
    body: {
      amountCents: 120_000,
      dueDate: '2026-10-15',
      debtor: { siret: '73282932000074', phone: '+33612345678', postalCode: '69002', city: 'Lyon' },
    },
  },
  async run(call) {
    const { tx, actor, body, now } = call
    const company = await findCompanyWithCascades(tx, actor.companyId)
    const { debtor, dueDate } = body
    if (body.startAt !== undefined && body.startAt < now) throw invalidField('startAt', 'is in the past')
    const startAt = body.startAt ?? now
    const { type, isPerson, score, reach, context, others, extras } =
      debtor.id === undefined
        ? await newDebtor(call, company, startAt)
        : await knownDebtor(call, debtor.id, startAt)
    const cascade =
      body.cascade === undefined
        ? selectCascade(
            { type, isNaturalPerson: isPerson, amount: cents(body.amountCents), score },
            company.own_cascades,
          )
        : cascadeByName(body.cascade, company.own_cascades)
    const first = planFirstStep(context.rules, cascade, dueDate, startAt, context.seed)
    const previewed: OngoingRecovery = {
      invoiceId: '',
      status: 'in_recovery',
      holds: [],
      pausedAt: null,
      lastAt: null,
      progress: {
        cascade,
        step: 0,
        attempt: 0,
        anchor: anchorOf(context.rules.calendar, startAt, dueDate),
        notice: null,
      },
      due: first,
      reach,
      dueDate,
      limitationEndsOn: timeBarOfNew({ ...body, issueDate: body.issueDate ?? dueDate }, type).endsOn,
    }
    const actions = forecastActions([...others, previewed], extras, context).filter(
      ({ invoiceId }) => invoiceId === '',
    )
    const reasonCode = first.at === null ? first.because : 'planned'
    return {
      cascade: cascade.name,
      cascadeVersion: cascade.version,
      actions: toPlannedActions(actions),
      reason: reasonText(reasonCode),
      reasonCode,
      precision: debtor.id === undefined ? ('day' as const) : ('minute' as const),
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
