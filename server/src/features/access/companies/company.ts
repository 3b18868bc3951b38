import type { DebtorType } from '../../../domain/debtor-type.ts'
import type { OwnCascade } from '../../../domain/recovery/select-cascade.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/** What recoveries need to know of the creditor. */
export interface CompanyFacts {
  name: string
  reply_email: string
  country: string
  time_zone: string
  language: 'fr' | 'en'
  currency: string
  default_debtor_type: DebtorType
}

const get = sql(
  'companies.get',
  'select name, reply_email, country, time_zone, language, currency, default_debtor_type from companies where id = $1',
).as<CompanyFacts>()

export const findCompany = async (tx: Tx, id: string): Promise<CompanyFacts> => (await tx.rows(get, [id]))[0]!

/** Enough for every kind of debtor a company can tell apart; each is read for every new invoice. */
export const ownCascadesMost = 100

/** The company, and the cascades of its own that are in use in this tenant. */
const getWithCascades = sql(
  'companies.get-with-cascades',
  `select c.name, c.reply_email, c.country, c.time_zone, c.language, c.currency, c.default_debtor_type,
          coalesce((select jsonb_agg(jsonb_build_object('name', o.name, 'version', o.version, 'steps', o.steps, 'applies', o.applies))
             from (select * from cascades where is_current and enabled limit ${ownCascadesMost}) o), '[]') as own_cascades
     from companies c where c.id = $1`,
).as<CompanyFacts & { own_cascades: OwnCascade[] }>()

export const findCompanyWithCascades = async (tx: Tx, id: string) =>
  (await tx.rows(getWithCascades, [id]))[0]!
