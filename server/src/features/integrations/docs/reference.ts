import { type ErrorCode, errorStatuses } from '../../../kit/errors.ts'
import { exampleBody } from '../../../kit/event-example.ts'
import type { ApiDescription } from '../../../kit/http/openapi.ts'
import { errorCodesOf, generalCodes } from '../../../kit/http/openapi-operation.ts'
import type { Operation } from '../../../kit/operation.ts'
import { type ApiDocument, answerOf, type Endpoint, type Parameter, type Schema } from './document.ts'
import { exampleError } from './error-examples.ts'
import { codeExamples } from './request-examples.ts'

/** The reference as Markdown, made from the declarations and the OpenAPI document. */
export interface ReferenceSource {
  readonly contract: ApiDescription
  readonly document: ApiDocument
}

const sentence = (text: string) => (/[.!?:]$/.test(text) ? text : `${text}.`)
const code = (text: unknown) => `\`${String(text)}\``
const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
const json = (value: unknown) => fence('json', JSON.stringify(value, null, 2))
const joined = (parts: readonly (string | false | null | undefined)[]) =>
  `${parts.filter(Boolean).join('\n\n')}\n`

export const operationPath = (id: string) => `api/${id}`
const linkTo = (id: string) => `[${code(id)}](/docs/${operationPath(id)}.md)`
const errorLink = (errorCode: string) => `[${code(errorCode)}](/docs/errors/${errorCode}.md)`

const isNull = ({ type }: Schema) => type === 'null'
const alternativesOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []).filter(one => !isNull(one))

/** How a value is written in JSON. */
function typeName(document: ApiDocument, given: Schema): string {
  const { name, schema } = document.resolve(given)
  if (name && schema.enum) return `[${name}](/docs/api/types.md#${name})`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map(code).join(' or ')
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0)
    return [...new Set(alternatives.map(one => typeName(document, one)))].join(' or ')
  if (schema.type === 'array') return `array of ${typeName(document, schema.items ?? {})}`
  return [schema.type ?? 'any', schema.format].filter(Boolean).join(', ')
}

/** The limits of a value, and its default. */
function bounds(document: ApiDocument, given: Schema): string[] {
  const { schema } = document.resolve(given)
  const [only, ...others] = alternativesOf(schema)
  if (only && others.length === 0) return [...new Set([...bounds(document, only), ...ownBounds(schema)])]
  return ownBounds(schema)
}
const ownBounds = ({ minimum, maximum, maxLength, default: fallback }: Schema): string[] =>
  [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && `at least ${minimum}`,
    minimum === undefined && maximum !== undefined && `at most ${maximum}`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    fallback !== undefined && `default ${code(JSON.stringify(fallback))}`,
  ].filter(text => typeof text === 'string')

const isNullable = (document: ApiDocument, given: Schema): boolean =>
  (document.resolve(given).schema.anyOf ?? []).some(isNull)

/** The objects inside a value: the value itself, an item of a list, or the alternatives that are not null. */
function objectsIn(document: ApiDocument, given: Schema): { name: string | null; schema: Schema }[] {
  const { name, schema } = document.resolve(given)
  if (schema.type === 'array' && schema.items) return objectsIn(document, schema.items)
  const alternatives = [...alternativesOf(schema), ...(schema.allOf ?? [])]
  if (alternatives.length > 0) return alternatives.flatMap(one => objectsIn(document, one))
  return schema.properties ? [{ name, schema }] : []
}

const describes = (document: ApiDocument, given: Schema): string => {
  const { schema } = document.resolve(given)
  return (
    schema.description ?? alternativesOf(schema).map(one => document.resolve(one).schema.description)[0] ?? ''
  )
}

