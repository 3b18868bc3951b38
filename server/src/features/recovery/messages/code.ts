import type { Channel } from '../../../domain/contact/channel.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Entry, Tx } from '../../../kit/db/transaction.ts'
import type { Actor } from '../../../kit/operation.ts'

/** How long a message can be answered by its link. */
export const codeDays = 180

/**
 * The code of a message: its cell, and 108 bits signed with our key, so nobody can guess or make one. It names the message to
 * its provider and opens the debtor's page; the same message has the same code however often it is written. Twenty characters
 * are what fits everywhere, a text message and the tags of providers included.
 */
export const codeOf = (
  { cell, keyring }: { cell: string; keyring: Pick<Keyring, 'mac'> },
  communicationId: string,
): string => cell + keyring.mac('message_code', communicationId).split('.')[1]!.slice(0, 18)

/** Where the debtor of a message answers it. */
export const linkOf = (publicUrl: string, code: string): string => `${publicUrl}/d/${code}`

export const isCode = (text: string): boolean => /^[a-z0-9]{2}[\w-]{18}$/.test(text)

const insert = sql(
  'messages.insert-code',
  `insert into message_codes (code, tenant_id, communication_id, debtor_id, expires_at) values ($1, $2, $3, $4, $5) on conflict do nothing`,
)

export const keepCode = (
  tx: Tx,
  code: string,
  ids: { tenantId: string; communicationId: string; debtorId: string },
  wall: number,
): void =>
  tx.atCommit(insert, [code, ids.tenantId, ids.communicationId, ids.debtorId, iso(wall + codeDays * DAY)])

const disown = sql(
  'messages.disown-codes',
  `update message_codes m set disowned = true
     from communications c
    where m.tenant_id = $1 and m.debtor_id = any ($2::uuid[]) and c.id = m.communication_id and c.channel = any ($3::text[])`,
)

/** Who holds these messages is somebody else: their links show nothing any more, also once the address is corrected. */
export const disownCodes = (
  tx: Tx,
  tenantId: string,
  debtorIds: readonly string[],
  channels: readonly Channel[],
): void => tx.atCommit(disown, [tenantId, debtorIds, channels])

const enter = sql('messages.enter-by-code', 'select enter_by_code($1, $2) as offset_ms').as<{
  offset_ms: number
}>()

/** Whoever holds a living code enters the tenant of its message; with any other the transaction fails with AUTH_002. */
export const byCode = (code: string, wall: number): Entry => ({ statement: enter, values: [code, iso(wall)] })

const enterOld = sql('messages.enter-by-old-code', 'select enter_by_old_code($1) as offset_ms').as<{
  offset_ms: number
}>()

/** The same with any code there ever was: for news of money, which may come long after the page was closed. */
export const byOldCode = (code: string): Entry => ({ statement: enterOld, values: [code] })

export interface Coded {
  tenant_id: string
  communication_id: string
  debtor_id: string
  company_id: string
  environment: 'production' | 'sandbox'
  disowned: boolean
}

const codedColumns = 'm.tenant_id, m.communication_id, m.debtor_id, t.company_id, t.environment, m.disowned'

/** What a living code stands for. */
export const readCode = sql(
  'messages.get-code',
  `select ${codedColumns} from message_codes m join tenants t on t.id = m.tenant_id where m.code = $1 and m.expires_at > $2`,
).as<Coded>()

/** What a code stands for or once stood for. */
export const readOldCode = sql(
  'messages.get-old-code',
  `select ${codedColumns} from message_codes m join tenants t on t.id = m.tenant_id where m.code = $1`,
).as<Coded>()

/** Whoever answers a message is its debtor, as far as we can tell. */
export const debtorOf = ({ debtor_id, tenant_id, company_id, environment }: Coded): Actor => ({
  kind: 'debtor',
  id: debtor_id,
  tenantId: tenant_id,
  companyId: company_id,
  environment,
  scopes: [],
})
