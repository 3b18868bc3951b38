import document from '../../openapi.json' with { type: 'json' }

export type Type = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** What the published document uses of JSON Schema. */
export interface Schema {
  $ref?: string
  type?: Type | Type[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

export interface Route {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body: { schema: Schema; example: unknown } | null
  /** The type of the file that is its body. */
  upload: string | null
  /**
   * Per status: what its body looks like, or null where there is none or it is a file, which type of file, and the error
   * codes that may stand in it.
   */
  answers: Map<number, { schema: Schema | null; file: string | null; codes: Set<string> }>
}

interface Documented {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

export const components = document.components.schemas as unknown as Record<string, Schema>

export const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(components[schema.$ref.replace('#/components/schemas/', '')]!) : schema

const json = 'application/json'

const codesIn = (description: string) =>
  new Set([...description.matchAll(/`([A-Z_0-9]+)`/g)].map(match => match[1]!))

/** Refusals and the headers of requests are written once and referred to. */
const resolvePart = <Part extends object>(part: Part): Part => {
  if (!('$ref' in part)) return part
  const [kind, name] = String(part.$ref).replace('#/components/', '').split('/') as [string, string]
  return (document.components as unknown as Record<string, Record<string, Part>>)[kind]![name]!
}

/** Every operation of the document, but for health, OAuth and MCP, which are not in the envelope. */
export const routes: Route[] = Object.entries(
  document.paths as unknown as Record<string, Record<string, Documented>>,
).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !/^(health|oauth|mcp)\./.test(operationId))
    .map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(resolvePart),
      body: requestBody?.content[json]
        ? { schema: requestBody.content[json].schema, example: requestBody.content[json].example }
        : null,
      upload: requestBody && !requestBody.content[json] ? Object.keys(requestBody.content)[0]! : null,
      answers: new Map(
        Object.entries(responses)
          .map(([status, response]) => [status, resolvePart(response)] as const)
          .map(([status, { description, content }]) => [
            Number(status),
            {
              schema: content?.[json]?.schema ?? null,
              file: content?.[json] ? null : (Object.keys(content ?? {})[0] ?? null),
              codes: Number(status) >= 400 ? codesIn(description) : new Set<string>(),
            },
          ]),
      ),
    })),
)
