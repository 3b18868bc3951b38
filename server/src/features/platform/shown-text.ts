import type { z } from 'zod'
import { foreignPaymentIn } from '../../domain/contact/payment-details.ts'
import { fault } from '../../kit/fields.ts'

const kinds = { link: 'a link', account: 'a bank account' }

/**
 * A text that debtors see and an API key may write. It contains no account and no link: debtors see only those that the
 * company's owners set, so that a stolen key cannot redirect payments through the number of an invoice.
 */
export const shownText = <S extends z.ZodType<string>>(schema: S): S =>
  schema
    .superRefine((text, context) => {
      const [first] = foreignPaymentIn(text)
      if (first)
        context.addIssue({
          code: 'custom',
          ...fault(
            'payment_details',
            `holds “${first.found.slice(0, 60)}”, which reads as ${kinds[first.kind]}; debtors are told only the account and the link that we put in`,
          ),
        })
    })
    .meta(schema.meta() ?? {})
