import { sql } from '../../../../kit/db/statement.ts'

export const readSalts = sql(
  'messages.list-ledger-salts',
  'select debtor_id, salt from contact_salts where debtor_id = any ($1::uuid[])',
)

export interface SaltRow {
  debtor_id: string
  salt: string
}
