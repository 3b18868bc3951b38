import type { z } from 'zod'
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

/** Our own messages for validation errors, in place of the library's. */
function messageFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`}`
    case 'too_small':
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string'
        ? `is longer than ${issue.maximum} characters`
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
  path.reduce<string>(
    (name, key) =>
      typeof key === 'number' ? `${name}[${key}]` : name === '' ? String(key) : `${name}.${String(key)}`,
    '',
  )

function toFaults(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  { unknownFields = {}, isUpdate = false }: BodyRules = {},
): Fault[] {
  return issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => {
        const field = fieldName([...issue.path, key])
        const hint = Object.hasOwn(unknownFields, field) ? unknownFields[field] : undefined
        const message = hint ?? 'is not a field of this request; check the spelling'
        return { field, code: 'unknown_field', message, kind: 'value' }
      })
    const field = fieldName(issue.path)
    const given = valueAt(root, issue.path)
    if (given === null && isUpdate && issue.path.length === 1)
      return [{ field, code: 'required', message: 'is required and cannot be cleared', kind: 'value' }]
    if (given === undefined || given === null)
      return [{ field, code: 'missing', message: 'is required', kind: 'missing' }]
    if ((issue.code === 'custom' && issue.params?.format) || hasForbiddenCharacter(given))
      return [
        { field, code: 'forbidden_character', message: 'contains a forbidden character', kind: 'format' },
      ]
    return [
      {
        field,
        code: issue.code === 'custom' ? 'invalid' : issue.code,
        message: messageFor(issue),
        kind: 'value',
      },
    ]
  })
}

function codeOf(faults: readonly Fault[]): ErrorCode {
  if (faults.every(fault => fault.kind === 'missing')) return 'VAL_003'
  if (faults.every(fault => fault.kind === 'format')) return 'VAL_004'
  return 'VAL_001'
}

function throwFaults(code: ErrorCode, faults: readonly Fault[]): never {
  const first = faults[0]!
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see details)` : ''
  throw new ApiError(code, `${first.field || 'The body'} ${first.message}${more}.`, {
    details: faults.map(({ field, code: kind, message }) => ({ field, code: kind, message })),
  })
}

export interface BodyRules {
  /** What a missing field is, where the specification does not say VAL_003. */
  readonly missingIs?: 'VAL_001' | undefined
  /** What to do with a field that the request does not have, by its name. */
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
  const faults = toFaults(parsed.error.issues, given, rules)
  const code = codeOf(faults)
  return throwFaults(code === 'VAL_003' ? (rules.missingIs ?? code) : code, faults)
}

/** A malformed id in the path is a format error (VAL_004), not a missing resource. */
export function validateParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  return parsed.success ? parsed.data : throwFaults('VAL_004', toFaults(parsed.error.issues, params))
}

export function validateQuery(schema: z.ZodType | undefined, query: Record<string, unknown>): unknown {
  const repeated = Object.keys(query).filter(name => Array.isArray(query[name]))
  if (repeated.length > 0)
    throwFaults(
      'VAL_002',
      repeated.map(field => ({ field, code: 'repeated', message: 'is given more than once', kind: 'value' })),
    )
  if (!schema) {
    const unknown = Object.keys(query)
    if (unknown.length > 0)
      throwFaults(
        'VAL_002',
        unknown.map(field => ({
          field,
          code: 'unknown_parameter',
          message: 'is not a parameter of this request',
          kind: 'value',
        })),
      )
    return undefined
  }
  const parsed = schema.safeParse(query)
  return parsed.success ? parsed.data : throwFaults('VAL_002', toFaults(parsed.error.issues, query))
}

const depthMax = 32

/** Strict JSON: well formed, not nested too deeply, and without the key `__proto__`. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('VAL_004', 'The body is not valid JSON.')
  }
  const checkNode = (node: unknown, depth: number) => {
    if (typeof node !== 'object' || node === null) return
    if (depth > depthMax) throw new ApiError('VAL_004', `The body is nested deeper than ${depthMax} levels.`)
    for (const key of Object.keys(node)) {
      if (key === '__proto__') throw new ApiError('VAL_004', 'The body has a key named __proto__.')
      checkNode((node as Record<string, unknown>)[key], depth + 1)
    }
  }
  checkNode(value, 1)
  return value
}
