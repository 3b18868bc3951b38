import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { validateBody } from '../../../kit/http/validate.ts'
import { setAccountByOperator } from './card-accounts.ts'
import { lockSettings, saveSettings } from './lock-settings.ts'
import { changePayout, type WantedPayout } from './payout-changes.ts'
import { type PayoutField, payoutFields } from './payout-fields.ts'
import { requireCompany } from './require-company.ts'
import type { PendingRow } from './settings.ts'
import { CompanyUpdate } from './update-schema.ts'

interface OperatorContext {
  pool: Pool
  wall: number
  newId: () => string
}

/** The fields as typed on a command line; an empty text clears the field. */
export type TypedPayout = Partial<Record<PayoutField, string | undefined>>

/**
 * Sets where the money of a company goes, if its owners cannot. The change waits like a change by an owner, unless `atOnce`: for
 * an account that was taken over, when the wrong value must not stay for another day.
 */
export async function setPayout(
  { pool, wall, newId }: OperatorContext,
  { companyId, atOnce = false, ...typed }: { companyId: string; atOnce?: boolean } & TypedPayout,
): Promise<{ pending: readonly PendingRow[] }> {
  const given = payoutFields.filter(field => typed[field] !== undefined)
  const wanted = validateBody(
    CompanyUpdate,
    Object.fromEntries(given.map(field => [field, typed[field] === '' ? null : typed[field]])),
  ) as WantedPayout
  const { id, production: tenantId } = await requireCompany(queryOn(pool), companyId)
  return transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
    const now = wall + offsetMs
    const actor = { kind: 'operator', id: 'operator', tenantId, companyId: id } as const
    const context = { tx, actor, requestId: newId(), now, wall, newId }
    if (wanted.paymentAccount) setAccountByOperator(tx, tenantId, wanted.paymentAccount, wall)
    const row = await lockSettings(tx, actor, now)
    const { settings, pending } = await changePayout(context, row, wanted, atOnce ? 'operator' : undefined)
    saveSettings(context, actor, settings)
    return { pending }
  })
}
