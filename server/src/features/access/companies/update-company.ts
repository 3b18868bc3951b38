import type { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { companyChanged } from './company-audit-events.ts'
import { Company, CompanyUpdate, defaultSettings, readCompany, type Settings, toCompany } from './settings.ts'

// Inserts a row to lock, so that concurrent changes run one after the other and none is lost.
const insertEmptySettings = sql(
  'companies.ensure-settings',
  `insert into company_settings (tenant_id, updated_at) values (current_setting('relance.tenant')::uuid, $1) on conflict do nothing`,
)
const lockSettings = sql(
  'companies.lock-settings',
  'select tenant_id from company_settings where tenant_id = $1 for no key update',
)
const updateSettings = sql(
  'companies.save-settings',
  `update company_settings s
      set legal_name = x.legal_name, address = x.address, postal_code = x.postal_code, city = x.city, iban = x.iban,
          reply_email = x.reply_email, contract_rate_bps = x.contract_rate_bps, collector_mode = x.collector_mode,
          court_consent = x.court_consent, claims_late_payment = x.claims_late_payment, payment_account = x.payment_account,
          contacts_per_week = x.contacts_per_week, contacts_per_month = x.contacts_per_month,
          updated_at = $3
     from jsonb_to_record($2::jsonb) as x(legal_name text, address text, postal_code text, city text, iban text, reply_email text,
       contract_rate_bps integer, collector_mode boolean, court_consent boolean, claims_late_payment boolean, payment_account text,
       contacts_per_week integer, contacts_per_month integer)
    where s.tenant_id = $1`,
)

export const updateCompany = operation({
  id: 'company.update',
  method: 'PUT',
  path: '/api/v1/company',
  summary: 'Change the settings of the company in this environment',
  description:
    'They hold from the next judgement on: a message that is about to leave is already judged and written by them.',
  scopes: ['webhooks:manage'],
  body: CompanyUpdate,
  status: 200,
  reply: Company,
  errors: [],
  assistant: 'confirm',
  audit: [companyChanged],
  example: {
    body: {
      legalName: 'Atelier Martin SAS',
      address: '4 rue des Tanneurs',
      postalCode: '69005',
      city: 'Lyon',
      iban: 'FR14 2004 1010 0505 0001 3M02 606',
      replyEmail: 'compta@atelier-martin.example',
      contractRateBps: 1_215,
      collectorMode: false,
      courtConsent: true,
      claimsLatePayment: true,
      paymentAccount: 'acct_1QyExample0000',
      caps: { contactsPerWeek: 2, contactsPerMonth: 6 },
    },
  },
  async run(call) {
    const { tx, actor, now, body } = call
    const [, , [row]] = await Promise.all([
      tx.rows(insertEmptySettings, [iso(now)]),
      tx.rows(lockSettings, [actor.tenantId]),
      tx.rows(readCompany, [actor.companyId, actor.tenantId]),
    ])
    const before = row!.settings ?? defaultSettings
    const after = withChanges(before, body)
    const settings = { ...after, updated_at: now }
    const changed = (Object.keys(after) as (keyof Settings)[]).filter(name => after[name] !== before[name])
    if (changed.length > 0) recordAudit(tx, [newEvent(companyChanged, actor.companyId, { changed })], call)
    tx.atCommit(updateSettings, [actor.tenantId, JSON.stringify(settings), iso(now)])
    return toCompany({ ...row!, settings }, actor.environment)
  },
})

function withChanges(before: Settings, body: z.output<typeof CompanyUpdate>): Settings {
  const changedOr = <Name extends keyof Settings>(name: Name, given: Settings[Name] | null | undefined) =>
    given === undefined ? before[name] : (given ?? defaultSettings[name])
  const caps = body.caps === null ? { contactsPerWeek: null, contactsPerMonth: null } : body.caps
  return {
    legal_name: changedOr('legal_name', body.legalName),
    address: changedOr('address', body.address),
    postal_code: changedOr('postal_code', body.postalCode),
    city: changedOr('city', body.city),
    iban: changedOr('iban', body.iban),
    reply_email: changedOr('reply_email', body.replyEmail),
    contract_rate_bps: changedOr('contract_rate_bps', body.contractRateBps),
    collector_mode: changedOr('collector_mode', body.collectorMode),
    court_consent: changedOr('court_consent', body.courtConsent),
    claims_late_payment: changedOr('claims_late_payment', body.claimsLatePayment),
    payment_account: changedOr('payment_account', body.paymentAccount),
    contacts_per_week: changedOr('contacts_per_week', caps?.contactsPerWeek),
    contacts_per_month: changedOr('contacts_per_month', caps?.contactsPerMonth),
  }
}
