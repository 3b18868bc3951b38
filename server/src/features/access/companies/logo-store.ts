import { judgeLogo } from '../../../domain/logo-image.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const selectLogo = sql(
  'companies.get-logo',
  `select bytes from company_logos where tenant_id = current_setting('relance.tenant')::uuid`,
)
const upsertLogo = sql(
  'companies.upsert-logo',
  `insert into company_logos (tenant_id, media_type, bytes, updated_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3)
   on conflict (tenant_id) do update set media_type = excluded.media_type, bytes = excluded.bytes, updated_at = excluded.updated_at`,
)
const deleteLogo = sql(
  'companies.delete-logo',
  `delete from company_logos where tenant_id = current_setting('relance.tenant')::uuid`,
)

/** The logo in base64; null: there is none. */
export async function readLogo(tx: Tx): Promise<string | null> {
  const [row] = await tx.rows(selectLogo, [])
  return row ? row.bytes.toString('base64') : null
}

/** Saves a logo that was judged, given in base64; null removes it. */
export function saveLogo(tx: Tx, value: string | null, now: number): void {
  if (value === null) {
    tx.atCommit(deleteLogo, [])
    return
  }
  const bytes = Buffer.from(value, 'base64')
  const verdict = judgeLogo(bytes)
  if (!verdict.allowed) throw new Error('a logo that was validated is refused')
  tx.atCommit(upsertLogo, [verdict.type, bytes, iso(now)])
}
