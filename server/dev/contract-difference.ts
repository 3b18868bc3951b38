type Json = { [key: string]: unknown }

interface Schema extends Json {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
interface Content {
  content?: Record<string, { schema?: Schema }>
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema?: Schema
}
interface Operation {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses?: Record<string, Content>
}
export interface Contract {
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components?: Record<string, Record<string, Json>>
}

/** `subject` is what the changelog has to name: an operation, or a field of a named schema. */
export interface Breaking {
  subject: string
  what: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
/** Which side reads the schema: the server reads requests, the client reads answers. */
type Direction = 'request' | 'answer'

const follow = <T extends { $ref?: string }>(contract: Contract, value: T): T => {
  let found = value
  while (found.$ref) {
    const [, , kind = '', name = ''] = found.$ref.split('/')
    found = contract.components?.[kind]?.[name] as unknown as T
    if (!found) return {} as T
  }
  return found
}

const lastOf = (reference: string) => reference.split('/').at(-1)

/** The name of a schema, also of one that may be null. */
function nameOf({ $ref, anyOf, oneOf }: Schema): string | undefined {
  if ($ref) return lastOf($ref)
  const names = new Set((anyOf ?? oneOf ?? []).flatMap(part => (part.$ref ? [lastOf(part.$ref)] : [])))
  return names.size === 1 ? [...names][0] : undefined
}

/** The alternatives of a schema, or itself. */
const branchesOf = (contract: Contract, schema: Schema): Schema[] => {
  const whole = follow(contract, schema)
  const parts = whole.anyOf ?? whole.oneOf
  return parts ? [...new Set(parts.flatMap(part => branchesOf(contract, part)))] : [whole]
}

const typesOf = (branches: Schema[]) =>
  new Set(branches.flatMap(({ type, properties }) => type ?? (properties ? 'object' : [])))

/** The values a schema is limited to; null if it is not. */
function valuesOf(branches: Schema[]): Set<string> | null {
  const limited = branches.filter(branch => branch.type !== 'null')
  if (limited.length === 0 || limited.some(branch => !branch.enum && branch.const === undefined)) return null
  return new Set(limited.flatMap(branch => branch.enum ?? [branch.const]).map(value => JSON.stringify(value)))
}

const propertiesOf = (
  contract: Contract,
  branches: Schema[],
): Map<string, { schema: Schema; isRequired: boolean }> => {
  const found = new Map<string, { schema: Schema; isRequired: boolean }>()
  const objects = branches.flatMap(branch => [
    branch,
    ...(branch.allOf ?? []).map(part => follow(contract, part)),
  ])
  const withFields = objects.filter(({ properties }) => properties)
  for (const { properties = {}, required = [] } of withFields)
    for (const [name, schema] of Object.entries(properties)) {
      const before = found.get(name)
      found.set(name, {
        schema: before ? { anyOf: [before.schema, schema] } : schema,
        isRequired: required.includes(name) && (before?.isRequired ?? true),
      })
    }
  // A field that only some of the alternatives have is not always there.
  for (const [name, field] of found)
    if (withFields.some(({ properties, allOf }) => !allOf && !(name in properties!))) field.isRequired = false
  return found
}

/** The changes that break clients written for `before`. */
export function breakingChanges(before: Contract, after: Contract): Breaking[] {
  const found = new Map<string, Breaking>()
  const seen = new Set<string>()
  const numbers = new Map<Schema, number>()
  const numberOf = (schema: Schema) => {
    const number = numbers.get(schema) ?? numbers.size
    numbers.set(schema, number)
    return number
  }
  const report = (subject: string, what: string) => found.set(`${subject} ${what}`, { subject, what })

  function compare(old: Schema, now: Schema, direction: Direction, subject: string): void {
    const here = nameOf(old) ?? subject
    const [olds, nows] = [branchesOf(before, old), branchesOf(after, now)]
    // Schemas may be recursive or shared, so each pair is compared once.
    const key = `${direction} ${[...olds, ...nows].map(numberOf).join(' ')}`
    if (seen.has(key)) return
    seen.add(key)
    const [oldTypes, nowTypes] = [typesOf(olds), typesOf(nows)]
    // Old requests must still be accepted, and new answers still be understood.
    const [narrow, wide] = direction === 'request' ? [oldTypes, nowTypes] : [nowTypes, oldTypes]
    const isNumber = (type: string) => type === 'integer' && wide.has('number')
    const strange = wide.size === 0 ? [] : [...narrow].filter(type => !wide.has(type) && !isNumber(type))
    if (strange.length > 0)
      report(
        here,
        direction === 'request'
          ? `no longer takes ${strange.join(', ')}`
          : `may now be ${strange.join(', ')}`,
      )

    const [oldValues, nowValues] = [valuesOf(olds), valuesOf(nows)]
    if (oldValues && nowValues) {
      const gone = [...oldValues].filter(value => !nowValues.has(value))
      if (gone.length > 0) report(here, `no longer has the value ${gone.join(', ')}`)
    } else if (!oldValues && nowValues && direction === 'request' && oldTypes.size > 0)
      report(here, 'is limited to some values')

    const [oldFields, nowFields] = [propertiesOf(before, olds), propertiesOf(after, nows)]
    for (const [name, { schema, isRequired }] of oldFields) {
      const field = nowFields.get(name)
      if (!field) {
        if (nowFields.size > 0 || oldFields.size > 0)
          report(`${here}.${name}`, `is gone from the ${direction}`)
        continue
      }
      if (direction === 'answer' && isRequired && !field.isRequired)
        report(`${here}.${name}`, 'may now be missing')
      if (direction === 'request' && !isRequired && field.isRequired)
        report(`${here}.${name}`, 'is now required')
      compare(schema, field.schema, direction, `${here}.${name}`)
    }
    if (direction === 'request')
      for (const [name, { isRequired }] of nowFields)
        if (isRequired && !oldFields.has(name)) report(`${here}.${name}`, 'is new and required')
    const [oldItems, nowItems] = [
      olds.find(({ items }) => items)?.items,
      nows.find(({ items }) => items)?.items,
    ]
    if (oldItems && nowItems) compare(oldItems, nowItems, direction, `${here}[]`)
  }

  function compareContent(
    old: Content | undefined,
    now: Content | undefined,
    direction: Direction,
    subject: string,
  ): void {
    for (const [type, { schema }] of Object.entries(old?.content ?? {})) {
      const other = now?.content?.[type]
      if (!other) report(subject, `no longer has ${type} in the ${direction}`)
      else if (schema && other.schema) compare(schema, other.schema, direction, subject)
    }
  }

  function compareOperation(old: Operation, now: Operation, subject: string): void {
    const parametersOf = (contract: Contract, { parameters = [] }: Operation) =>
      new Map(parameters.map(one => follow(contract, one)).map(one => [`${one.in} ${one.name}`, one]))
    const [oldOnes, nowOnes] = [parametersOf(before, old), parametersOf(after, now)]
    for (const [key, parameter] of oldOnes) {
      const other = nowOnes.get(key)
      if (!other) report(subject, `no longer takes the parameter ${parameter.name}`)
      else {
        if (other.required && !parameter.required)
          report(subject, `now requires the parameter ${parameter.name}`)
        if (parameter.schema && other.schema)
          compare(parameter.schema, other.schema, 'request', `${subject} ${parameter.name}`)
      }
    }
    for (const [key, parameter] of nowOnes)
      if (parameter.required && !oldOnes.has(key))
        report(subject, `now requires the parameter ${parameter.name}`)
    compareContent(old.requestBody, now.requestBody, 'request', subject)
    if (now.requestBody?.required && !old.requestBody?.required) report(subject, 'now requires a body')
    for (const [status, response] of Object.entries(old.responses ?? {})) {
      if (!status.startsWith('2')) continue
      const other = now.responses?.[status]
      if (!other) report(subject, `no longer answers ${status}`)
      else compareContent(response, other, 'answer', subject)
    }
  }

  for (const [path, operations] of Object.entries(before.paths ?? {}))
    for (const method of methods) {
      const old = operations[method]
      if (!old) continue
      const now = after.paths?.[path]?.[method]
      const subject = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      if (now) compareOperation(old, now, subject)
      else report(subject, 'is gone')
    }
  for (const [event, operations] of Object.entries(before.webhooks ?? {})) {
    const [old, now] = [operations.post, after.webhooks?.[event]?.post]
    if (old && now) compareContent(old.requestBody, now.requestBody, 'answer', event)
    else if (old) report(event, 'is gone')
  }
  return [...found.values()]
}

/** The lines under a heading "Breaking" in `after` that are not in `before`. */
export function breakingLines(before: string, after: string): string {
  const linesOf = (text: string) =>
    text
      .split(/^#+ /m)
      .filter(part => part.startsWith('Breaking'))
      .flatMap(part => part.split('\n').slice(1))
  const known = new Set(linesOf(before))
  return linesOf(after)
    .filter(line => !known.has(line))
    .join('\n')
}

/** The changes that the changelog does not name. */
export const unannounced = (changes: readonly Breaking[], lines: string): Breaking[] =>
  changes.filter(({ subject }) => !lines.includes(`\`${subject}\``))
