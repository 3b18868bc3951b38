import { z } from 'zod'
import { capsMax, defaultCaps } from '../../../domain/contact/contact-rules.ts'
import { type DebtorType, debtorTypes } from '../../../domain/debtor-type.ts'
import { compactIban, isIban } from '../../../domain/money/iban.ts'
import { isSiren } from '../../../domain/siret.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { ActorRef } from '../../../kit/events.ts'
import { dateTime, email, line, lines, phone } from '../../../kit/fields.ts'
import type { Environment } from '../../../kit/operation.ts'
import { shownText } from '../../platform/shown-text.ts'
import { type Tier, tiers } from '../tiers.ts'
import { maskPayout, type PayoutField, payoutColumns, payoutFields } from './payout-fields.ts'

const iban = z
  .string()
  .max(50)
  .transform(compactIban)
  .refine(isIban, 'is not an IBAN: its length or its check digits are wrong')
  .meta({ examples: ['FR14 2004 1010 0505 0001 3M02 606'] })

const siren = z
  .string()
  .max(20)
  .transform(text => text.replaceAll(/\s/g, ''))
  .refine(isSiren, 'is not a SIREN: nine digits, of which the last is a check digit')
  .meta({ examples: ['732 829 320'] })

const paymentAccount = z
  .string()
  .regex(
    /^acct_[A-Za-z0-9]{8,64}$/,
    'is not an account of the payment provider: acct_ and its letters and digits',
  )
  .meta({ examples: ['acct_1QyExample0000'] })

/** Null resets a setting to its default. */
const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

export const CompanyUpdate = z
  .strictObject({
    legalName: clearable(line(200)),
    address: clearable(shownText(lines(300))),
    postalCode: clearable(shownText(line(20))),
    city: clearable(shownText(line(100))),
    siren: clearable(siren),
    iban: clearable(iban),
    accountHolder: clearable(line(70)),
    replyEmail: clearable(email),
    telephone: clearable(phone),
    contractRateBps: clearable(z.int().min(0).max(10_000)),
    courtConsent: clearable(z.boolean()),
    claimsLatePayment: clearable(z.boolean()),
    paymentAccount: clearable(paymentAccount),
    defaultDebtorType: clearable(z.enum(debtorTypes)),
    caps: clearable(
      z
        .strictObject({
          contactsPerWeek: clearable(z.int().min(1).max(capsMax.perWeek)),
          contactsPerMonth: clearable(z.int().min(1).max(capsMax.perMonth)),
        })
        .refine(caps => Object.keys(caps).length > 0, 'has nothing to change'),
    ),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'CompanyUpdate', description: 'Only the fields sent change; null clears a setting' })

const masked = z.string().nullable().meta({ description: 'Masked; null: empty' })
const PendingChange = z
  .object({
    field: z.enum(payoutFields),
    from: masked,
    to: masked,
    requestedAt: dateTime,
    effectiveAt: dateTime.meta({ description: 'From then on the new value counts' }),
  })
  .meta({ id: 'PendingChange' })

export const Company = z
  .object({
    name: z.string(),
    country: z.string(),
    timeZone: z.string(),
    language: z.enum(['fr', 'en']),
    currency: z.string(),
    tier: z.enum(tiers),
    environment: z.enum(['production', 'sandbox']).meta({ description: 'Each has settings of its own' }),
    legalName: z.string().nullable().meta({ description: 'How messages name the creditor; null: by `name`' }),
    address: z.string().nullable(),
    postalCode: z.string().nullable(),
    city: z.string().nullable(),
    siren: z.string().nullable().meta({ description: 'Nine digits; in every email and letter' }),
    iban: z.string().nullable().meta({ description: 'Where debtors pay; without spaces' }),
    accountHolder: z.string().nullable().meta({
      description: 'Whose account it is, as the bank knows them; null: the creditor, as messages name it',
    }),
    replyEmail: z
      .string()
      .nullable()
      .meta({ description: 'Where answers of debtors go; null: to the owner’s address' }),
    telephone: z.string().nullable().meta({ description: 'Where debtors can call the creditor; E.164' }),
    hasLogo: z.boolean().meta({ description: 'Emails, letters and the debtor’s page show it' }),
    contractRateBps: z.int().nullable().meta({
      description: 'Interest agreed on with debtors, in hundredths of a percent a year; null: the legal rate',
    }),
    collectorMode: z.boolean().meta({
      description:
        'The operator collects on the creditor’s mandate, and messages speak as the collector; otherwise they speak as the creditor. Set by the operator, with the mandate',
    }),
    missingToSend: z.array(z.enum(['address', 'means_of_payment'])).meta({
      description:
        'What the company still has to set before anything is sent in production: its postal address; an IBAN or an account for cards. A sandbox sends without them',
    }),
    courtConsent: z
      .boolean()
      .meta({ description: 'Messages may say that the creditor is ready to go to court' }),
    claimsLatePayment: z.boolean().meta({
      description:
        'Firm messages claim the 40 € and the interest of the law for late payment, never from consumers; only for companies in France, in euros',
    }),
    paymentAccount: z.string().nullable().meta({
      description:
        'Account at the payment provider that cards of debtors are paid to; null: no cards. In production it is the one that the provider’s onboarding opened for the company',
    }),
    defaultDebtorType: z.enum(debtorTypes).meta({
      description:
        'What a new debtor is taken for that has no valid SIRET and is given no type: the late-payment claim is never made of consumers. Null sets it back to what the company was made with',
    }),
    caps: z.object({ contactsPerWeek: z.int(), contactsPerMonth: z.int() }).meta({
      description:
        'The most contacts of one debtor in 7 and in 30 days; the law’s own limits stand below them',
    }),
    pendingChanges: z.array(PendingChange).meta({
      description:
        'In production a change of where money goes waits 24 hours, unless a second owner confirms it; a first value counts at once while debtors cannot pay yet',
    }),
    updatedAt: dateTime.nullable().meta({ description: 'Null: nothing was ever set' }),
  })
  .meta({ id: 'Company' })

