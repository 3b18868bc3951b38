import type { LocalCalendar } from '../../../domain/contact/calendar.ts'
import { defaultCountry } from '../../../domain/country.ts'
import { declareBy, type Place } from '../../../domain/recovery/insolvency.ts'
import { hasValidCheckDigit } from '../../../domain/siret.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
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
  | 'insolvency_published_on'
  | 'insolvency_court'
  | 'insolvency_practitioner'
  | 'insolvency_declare_by'
  | 'insolvency_warned_days'
  | 'insolvency_recorded_at'
  | 'insolvency_declared_on'
  | 'insolvency_proof'
  | 'in_charge_id'
  | 'wrong_person'
  | 'erased_at'
  | 'paused_at'
  | 'paused_until'
  | 'restricted_at'
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

/** The columns of proceedings; all null without them. */
export function insolvencyColumns(
  insolvency: Insolvency | null,
  debtor: Place,
  creditor: Place,
): Pick<DebtorRow, InsolvencyColumn> {
  const { kind, openedOn, publishedOn = null } = insolvency ?? {}
  return {
    insolvency_kind: kind ?? null,
    insolvency_opened_on: openedOn ?? null,
    insolvency_published_on: publishedOn,
    insolvency_court: insolvency?.court ?? null,
    insolvency_practitioner: insolvency?.practitioner ?? null,
    insolvency_declare_by:
      kind && openedOn ? declareBy({ kind, openedOn, publishedOn }, debtor, creditor) : null,
    insolvency_declared_on: insolvency?.declaredOn ?? null,
    insolvency_proof: insolvency?.declarationProof ?? null,
  }
}
export type InsolvencyColumn =
  | 'insolvency_kind'
  | 'insolvency_opened_on'
  | 'insolvency_published_on'
  | 'insolvency_court'
  | 'insolvency_practitioner'
  | 'insolvency_declare_by'
  | 'insolvency_declared_on'
  | 'insolvency_proof'

const selectCreditorPlace = sql(
  'debtors.get-creditor-place',
  `select c.country, s.postal_code as "postalCode"
     from companies c left join company_settings s on s.tenant_id = current_setting('relance.tenant')::uuid where c.id = $1`,
).as<Place>()

/** Where the creditor is: the time to declare a claim depends on it. */
export const creditorPlace = async (tx: Tx, companyId: string): Promise<Place> =>
  (await tx.rows(selectCreditorPlace, [companyId]))[0]!

/** What the creditor has to do now, with its last day. */
export function insolvencyWarnings(
  {
    insolvency_kind: kind,
    insolvency_published_on: publishedOn,
    insolvency_declare_by: lastDay,
    insolvency_declared_on: declaredOn,
  }: Pick<DebtorRow, InsolvencyColumn>,
  country: string,
) {
  if (kind === null || declaredOn !== null) return []
  const where = kind === 'over_indebtedness' ? ' to the over-indebtedness commission' : ''
  const basis =
    kind === 'over_indebtedness'
      ? 'counted as thirty days; the letter of the commission gives the exact time'
      : kind === 'other' || country !== 'FR'
        ? 'counted as thirty days; the law of the proceedings gives the exact time'
        : publishedOn === null
          ? 'counted from the opening; it begins with the publication in the BODACC (art. R622-24 C. com.), so record its day'
          : 'art. R622-24 C. com.'
  const message = `Every recovery of this debtor is paused. Declare your claim${where} by ${lastDay} (${basis}); after that it may be lost.`
  return [{ code: 'insolvency_declaration', message }]
}
