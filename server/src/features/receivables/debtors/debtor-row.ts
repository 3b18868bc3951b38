import type { LocalCalendar } from '../../../domain/contact/calendar.ts'
import { defaultCountry } from '../../../domain/country.ts'
import { hasValidCheckDigit } from '../../../domain/siret.ts'
import { searchKey, trigrams } from '../../../kit/search-text.ts'
import type { CompanyFacts } from '../../access/companies/company.ts'
import { type DebtorFields, debtorTypeOf, type Insolvency } from './input-schema.ts'
import { type DebtorRow, emailKey, nameKey } from './schema.ts'

/** A debtor row as it is inserted, without its timestamps. */
export type NewDebtorRow = Omit<
  DebtorRow,
  | 'tenant_id'
  | 'created_at'
  | 'updated_at'
  | 'insolvency_kind'
  | 'insolvency_opened_on'
  | 'wrong_person'
  | 'erased_at'
  | 'paused_at'
  | 'paused_until'
>

/** The columns derived from name, email and SIRET. */
export function derivedColumns(
  tenantId: string,
  { name, email, siret }: { name: string; email: string; siret: string | null },
) {
  const searchText = [searchKey(name), emailKey(email), siret ?? ''].join('\n')
  return {
    name_key: nameKey(name),
    email_key: emailKey(email),
    search_text: searchText,
    search_grams: trigrams(tenantId, searchText),
  }
}

export function newDebtorRow(
  tenantId: string,
  id: string,
  input: DebtorFields & { name: string; email: string },
  company: CompanyFacts,
): NewDebtorRow {
  return {
    id,
    name: input.name,
    email: input.email,
    phone: input.phone ?? null,
    siret: input.siret ?? null,
    address: input.address ?? null,
    city: input.city ?? null,
    postal_code: input.postalCode ?? null,
    country: input.country ?? defaultCountry,
    type: debtorTypeOf(input.type, input.siret, company.default_debtor_type),
    language: input.language ?? company.language,
    notes: input.notes ?? null,
    ...derivedColumns(tenantId, { name: input.name, email: input.email, siret: input.siret ?? null }),
  }
}

export const debtorWarnings = (
  siret: string | null | undefined,
  calendar: LocalCalendar | null,
  { country, type }: { country: string; type: string },
) => [
  ...(siret && !hasValidCheckDigit(siret)
    ? [
        {
          code: 'siret_checksum',
          message: 'The check digit of the SIRET is wrong; the number is kept but not used.',
        },
      ]
    : []),
  ...(calendar !== null
    ? []
    : [
        {
          code: 'calendar_missing',
          message: `No calendar of public holidays for ${country}: nothing will be sent to this debtor.`,
        },
      ]),
  ...(type === 'consumer' && calendar !== null && calendar.country !== 'FR'
    ? [
        {
          code: 'foreign_consumer',
          message: `The rules that protect consumers in ${country} are not known here: nothing will be sent to this debtor.`,
        },
      ]
    : []),
]

/**
 * Art. R622-24 Code de commerce: two months from the publication of the opening judgment in the BODACC, two more for a creditor
 * outside metropolitan France. For other procedures and other countries we only know that there is a limit.
 */
export const insolvencyWarnings = (insolvency: Insolvency | null | undefined, country: string) => {
  if (!insolvency) return []
  const isFrench = country === 'FR' && insolvency.kind !== 'over_indebtedness'
  const limit = isFrench
    ? 'within two months of the publication of the opening judgment in the BODACC, or four if your company is not in metropolitan France (art. R622-24 C. com.)'
    : insolvency.kind === 'over_indebtedness'
      ? 'to the over-indebtedness commission, within the time its letter gives'
      : 'within the time the law of the proceedings gives'
  const message = `Every recovery of this debtor is paused. Declare your claim ${limit}; after that it may be lost.`
  return [{ code: 'insolvency_declaration', message }]
}
