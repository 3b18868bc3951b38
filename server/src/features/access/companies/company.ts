import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { OwnCascade } from '../../../domain/recovery/select-cascade.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

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

/** What the company set in this tenant, else what it was made with. */
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

/** The company, and the cascades of its own that are in use in this tenant. */
const selectCompanyWithCascades = sql(
  'companies.get-with-cascades',
  `select c.name, c.reply_email, c.country, c.time_zone, c.language, c.currency, ${debtorTypeSql} as default_debtor_type,
          coalesce((select jsonb_agg(jsonb_build_object('name', o.name, 'version', o.version, 'steps', o.steps, 'applies', o.applies))
             from (select * from cascades where is_current and enabled limit ${ownCascadesMax}) o), '[]') as own_cascades
     from companies c where c.id = $1`,
).as<CompanyFacts & { own_cascades: OwnCascade[] }>()

export const findCompanyWithCascades = async (tx: Tx, id: string) =>
  (await tx.rows(selectCompanyWithCascades, [id]))[0]!
