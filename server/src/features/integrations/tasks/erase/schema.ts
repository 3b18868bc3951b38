import { z } from 'zod'
import { line, optional, uuid } from '../../../../kit/fields.ts'

export const EraseInput = z
  .strictObject({
    debtorId: uuid,
    reason: optional(line(500)).meta({ description: 'For your own records; name nobody here' }),
    dryRun: optional(z.boolean()).meta({ description: 'Say what would be kept; start then erases' }),
  })
  .meta({ id: 'EraseInput' })

/** Erasing a person changes the debtor, and is as severe as deleting their invoices. */
export const eraseScopes = ['debtors:write', 'invoices:delete'] as const

export const AccessInput = z.strictObject({ debtorId: uuid }).meta({ id: 'AccessInput' })
