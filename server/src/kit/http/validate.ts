import { z } from 'zod'
import { ApiError, type ErrorCode, type FieldFault } from '../errors.ts'
import { hasForbiddenCharacter } from '../fields.ts'

type FaultKind = 'missing' | 'format' | 'value'
interface Fault extends FieldFault {
  kind: FaultKind
}

const valueAt = (root: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>(
    (value, key) => (value === null || value === undefined ? undefined : (value as never)[key]),
    root,
  )

/** An answer lists at most this many faults. */
export const faultsMax = 100
/** A client may choose the name of a field, and its length. */
const fieldMaxLength = 200

function typeMessage(expected: string, path: readonly PropertyKey[]): string {
  if (String(path.at(-1)).endsWith('Cents')) return 'must be a whole number of cents'
  switch (expected) {
    case 'int':
      return 'must be a whole number'
    case 'record':
    case 'object':
      return 'must be a JSON object'
    case 'array':
      return 'must be a list'
    default:
      return `must be of type ${expected}`
  }
}

const items = (count: number | bigint) => `${count} ${Number(count) === 1 ? 'item' : 'items'}`

/** Our own messages for validation errors, in place of the library's. */
function messageFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.expected, issue.path)
    case 'too_small':
      return issue.origin === 'array'
        ? `must have at least ${items(issue.minimum)}`
        : issue.origin === 'string'
          ? `is shorter than ${issue.minimum} characters`
          : `must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string'
        ? `is longer than ${issue.maximum} characters`
        : issue.origin === 'array'
          ? `must have at most ${items(issue.maximum)}`
          : `must be at most ${issue.maximum}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'invalid_union':
      return 'has a value of the wrong type'
    default:
      return issue.message
  }
}

const fieldName = (path: readonly PropertyKey[]) =>
  path
    .reduce<string>(
      (name, key) =>
        typeof key === 'number' ? `${name}[${key}]` : name === '' ? String(key) : `${name}.${String(key)}`,
      '',
    )
    .slice(0, fieldMaxLength)

function toFault(issue: z.core.$ZodIssue, root: unknown, isUpdate: boolean): Fault {
  const field = fieldName(issue.path)
  const given = valueAt(root, issue.path)
  if (given === null && isUpdate && issue.path.length === 1)
    return { field, code: 'required', message: 'is required and cannot be cleared', kind: 'value' }
  if (given === undefined || given === null)
    return { field, code: 'missing', message: 'is required', kind: 'missing' }
  if ((issue.code === 'custom' && issue.params?.format) || hasForbiddenCharacter(given))
    return { field, code: 'forbidden_character', message: 'contains a forbidden character', kind: 'format' }
  const code = issue.code === 'custom' ? 'invalid' : issue.code
  return { field, code, message: messageFor(issue), kind: 'value' }
}

/** The first faults, how many there are in all, and the kind of all of them if they have the same. */
interface Faults {
  listed: Fault[]
  count: number
  kind: FaultKind | 'mixed'
}

const unknownField = { code: 'unknown_field', message: 'is not a field of this request; check the spelling' }

interface FaultRules extends BodyRules {
  /** How an unknown name is refused. */
  readonly unknownName?: { code: string; message: string }
}

function collectFaults(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  { unknownName = unknownField, unknownFields = {}, isUpdate = false }: FaultRules = {},
): Faults {
  const faults: Faults = { listed: [], count: 0, kind: 'mixed' }
  const add = (fault: Fault) => {
    faults.kind = faults.count === 0 || faults.kind === fault.kind ? fault.kind : 'mixed'
    faults.count++
    if (faults.listed.length < faultsMax) faults.listed.push(fault)
  }
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) {
        const field = fieldName([...issue.path, key])
        const message = Object.hasOwn(unknownFields, field) ? unknownFields[field]! : unknownName.message
        add({ field, code: unknownName.code, message, kind: 'value' })
      }
    else add(toFault(issue, root, isUpdate))
  return faults
}

const codes: Record<Faults['kind'], ErrorCode> = {
  missing: 'VAL_003',
  format: 'VAL_004',
  value: 'VAL_001',
  mixed: 'VAL_001',
}

function refusalFor(code: ErrorCode, { listed, count }: Pick<Faults, 'listed' | 'count'>): ApiError {
  const first = listed[0]!
  const where = count > listed.length ? `the first ${listed.length} are in details` : 'see details'
  const more = count > 1 ? ` (and ${count - 1} more, ${where})` : ''
  return new ApiError(code, `${first.field || 'The body'} ${first.message}${more}.`, {
    details: listed.map(({ field, code: kind, message }) => ({ field, code: kind, message })),
  })
}

/** Names in the query that are refused, all for the same reason. */
const refusedNames = (names: readonly string[], code: string, message: string): ApiError =>
  refusalFor('VAL_002', {
    listed: names
      .slice(0, faultsMax)
      .map(name => ({ field: fieldName([name]), code, message, kind: 'value' })),
    count: names.length,
  })

export interface BodyRules {
  /** The code of a missing field, if the specification does not use VAL_003. */
  readonly missingIs?: 'VAL_001' | undefined
  /** Advice for unknown fields, by their names. */
  readonly unknownFields?: Readonly<Record<string, string>>
  /** In an update null means "clear it", so null in a required field is a wrong value and not a missing one. */
  readonly isUpdate?: boolean
}

export function validateBody<S extends z.ZodType>(
  schema: S,
  body: unknown,
  rules: BodyRules = {},
): z.output<S> {
  const given = body === undefined ? {} : body
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ApiError('VAL_001', 'The body must be a JSON object.')
  const faults = collectFaults(parsed.error.issues, given, rules)
  const code = codes[faults.kind]
  throw refusalFor(code === 'VAL_003' ? (rules.missingIs ?? code) : code, faults)
}

/** An operation without fields: a field that is sent is a mistake, even where no body is documented. */
export function refuseBody(body: unknown): void {
  validateBody(noFields, body)
}
const noFields = z.strictObject({})

/** A malformed id in the path is a format error (VAL_004), not a missing resource. */
export function validateParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  throw refusalFor('VAL_004', collectFaults(parsed.error.issues, params))
}

const unknownParameter = (schema: z.ZodType | undefined) => ({
  code: 'unknown_parameter',
  message:
    schema instanceof z.ZodObject
      ? `is not a parameter of this request, which has ${Object.keys(schema.shape).join(', ')}`
      : `is not a parameter of this request${schema ? '' : ', which has none'}`,
})

export function validateQuery(schema: z.ZodType | undefined, query: Record<string, unknown>): unknown {
  const names = Object.keys(query)
  const repeated = names.filter(name => Array.isArray(query[name]))
  if (repeated.length > 0) throw refusedNames(repeated, 'repeated', 'is given more than once')
  const unknown = unknownParameter(schema)
  if (!schema) {
    if (names.length > 0) throw refusedNames(names, unknown.code, unknown.message)
    return undefined
  }
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  throw refusalFor('VAL_002', collectFaults(parsed.error.issues, query, { unknownName: unknown }))
}
