import type { ServerResponse } from 'node:http'
import { queryOn } from '../../../kit/db/query.ts'
import { reader } from '../../../kit/db/reader.ts'
import { asApiError } from '../../../kit/http/envelope.ts'
import type { Principal } from '../../../kit/http/http-context.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { lowestIdOf, momentOf } from '../../../kit/uuid.ts'
import { endedSessions } from '../../access/people/ended-sessions.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { linesOfPersonMax, noLineFree, tooManyLines } from './errors.ts'
import { eventText, everything, hintsOf } from './hints.ts'
import { type Line, lineTo } from './line.ts'
import { findRecentChanges, type Happening } from './store.ts'

const linesMax = 2_000

const lookEveryMs = 1_000
/** If more happens than one poll reads, every reader has to fetch everything, so the next poll is later. */
const lookAfterManyMs = 5_000
const lookAfterFailureMaxMs = 30_000
/** An id contains the time at which its request began, by the clock of its process. Its row may be committed later. */
const overlapMs = 5_000
const readMax = 300
/** Some polls also look for rows that were committed much later. */
const lateEvery = 10
const lateMs = 30_000
const readLateMax = 3_000
/** Proxies and our own server end a connection that is silent for longer. */
const commentEveryMs = 10_000

interface OpenLine extends Line {
  readonly principal: Principal
  /** Not polled yet. Its first hints cover the last seconds too, because the screen may have been loaded in them. */
  isNew: boolean
}

/** A tenant with lines. */
interface Watch {
  readonly lines: Set<OpenLine>
  readonly seen: Map<string, Happening>
  timer: NodeJS.Timeout | undefined
  lookedAt: number
  looks: number
  failures: number
  hadMany: boolean
}

type LiveContext = Pick<PageContext, 'pool' | 'clock' | 'log'> & {
  readonly metrics: Pick<Metrics, 'liveConnections' | 'livePolls'>
}

const sessionOf = ({ principal }: OpenLine) => principal.sessionHash?.toString('hex') ?? ''

/**
 * The open lines of this process. Each tenant with open lines is polled once a second, however many lines it has. A poll uses the
 * session of one of the lines, like any request.
 */
export function liveLines({ pool, clock, log, metrics }: LiveContext) {
  const watches = new Map<string, Watch>()
  const lines = new Set<OpenLine>()
  const query = queryOn(pool)

  async function look(tenantId: string, watch: Watch): Promise<void> {
    const wall = clock.wall()
    const { companyId } = [...watch.lines][0]!.principal.actor
    const principals = [...watch.lines].map(({ principal }) => principal)
    const ended = await endedSessions(query, companyId, principals, wall)
    for (const line of watch.lines) if (ended.has(sessionOf(line))) close(line)
    const [entering] = watch.lines
    if (!entering) return
    const isLate = watch.looks % lateEvery === 0
    const [backMs, most] = isLate ? [lateMs, readLateMax] : [overlapMs, readMax]
    const from = lowestIdOf(Math.min(watch.lookedAt, wall) - backMs)
    const found = await reader(pool, entering.principal.entry(wall)).rows(findRecentChanges, [from, most])
    if (watches.get(tenantId) !== watch) return
    const hasMany = found.length >= most
    const unseen = found.filter(({ id }) => !watch.seen.has(id))
    // After a poll with too many rows, one more `all` hint covers the rows that were left out.
    const isTooMuch = (hasMany && unseen.length > 0) || (watch.hadMany && !hasMany)
    for (const id of watch.seen.keys()) if (hasMany || momentOf(id) < wall - 2 * lateMs) watch.seen.delete(id)
    for (const happening of found) watch.seen.set(happening.id, happening)
    Object.assign(watch, { lookedAt: wall, looks: watch.looks + 1, hadMany: hasMany })
    const tell = (happenings: readonly Happening[], listeners: readonly OpenLine[]) => {
      const text = eventText(isTooMuch ? [everything] : hintsOf(happenings, companyId))
      if (text !== '') for (const line of listeners) line.write(text)
    }
    const known = [...watch.lines].filter(({ isNew }) => !isNew)
    const fresh = [...watch.lines].filter(({ isNew }) => isNew)
    tell(unseen, known)
    if (fresh.length === 0) return
    for (const line of fresh) line.isNew = false
    const isRecent = ({ id }: Happening) => momentOf(id) > wall - overlapMs - lookEveryMs
    tell([...new Set([...unseen, ...[...watch.seen.values()].filter(isRecent)])], fresh)
  }

  async function pollAndReschedule(tenantId: string, watch: Watch): Promise<void> {
    let waitMs = lookEveryMs
    try {
      await look(tenantId, watch)
      watch.failures = 0
      if (watch.hadMany) waitMs = lookAfterManyMs
      metrics.livePolls.inc({ outcome: 'done' })
    } catch (error) {
      const { code } = asApiError(error) ?? {}
      // The company was closed. A session that ended just now is found by the next poll.
      if (code === 'AUTH_006') for (const line of watch.lines) close(line)
      else if (code !== 'AUTH_002') {
        waitMs = Math.min(lookAfterFailureMaxMs, lookEveryMs * 2 ** ++watch.failures)
        metrics.livePolls.inc({ outcome: 'failed' })
        log.warn({ err: error, tenantId, waitMs }, 'live hints: a look failed')
      }
    }
    if (watches.get(tenantId) === watch) goOn(tenantId, watch, waitMs)
  }

  function goOn(tenantId: string, watch: Watch, waitMs: number): void {
    watch.timer = setTimeout(() => void pollAndReschedule(tenantId, watch), waitMs)
  }

  function close(line: OpenLine): void {
    forget(line)
    line.end()
  }

  function forget(line: OpenLine): void {
    const { tenantId } = line.principal.actor
    const watch = watches.get(tenantId)
    lines.delete(line)
    metrics.liveConnections.set(lines.size)
    watch?.lines.delete(line)
    if (watch?.lines.size !== 0) return
    clearTimeout(watch.timer)
    watches.delete(tenantId)
  }

  const comments = setInterval(() => {
    for (const line of lines) line.comment()
  }, commentEveryMs).unref()

  return {
    /** Throws if the person or this process has too many open lines. */
    requireFree({ actor }: Principal): void {
      if (lines.size >= linesMax) throw noLineFree.make()
      const own = [...lines].filter(({ principal }) => principal.actor.id === actor.id)
      if (own.length >= linesOfPersonMax) throw tooManyLines.make()
    },
    open(principal: Principal, response: ServerResponse): void {
      const { tenantId } = principal.actor
      const line = { ...lineTo(response, eventText([everything])), principal, isNew: true }
      let watch = watches.get(tenantId)
      if (!watch) {
        const lookedAt = clock.wall()
        const unset = { timer: undefined, looks: 0, failures: 0, hadMany: false }
        watch = { lines: new Set(), seen: new Map(), lookedAt, ...unset }
        watches.set(tenantId, watch)
        goOn(tenantId, watch, lookEveryMs)
      }
      lines.add(line)
      watch.lines.add(line)
      metrics.liveConnections.set(lines.size)
      response.on('close', () => forget(line))
    },
    /** Ends every line at once. */
    stop(): void {
      clearInterval(comments)
      for (const line of lines) close(line)
    },
  }
}
