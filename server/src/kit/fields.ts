import { domainToASCII } from 'node:url'
import { z } from 'zod'
import type { FaultCode } from './errors.ts'
import { meant } from './nearest-name.ts'

/**
 * The field types of the API. Text is NFC; NUL, controls, bidi overrides and lone surrogates are refused, because each of them
 * passes JSON, and some of them fail in Postgres or mislead the reader.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is what this is for
const forbidden = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but a note may have lines and tabs
const forbiddenInNotes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but an address has lines
const forbiddenInLines = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f]/

/** True for any text with a forbidden character, also for a date or an address: such a value is a format error. */
export const hasForbiddenCharacter = (value: unknown): boolean =>
  typeof value === 'string' && (!value.isWellFormed() || forbiddenInNotes.test(value))

/** What a check says of a value it refuses. */
export const fault = (code: FaultCode, message: string) => ({ message, params: { fault: code } })

const codePoints = (value: string) => {
  let count = 0
  for (const _ of value) count++
  return count
}

const strictText = (max: number, refuse: RegExp) =>
  z
    .string()
    .superRefine((value, context) => {
      if (!value.isWellFormed() || refuse.test(value))
        context.addIssue({
          code: 'custom',
          message: 'contains a forbidden character',
          params: { format: true },
        })
      else if (codePoints(value) > max)
        context.addIssue({ code: 'custom', ...fault('too_long', `is longer than ${max} characters`) })
    })
    .transform(value => value.normalize('NFC'))
    .meta({ maxLength: max })

/** One non-empty line: 1 to `max` characters, not only spaces. */
export const line = (max: number) =>
  strictText(max, forbidden)
    .refine(value => value.trim() !== '', fault('empty', 'must not be empty'))
    .meta({ minLength: 1, maxLength: max })

/** Free text with lines and tabs, possibly empty. */
export const note = (max: number) => strictText(max, forbiddenInNotes)

/** Text that may have lines, but is not empty: a postal address. */
export const lines = (max: number) =>
  strictText(max, forbiddenInLines)
    .refine(value => value.trim() !== '', fault('empty', 'must not be empty'))
    .meta({ minLength: 1, maxLength: max })

/** Absent and null mean the same on create. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform(value => value ?? undefined) as unknown as z.ZodOptional<S>

const emptyAs = <S extends z.ZodType>(schema: S, instead: null | undefined) =>
  z.preprocess(value => (value === '' || value === null ? instead : value), schema.nullish()).optional()

/** An optional text on create: absent, null and empty mean the same, because forms and spreadsheets send empty texts. */
export const optionalText = <S extends z.ZodType>(schema: S) =>
  emptyAs(schema, undefined) as unknown as z.ZodOptional<S>

/** An optional text on update: null and empty clear it. */
export const clearableText = <S extends z.ZodType>(schema: S) =>
  emptyAs(schema, null) as unknown as z.ZodOptional<z.ZodNullable<S>>

export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .transform(value => value.toLowerCase())
  .meta({ format: 'uuid' })

export const outputUuid = z.string().meta({ format: 'uuid' })
export const dateTime = z.string().meta({ format: 'date-time', description: 'UTC, milliseconds, `Z`' })

