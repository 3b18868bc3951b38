import type { DebtorType } from '../../domain/cascade.ts'
import { sql } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'

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

const get = sql<CompanyFacts>(
  'select name, reply_email, country, time_zone, language, currency, default_debtor_type from companies where id = $1',
)

export const findCompany = async (tx: Tx, id: string): Promise<CompanyFacts> => (await tx.rows(get, [id]))[0]!
