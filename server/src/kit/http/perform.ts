import type { FastifyRequest } from 'fastify'
import { iso } from '../clock.ts'
import { reader } from '../db/reader.ts'
import { type Entry, type Opened, transact, Undo } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Actor, FileReply, ImmutableFields, Operation, Page, Warning } from '../operation.ts'
import { asApiError, failure, stampOf, success, unavailable } from './answer.ts'
import type { coalescer } from './coalesce.ts'
import type { Edge } from './edge.ts'
import { afterwardsOf, type Listener } from './follow-up.ts'
import {
  dropKept,
  findMany,
  isKept,
  keepMany,
  type Once,
  oldestKept,
  onceFor,
  opened as openedAnswer,
  openingCalls,
  type StoredAnswer,
  sealed,
  unfinished,
  verdictOn,
} from './idempotency.ts'
import { validateBody, validateParams, validateQuery } from './validate.ts'

interface Performed extends StoredAnswer {
  replayed?: boolean
  /** What an operation that follows up said first. */
  first?: unknown
  link?: string
  file?: FileReply
}

/** Validate, open the tenant's transaction, replay or run, commit, and only then answer. */
export async function perform(
  edge: Edge,
  together: ReturnType<typeof coalescer>,
  operation: Operation,
  request: FastifyRequest,
  listener?: Listener | null,
): Promise<Performed> {
  const principal = request.principal
  if (!principal) throw unavailable()
  const params = operation.params ? validateParams(operation.params, request.params) : undefined
  const query = validateQuery(operation.query, request.query as Record<string, unknown>)
  if (
    operation.body &&
    request.body === undefined &&
    request.headers['content-type'] === undefined &&
    Number(request.headers['content-length'] ?? 0) > 0
  )
    throw new ApiError('VAL_004', 'Send the body as application/json.')
  if (operation.immutable) refuseImmutable(operation.immutable, request.body)
  const body = operation.body ? validateBody(operation.body, request.body, operation.missingIs) : undefined
  const conversationId = request.inside?.conversationId
  const actor = conversationId === undefined ? principal.actor : { ...principal.actor, conversationId }
  const entry = principal.entry(request.startedAt)
  const base = {
    actor,
    wall: request.startedAt,
    requestId: request.id,
    newId: () => edge.newId(request.startedAt),
    keyring: edge.keyring,
    params,
    query,
    body,
  }
  const answered = (result: unknown, doubts: readonly Warning[] = []): StoredAnswer => ({
    status: operation.status,
    body: operation.status === 204 ? '' : success(operation, result, stampOf(request.id, edge.clock), doubts),
  })
  try {
    const header = operation.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const once =
      header === undefined
        ? null
        : onceFor(
            String(header),
            {
              tenantId: actor.tenantId,
              clientId: clientOf(actor),
              method: operation.method,
              path: request.url,
            },
            request.rawText,
            operation.followUpMs,
          )
    if (operation.runMany) {
      const passenger = { body, requestId: request.id, once }
      return await untilFree(edge, () => together(operation, principal, passenger))
    }
    if (operation.method === 'GET') {
      const tx = reader(edge.pool, entry, principal.lane)
      const now = operation.usesNow ? request.startedAt + (await tx.offsetMs()) : null
      const result = await operation.run({
        ...base,
        tx,
        get now(): number {
          if (now === null) throw new Error(`${operation.id} asks for the time without declaring usesNow`)
          return now
        },
      })
      if (operation.produces) return { status: operation.status, body: '', file: result as FileReply }
      const next = operation.list ? (result as Page<unknown>).nextCursor : null
      return { ...answered(result), ...(next && { link: nextLink(request.url, next) }) }
    }
    const isAsked = operation.ahead && !(once && (await isKnown(edge, entry, once, request.startedAt)))
    const doubts = isAsked ? await operation.ahead!(edge.outside, { body }) : []
    let offsetMs = 0
    const work = async (opened: Opened): Promise<Performed> => {
      offsetMs = opened.offsetMs
      const now = request.startedAt + opened.offsetMs
      const result = await operation.run({ ...base, tx: opened.tx, now })
      return { ...answered(result, doubts), ...(operation.followUp && { first: result }) }
    }
    const attempt = () =>
      once ? performOnce(edge, operation, entry, once, request, work) : transact(edge.pool, entry, [], work)
    const done = await untilFree(edge, attempt, operation.patienceMs)
    if (!operation.followUp || done.first === undefined) return done
    const after = afterwardsOf(edge, request, { actor, entry, offsetMs }, listener ?? undefined)
    const asked = { params, body, languages: request.headers['accept-language'] ?? '' }
    try {
      const answer = answered(await operation.followUp(after, done.first, asked))
      const kept = once && { once, answer: asKept(edge, operation, once, answer) }
      if (kept) await after.change(async tx => keepMany(tx, [kept], iso(request.startedAt)))
      return answer
    } catch (error) {
      if (once && error instanceof ApiError) await after.change(async tx => dropKept(tx, once))
      throw error
    }
  } catch (error) {
    const seen = asApiError(error)
    if (seen?.code === 'AUTH_002' || seen?.code === 'AUTH_006') edge.forget(actor)
    throw error
  }
}

