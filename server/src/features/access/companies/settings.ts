import { defaultCaps } from '../../../domain/contact/contact-rules.ts'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { ActorRef } from '../../../kit/events.ts'
import type { Tier } from '../tiers.ts'
import type { WaitingField } from './payout-fields.ts'

export interface Settings {
  legal_name: string | null
  address: string | null
  postal_code: string | null
  city: string | null
  siren: string | null
  legal_form: string | null
  rcs: string | null
  mediator_name: string | null
  mediator_address: string | null
  mediator_website: string | null
  iban: string | null
  account_holder: string | null
  reply_email: string | null
  telephone: string | null
  contract_rate_bps: number | null
  collector_mode: boolean
  court_consent: boolean
  claims_late_payment: boolean
  payment_account: string | null
  /** When debtors could pay for the first time; the database sets it. */
  first_payout_at: string | null
  default_debtor_type: DebtorType | null
  contacts_per_week: number
  contacts_per_month: number
  keep_months: number
  keep_months_consumers: number
  keep_reply_days: number
}

/**
 * At least three months, so that a reversed payment is still matched to its debtor; at most ten years, after which accounting law
 * requires nothing more (L123-22 C. com.). Default: five years, the limitation of personal claims (art. 2224 C. civ.); of
 * consumers two years, after which nothing can be claimed of them (L218-2 C. conso.).
 */
export const keepMonths = { min: 3, max: 120, usual: 60, usualOfConsumers: 24 }

/** The text of a reply serves whoever answers it, so it stays for some days after it was read. */
export const keepReplyDays = { min: 0, max: 90, usual: 30 }

export const defaultSettings: Settings = {
  legal_name: null,
  address: null,
  postal_code: null,
  city: null,
  siren: null,
  legal_form: null,
  rcs: null,
  mediator_name: null,
  mediator_address: null,
  mediator_website: null,
  iban: null,
  account_holder: null,
  reply_email: null,
  telephone: null,
  contract_rate_bps: null,
  collector_mode: false,
  court_consent: false,
  claims_late_payment: true,
  payment_account: null,
  first_payout_at: null,
  default_debtor_type: null,
  contacts_per_week: defaultCaps.perWeek,
  contacts_per_month: defaultCaps.perMonth,
  keep_months: keepMonths.usual,
  keep_months_consumers: keepMonths.usualOfConsumers,
  keep_reply_days: keepReplyDays.usual,
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
  /** The company stopped its own sending. */
  own_stop: { since: number; reason: string; by: string } | null
}

/** A change of where money goes that does not apply yet. */
export interface PendingRow {
  field: WaitingField
  value: string | null
  requestedBy: ActorRef
  requestedAt: number
  effectiveAt: number
}

export type MissingToSend = 'address' | 'means_of_payment' | 'siren'

/** The rule `company_incomplete` of the SQL function `stop_reason`, in detail. */
export const missingToSend = (
  {
    address,
    postal_code,
    city,
    iban: account,
    payment_account,
    siren,
  }: Pick<Settings, 'address' | 'postal_code' | 'city' | 'iban' | 'payment_account' | 'siren'>,
  country: string,
): MissingToSend[] => [
  ...(address === null || postal_code === null || city === null ? ['address' as const] : []),
  ...(account === null && payment_account === null ? ['means_of_payment' as const] : []),
  // R123-237 C. com.: on every letter written in the name of a company.
  ...(country === 'FR' && siren === null ? ['siren' as const] : []),
]
