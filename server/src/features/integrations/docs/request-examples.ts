import { type ApiDocument, answerOf, type Endpoint, type Parameter, type Schema } from './document.ts'

/** The ids of the recorded answers look like this. */
const exampleId = '018f4e2a-0000-7000-8000-000000000001'

/** The value with this name in the recorded answers of the same path. */
function recordedValue({ endpoints }: ApiDocument, path: string, name: string): string | undefined {
  const values = endpoints
    .filter(endpoint => endpoint.path === path)
    .map(
      endpoint =>
        (answerOf(endpoint).example as { data?: Record<string, unknown> } | undefined)?.data?.[name],
    )
  return values.find(value => typeof value === 'string')
}

function exampleValue(document: ApiDocument, { path }: Endpoint, { name, schema }: Parameter): string {
  const { schema: found } = document.resolve(schema)
  if (found.format === 'uuid') return exampleId
  if (found.const !== undefined) return String(found.const)
  return found.enum?.[0] ?? recordedValue(document, path, name) ?? standardValues[name] ?? name
}
const standardValues: Readonly<Record<string, string>> = {
  client_id: 'oc_e1…',
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
}

/** Bodies of the endpoints that another specification defines. */
const standardBodies: Readonly<Record<string, unknown>> = {
  'oauth.token': { grant_type: 'client_credentials', client_id: 'oc_e1…', client_secret: 'ocs_…' },
  'oauth.revoke': { token: 'eyJhbGciOiJSUzI1NiIs…' },
  'oauth.introspect': { token: 'eyJhbGciOiJSUzI1NiIs…' },
  'mcp.send': { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
}

export interface ExampleRequest {
  readonly method: string
  /** With values for its parameters. */
  readonly path: string
  readonly body: unknown
  readonly contentType: string | null
  readonly isFile: boolean
  readonly needsKey: boolean
}

export function exampleRequest(document: ApiDocument, endpoint: Endpoint): ExampleRequest {
  const { method, path, inPath, inQuery, requestBody, operationId, security } = endpoint
  const values = Object.fromEntries(inPath.map(one => [one.name, exampleValue(document, endpoint, one)]))
  const query = inQuery
    .filter(({ required }) => required)
    .map(one => `${one.name}=${encodeURIComponent(exampleValue(document, endpoint, one))}`)
    .join('&')
  const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [null, undefined]
  const isFile = content?.schema.format === 'binary'
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!) + (query && `?${query}`),
    body: isFile ? undefined : (content?.example ?? standardBodies[operationId]),
    contentType,
    isFile,
    needsKey: security.length > 0,
  }
}

