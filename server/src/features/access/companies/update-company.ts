import type { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { Company, CompanyUpdate, readCompany, type Settings, toCompany, unset } from './settings.ts'

// A first row to lock: two changes at once are then one after the other, and none of them is lost.
const begin = sql(
  'companies.ensure-settings',
  `insert into company_settings (tenant_id, updated_at) values (current_setting('relance.tenant')::uuid, $1) on conflict do nothing`,
)
const lock = sql(
  'companies.lock-settings',
  'select tenant_id from company_settings where tenant_id = $1 for no key update',
)
const save = sql(
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
  async run({ tx, actor, now, body }) {
    const [, , [row]] = await Promise.all([
      tx.rows(begin, [iso(now)]),
      tx.rows(lock, [actor.tenantId]),
      tx.rows(readCompany, [actor.companyId, actor.tenantId]),
    ])
    const settings = { ...changed(row!.settings ?? unset, body), updated_at: now }
    tx.atCommit(save, [actor.tenantId, JSON.stringify(settings), iso(now)])
    return toCompany({ ...row!, settings }, actor.environment)
  },
})

function changed(before: Settings, body: z.output<typeof CompanyUpdate>): Settings {
  const set = <Name extends keyof Settings>(name: Name, given: Settings[Name] | null | undefined) =>
    given === undefined ? before[name] : (given ?? unset[name])
  const caps = body.caps === null ? { contactsPerWeek: null, contactsPerMonth: null } : body.caps
  return {
    legal_name: set('legal_name', body.legalName),
    address: set('address', body.address),
    postal_code: set('postal_code', body.postalCode),
    city: set('city', body.city),
    iban: set('iban', body.iban),
    reply_email: set('reply_email', body.replyEmail),
    contract_rate_bps: set('contract_rate_bps', body.contractRateBps),
    collector_mode: set('collector_mode', body.collectorMode),
    court_consent: set('court_consent', body.courtConsent),
    claims_late_payment: set('claims_late_payment', body.claimsLatePayment),
    payment_account: set('payment_account', body.paymentAccount),
    contacts_per_week: set('contacts_per_week', caps?.contactsPerWeek),
    contacts_per_month: set('contacts_per_month', caps?.contactsPerMonth),
  }
}
