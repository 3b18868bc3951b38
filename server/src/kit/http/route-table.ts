import type { FastifyInstance, RouteOptions } from 'fastify'
import { distanceTo } from '../nearest-name.ts'

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
  /** The path of an operation that was probably meant, with the ids of the given path. */
  nearestTo(path: string): string | undefined
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

/** More than any path of ours has. */
const segmentsMax = 12

const isPrefix = (segment: string | undefined) => segment !== undefined && /^(?:api|v\d{1,3})$/.test(segment)

/** The segments behind `/api/v1`: both of them may be missing or wrong in a path that was typed by hand. */
function behindPrefix(segments: readonly string[]): readonly string[] {
  const start = segments.findIndex(segment => !isPrefix(segment))
  return start < 0 ? [] : segments.slice(start)
}

/** How far a path is from a pattern; a word that fits is nearer than a parameter. Null: the pattern was not meant. */
function distanceOf(pattern: readonly string[], path: readonly string[]): number | null {
  if (pattern.length !== path.length) return null
  let sum = 0
  for (const [i, part] of pattern.entries()) {
    const distance = part.startsWith(':') ? 0.5 : distanceTo(part, path[i]!)
    if (distance === null) return null
    sum += distance
  }
  return sum
}

function nearestPath(patterns: readonly (readonly string[])[], path: string): string | undefined {
  const given = behindPrefix(segmentsOf(path).filter(segment => segment !== ''))
  if (given.length === 0 || given.length > segmentsMax) return undefined
  let nearest: { pattern: readonly string[]; distance: number } | undefined
  for (const pattern of patterns) {
    const distance = distanceOf(behindPrefix(pattern), given)
    if (distance !== null && (!nearest || distance < nearest.distance)) nearest = { pattern, distance }
  }
  if (!nearest) return undefined
  const { pattern } = nearest
  const offset = pattern.length - given.length
  return `/${pattern.map((part, i) => (part.startsWith(':') ? given[i - offset] : part)).join('/')}`
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
    nearestTo: path =>
      nearestPath(
        routes.filter(({ config }) => config?.door === 'api').map(({ segments }) => segments),
        path,
      ),
  }
}
