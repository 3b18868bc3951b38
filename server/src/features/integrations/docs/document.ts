import type { Json } from '../../../kit/http/openapi-schemas.ts'

/** A JSON schema, as far as the OpenAPI document uses it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Route {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>
}

/** One endpoint of the document. */
export interface Endpoint extends Route {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly inPath: readonly Parameter[]
  readonly inQuery: readonly Parameter[]
  readonly inHeader: readonly Parameter[]
  readonly status: string
}

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Route>>>>
  readonly webhooks: Readonly<
    Record<
      string,
      { readonly post: { readonly summary: string; readonly requestBody: { readonly content: Content } } }
    >
  >
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** The OpenAPI document with its references followed. */
export interface ApiDocument extends OpenApi {
  readonly endpoints: readonly Endpoint[]
  /** The schema behind a reference, and its name. */
  resolve(schema: Schema): { readonly name: string | null; readonly schema: Schema }
}

const lastPart = (ref: string) => ref.split('/').at(-1)!

export function readDocument(json: Json): ApiDocument {
  const document = json as unknown as OpenApi
  const { schemas, parameters } = document.components
  const endpointOf = (path: string, method: string, route: Route): Endpoint => {
    const all = (route.parameters ?? []).map(one => ('$ref' in one ? parameters[lastPart(one.$ref)]! : one))
    return {
      ...route,
      method: method.toUpperCase(),
      path,
      inPath: all.filter(one => one.in === 'path'),
      inQuery: all.filter(one => one.in === 'query'),
      inHeader: all.filter(one => one.in === 'header'),
      status: Object.keys(route.responses).find(status => status.startsWith('2'))!,
    }
  }
  return {
    ...document,
    endpoints: Object.entries(document.paths).flatMap(([path, routes]) =>
      Object.entries(routes).map(([method, route]) => endpointOf(path, method, route)),
    ),
    resolve(schema) {
      if (!schema.$ref) return { name: null, schema }
      const name = lastPart(schema.$ref)
      const { $ref: _, ...own } = schema
      return { name, schema: { ...schemas[name], ...own } }
    },
  }
}

/** The success response of an endpoint, with an example. */
export function answerOf({ responses, status }: Endpoint): {
  readonly type: string | null
  readonly schema: Schema
  readonly example: unknown
} {
  const [type, found] = Object.entries(responses[status]!.content ?? {})[0] ?? [null, undefined]
  return { type, schema: found?.schema ?? {}, example: found?.example }
}
