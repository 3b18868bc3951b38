import { sql } from '../../../../kit/db/statement.ts'

export interface CodeRow {
  tenant_id: string
  communication_id: string
  debtor_id: string
  company_id: string
  environment: 'production' | 'sandbox'
  disowned: boolean
  /** Wrong answers to the question that the link asks. */
  wrong_answers: number
}

const codedColumns =
  'm.tenant_id, m.communication_id, m.debtor_id, t.company_id, t.environment, m.disowned, m.wrong_answers'

/** The message of a code that is still valid. */
export const selectCode = sql(
  'messages.get-code',
  `select ${codedColumns} from message_codes m join tenants t on t.id = m.tenant_id where m.code = $1 and m.expires_at > $2`,
).as<CodeRow>()

/** The message of a code, also of an expired one. */
export const selectAnyCode = sql(
  'messages.get-old-code',
  `select ${codedColumns} from message_codes m join tenants t on t.id = m.tenant_id where m.code = $1`,
).as<CodeRow>()
