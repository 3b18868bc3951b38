import type { Json } from './openapi-schemas.ts'

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly schema: { readonly default?: unknown; readonly maximum?: number }
}
type Route = Json & { readonly parameters?: readonly Parameter[] }

/** A parameter that occurs at least this often is written once. */
const sharedFrom = 3

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Writes each parameter that many operations have once, and refers to it: `Id`, `Limit20`. */
export function shareParameters(document: Json): Json {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Route>>
    components: Json & { parameters: Record<string, Json> }
  }
  const routes = Object.values(paths).flatMap(path => Object.values(path))
  const inlined = routes.flatMap(({ parameters = [] }) => parameters.filter(({ $ref }) => !$ref))
  const uses = Map.groupBy(inlined, parameter => JSON.stringify(parameter))
  const shared: Record<string, Json> = {}
  const names = new Map<string, string>()
  for (const [text, [parameter, ...others]] of uses) {
    if (others.length + 1 < sharedFrom) continue
    const { name, schema } = parameter!
    const base = capitalised(name)
    const suffixes = ['', schema.default, schema.maximum].filter(suffix => suffix !== undefined)
    const free = suffixes
      .map(suffix => `${base}${suffix}`)
      .find(one => !(one in shared) && !(one in components.parameters))
    if (free === undefined) continue
    shared[free] = { ...parameter }
    names.set(text, free)
  }
  const refer = (parameter: Parameter) => {
    const name = names.get(JSON.stringify(parameter))
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
  }
  const sharing = (route: Route) =>
    route.parameters ? { ...route, parameters: route.parameters.map(refer) } : route
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, route]) => [method, sharing(route)])),
      ]),
    ),
    components: { ...components, parameters: { ...components.parameters, ...shared } },
  }
}
