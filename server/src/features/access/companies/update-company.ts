import type { z } from 'zod'
import { lacksCapital } from '../../../domain/legal-form.ts'
import { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { companyChanged } from './audit-events.ts'
import { requireOwnAccount } from './card-accounts.ts'
import { accountNotOpened, freshSignInNeeded, payoutByOwnersOnly } from './errors.ts'
import { lockSettings, saveSettings } from './lock-settings.ts'
import { changePayout, requireFreshOwner, type WantedPayout } from './payout-changes.ts'
import { mediatorValue, payoutFields, type WaitingField } from './payout-fields.ts'
import { Company, toCompany } from './schema.ts'
import { type CompanyRow, defaultSettings, type Settings } from './settings.ts'
import { CompanyUpdate } from './update-schema.ts'
import { waitingValue, withWaitingValue } from './waiting-values.ts'

export const updateCompany = operation({
  id: 'company.update',
  method: 'PUT',
  path: '/api/v1/company',
  summary: 'Change the settings of the company in this environment',
  description:
    'They apply at once: a message that is about to be sent is already checked and written with them. Where money goes (legalName, iban, accountHolder, replyEmail, telephone, paymentAccount) and the mediator are changed in production by an owner who has signed in, on the page /account/company, or by the operator: by a key or a token it is refused. In the sandbox a key changes everything.',
  scopes: ['company:manage'],
  body: CompanyUpdate,
  bodyFaults: {
    immutable: {
      fields: ['collectorMode'],
      because: {
        sentence: 'is set by the operator, who keeps the mandate that the law requires; no key can set it.',
        field: 'is set by the operator, with the mandate',
      },
    },
  },

  status: 200,
  reply: Company,
  errors: [payoutByOwnersOnly, freshSignInNeeded, accountNotOpened],
  assistant: 'never',
  audit: [companyChanged],
  example: {
    body: {
      address: '4 rue des Tanneurs',
      postalCode: '69005',
      city: 'Lyon',
      contractRateBps: 1_215,
      siren: '732829320',
      legalForm: 'SARL au capital de 10 000 €',
      rcs: 'Lyon',
      courtConsent: true,
      claimsLatePayment: true,
      defaultDebtorType: 'business',
      caps: { contactsPerWeek: 2, contactsPerMonth: 6 },
    },
  },
  async run(call) {
    const { tx, actor, now, wall, body } = call
    const isProduction = actor.environment === 'production'
    const row = await lockSettings(tx, actor, now)
    if (row.country === 'FR' && body.legalForm && lacksCapital(body.legalForm)) refuseLegalForm()
    const wanted = wantedPayout(body, row)
    const touched = Object.keys(wanted) as WaitingField[]
    if (isProduction && touched.length > 0) await requireFreshOwner(tx, actor, wall, touched)
    if (isProduction) await requireOwnAccount(tx, body.paymentAccount)
    const { settings: before, pending } = isProduction
      ? await changePayout(call, row, wanted)
      : { settings: withPayout(row.settings ?? defaultSettings, wanted), pending: [] }
    const after = withChanges(before, body)
    const settings = { ...after, updated_at: now }
    // In production `changePayout` records the payout fields.
    const recorded = isProduction ? before : (row.settings ?? defaultSettings)
    const changed = (Object.keys(after) as (keyof Settings)[]).filter(name => after[name] !== recorded[name])
    if (changed.length > 0) recordAudit(tx, [newEvent(companyChanged, actor.companyId, { changed })], call)
    saveSettings(call, actor, settings)
    return toCompany(tx, { ...row, settings, pending }, actor)
  },
})

function refuseLegalForm(): never {
  const message = 'names no capital; write it as in SARL au capital de 10 000 € (R123-238 C. com.)'
  throw new ApiError('VAL_001', `legalForm ${message}.`, {
    details: [{ field: 'legalForm', code: 'capital_missing', message }],
  })
}

/** The fields of the body that follow the rule of payouts. A mediator that is sent unchanged with an address is none of them. */
function wantedPayout(body: z.output<typeof CompanyUpdate>, row: CompanyRow): WantedPayout {
  const wanted: WantedPayout = {}
  for (const field of payoutFields) if (body[field] !== undefined) wanted[field] = body[field]
  if (body.mediator === undefined) return wanted
  const given = body.mediator
  const mediator = mediatorValue(given && { ...given, address: given.address ?? null })
  const isWaiting = row.pending.some(({ field }) => field === 'mediator')
  return mediator === waitingValue(row, 'mediator') && !isWaiting ? wanted : { ...wanted, mediator }
}

const withPayout = (before: Settings, wanted: WantedPayout): Settings =>
  (Object.entries(wanted) as [WaitingField, string | null][]).reduce(
    (settings, [field, value]) => withWaitingValue(settings, field, value),
    before,
  )

/** The settings with all changes except those of the payout fields. */
function withChanges(before: Settings, body: z.output<typeof CompanyUpdate>): Settings {
  const changedOr = <Name extends keyof Settings>(name: Name, given: Settings[Name] | null | undefined) =>
    given === undefined ? before[name] : (given ?? defaultSettings[name])
  const caps = body.caps === null ? { contactsPerWeek: null, contactsPerMonth: null } : body.caps
  return {
    ...before,
    address: changedOr('address', body.address),
    postal_code: changedOr('postal_code', body.postalCode),
    city: changedOr('city', body.city),
    siren: changedOr('siren', body.siren),
    legal_form: changedOr('legal_form', body.legalForm),
    rcs: changedOr('rcs', body.rcs),
    contract_rate_bps: changedOr('contract_rate_bps', body.contractRateBps),
    court_consent: changedOr('court_consent', body.courtConsent),
    claims_late_payment: changedOr('claims_late_payment', body.claimsLatePayment),
    default_debtor_type: changedOr('default_debtor_type', body.defaultDebtorType),
    contacts_per_week: changedOr('contacts_per_week', caps?.contactsPerWeek),
    contacts_per_month: changedOr('contacts_per_month', caps?.contactsPerMonth),
    keep_months: changedOr('keep_months', body.keepMonths),
    keep_months_consumers: changedOr('keep_months_consumers', body.keepMonthsConsumers),
    keep_reply_days: changedOr('keep_reply_days', body.keepReplyDays),
  }
}
