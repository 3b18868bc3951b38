import { declarationWarningDays, type InsolvencyKind } from '../../../domain/recovery/insolvency.ts'
import { addDays } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type NightWork, onDayOfTenant } from './day-of-tenant.ts'
import { warnOfDeclaration } from './warn-of-declaration.ts'

const batchSize = 200

const lockToDeclare = sql(
  'debtors.lock-to-declare',
  `select id, insolvency_kind, insolvency_declare_by, insolvency_warned_days from debtors
    where insolvency_declared_on is null and insolvency_declare_by between $1 and $2 and erased_at is null
      and (insolvency_warned_days is null or insolvency_declare_by - $1::date <= (
        select max(days) from unnest($3::integer[]) as days where days < insolvency_warned_days))
    order by insolvency_declare_by, id limit ${batchSize} for no key update skip locked`,
).as<{
  id: string
  insolvency_kind: InsolvencyKind
  insolvency_declare_by: string
  insolvency_warned_days: number | null
}>()

/** Warns the creditor of claims whose time to be declared ends soon. Safe to run twice: each warning is given once. */
export async function warnOfDeclarations(night: NightWork, tenantId: string): Promise<void> {
  for (let found = batchSize; found === batchSize; )
    found = await onDayOfTenant(night, tenantId, async (context, today) => {
      const last = addDays(today, declarationWarningDays[0])
      const debtors = await context.tx.rows(lockToDeclare, [today, last, [...declarationWarningDays]])
      for (const debtor of debtors) await warnOfDeclaration(context, debtor, today)
      return debtors.length
    })
}
