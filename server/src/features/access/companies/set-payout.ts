import { z } from 'zod'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { uuid } from '../../../kit/fields.ts'
import { validateBody } from '../../../kit/http/validate.ts'
import { setAccountByOperator } from './card-accounts.ts'
import { lockSettings, saveSettings } from './lock-settings.ts'
import { changePayout, type WantedPayout } from './payout-changes.ts'
import { type PayoutField, payoutFields } from './payout-fields.ts'
import { CompanyUpdate, type PendingRow } from './settings.ts'

const selectProduction = sql(
  'companies.get-production',
  `select id from tenants where company_id = $1 and environment = 'production'`,
)

interface OperatorContext {
  pool: Pool
  wall: number
  newId: () => string
}

/** The fields as typed on a command line; an empty text clears the field. */
export type TypedPayout = Partial<Record<PayoutField, string | undefined>>

/**
 * Sets where the money of a company goes, for an owner who cannot. It waits like a change by an owner, unless `atOnce`: for an
 * account that was taken over, when the wrong value must not stay for another day.
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
  const [tenant] = await queryOn(pool)(selectProduction, [z.parse(uuid, companyId)])
  if (!tenant) throw new Error(`there is no company ${companyId}`)
  return transact(pool, asWorker(tenant.id), [], async ({ tx, offsetMs }) => {
    const now = wall + offsetMs
    const actor = { kind: 'operator', id: 'operator', tenantId: tenant.id, companyId } as const
    const context = { tx, actor, requestId: newId(), now, wall, newId }
    if (wanted.paymentAccount) setAccountByOperator(tx, tenant.id, wanted.paymentAccount, wall)
    const row = await lockSettings(tx, actor, now)
    const { settings, pending } = await changePayout(context, row, wanted, atOnce ? 'operator' : undefined)
    saveSettings(tx, actor, settings, now)
    return { pending }
  })
}
