import { z } from 'zod'
import { ApiError, type ErrorCode, type FaultCode, type FieldFault } from '../errors.ts'
import { hasForbiddenCharacter } from '../fields.ts'
import { meant } from '../nearest-name.ts'

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
function messageFor(issue: z.core.$ZodIssue, given: unknown): string {
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
      return `must be one of ${issue.values.join(', ')}${meant(given, issue.values.map(String))}`
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

/** A fault whose sentence is not written yet: many faults may not be listed. */
interface FoundFault {
  kind: FaultKind
  code: FaultCode
  says: () => string
}

function faultOf(issue: z.core.$ZodIssue, given: unknown, isUpdate: boolean): FoundFault {
  if (given === null && isUpdate && issue.path.length === 1)
    return { kind: 'value', code: 'required', says: () => 'is required and cannot be cleared' }
  if (given === undefined || given === null)
    return { kind: 'missing', code: 'missing', says: () => 'is required' }
  if ((issue.code === 'custom' && issue.params?.format) || hasForbiddenCharacter(given))
    return { kind: 'format', code: 'forbidden_character', says: () => 'contains a forbidden character' }
  const says = () => messageFor(issue, given)
  switch (issue.code) {
    case 'custom':
      return { kind: 'value', code: (issue.params?.fault as FaultCode | undefined) ?? 'invalid', says }
    case 'unrecognized_keys':
      return { kind: 'value', code: 'unknown_field', says }
    default:
      return { kind: 'value', code: issue.code, says }
  }
}

/** The first faults, how many there are in all, and the kind of all of them if they have the same. */
interface Faults {
  listed: Fault[]
  count: number
  kind: FaultKind | 'mixed'
}

/** The sentence about a name that a schema does not have. */
interface UnknownName {
  code: FaultCode
  message: (name: string, known: readonly string[]) => string
}

const unknownField: UnknownName = {
  code: 'unknown_field',
  message: (name, known) => `is not a field of this request${meant(name, known) || '; check the spelling'}`,
}

interface FaultRules extends BodyRules {
  /** How an unknown name is refused. */
  readonly unknownName?: UnknownName
}

/** The names that an object may have, by the list of those it may not have. */
type KnownNames = WeakMap<readonly string[], readonly string[]>

/** Parses, and keeps for each object with unknown names which ones it may have. */
function parse<S extends z.ZodType>(schema: S, given: unknown) {
  const knownNames: KnownNames = new WeakMap()
  const parsed = schema.safeParse(given, {
    error: ({ code, keys, inst }) => {
      if (code === 'unrecognized_keys' && inst instanceof z.ZodObject)
        knownNames.set(keys as string[], Object.keys(inst.shape))
      return undefined
    },
  })
  return { parsed, knownNames }
}

function ownAdvice(unknownFields: Readonly<Record<string, string>>, path: readonly PropertyKey[]) {
  const field = fieldName(path)
  return Object.hasOwn(unknownFields, field) ? unknownFields[field] : undefined
}

function collectFaults(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  knownNames: KnownNames,
  { unknownName = unknownField, unknownFields = {}, isUpdate = false }: FaultRules = {},
): Faults {
  const faults: Faults = { listed: [], count: 0, kind: 'mixed' }
  const add = (path: readonly PropertyKey[], { kind, code, says }: FoundFault) => {
    faults.kind = faults.count === 0 || faults.kind === kind ? kind : 'mixed'
    faults.count++
    if (faults.listed.length < faultsMax)
      faults.listed.push({ field: fieldName(path), code, message: says(), kind })
  }
  // A wrong name comes first: it says why another name is missing.
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) {
        const path = [...issue.path, key]
        const says = () =>
          ownAdvice(unknownFields, path) ?? unknownName.message(key, knownNames.get(issue.keys) ?? [])
        add(path, { kind: 'value', code: unknownName.code, says })
      }
  for (const issue of issues)
    if (issue.code !== 'unrecognized_keys')
      add(issue.path, faultOf(issue, valueAt(root, issue.path), isUpdate))
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
  const said = `${first.field || 'The body'} ${first.message}${more}`
  return new ApiError(code, said.endsWith('?') ? said : `${said}.`, {
    details: listed.map(({ field, code: kind, message }) => ({ field, code: kind, message })),
  })
}

/** Names in the query that are refused, all for the same reason. */
const refusedNames = (names: readonly string[], code: FaultCode, message: string): ApiError =>
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
  const { parsed, knownNames } = parse(schema, given)
  if (parsed.success) return parsed.data
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ApiError('VAL_001', 'The body must be a JSON object.')
  const faults = collectFaults(parsed.error.issues, given, knownNames, rules)
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
  const { parsed, knownNames } = parse(schema, params)
  if (parsed.success) return parsed.data
  throw refusalFor('VAL_004', collectFaults(parsed.error.issues, params, knownNames))
}

const unknownParameter = (schema: z.ZodType | undefined): UnknownName => ({
  code: 'unknown_parameter',
  message: name => {
    if (!schema) return 'is not a parameter of this request, which has none'
    if (!(schema instanceof z.ZodObject)) return 'is not a parameter of this request'
    const known = Object.keys(schema.shape)
    return `is not a parameter of this request, which has ${known.join(', ')}${meant(name, known)}`
  },
})

export function validateQuery(schema: z.ZodType | undefined, query: Record<string, unknown>): unknown {
  const names = Object.keys(query)
  const repeated = names.filter(name => Array.isArray(query[name]))
  if (repeated.length > 0) throw refusedNames(repeated, 'repeated', 'is given more than once')
  const unknownName = unknownParameter(schema)
  if (!schema) {
    if (names.length > 0) throw refusedNames(names, unknownName.code, unknownName.message('', []))
    return undefined
  }
  const { parsed, knownNames } = parse(schema, query)
  if (parsed.success) return parsed.data
  throw refusalFor('VAL_002', collectFaults(parsed.error.issues, query, knownNames, { unknownName }))
}