export interface Settings {
  legal_name: string | null
  address: string | null
  postal_code: string | null
  city: string | null
  siren: string | null
  iban: string | null
  account_holder: string | null
  reply_email: string | null
  telephone: string | null
  contract_rate_bps: number | null
  collector_mode: boolean
  court_consent: boolean
  claims_late_payment: boolean
  payment_account: string | null
  default_debtor_type: DebtorType | null
  contacts_per_week: number
  contacts_per_month: number
}

export const defaultSettings: Settings = {
  legal_name: null,
  address: null,
  postal_code: null,
  city: null,
  siren: null,
  iban: null,
  account_holder: null,
  reply_email: null,
  telephone: null,
  contract_rate_bps: null,
  collector_mode: false,
  court_consent: false,
  claims_late_payment: true,
  payment_account: null,
  default_debtor_type: null,
  contacts_per_week: defaultCaps.perWeek,
  contacts_per_month: defaultCaps.perMonth,
}

/** The company and what it set in this tenant; the settings are null where it never set anything. */
export interface CompanyRow {
  name: string
  country: string
  time_zone: string
  language: 'fr' | 'en'
  currency: string
  tier: Tier
  default_debtor_type: DebtorType
  has_mandate: boolean
  has_logo: boolean
  settings: (Settings & { updated_at: number }) | null
  pending: readonly PendingRow[]
}

/** A change of where money goes that does not count yet. */
export interface PendingRow {
  field: PayoutField
  value: string | null
  requestedBy: ActorRef
  requestedAt: number
  effectiveAt: number
}

export const readCompany = sql(
  'companies.get-settings',
  `select c.name, c.country, c.time_zone, c.language, c.currency, c.tier, c.default_debtor_type, c.mandate_signed_on is not null as has_mandate,
          exists (select from company_logos g where g.tenant_id = $2) as has_logo,
          (select to_jsonb(s) - 'updated_at' || jsonb_build_object('updated_at', floor(extract(epoch from s.updated_at) * 1000))
             from company_settings s where s.tenant_id = $2) as settings,
          coalesce((select jsonb_agg(jsonb_build_object('field', p.field, 'value', p.value, 'requestedBy', p.requested_by,
                      'requestedAt', floor(extract(epoch from p.requested_at) * 1000),
                      'effectiveAt', floor(extract(epoch from p.effective_at) * 1000)) order by p.field)
             from payout_changes p where p.tenant_id = $2), '[]') as pending
     from companies c where c.id = $1`,
).as<CompanyRow>()

export type MissingToSend = 'address' | 'means_of_payment'

/** The rule `company_incomplete` of the SQL function `stop_reason`, in detail. */
export const missingToSend = ({
  address,
  postal_code,
  city,
  iban: account,
  payment_account,
}: Pick<Settings, 'address' | 'postal_code' | 'city' | 'iban' | 'payment_account'>): MissingToSend[] => [
  ...(address === null || postal_code === null || city === null ? ['address' as const] : []),
  ...(account === null && payment_account === null ? ['means_of_payment' as const] : []),
]

export const toCompany = (row: CompanyRow, environment: Environment): z.input<typeof Company> => {
  const settings = row.settings ?? defaultSettings
  return {
    name: row.name,
    country: row.country,
    timeZone: row.time_zone,
    language: row.language,
    currency: row.currency,
    tier: row.tier,
    environment,
    legalName: settings.legal_name,
    address: settings.address,
    postalCode: settings.postal_code,
    city: settings.city,
    siren: settings.siren,
    iban: settings.iban,
    accountHolder: settings.account_holder,
    replyEmail: settings.reply_email,
    telephone: settings.telephone,
    hasLogo: row.has_logo,
    contractRateBps: settings.contract_rate_bps,
    collectorMode: row.has_mandate || settings.collector_mode,
    missingToSend: missingToSend(settings),
    courtConsent: settings.court_consent,
    claimsLatePayment: settings.claims_late_payment,
    paymentAccount: settings.payment_account,
    defaultDebtorType: settings.default_debtor_type ?? row.default_debtor_type,
    caps: { contactsPerWeek: settings.contacts_per_week, contactsPerMonth: settings.contacts_per_month },
    pendingChanges: row.pending.map(({ field, value, requestedAt, effectiveAt }) => ({
      field,
      from: maskPayout(field, settings[payoutColumns[field]]),
      to: maskPayout(field, value),
      requestedAt: iso(requestedAt),
      effectiveAt: iso(effectiveAt),
    })),
    updatedAt: row.settings ? iso(row.settings.updated_at) : null,
  }
}
