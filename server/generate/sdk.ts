import type { ApiDescription } from '../src/kit/http/openapi.ts'
import { openApi } from '../src/kit/http/openapi.ts'
import { fileTypeOf, followUpMaxMs, type Operation } from '../src/kit/operation.ts'
import { comment, fieldsOf, nameOf, type Schema, typeOf } from './type-of-schema.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
interface Route {
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
interface Document {
  paths: Record<string, Record<string, Route>>
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Content } } }>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const header = '// Generated from the declared operations by npm run generate. Do not edit.\n\n'

/** The client waits a little longer than the server does. */
const timeoutOf = ({ upload, followUp }: Operation): number | undefined =>
  upload ? 330_000 : followUp ? (followUp.maxMs ?? followUpMaxMs) + 15_000 : undefined

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** How an operation is called: `relance.invoices.create`. */
function methodNames({ id }: Operation): [noun: string, verb: string] {
  const [noun = '', verb = '', ...rest] = id.split('.')
  if (!noun || !verb || rest.length > 0) throw new Error(`${id} is not noun.verb`)
  return [noun, verb]
}

/** Types that have no name in the contract get one from their operation. */
const ownName = (operation: Operation, suffix: string) =>
  methodNames(operation).map(capital).join('') + suffix

const json = (content: Content | undefined): Schema | undefined => content?.['application/json']?.schema

/** The parameters, body and reply of an operation in the OpenAPI document. */
function partsOf(document: Document, operation: Operation) {
  const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
  const route = document.paths[path]![operation.method.toLowerCase()]!
  const parameters = route.parameters.map(parameter =>
    '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  )
  const envelope = json(route.responses[String(operation.status)]?.content)
  const data = envelope?.properties?.data
  return {
    inPath: parameters.filter(parameter => parameter.in === 'path'),
    inQuery: parameters.filter(parameter => parameter.in === 'query'),
    body: json(route.requestBody?.content),
    isBodyRequired: route.requestBody?.required === true,
    reply: operation.list ? data?.items : data,
    paging: nameOf(envelope?.properties?.pagination ?? {}),
  }
}

/** Booleans are written as words in a query. */
const isBooleanText = ({ enum: values }: Schema) => values?.join() === 'true,false'

const querySchema = (inQuery: readonly Parameter[]): Schema => ({
  type: 'object',
  required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  properties: Object.fromEntries(
    inQuery.map(({ name, description, schema }) => [
      name,
      {
        ...(isBooleanText(schema) ? { type: 'boolean' } : schema),
        ...(description === undefined ? {} : { description }),
      },
    ]),
  ),
})

/** Every schema that is named below a node. */
function* namesIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const name = nameOf(node as Schema)
  if (name) yield name
  for (const value of Object.values(node)) yield* namesIn(value)
}

/** The schemas that operations and events use, directly or through other schemas. */
function reachableNames({ components: { schemas } }: Document, from: readonly unknown[]): Set<string> {
  const reached = new Set<string>(from.flatMap(node => [...namesIn(node)]))
  for (const name of reached) for (const next of namesIn(schemas[name])) reached.add(next)
  return reached
}

const declaration = (name: string, schema: Schema): string =>
  schema.type === 'object' && schema.properties
    ? `${comment(schema.description, 0)}export interface ${name} ${fieldsOf(schema, 0)}\n`
    : `${comment(schema.description, 0)}export type ${name} = ${typeOf(schema)}\n`

const eventTypes = ({ webhooks }: Document) => {
  const data = Object.entries(webhooks).map(([name, { post }]) => {
    const { properties } = json(post.requestBody.content)!
    return `${comment(post.summary, 1)}  '${name}': ${typeOf(properties!.data, 1)}\n`
  })
  return `/** What \`data\` of each event holds. */
export interface EventData {
${data.join('')}}

/** An event as it is kept and delivered; \`event\` says which one. */
export type WebhookEvent = {
  [Name in EventName]: {
    /** The id of the event: process each id once. */
    id: string
    event: Name
    /** When it happened. */
    createdAt: string
    environment: 'production' | 'sandbox'
    /** Counts the events of one invoice: a higher one happened later. */
    sequence: number
    data: EventData[Name]
  }
}[EventName]
`
}

/** Types of everything the operations take and answer. */
function typesFile(document: Document, contract: ApiDescription): string {
  const { schemas } = document.components
  const own: [string, Schema][] = []
  for (const operation of contract.operations) {
    const { inQuery, body, reply } = partsOf(document, operation)
    if (inQuery.length > 0) own.push([ownName(operation, 'Query'), querySchema(inQuery)])
    if (body && !nameOf(body)) own.push([ownName(operation, 'Input'), body])
    if (reply && !nameOf(reply) && operation.status !== 204) own.push([ownName(operation, 'Reply'), reply])
  }
  const reached = reachableNames(document, [
    document.webhooks,
    ...contract.operations.map(operation => partsOf(document, operation)),
    own,
    ...['ErrorResponse', 'Warning', 'Pagination', 'OffsetPagination', 'FeedPagination'].map(name => ({
      $ref: name,
    })),
    ...Object.keys(contract.namedEnums).map(name => ({ $ref: name })),
  ])
  const named = Object.entries(schemas).filter(([name]) => reached.has(name))
  const taken = new Set(named.map(([name]) => name))
  for (const [name] of own) if (taken.has(name)) throw new Error(`two types of the SDK are called ${name}`)
  const declarations = [...named, ...own].map(([name, schema]) =>
    // The contract leaves `data` open there; here each event has its own.
    name === 'EventBody' ? 'export type EventBody = WebhookEvent\n' : declaration(name, schema),
  )
  return [header.trimEnd(), ...declarations, eventTypes(document)].join('\n')
}