/** One line per field, followed by the fields of its object, if it has one. */
function fieldLines(
  document: ApiDocument,
  given: Schema,
  {
    says,
    depth = 0,
    above = [],
  }: { says: 'required' | 'nullable'; depth?: number; above?: readonly string[] },
): string[] {
  const objects = objectsIn(document, given)
  const properties = new Map(objects.flatMap(({ schema }) => Object.entries(schema.properties!)).toReversed())
  // With several kinds of object, a field is required only if each kind requires it.
  const isRequiredByAll = (name: string) => objects.every(({ schema }) => schema.required?.includes(name))
  return [...properties].toReversed().flatMap(([name, schema]) => {
    const isRequired = isRequiredByAll(name)
    const facts = [
      typeName(document, schema),
      says === 'required' && isRequired && 'required',
      says === 'nullable' && isNullable(document, schema) && 'or null',
      says === 'nullable' && !isRequired && 'not always there',
      ...bounds(document, schema),
    ].filter(Boolean)
    const line = `${'  '.repeat(depth)}- ${code(name)} *${facts.join(', ')}* ${sentence(describes(document, schema))}`
    const inside = objectsIn(document, schema).map(one => one.name)
    if (inside.some(one => one !== null && above.includes(one))) return [line]
    const names = inside.filter(one => one !== null)
    return [line, ...fieldLines(document, schema, { says, depth: depth + 1, above: [...above, ...names] })]
  })
}

const parameterLine = (document: ApiDocument, { name, required, description = '', schema }: Parameter) =>
  `- ${code(name)} *${[typeName(document, schema), required && 'required', ...bounds(document, schema)].filter(Boolean).join(', ')}* ${sentence(description)}`

const parameterList = (document: ApiDocument, title: string, parameters: readonly Parameter[]) =>
  parameters.length > 0 && `## ${title}\n\n${parameters.map(one => parameterLine(document, one)).join('\n')}`

/** Either all of the first list, or all of another. */
const scopesText = ({ security }: Endpoint): string => {
  const sets = [...new Set(security.map(one => Object.values(one)[0]!.map(code).join(' and ')))]
  if (security.length === 0) return 'No credential is needed.'
  return `Needs the scope ${sets.map(set => set || 'of any credential').join(', or ')}.`
}

const environmentText = ({ environment }: Operation) =>
  environment &&
  (environment === 'sandbox'
    ? 'For credentials of the sandbox only; in production the path is unknown.'
    : 'For credentials of production only.')

const ownErrorLines = (operation: Operation, { errorTexts }: ApiDescription) =>
  errorCodesOf(operation)
    .filter(one => !generalCodes.includes(one))
    .map(
      one =>
        `- ${errorLink(one)} (${errorStatuses[one]}): ${sentence(errorTexts[one].means)} ${errorTexts[one].next}`,
    )

function answerText(document: ApiDocument, endpoint: Endpoint): string {
  const { type, schema } = answerOf(endpoint)
  const { status } = endpoint
  if (!type) return `## Answer\n\n${code(status)} without a body.`
  if (type !== 'application/json')
    return `## Answer\n\n${code(status)} with a file of the type ${code(type)}.`
  const data = schema.properties?.data
  // Endpoints that another specification defines have no envelope.
  if (!data) {
    const lines = fieldLines(document, schema, { says: 'nullable' })
    return `## Answer\n\n${code(status)}, with these fields:\n\n${lines.join('\n')}`
  }
  const lines = fieldLines(document, data, { says: 'nullable' })
  const isList = data.type === 'array'
  const what = isList ? 'Each item of `data` has' : '`data` has'
  const more = isList ? ' and [pages](/docs/pagination.md)' : ''
  return lines.length > 0
    ? `## Answer\n\n${code(status)}, in the usual [envelope](/docs/api.md#envelope)${more}. ${what} these fields:\n\n${lines.join('\n')}`
    : `## Answer\n\n${code(status)}, in the usual [envelope](/docs/api.md#envelope)${more}. \`data\` is *${typeName(document, data)}*: ${sentence(describes(document, data))}`
}

function answerExample(endpoint: Endpoint): string {
  const { type, example } = answerOf(endpoint)
  if (!type) return `The answer is ${code(endpoint.status)}, without a body.`
  if (example !== undefined) return `The answer:\n\n${json(example)}`
  return `The answer is ${code(endpoint.status)}, of the type ${code(type)}.`
}

