import type { Environment } from './actor.ts'
import { plainSha256 } from './crypto.ts'
import type { EventType } from './events.ts'
import { lowestIdOf, momentOf } from './uuid.ts'

/** The latest time in an example, taken from its date-times and its ids. */
function latestMomentIn(node: unknown): number {
  if (typeof node === 'object' && node !== null)
    return Math.max(0, ...Object.values(node).map(latestMomentIn))
  if (typeof node !== 'string') return 0
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(node)) return momentOf(node)
  return /^\d{4}-\d{2}-\d{2}T/.test(node) ? Date.parse(node) : 0
}

/** A complete webhook body around the example of an event, dated when the example happened. */
export function exampleBody(event: EventType, environment: Environment) {
  const moment = latestMomentIn(event.example)
  // Each event has its own id, the same in every copy of the documentation.
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
