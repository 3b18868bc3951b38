import { z } from 'zod'
import type { Tx } from '../../../kit/db/transaction.ts'
import { defineError } from '../../../kit/errors.ts'
import type { Actor } from '../../../kit/operation.ts'
import { recoveriesOf } from '../../recovery/workflow/recovery-of-invoice.ts'
import type { Invoice } from './invoice.ts'

export const includeRecovery = z
  .enum(['recovery'])
  .optional()
  .meta({ description: 'Adds where the recovery stands; needs the scope workflow:read' })

export const includeScopeMissing = defineError('AUTH_004', () => ({
  message: 'This credential lacks the scope workflow:read, which include=recovery needs.',
  extras: { requiredScopes: ['workflow:read' as const] },
}))

/** Adds the recoveries to a page of invoices, if they were asked for. */
export async function withRecoveries(
  tx: Tx,
  include: z.output<typeof includeRecovery>,
  invoices: readonly z.input<typeof Invoice>[],
): Promise<z.input<typeof Invoice>[]> {
  if (include === undefined) return [...invoices]
  const recoveries = await recoveriesOf(
    tx,
    invoices.map(({ id }) => id),
  )
  return invoices.map(invoice => ({ ...invoice, recovery: recoveries.get(invoice.id) }))
}

/** Refused before anything is read. */
export function refuseWithoutScope({ scopes }: Actor, include: z.output<typeof includeRecovery>): void {
  if (include !== undefined && !scopes.includes('workflow:read')) throw includeScopeMissing.make()
}
