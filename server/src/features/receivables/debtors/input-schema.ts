import { z } from 'zod'
import { numberDialledIn } from '../../../domain/contact/national-phone.ts'
import { defaultCountry } from '../../../domain/country.ts'
import { type DebtorType, debtorTypes } from '../../../domain/debtor-type.ts'
import { insolvencyKinds } from '../../../domain/recovery/insolvency.ts'
import { hasValidCheckDigit } from '../../../domain/siret.ts'
import { localTime } from '../../../domain/time.ts'
import { refusedField } from '../../../kit/errors.ts'
import {
  day,
  days,
  email,
  fault,
  line,
  lines,
  note,
  optional,
  optionalText,
  phoneDigits,
  siret,
  uuid,
} from '../../../kit/fields.ts'
import { documentAs } from '../../../kit/http/openapi-schemas.ts'
import { countryCode } from '../../platform/code-fields.ts'
import { shownText } from '../../platform/shown-text.ts'

export const debtorFields = {
  name: shownText(line(200)),
  email,
  /** International or, in the country of the debtor, as it is dialled there: `inE164` makes one form of both. */
  phone: phoneDigits,
  siret,
  address: shownText(lines(300)),
  city: shownText(line(100)),
  postalCode: shownText(line(20)),
  country: countryCode,
  type: z.enum(debtorTypes),
  language: z.enum(['fr', 'en']),
}

export const InsolvencyInput = z
  .strictObject({
    kind: z.enum(insolvencyKinds),
    openedOn: day.meta({
      ...days(null, 0),
      description: 'The day of the opening judgment or decision; not in the future',
    }),
    publishedOn: optional(day).meta({
      ...days(null, 0),
      description: 'In the BODACC, or of the letter of the commission: the time to declare begins',
    }),
    court: optionalText(line(200)),
    practitioner: optionalText(line(300)),
    declaredOn: optional(day).meta({
      ...days(null, 0),
      description: 'When the claim was declared: no more warnings',
    }),
    declarationProof: optional(note(500)).meta({ description: 'What proves it, such as a tracking number' }),
  })
  .meta({ id: 'InsolvencyInput' })

export type Insolvency = z.output<typeof InsolvencyInput>

const phoneFault =
  'must be + and 7 to 15 digits, such as +33612345678, or a number as it is dialled in the country of the debtor'

/** The number as it is stored. Null: it has not one meaning in this country. */
const inE164 = (digits: string, country: string | null): string | null =>
  digits.startsWith('+') ? digits : country === null ? null : numberDialledIn(country, digits)

interface Reachable {
  id?: string | undefined
  phone?: string | undefined
  country?: string | undefined
}

/** Writes the number of a new debtor in the form in which it is stored. The country of an existing one is not known here. */
export const withStoredPhone = z.check<Reachable>(context => {
  const { id, phone, country } = context.value
  if (phone === undefined) return
  const number = inE164(phone, country ?? (id === undefined ? defaultCountry : null))
  if (number === null)
    context.issues.push({
      code: 'custom',
      input: phone,
      path: ['phone'],
      ...fault('phone_format', phoneFault),
    })
  else context.value.phone = number
})

/** The same for a debtor that is changed. */
export function storedPhone(digits: string, country: string): string {
  const number = inE164(digits, country)
  if (number !== null) return number
  throw refusedField('phone', 'phone_format', phoneFault)
}

export const optionalDebtorFields = {
  phone: optionalText(debtorFields.phone),
  siret: optionalText(debtorFields.siret),
  address: optionalText(debtorFields.address),
  city: optionalText(debtorFields.city),
  postalCode: optionalText(debtorFields.postalCode),
  country: optionalText(debtorFields.country).meta({ default: defaultCountry }),
  type: optional(debtorFields.type),
  language: optional(debtorFields.language),
}

export const DebtorInput = z
  .strictObject({
    name: debtorFields.name,
    email: debtorFields.email,
    ...optionalDebtorFields,
    insolvency: optional(InsolvencyInput),
    notes: optionalText(note(2000)),
  })
  .check(withStoredPhone)
  .meta({ id: 'DebtorInput' })

const descriptionOfNew = 'The data of a debtor; one that is already known is found and not overwritten'

const descriptionOfExisting = 'An existing debtor; what is sent beside `id` changes nothing of it'

/** Documented as one of two shapes. It is validated as one object, so that each error names its field. */
const existingOrNew = z.union([
  z
    .strictObject({
      id: uuid,
      name: optional(debtorFields.name),
      email: optional(debtorFields.email),
      ...optionalDebtorFields,
    })
    .meta({ description: descriptionOfExisting }),
  z
    .strictObject({ name: debtorFields.name, email: debtorFields.email, ...optionalDebtorFields })
    .meta({ description: descriptionOfNew }),
])

const judgedInvoiceDebtor = z
  .strictObject({
    id: optional(uuid),
    name: optional(debtorFields.name),
    email: optional(debtorFields.email),
    ...optionalDebtorFields,
  })
  .check(withStoredPhone)
  .superRefine((debtor, context) => {
    if (debtor.id !== undefined) return
    for (const field of ['name', 'email'] as const)
      if (debtor[field] === undefined)
        context.addIssue({ code: 'custom', path: [field], message: 'is required without an id' })
  })
  .transform(({ id, name, email: address, ...rest }) =>
    id === undefined ? { ...rest, name: name!, email: address! } : { ...rest, id, name, email: address },
  )
  .meta({
    id: 'InvoiceDebtorInput',
    description:
      'An existing debtor by `id`, or the data of one; without `id`, `name` and `email` are required',
  })

/** The debtor of an invoice: an existing one by `id`, or its data; then name and email are required. */
export const InvoiceDebtorInput = documentAs(judgedInvoiceDebtor, existingOrNew)

export type InvoiceDebtor = z.output<typeof InvoiceDebtorInput>

export type DebtorFields = Omit<z.output<typeof DebtorInput>, 'name' | 'email'>

export const isExistingDebtor = (debtor: InvoiceDebtor): debtor is Extract<InvoiceDebtor, { id: string }> =>
  'id' in debtor

/** Insolvency proceedings cannot be opened in the future; the company's time zone is precise enough. */
export function refuseFutureInsolvency(
  insolvency: Insolvency | null | undefined,
  now: number,
  timeZone: string,
): void {
  if (!insolvency) return
  const today = localTime(timeZone, now).date
  const days = {
    openedOn: insolvency.openedOn,
    publishedOn: insolvency.publishedOn,
    declaredOn: insolvency.declaredOn,
  }
  const future = Object.entries(days).find(([, on]) => on !== undefined && on > today)
  if (!future) return
  const [name] = future
  throw refusedField(`insolvency.${name}`, 'future', 'is in the future')
}

/** The given type; else business if the SIRET is valid; else the company's default. */
export const debtorTypeOf = (
  given: DebtorType | undefined,
  siret: string | undefined,
  defaultType: DebtorType,
): DebtorType => given ?? (siret !== undefined && hasValidCheckDigit(siret) ? 'business' : defaultType)