/** An application that acts for two people is two clients: neither gets the other's answers. */
const clientOf = ({ id, onBehalfOf }: Actor): string => (onBehalfOf ? `${id} ${onBehalfOf}` : id)

function refuseImmutable({ fields, because }: ImmutableFields, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const touched = fields.filter(field => Object.hasOwn(body, field))
  if (touched.length > 0)
    throw new ApiError('FORBIDDEN_FIELD_MODIFICATION', `${touched.join(', ')} ${because.sentence}`, {
      details: touched.map(field => ({ field, code: 'immutable', message: because.field })),
    })
}

/** The same request, continued: every filter stays, the cursor takes the place of the page. */
function nextLink(url: string, cursor: string): string {
  const [path, query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', cursor)
  return `<${path}?${parameters}>; rel="next"`
}

const duplicateWaitMs = 2_000

/**
 * A duplicate of a request that is still running waits for its answer, and a patient operation for what it needs to be free.
 * Neither holds a connection meanwhile.
 */
async function untilFree(
  edge: Edge,
  attempt: () => Promise<Performed | 'busy'>,
  patienceMs = 0,
): Promise<Performed> {
  const since = edge.clock.wall()
  for (;;) {
    const answer = await attempt().catch((error: unknown) => {
      if (patienceMs > 0 && asApiError(error)?.code === 'RES_004') return { locked: error }
      throw error
    })
    if (answer !== 'busy' && !('locked' in answer)) return answer
    const waited = edge.clock.wall() - since
    if (answer !== 'busy' && waited >= patienceMs) throw answer.locked
    if (answer === 'busy' && waited >= duplicateWaitMs)
      throw new ApiError(
        'RES_004',
        'The first request with this Idempotency-Key is still running; repeat in a second.',
        { retryAfterSeconds: 1 },
      )
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Whether a repeated request will find its first answer. It is only looked at here: whether it may have it is judged later. */
async function isKnown(edge: Edge, entry: Entry, once: Once, wall: number): Promise<boolean> {
  const kept = await reader(edge.pool, entry).rows(findMany, [[once.keyHash], oldestKept(wall)])
  return kept.length > 0
}

const asKept = (edge: Edge, { shownOnce, keptSealed }: Operation, once: Once, answer: StoredAnswer) =>
  shownOnce || keptSealed ? sealed(edge.keyring, once, answer) : answer

function performOnce(
  edge: Edge,
  operation: Operation,
  entry: Entry,
  once: Once,
  request: FastifyRequest,
  work: (opened: Opened) => Promise<Performed>,
): Promise<Performed | 'busy'> {
  const wall = iso(request.startedAt)
  const opening = openingCalls([once], oldestKept(request.startedAt))
  return transact(edge.pool, entry, opening, async (opened): Promise<Performed | 'busy' | Undo<'busy'>> => {
    const before = verdictOn(once, opened.first, request.startedAt)
    if (before === 'busy') return new Undo('busy')
    if (before instanceof ApiError) throw before
    if (before) return openedAnswer(edge.keyring, once, before)
    await opened.savepoint()
    try {
      const { first, ...answer } = await work(opened)
      const kept = asKept(edge, operation, once, answer)
      keepMany(opened.tx, [{ once, answer: first === undefined ? kept : unfinished(kept) }], wall)
      return { ...answer, first }
    } catch (error) {
      if (!(error instanceof ApiError && isKept(error.code))) throw error
      await opened.rollbackToSavepoint()
      const refused = {
        status: error.status,
        body: failure(error, edge.docsUrl, stampOf(request.id, edge.clock)),
      }
      keepMany(opened.tx, [{ once, answer: refused }], wall)
      return refused
    }
  })
}