/** The page of one endpoint. The section Example is shown next to the rest where there is room. */
export function operationPage({ contract, document }: ReferenceSource, endpoint: Endpoint): string {
  const operation = contract.operations.find(({ id }) => id === endpoint.operationId)
  const { method, path, summary, description, inPath, inQuery, inHeader, requestBody } = endpoint
  const [bodyType, bodyContent] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const bodyLines = bodyContent ? fieldLines(document, bodyContent.schema, { says: 'required' }) : []
  const own = operation ? ownErrorLines(operation, contract) : []
  const examples = codeExamples(document, endpoint, operation !== undefined)
  return joined([
    `# ${summary}`,
    `${code(`${method} ${path}`)}`,
    description && sentence(description),
    [scopesText(endpoint), operation && environmentText(operation)].filter(Boolean).join(' '),
    '## Example',
    ...examples.map(one => fence(`${one.language} ${one.label}`, one.code)),
    answerExample(endpoint),
    parameterList(document, 'Path parameters', inPath),
    parameterList(document, 'Query parameters', inQuery),
    bodyContent &&
      (bodyLines.length > 0
        ? `## Body\n\n${bodyLines.join('\n')}`
        : `## Body\n\nA file, as it is: ${Object.keys(requestBody!.content).map(code).join(', ')}.`),
    bodyType !== undefined && requestBody?.required === false && 'The body may be left out.',
    parameterList(document, 'Headers', inHeader),
    answerText(document, endpoint),
    operation &&
      `## Errors\n\n${own.length > 0 ? `${own.join('\n')}\n\n` : ''}And those [every operation may answer](/docs/errors.md#every-operation).`,
  ])
}

/** The page of a noun, with its operations. */
export function nounPage({ document }: ReferenceSource, noun: { name: string; description: string }): string {
  const rows = document.endpoints
    .filter(({ tags }) => tags[0] === noun.name)
    .map(
      ({ method, path, operationId, summary }) =>
        `| ${linkTo(operationId)} | ${code(`${method} ${path}`)} | ${sentence(summary)} |`,
    )
  return joined([
    `# ${titleOfNoun(noun.name)}`,
    sentence(noun.description),
    ['| operation | request | what it does |', '|---|---|---|', ...rows].join('\n'),
  ])
}

/** `apiKeys` is shown as Api keys. */
export function titleOfNoun(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  const known: Readonly<Record<string, string>> = {
    'api keys': 'API keys',
    'oauth clients': 'OAuth clients',
    oauth: 'OAuth',
    mcp: 'MCP',
  }
  return known[words.replace('o auth', 'oauth')] ?? words[0]!.toUpperCase() + words.slice(1)
}

/** The nouns that have an endpoint, in the order of the document. */
export const nounsOf = ({ tags, endpoints }: ApiDocument) =>
  tags.filter(({ name }) => endpoints.some(endpoint => endpoint.tags[0] === name))

const waysOfPaging: Readonly<Record<string, string>> = {
  Pagination: 'Lists with pages, most of them with a cursor as well.',
  OffsetPagination: 'Lists with `limit` and `offset`.',
  FeedPagination: 'The feed of events.',
}

export function apiIndexPage({ document }: ReferenceSource): string {
  const { schemas } = document.components
  const envelope = schemas.ErrorResponse!
  const list = nounsOf(document).map(
    ({ name, description }) => `- [${titleOfNoun(name)}](/docs/api/${name}.md): ${sentence(description)}`,
  )
  return joined([
    '# API reference',
    `The API speaks JSON over HTTPS. Every operation has a page with its parameters, fields, errors and a request in curl, TypeScript and Python. In the examples \`BASE_URL\` is the address of the server and \`API_KEY\` a key. The same contract is served as an [OpenAPI document](/openapi.json) and as a [Postman collection](/docs/postman.json).`,
    '## Authentication',
    'Send an [API key](/docs/api-keys.md) in `X-API-Key`, or an [OAuth access token](/docs/oauth.md) in `Authorization: Bearer`. Keys that begin with `fk_live_` act in production, keys that begin with `fk_test_` in the [sandbox](/docs/sandbox.md).',
    '## Envelope',
    'Every JSON answer has the same outer fields. A success has `data`; an error has `error`.',
    [
      '- `success` *boolean* True when the request succeeded.',
      '- `data` *object or array* What the operation answers with: see its page.',
      '- `pagination` *object, lists only* Where the page stands in the list.',
      '- `warnings` *array, changes only, not always there* Problems found in input that was accepted.',
      ...fieldLines(document, schemas.Warning!, { says: 'nullable', depth: 1 }),
      '- `message` *string, not always there* What to do with a secret that is shown once.',
      ...fieldLines(document, envelope, { says: 'nullable' }).filter(line => !line.startsWith('- `success`')),
    ].join('\n'),
    '## Pagination fields',
    ...Object.entries(waysOfPaging).map(
      ([name, text]) =>
        `### ${code(name)}\n\n${text}\n\n${fieldLines(document, schemas[name]!, { says: 'nullable' }).join('\n')}`,
    ),
    '## Operations',
    list.join('\n'),
    'Values that fields may have are listed under [types](/docs/api/types.md).',
  ])
}