interface Method {
  noun: string
  text: string
  types: string[]
}

function methodOf(document: Document, operation: Operation): Method {
  const [noun, verb] = methodNames(operation)
  const { inPath, inQuery, body, isBodyRequired, reply, paging } = partsOf(document, operation)
  const types: string[] = []
  const named = (schema: Schema, suffix: string) => {
    const name = nameOf(schema) ?? ownName(operation, suffix)
    types.push(name)
    return name
  }
  const path = operation.path.includes(':')
    ? `\`${operation.path.replace(/:([A-Za-z]+)/g, (_, name) => `\${segment(${name})}`)}\``
    : `'${operation.path}'`
  const takes = [
    ...inPath.map(({ name, schema }) => {
      types.push(...namesIn(schema))
      return `${name}: ${typeOf(schema)}`
    }),
    ...(body ? [`body${isBodyRequired ? '' : '?'}: ${named(body, 'Input')}`] : []),
    ...(operation.upload ? ['file: FileBody'] : []),
    ...(inQuery.length > 0
      ? [`query${inQuery.some(({ required }) => required) ? '' : '?'}: ${named({}, 'Query')}`]
      : []),
    'options?: RequestOptions',
  ].join(', ')
  const query = inQuery.length > 0 ? 'query' : undefined
  const codes = [...new Set(operation.errors.map(({ code }) => code))].sort()
  const says = comment(
    [
      operation.summary,
      operation.description,
      codes.length > 0 ? `Refusals of its own: ${codes.map(code => `\`${code}\``).join(', ')}` : undefined,
    ]
      .filter(Boolean)
      .map(sentence => sentence!.replace(/\.$/, ''))
      .join('. '),
    1,
  )
  /** Leaves out undefined arguments at the end. */
  const args = (...given: (string | number | undefined)[]) => {
    const last = given.findLastIndex(one => one !== undefined)
    return given.slice(0, last + 1).map(one => one ?? 'undefined')
  }
  const [returns, calls] = operation.list
    ? [`List<${named(reply!, 'Reply')}, ${paging}>`, `list(${args(path, 'options', query).join(', ')})`]
    : fileTypeOf(operation)
      ? ['ApiPromise<Blob>', `file(${args(path, 'options', query).join(', ')})`]
      : [
          `ApiPromise<${operation.status === 204 || !reply ? 'void' : named(reply, 'Reply')}>`,
          operation.upload
            ? `upload(${args(path, 'options', 'file', query ?? 'undefined', JSON.stringify(operation.upload.types), timeoutOf(operation)).join(', ')})`
            : `send(${args(`'${operation.method}'`, path, 'options', body && 'body', query, timeoutOf(operation)).join(', ')})`,
        ]
  if (operation.list) types.push(paging!)
  return {
    noun,
    types,
    text: `${says}  ${verb}(${takes}): ${returns} {\n    return this.call.${calls}\n  }\n`,
  }
}

const scalarTypes = ['string', 'number', 'boolean'] as const

interface Field {
  name: string
  type: (typeof scalarTypes)[number] | 'list' | 'json'
  isRequired?: true
  values?: readonly unknown[]
  text?: string
}

/** Resolves a reference, and removes null. */
function plainSchema(document: Document, schema: Schema): Schema {
  const name = nameOf(schema)
  const own = name ? document.components.schemas[name]! : schema
  const options = (own.anyOf ?? own.oneOf)?.filter(({ type }) => type !== 'null')
  const { description } = schema
  const [only] = options ?? []
  if (options?.length === 1)
    return { ...plainSchema(document, only!), ...(description !== undefined && { description }) }
  const type = typeof own.type === 'object' ? own.type.filter(one => one !== 'null') : own.type
  return {
    ...own,
    ...(options && { anyOf: options }),
    ...(type !== undefined && { type: typeof type === 'object' && type.length === 1 ? type[0]! : type }),
    ...(description !== undefined && { description }),
  }
}

/** The fields of an object, or of all its variants together; undefined if it is not an object. */
function objectFields(
  document: Document,
  schema: Schema,
): [string, Schema, isRequired: boolean][] | undefined {
  const { anyOf, allOf, properties, required = [] } = plainSchema(document, schema)
  if (properties) return Object.entries(properties).map(([name, own]) => [name, own, required.includes(name)])
  const parts = (anyOf ?? allOf)?.map(part => objectFields(document, part))
  if (!parts || parts.some(part => part === undefined)) return
  const all = parts.flatMap(part => part!)
  return [...new Map(all.map(([name, own]) => [name, own]))].map(([name, own]) => {
    const same = all.filter(([other]) => other === name)
    const isRequired = same.every(([, , required]) => required) && (!!allOf || same.length === parts.length)
    return [name, own, isRequired]
  })
}

/** The fields of a body or query as a command line writes them: a nested field has a dot in its name. */
function fieldsIn(document: Document, schema: Schema, prefix = '', isNeeded = true): Field[] {
  return (objectFields(document, schema) ?? []).flatMap(([key, own, isRequired]) => {
    const name = `${prefix}${key}`
    const plain = plainSchema(document, own)
    const isAsked = isNeeded && isRequired
    const inner = fieldsIn(document, plain, `${name}.`, isAsked)
    if (inner.length > 0) return inner
    const items = plain.type === 'array' ? plainSchema(document, plain.items ?? {}) : undefined
    const isScalar = ({ type }: Schema) => type === 'integer' || scalarTypes.some(one => one === type)
    const values = (items ?? plain).enum ?? ('const' in plain ? [plain.const] : undefined)
    const type: Field['type'] =
      items && isScalar(items)
        ? 'list'
        : plain.type === 'integer'
          ? 'number'
          : (scalarTypes.find(one => one === plain.type) ?? (values && !items ? 'string' : 'json'))
    return {
      name,
      type,
      ...(isAsked && { isRequired: true as const }),
      ...(values && { values }),
      ...(own.description === undefined && plain.description === undefined
        ? {}
        : { text: own.description ?? plain.description! }),
    }
  })
}

/** The data of the command line: operations, error codes and events. */
function commandsFile(document: Document, { operations, nouns, errorTexts, events }: ApiDescription): string {
  const commands = operations.map(operation => {
    const { inPath, inQuery, body, isBodyRequired } = partsOf(document, operation)
    return {
      id: operation.id,
      method: operation.method,
      answers: operation.list ? 'list' : fileTypeOf(operation) ? 'file' : 'record',
      summary: operation.summary,
      ...(operation.description && { text: operation.description }),
      params: inPath.map(({ name, description, schema }) => {
        const { enum: values } = plainSchema(document, schema)
        return { name, ...(values && { values }), ...(description && { text: description }) }
      }),
      query: inQuery.length > 0 ? fieldsIn(document, querySchema(inQuery)) : null,
      body: operation.upload ? 'file' : body ? fieldsIn(document, body) : null,
      ...(body && isBodyRequired && { isBodyRequired }),
    }
  })
  const json = (value: unknown) => JSON.stringify(value, null, 1)
  return `${header}import type { Command } from '../cli/command.ts'

export const commands: readonly Command[] = ${json(commands)}

export const nouns: Readonly<Record<string, string>> = ${json(nouns)}

/** What to do about each error code. */
export const advice: Readonly<Record<string, string>> = ${json(
    Object.fromEntries(Object.entries(errorTexts).map(([code, { next }]) => [code, next])),
  )}

export const events: Readonly<Record<string, string>> = ${json(
    Object.fromEntries(events.map(({ type, summary }) => [type, summary])),
  )}
`
}

const className = (noun: string) => `${capital(noun)}Resource`

/** One class per noun, one method per operation. */
function resourcesFile(document: Document, { operations, nouns }: ApiDescription): string {
  const methods = operations.map(operation => methodOf(document, operation))
  const byNoun = Map.groupBy(methods, ({ noun }) => noun)
  const types = [...new Set(methods.flatMap(method => method.types))].sort()
  const classes = [...byNoun].map(
    ([noun, own]) => `${comment(nouns[noun], 0)}export class ${className(noun)} {
  protected readonly call: Call
  constructor(call: Call) {
    this.call = call
  }

${own.map(({ text }) => text).join('\n')}}
`,
  )
  const each = (line: (noun: string) => string) => [...byNoun.keys()].map(line).join('')
  return `${header}import { type ApiPromise, type Call, type FileBody, segment } from '../call.ts'
import type { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type {
${types.map(name => `  ${name},\n`).join('')}} from './types.ts'

${classes.join('\n')}
/** Every noun of the API. */
export class Resources {
${each(noun => `${comment(nouns[noun], 1)}  readonly ${noun}: ${className(noun)}\n`)}
  constructor(call: Call) {
${each(noun => `    this.${noun} = new ${className(noun)}(call)\n`)}  }
}
`
}

/** The generated files of the SDK, by their names. */
export function sdkFiles(contract: ApiDescription): { types: string; resources: string; commands: string } {
  const document = openApi(contract) as unknown as Document
  return {
    types: typesFile(document, contract),
    resources: resourcesFile(document, contract),
    commands: commandsFile(document, contract),
  }
}
