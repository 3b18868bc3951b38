import { z } from 'zod'
import { localTime } from '../../../domain/time.ts'
import type { Actor, Scope } from '../../../kit/actor.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recoveriesOf } from '../../recovery/workflow/recovery-of-invoice.ts'
import { recoveryScopeMissing } from './errors.ts'
import { type InvoiceFilter, recoveryFilters } from './filter-schema.ts'
import type { Invoice } from './schema.ts'

export const includeRecovery = z
  .enum(['recovery'])
  .optional()
  .meta({ description: 'Adds where the recovery stands; needs the scope workflow:read' })

/** Adds the recoveries to a page of invoices, if they were asked for. */
export async function withRecoveries(
  { tx, actor, now }: { tx: Tx; actor: Actor; now: number },
  include: z.output<typeof includeRecovery>,
  invoices: readonly z.input<typeof Invoice>[],
): Promise<z.input<typeof Invoice>[]> {
  if (include === undefined) return [...invoices]
  const { time_zone } = await findCompany(tx, actor.companyId)
  const recoveries = await recoveriesOf(
    tx,
    actor.tenantId,
    invoices.map(({ id }) => id),
    { now, today: localTime(time_zone, now).date },
  )
  return invoices.map(invoice => ({ ...invoice, recovery: recoveries.get(invoice.id) }))
}

/** A filter that reveals recovery data, if one is given. */
export const recoveryFilterOf = (given: InvoiceFilter): string | null =>
  recoveryFilters.find(name => given[name] !== undefined) ?? null

/** The scopes of what a filter reveals: which invoices it finds tells as much as reading them. */
export const scopesOfFilter = (given: InvoiceFilter | undefined): Scope[] =>
  given === undefined
    ? []
    : ['invoices:read', ...(recoveryFilterOf(given) === null ? [] : (['workflow:read'] as const))]

/** Refuses a parameter that reveals recovery data, before anything is read. Null: there is none. */
export function refuseWithoutScope({ scopes }: Actor, parameter: string | null): void {
  if (parameter !== null && !scopes.includes('workflow:read')) throw recoveryScopeMissing.make(parameter)
}
