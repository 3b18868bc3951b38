import { plainSha256 } from './crypto.ts'
import type { EventType } from './events.ts'
import type { Environment } from './operation.ts'
import { lowestIdOf, momentOf } from './uuid.ts'

/** The latest moment an example tells of, in a date-time or in an id. */
function latestIn(node: unknown): number {
  if (typeof node === 'object' && node !== null) return Math.max(0, ...Object.values(node).map(latestIn))
  if (typeof node !== 'string') return 0
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(node)) return momentOf(node)
  return /^\d{4}-\d{2}-\d{2}T/.test(node) ? Date.parse(node) : 0
}

/** A whole body around the example of an event, as it might have been delivered when what it tells of had happened. */
export function exampleBody(event: EventType, environment: Environment) {
  const moment = latestIn(event.example)
  // An id of its own for each event, the same in every copy of the documentation.
  const tail = plainSha256(event.type).toString('hex').slice(0, 12)
  return {
    id: lowestIdOf(moment).slice(0, -12) + tail,
    event: event.type,
    createdAt: new Date(moment).toISOString(),
    environment,
    sequence: 1,
    data: event.example as Record<string, unknown>,
  }
}
