import type { Operation } from '../../src/kit/operation.ts'
import type { Json } from './make-helpers.ts'

const stringMax = 240
const minute = 60_000
/** A Sunday, as the guards play it. */
const playedAt = Date.parse('2026-11-15T08:00:00.000Z')
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** Keeps the form of what differs with every recording: credentials, and the names and numbers that the guards make up. */
const replacements: readonly [RegExp, string][] = [
  [/\b(fk_live|fk_test|whsec|ocs)_[A-Za-z0-9+/=_-]{20,}/g, '$1_00000000000000000000000000000000'],
  [/\b(fk_live|fk_test)_\w{4}…\w{4}/g, '$1_e100…0000'],
  [/\boc_[A-Za-z0-9]+/g, 'oc_e100000000000000000000'],
  [/\b[0-9a-f]{64}\b/g, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [/\b(?:F-\d+-\d+|G-[0-9a-f]{12})\b/g, 'F-2026-0042'],
  [/\bA-[0-9a-f]{12}\b/g, 'A-2026-0007'],
  [/\bown_[0-9a-f]{12}\b/g, 'own_cascade'],
  [/ [0-9a-f]{12}\b/g, ''],
  [/-[0-9a-f]{12}@/g, '@'],
  [/\b([a-z]+)-?\d+@/g, '$1@'],
  [/\bDurand \d+ SARL\b/g, 'Durand SARL'],
  [/127\.0\.0\.1:\d+/g, 'receiver.example'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '203.0.113.9'],
]

/** What the clocks showed when the answer came. */
interface Clocks {
  wall: number
  installation: number
}

/** An answer as the contract shows it: short, with ids and moments that do not depend on when it was recorded. */
export function shortened(
  answer: Json,
  { list, paging }: Pick<Operation, 'list' | 'paging'>,
  clocks: Clocks,
): unknown {
  const ids = [...new Set(JSON.stringify(answer).match(uuid) ?? [])]
  const idOf = (found: string) =>
    `018f4e2a-0000-7000-8000-${String(ids.indexOf(found) + 1).padStart(12, '0')}`
  const isNear = (at: number, clock: number) => Math.abs(at - clock) < 10 * minute
  const moments = (JSON.stringify(answer.data).match(moment) ?? []).map(Date.parse)
  const isOfWall =
    moments.some(at => isNear(at, clocks.wall)) && !moments.some(at => isNear(at, clocks.installation))
  const momentOf = (found: string) => {
    const at = Date.parse(found)
    const since = at - (isOfWall || isNear(at, clocks.wall) ? clocks.wall : clocks.installation)
    return new Date(playedAt + Math.round(since / minute) * minute).toISOString()
  }
  const shorten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(shorten)
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]))
    if (typeof value !== 'string') return value
    const plain = replacements.reduce((read, [pattern, by]) => read.replaceAll(pattern, by), value)
    const steady = plain.replaceAll(uuid, idOf).replaceAll(moment, momentOf)
    return steady.length > stringMax ? `${steady.slice(0, stringMax)}…` : steady
  }
  const short = shorten(answer) as Json
  // The cursor of a feed is always there, and differs in every run.
  const nextCursor = paging === 'feed' ? 'WyJldmVudHMiLDEsNzQxLCIwMWExOWI1MCJd' : null
  const whole = { total: 1, totalPages: 1, hasNext: false, nextCursor }
  const isFull = list && (short.data as unknown[]).length > 0
  return {
    ...short,
    ...(list && {
      pagination: Object.fromEntries(
        Object.entries(short.pagination as Json).map(([name, value]) => [
          name,
          isFull && name in whole ? whole[name as keyof typeof whole] : value,
        ]),
      ),
    }),
    timestamp: new Date(playedAt).toISOString(),
  }
}
