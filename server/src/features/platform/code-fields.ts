import { z } from 'zod'
import { isAssignedCountry } from '../../domain/country.ts'
import { isTwoDecimalCurrency } from '../../domain/money/money.ts'

/** Only letters of ASCII: other letters may become two when they are made capitals. */
const inCapitals = (text: string) => (/^[A-Za-z]{2,3}$/.test(text) ? text.toUpperCase() : text)

/** A country, in capitals or small letters. */
export const countryCode = z
  .string()
  .transform(inCapitals)
  .superRefine((value, context) => {
    if (isAssignedCountry(value)) return
    const meant = value === 'UK' ? '; the United Kingdom is GB' : ''
    context.addIssue({
      code: 'custom',
      message: `must be an assigned ISO 3166-1 alpha-2 code, such as FR${meant}`,
    })
  })
  .meta({ description: 'ISO 3166-1 alpha-2', pattern: '^[A-Za-z]{2}$', examples: ['FR'] })

/** A currency, in capitals or small letters. */
export const currencyCode = z
  .string()
  .transform(inCapitals)
  .refine(isTwoDecimalCurrency, 'must be an ISO 4217 code of a currency with two decimals, such as EUR')
  .meta({ examples: ['EUR'] })