const inQuotes = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curl({ method, path, body, contentType, isFile, needsKey }: ExampleRequest): string {
  const isImplied = method === (body === undefined && !isFile ? 'GET' : 'POST')
  return [
    `curl${isImplied ? '' : ` -X ${method}`} "$BASE_URL${path}"`,
    ...(needsKey ? ['-H "X-API-Key: $API_KEY"'] : []),
    ...(contentType && (body !== undefined || isFile) ? [`-H "Content-Type: ${contentType}"`] : []),
    ...(isFile ? ['--data-binary @file'] : []),
    ...(body === undefined ? [] : [`-d ${inQuotes(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

interface Style {
  readonly key: (name: string) => string
  readonly text: (text: string) => string
  readonly words: Readonly<Record<string, string>>
}
const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)
const singleQuoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`
const inTypeScript: Style = {
  key: name => (isIdentifier(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  words: { true: 'true', false: 'false', null: 'null' },
}
const inPython: Style = {
  key: name => JSON.stringify(name),
  text: text => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
}

/** A value as a literal of a language. A short value stays on one line. */
function literal(value: unknown, style: Style, indent: string): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object' || value === null) return style.words[String(value)] ?? String(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = `${indent}  `
  const parts = (depth: string) =>
    Array.isArray(value)
      ? value.map(item => literal(item, style, depth))
      : Object.entries(value).map(([name, item]) => `${style.key(name)}: ${literal(item, style, depth)}`)
  if (parts('').length === 0) return `${open}${close}`
  const space = Array.isArray(value) ? '' : ' '
  const line = `${open}${space}${parts('').join(', ')}${space}${close}`
  if (!line.includes('\n') && indent.length + line.length < 80) return line
  return `${open}\n${parts(inner)
    .map(part => `${inner}${part},\n`)
    .join('')}${indent}${close}`
}

function typeScript(document: ApiDocument, endpoint: Endpoint, { body, isFile }: ExampleRequest): string {
  const { operationId, inPath, inQuery, status, responses } = endpoint
  const [noun = '', verb = ''] = operationId.split('.')
  const required = inQuery.filter(({ required: must }) => must)
  const args = [
    ...inPath.map(one => singleQuoted(exampleValue(document, endpoint, one))),
    ...(isFile ? ['file'] : []),
    ...(body === undefined ? [] : [literal(body, inTypeScript, '')]),
    ...(required.length > 0
      ? [
          literal(
            Object.fromEntries(required.map(one => [one.name, exampleValue(document, endpoint, one)])),
            inTypeScript,
            '',
          ),
        ]
      : []),
  ].join(', ')
  const call = `relance.${noun}.${verb}(${args})`
  const content = responses[status]!.content ?? {}
  const isList = answerSchema(endpoint)?.properties?.pagination !== undefined
  const use = isList
    ? `for await (const item of ${call}) console.log(item)`
    : status === '204'
      ? `await ${call}`
      : content['application/json']
        ? `const answer = await ${call}\nconsole.log(answer)`
        : `const file = await ${call}\nawait writeFile('file.pdf', Buffer.from(await file.arrayBuffer()))`
  return [
    ...(isFile ? ["import { openAsBlob } from 'node:fs'"] : []),
    ...(use.includes('writeFile') ? ["import { writeFile } from 'node:fs/promises'"] : []),
    "import { Relance } from '@relance/sdk'",
    '',
    'const { API_KEY, BASE_URL } = process.env',
    'const relance = new Relance({ apiKey: API_KEY!, baseUrl: BASE_URL! })',
    '',
    ...(isFile ? ["const file = await openAsBlob('file')"] : []),
    use,
  ].join('\n')
}

const answerSchema = ({ responses, status }: Endpoint): Schema | undefined =>
  responses[status]!.content?.['application/json']?.schema

function python(
  endpoint: Endpoint,
  { method, path, body, contentType, isFile, needsKey }: ExampleRequest,
): string {
  const headers = {
    ...(contentType && (body !== undefined || isFile) ? { 'Content-Type': contentType } : {}),
  }
  const headerLines = [
    ...(needsKey ? ['"X-API-Key": os.environ["API_KEY"]'] : []),
    ...Object.entries(headers).map(([name, value]) => `"${name}": "${value}"`),
  ]
  const hasJson = answerSchema(endpoint) !== undefined
  return [
    `import ${hasJson || body !== undefined ? 'json, ' : ''}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `  os.environ["BASE_URL"] + "${path}",`,
    `  method="${method}",`,
    ...(headerLines.length > 0 ? [`  headers={${headerLines.join(', ')}},`] : []),
    ...(body === undefined ? [] : [`  data=json.dumps(${literal(body, inPython, '  ')}).encode(),`]),
    ...(isFile ? ['  data=open("file", "rb").read(),'] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    hasJson ? '  print(json.load(response))' : '  print(response.status)',
  ].join('\n')
}

/** The same request in three languages, or in two if the SDK has no method for it. */
export function codeExamples(
  document: ApiDocument,
  endpoint: Endpoint,
  isInSdk: boolean,
): { readonly label: string; readonly language: string; readonly code: string }[] {
  const request = exampleRequest(document, endpoint)
  return [
    { label: 'curl', language: 'sh', code: curl(request) },
    ...(isInSdk
      ? [{ label: 'TypeScript', language: 'ts', code: typeScript(document, endpoint, request) }]
      : []),
    { label: 'Python', language: 'python', code: python(endpoint, request) },
  ]
}
