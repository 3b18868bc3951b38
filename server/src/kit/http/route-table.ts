import type { FastifyInstance, RouteOptions } from 'fastify'

export interface RouteEntry {
  readonly method: string
  /** The path with its parameters: `/d/:code`. */
  readonly url: string
  readonly config: RouteOptions['config']
  /** In bytes. */
  readonly bodyLimit: number
}

export interface RouteTable {
  readonly routes: readonly RouteEntry[]
  /** The methods a path is served with. Empty: no route has this path. */
  methodsOf(path: string): string[]
}

export const segmentsOf = (path: string) => path.split('/').slice(1)

/** Whether a path has the form of a pattern: `/d/:code`, `/docs/*`. */
export function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === '*') {
    if (path.length < pattern.length) return false
  } else if (path.length !== pattern.length) return false
  return pattern.every(
    (part, i) => part === '*' || (part.startsWith(':') ? path[i] !== '' : part === path[i]),
  )
}

/** Every route of the server, as they are added. */
export function routeTableOf(app: FastifyInstance, defaultBodyLimit: number): RouteTable {
  const routes: (RouteEntry & { segments: string[] })[] = []
  app.addHook('onRoute', ({ method, url, config, bodyLimit }) => {
    for (const one of [method].flat())
      routes.push({
        method: one,
        url,
        config,
        bodyLimit: bodyLimit ?? defaultBodyLimit,
        segments: segmentsOf(url),
      })
  })
  return {
    routes,
    methodsOf(path) {
      const segments = segmentsOf(path)
      const found = routes
        .filter(({ config, segments: pattern }) => !config?.isFallback && matches(pattern, segments))
        .map(route => route.method)
      return [...new Set(found)].sort()
    },
  }
}