const daysInMonth = (year: number, month: number) =>
  month === 2
    ? (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31

/** A real calendar day between 1990 and 2100: `new Date('2026-02-30')` would be 2 March, and Postgres knows 'infinity'. */
export const day = z
  .string()
  .refine(
    value => {
      const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
      if (!parts) return false
      const [year, month, dayOfMonth] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
      return (
        year >= 1990 &&
        year <= 2100 &&
        month >= 1 &&
        month <= 12 &&
        dayOfMonth >= 1 &&
        dayOfMonth <= daysInMonth(year, month)
      )
      // `abort` ends the validation of the object: two dates are not compared if one of them is invalid.
    },
    {
      ...fault('day_format', 'must be a real calendar day YYYY-MM-DD between 1990 and 2100'),
      abort: true,
    },
  )
  .meta({ format: 'date' })

/** For forms: the first and the last day that is taken, counted from today where the debtor is. Null: no limit. */
export const days = (from: number | null, to: number | null) => ({ 'x-days': { from, to } })

const centsMax = 1_000_000_000_000

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const emailPattern = new RegExp(
  `^(?=.{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`,
)

const emailLengthMax = 254

/** By hand: the pattern ` +$` takes quadratic time for many spaces before another character. */
function withoutOuterSpaces(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

/** The domain in the form that mail servers understand: `société.fr` is `xn--socit-esab.fr`. */
function withAsciiDomain(address: string): string {
  if (address.length > emailLengthMax) return address
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  return /^[\u0000-\u007f]*$/.test(domain) || hasForbiddenCharacter(domain)
    ? address
    : address.slice(0, at) + domainToASCII(domain)
}

/** Spaces around it are removed, and an international domain is stored in its ASCII form. */
export const email = z
  .string()
  .transform(value => withAsciiDomain(withoutOuterSpaces(value)))
  .superRefine((value, context) => {
    if (value.length > emailLengthMax)
      context.addIssue({
        code: 'custom',
        ...fault('too_long', `is longer than ${emailLengthMax} characters`),
      })
    else if (!emailPattern.test(value))
      context.addIssue({
        code: 'custom',
        ...fault('email_format', 'must be an email address, such as accounts@example.com'),
      })
  })
  .meta({ format: 'email', maxLength: emailLengthMax })

const spacing = /[ \u00a0\u202f.-]/g

const phoneText = z
  .string()
  .max(20, 'is longer than 20 characters')
  .transform(value =>
    value
      .replace('(0)', '')
      .replace(/\((\d+)\)/g, '$1')
      .replace(spacing, ''),
  )

/** International format. Spaces, dots, dashes, brackets and a `(0)` are removed; E.164 is what is stored. */
export const phone = phoneText
  .refine(
    value => /^\+[1-9]\d{6,14}$/.test(value),
    fault('phone_format', 'must be + and 7 to 15 digits, such as +33612345678'),
  )
  .meta({ examples: ['+33612345678'] })

/** The same, or a national number, whose country is known elsewhere. */
export const phoneDigits = phoneText
  .refine(
    value => /^(?:\+[1-9]\d{6,14}|\d{6,15})$/.test(value),
    fault(
      'phone_format',
      'must be + and 7 to 15 digits, such as +33612345678, or a number as it is dialled in the country of the debtor',
    ),
  )
  .meta({ examples: ['+33612345678'] })

/** Fourteen digits; spaces between them are removed. */
export const siret = z
  .string()
  .max(30, 'must be 14 digits')
  .transform(value => value.replace(/[ \u00a0\u202f]/g, ''))
  .refine(value => /^\d{14}$/.test(value), fault('siret_format', 'must be 14 digits'))
  .meta({ description: '14 digits; spaces are ignored', examples: ['73282932000074'] })

/** A sum of money in cents. The message names the unit, because a client that sends 1200.50 means euros. */
export const centsInput = z
  .custom<number>(
    value => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= centsMax,
    fault(
      'amount_range',
      `must be a whole number in cents from 1 to ${centsMax}, such as 120050 for 1,200.50`,
    ),
  )
  .meta({ type: 'integer', minimum: 1, maximum: centsMax })

/** Query parameters arrive as text. */
export const integerText = (min: number, max: number, fallback: number) =>
  z
    .string()
    .refine(value => /^-?\d{1,9}$/.test(value), 'must be a whole number')
    .transform(Number)
    .refine(value => value >= min && value <= max, `must be between ${min} and ${max}`)
    .optional()
    .transform(value => value ?? fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback })

/** Cents in a query. */
export const centsText = z
  .string()
  .regex(/^\d{1,13}$/, 'must be a whole number of cents')
  .transform(Number)
  .optional()
  .meta({ type: 'integer' })

/** Several values in one parameter, with commas. */
export const oneOrMore = <Value extends string>(values: readonly Value[]) =>
  z
    .string()
    .max(400)
    .superRefine((text, context) => {
      const unknown = text.split(',').find(part => !(values as readonly string[]).includes(part))
      if (unknown !== undefined)
        context.addIssue({
          code: 'custom',
          message: `must be one or more of ${values.join(', ')}, with commas${meant(unknown, values)}`,
        })
    })
    .transform(text => text.split(',') as Value[])
    .optional()

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name
const camelCase = <Name extends string>(name: Name) =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>

/** What a list is ordered by: its names in snake case, each of which is also taken in camel case, as fields are written. */
export const sortNames = <Name extends string>(names: readonly Name[], usual: Name) => {
  const bySpelling = new Map<string, Name>(
    names.flatMap(name => [
      [name, name],
      [camelCase(name), name],
    ]),
  )
  return z
    .enum([...bySpelling.keys()] as (Name | CamelCase<Name>)[])
    .optional()
    .transform(value => bySpelling.get(value ?? usual)!)
    .meta({ default: usual })
}

export const pageQuery = z.strictObject({
  page: integerText(1, 1_000_000, 1),
  limit: integerText(1, 100, 100),
})

/** A date-time with its time zone: `2026-11-16T09:00:00Z` or with an offset. */
export const momentText = z
  .string()
  .max(40)
  .refine(
    value =>
      /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/.test(
        value,
      ) &&
      day.safeParse(value.slice(0, 10)).success &&
      !Number.isNaN(Date.parse(value)),
    fault('moment_format', 'must be an ISO 8601 date-time with its zone'),
  )
  .meta({ format: 'date-time' })

/** The same, as epoch milliseconds. */
export const moment = momentText.transform(value => Date.parse(value)).meta({ format: 'date-time' })

/** An object with one value for each name, every one of them present. */
export const eachOf = <Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) =>
  z.object(Object.fromEntries(names.map(name => [name, value])) as Record<Name, Value>)
