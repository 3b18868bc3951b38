import type { z } from 'zod'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { companyChanged } from './audit-events.ts'
import { requireOwnAccount } from './card-accounts.ts'
import { accountNotOpened, freshSignInNeeded, payoutByOwnersOnly } from './errors.ts'
import { lockSettings, saveSettings } from './lock-settings.ts'
import { changePayout, requireFreshOwner, type WantedPayout } from './payout-changes.ts'
import { type PayoutField, payoutColumns, payoutFields } from './payout-fields.ts'
import { Company, toCompany } from './schema.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { CompanyUpdate } from './update-schema.ts'

export const updateCompany = operation({
  id: 'company.update',
  method: 'PUT',
  path: '/api/v1/company',
  summary: 'Change the settings of the company in this environment',
  description:
    'They apply at once: a message that is about to be sent is already checked and written with them. Where money goes (legalName, iban, accountHolder, replyEmail, telephone, paymentAccount) is changed in production by an owner who has signed in, on the page /account/company, or by the operator: by a key or a token it is refused. In the sandbox a key changes everything.',
  scopes: ['webhooks:manage'],
  people: ['owner'],
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
      legalForm: 'SARL',
      rcs: 'Lyon',
      mediator: { name: 'Exemple Conso', address: '1 rue du Lac, 75001 Paris' },
      courtConsent: true,
      claimsLatePayment: true,
      defaultDebtorType: 'business',
      caps: { contactsPerWeek: 2, contactsPerMonth: 6 },
    },
  },
  async run(call) {
    const { tx, actor, now, wall, body } = call
    const touched = payoutFields.filter(field => body[field] !== undefined)
    const wanted: WantedPayout = Object.fromEntries(touched.map(field => [field, body[field]]))
    const isProduction = actor.environment === 'production'
    if (isProduction && touched.length > 0) await requireFreshOwner(tx, actor, wall, touched)
    if (isProduction) await requireOwnAccount(tx, body.paymentAccount)
    const row = await lockSettings(tx, actor, now)
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

const withPayout = (before: Settings, wanted: WantedPayout): Settings => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(wanted).map(([field, value]) => [payoutColumns[field as PayoutField], value]),
  ),
})

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
    // Replaced as a whole, so that no field of the old mediator stays.
    ...(body.mediator !== undefined && {
      mediator_name: body.mediator?.name ?? null,
      mediator_address: body.mediator?.address ?? null,
      mediator_website: body.mediator?.website ?? null,
    }),
    contract_rate_bps: changedOr('contract_rate_bps', body.contractRateBps),
    court_consent: changedOr('court_consent', body.courtConsent),
    claims_late_payment: changedOr('claims_late_payment', body.claimsLatePayment),
    default_debtor_type: changedOr('default_debtor_type', body.defaultDebtorType),
    contacts_per_week: changedOr('contacts_per_week', caps?.contactsPerWeek),
    contacts_per_month: changedOr('contacts_per_month', caps?.contactsPerMonth),
    keep_months: changedOr('keep_months', body.keepMonths),
  }
}
