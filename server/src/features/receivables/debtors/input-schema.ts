import { z } from 'zod'
import { defaultCountry, isAssignedCountry } from '../../../domain/country.ts'
import { type DebtorType, debtorTypes } from '../../../domain/debtor-type.ts'
import { hasValidCheckDigit } from '../../../domain/siret.ts'
import { localTime } from '../../../domain/time.ts'
import { ApiError } from '../../../kit/errors.ts'
import {
  day,
  email,
  line,
  lines,
  note,
  optional,
  optionalText,
  phone,
  siret,
  uuid,
} from '../../../kit/fields.ts'
import { documentAs } from '../../../kit/http/openapi-schemas.ts'
import { shownText } from '../../platform/shown-text.ts'

const country = z
  .string()
  .superRefine((value, context) => {
    if (isAssignedCountry(value)) return
    const meant = value === 'UK' ? '; the United Kingdom is GB' : ''
    context.addIssue({
      code: 'custom',
      message: `must be an assigned ISO 3166-1 alpha-2 code in capitals${meant}`,
    })
  })
  .meta({ description: 'ISO 3166-1 alpha-2', pattern: '^[A-Z]{2}$', examples: ['FR'] })

export const debtorFields = {
  name: shownText(line(200)),
  email,
  phone,
  siret,
  address: shownText(lines(300)),
  city: shownText(line(100)),
  postalCode: shownText(line(20)),
  country,
  type: z.enum(debtorTypes),
  language: z.enum(['fr', 'en']),
}

export const insolvencyKinds = [
  'safeguard',
  'receivership',
  'liquidation',
  'over_indebtedness',
  'other',
] as const

export const InsolvencyInput = z
  .strictObject({
    kind: z.enum(insolvencyKinds),
    openedOn: day.meta({ description: 'The day of the opening judgment or decision; not in the future' }),
  })
  .meta({ id: 'InsolvencyInput' })

export type Insolvency = z.output<typeof InsolvencyInput>

const optionalFields = {
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
    ...optionalFields,
    insolvency: optional(InsolvencyInput),
    notes: optionalText(note(2000)),
  })
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
      ...optionalFields,
    })
    .meta({ description: descriptionOfExisting }),
  z
    .strictObject({ name: debtorFields.name, email: debtorFields.email, ...optionalFields })
    .meta({ description: descriptionOfNew }),
])

const judgedInvoiceDebtor = z
  .strictObject({
    id: optional(uuid),
    name: optional(debtorFields.name),
    email: optional(debtorFields.email),
    ...optionalFields,
  })
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
  if (!insolvency || insolvency.openedOn <= localTime(timeZone, now).date) return
  const message = 'is in the future'
  throw new ApiError('VAL_001', `insolvency.openedOn ${message}.`, {
    details: [{ field: 'insolvency.openedOn', code: 'invalid', message }],
  })
}

/** The given type; else business if the SIRET is valid; else the company's default. */
export const debtorTypeOf = (
  given: DebtorType | undefined,
  siret: string | undefined,
  defaultType: DebtorType,
): DebtorType => given ?? (siret !== undefined && hasValidCheckDigit(siret) ? 'business' : defaultType)
