import { z } from 'zod'
import { dateTime, outputUuid } from '../../../../kit/fields.ts'

const Claim = z
  .object({
    invoiceId: outputUuid,
    invoiceNumber: z.string(),
    principalCents: z.int().meta({ description: 'The open balance on the day of the list' }),
    indemnityCents: z.int().meta({ description: 'The flat sum for late payment' }),
    interestCents: z.int().meta({ description: 'Counted up to the day of the list' }),
    currency: z.string(),
  })
  .meta({ id: 'ListedClaim' })

export const ClaimList = z
  .object({
    id: outputUuid,
    acceptedOn: z.string().meta({ format: 'date', description: 'The mandates signed by this day cover it' }),
    acceptedBy: z.string().meta({ description: 'For the company' }),
    createdAt: dateTime,
    claims: z.array(Claim).meta({ description: 'With their sums of that day' }),
  })
  .meta({ id: 'ClaimList' })