export function typesPage({ contract }: ReferenceSource): string {
  return joined([
    '# Types',
    'Lists of values that fields of several operations share. New values may be added: treat one you do not know as you would treat a missing one.',
    ...Object.entries(contract.namedEnums).map(
      ([name, values]) => `## ${code(name)}\n\n${values.map(value => code(value)).join(', ')}`,
    ),
  ])
}

const groupsOfErrors: Readonly<Record<string, string>> = {
  AUTH: 'Authentication',
  RATE: 'Limits',
  VAL: 'Validation',
  RES: 'Resources',
  BIZ: 'Business rules',
  WH: 'Webhooks',
  SVC: 'Services',
  SYS: 'System',
  FORBIDDEN: 'Immutable fields',
}

export function errorsPage({ contract }: ReferenceSource): string {
  const { errorTexts } = contract
  const codes = Object.keys(errorTexts) as ErrorCode[]
  const groups = Map.groupBy(codes, one => one.split('_')[0]!)
  return joined([
    '# Error codes',
    'Every error has the same shape. `code` is one of the codes on this page and never changes its meaning; `message` is a sentence for people and may change; `details` names the fields at fault; `docUrl` leads here.',
    json(exampleError(contract, 'VAL_003')),
    '## Every operation',
    `Any operation may answer with these: ${generalCodes.map(errorLink).join(', ')}. The page of an operation lists its other codes.`,
    ...[...groups].flatMap(([group, own]) => [
      `## ${groupsOfErrors[group] ?? group}`,
      ...own.map(
        one =>
          `### ${code(one)}\n\n**${errorStatuses[one]} · ${errorTexts[one].means}.** ${errorTexts[one].next} [More](/docs/errors/${one}.md)`,
      ),
    ]),
  ])
}

export function errorPage({ contract }: ReferenceSource, one: ErrorCode): string {
  const { means, next } = contract.errorTexts[one]
  const users = contract.operations.filter(operation => errorCodesOf(operation).includes(one))
  const isGeneral = generalCodes.includes(one)
  return joined([
    `# ${one}: ${means}`,
    `HTTP status ${code(errorStatuses[one])}.`,
    `## What to do\n\n${next}`,
    `## Example\n\n${json(exampleError(contract, one))}`,
    `## Where it occurs\n\n${
      isGeneral
        ? 'Any operation may answer with it.'
        : users.length > 0
          ? users.map(({ id, summary }) => `- ${linkTo(id)}: ${sentence(summary)}`).join('\n')
          : 'No operation of this version answers with it; the code is kept for clients that know it.'
    }`,
  ])
}

export function eventsPage({ contract, document }: ReferenceSource): string {
  return joined([
    '# Events',
    'What happened, as it is stored and delivered. Each event is shown with the fields of its `data` and with a complete body, as a webhook delivers it. The examples follow three invoices: one that was paid, one whose amicable stage ended and one that was written off. How to receive events is in [Webhooks](/docs/webhooks.md).',
    'The outer fields are the same for every event: `id`, `event`, `createdAt`, `environment`, `sequence` and `data`. `data` of every event about an invoice has `invoiceId`, `invoiceNumber` and `debtorId`. Fields are added over time; ignore those you do not know.',
    ...contract.events.map(event => {
      const schema = Object.values(document.webhooks[event.type]!.post.requestBody.content)[0]!.schema
      return [
        `## ${code(event.type)}`,
        `${sentence(event.summary)} Schema version ${event.schemaVersion}.`,
        fieldLines(document, schema.properties!.data!, { says: 'nullable' }).join('\n'),
        json(exampleBody(event, 'production')),
      ].join('\n\n')
    }),
  ])
}
