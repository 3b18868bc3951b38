import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { OwnCascade } from '../../../domain/recovery/select-cascade.ts'
import type { Environment } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { defaultSettings, type MissingToSend, missingToSend, type Settings } from './settings.ts'

/** The facts about the creditor that recoveries need. */
export interface CompanyFacts {
  name: string
  reply_email: string
  country: string
  time_zone: string
  language: 'fr' | 'en'
  currency: string
  default_debtor_type: DebtorType
}

/** The company's setting in this tenant, else the value it was created with. */
const debtorTypeSql = `coalesce((select s.default_debtor_type from company_settings s
            where s.tenant_id = current_setting('relance.tenant')::uuid), c.default_debtor_type)`

const selectCompany = sql(
  'companies.get',
  `select c.name, c.reply_email, c.country, c.time_zone, c.language, c.currency, ${debtorTypeSql} as default_debtor_type
     from companies c where c.id = $1`,
).as<CompanyFacts>()

export const findCompany = async (tx: Tx, id: string): Promise<CompanyFacts> =>
  (await tx.rows(selectCompany, [id]))[0]!

/** All of them are read for every new invoice, so there is a maximum. */
export const ownCascadesMax = 100

/** The company, and its own cascades that are in use in this tenant. */
const selectCompanyWithCascades = sql(
  'companies.get-with-cascades',
  `select c.name, c.reply_email, c.country, c.time_zone, c.language, c.currency, ${debtorTypeSql} as default_debtor_type,
          c.mandate_signed_on is not null as is_collected,
          coalesce((select jsonb_agg(jsonb_build_object('name', o.name, 'version', o.version, 'steps', o.steps, 'applies', o.applies))
             from (select * from cascades where is_current and enabled limit ${ownCascadesMax}) o), '[]') as own_cascades,
          (select to_jsonb(s) from company_settings s where s.tenant_id = current_setting('relance.tenant')::uuid) as settings
     from companies c where c.id = $1`,
).as<CompanyFacts & { is_collected: boolean; own_cascades: OwnCascade[]; settings: Settings | null }>()

export const findCompanyWithCascades = async (tx: Tx, id: string) =>
  (await tx.rows(selectCompanyWithCascades, [id]))[0]!

const missingTexts: Record<MissingToSend, string> = {
  address: 'a complete postal address (address, postalCode, city)',
  means_of_payment: 'an IBAN or an account for cards',
  siren: 'its SIREN',
}

/** Warnings for a company that creates invoices before its settings are complete: they are accepted, and wait. */
export function incompleteWarnings(
  { settings, country }: { settings: Settings | null; country: string },
  environment: Environment,
): { code: string; message: string }[] {
  const missing = missingToSend(settings ?? defaultSettings, country)
  if (missing.length === 0) return []
  const what = missing.map(one => missingTexts[one]).join(', and ')
  return [
    {
      code: 'company_incomplete',
      message:
        environment === 'production'
          ? `Nothing is sent before the company has ${what}. What waits goes on then.`
          : `The company has not set ${what}. A sandbox sends without; production would not.`,
    },
  ]
}

/** Warnings for a company that creates an invoice of a consumer and has set no mediator. */
export const mediatorWarnings = (
  settings: Pick<Settings, 'mediator_name'> | null,
  type: DebtorType,
): { code: string; message: string }[] =>
  type !== 'consumer' || (settings?.mediator_name ?? null) !== null
    ? []
    : [
        {
          code: 'mediator_missing',
          message:
            'The debtor is a consumer, and the company has not set its `mediator`, of whom the law wants consumers told (L616-1 C. conso.).',
        },
      ]
