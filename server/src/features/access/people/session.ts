import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { isRecentSignIn } from '../../../kit/fresh-sign-in.ts'
import { type Form, field } from '../../../kit/http/form.ts'
import { cookieHeader, type PageContext, readCookie } from '../../../kit/http/pages.ts'

export interface Person {
  id: string
  email: string
  name: string
  language: 'fr' | 'en'
  isVerified: boolean
}

export interface Session {
  tokenHash: Buffer
  person: Person
  /** To be posted back with every form of this session. */
  csrf: string
  /** When they signed in. */
  since: number
}

export type Method = 'password' | 'passkey' | 'link'

const cookie = 'relance'
const lifeMs = 12 * 3_600_000
/** `seen_at` is updated at most this often. */
const seenEveryMs = 5 * 60_000

interface Row {
  id: string
  email: string
  name: string
  language: 'fr' | 'en'
  email_verified_at: number | null
  created_at: number
  seen_at: number
}
const selectSession = sql(
  'people.find-session',
  `select p.id, p.email, p.name, p.language, p.email_verified_at, s.created_at, s.seen_at
     from sessions s join people p on p.id = s.person_id where s.token_hash = $1 and s.expires_at > $2`,
).as<Row>()
const updateSeenAt = sql('people.touch-session', 'update sessions set seen_at = $2 where token_hash = $1')
const insertSession = sql(
  'people.insert-session',
  `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $6, $7)`,
)
const deleteSession = sql('people.delete-session', 'delete from sessions where token_hash = $1')
const deleteOwnSession = sql(
  'people.delete-session-of-person',
  'delete from sessions where person_id = $1 and token_hash = $2 returning method',
).as<{ method: Method }>()
const deleteSessions = sql(
  'people.delete-other-sessions',
  'delete from sessions where person_id = $1 and token_hash is distinct from $2 returning method',
).as<{ method: Method }>()

export const csrfOf = (context: Pick<PageContext, 'keyring'>, tokenHash: Buffer): string =>
  context.keyring.mac('csrf', tokenHash.toString('hex'))

/** The session token in the cookie. */
const tokenOf = (request: FastifyRequest) => {
  const token = readCookie(request, `__Host-${cookie}`)
  return token && /^[\w-]{43}$/.test(token) ? token : null
}

/** The hash under which the session of a request is stored, if it has one. */
export function tokenHashOf(request: FastifyRequest): Buffer | null {
  const token = tokenOf(request)
  return token === null ? null : plainSha256(token)
}

/** Records that the session is in use, at most once per interval. */
export async function touchSession(
  query: Query,
  tokenHash: Buffer,
  seenAt: number,
  wall: number,
): Promise<void> {
  if (seenAt < wall - seenEveryMs) await query(updateSeenAt, [tokenHash, iso(wall)])
}

/** The session of a request. Read from the database each time, so that an ended session is invalid everywhere at once. */
export async function sessionOf(context: PageContext, request: FastifyRequest): Promise<Session | null> {
  const tokenHash = tokenHashOf(request)
  if (!tokenHash) return null
  const query = queryOn(context.pool)
  const wall = context.clock.wall()
  const [row] = await query(selectSession, [tokenHash, iso(wall)])
  if (!row) return null
  await touchSession(query, tokenHash, row.seen_at, wall)
  const { id, email, name, language, email_verified_at } = row
  const person = { id, email, name, language, isVerified: email_verified_at !== null }
  return { tokenHash, person, csrf: csrfOf(context, tokenHash), since: row.created_at }
}

export const isFresh = ({ clock }: Pick<PageContext, 'clock'>, { since }: Session): boolean =>
  isRecentSignIn(since, clock.wall())

/** Always a new session with a new token, against session fixation. Returns the hash of the token. */
export async function signIn(
  context: PageContext,
  query: Query,
  request: FastifyRequest,
  reply: FastifyReply,
  personId: string,
  method: Method,
): Promise<Buffer> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = plainSha256(token)
  const wall = context.clock.wall()
  const before = tokenOf(request)
  if (before) await query(deleteSession, [plainSha256(before)])
  await query(insertSession, [
    tokenHash,
    personId,
    method,
    request.ip,
    String(request.headers['user-agent'] ?? '').slice(0, 200),
    iso(wall),
    iso(wall + lifeMs),
  ])
  reply.header('set-cookie', cookieHeader(cookie, token, lifeMs / 1000))
  return tokenHash
}

const forgetCookie = (reply: FastifyReply) => reply.header('set-cookie', cookieHeader(cookie, '', 0))

export async function signOut(query: Query, session: Session, reply: FastifyReply): Promise<void> {
  await query(deleteSession, [session.tokenHash])
  forgetCookie(reply)
}

/** Ends one session of the person; false when it does not exist. */
export const endSession = async (query: Query, personId: string, tokenHash: Buffer): Promise<boolean> =>
  (await query(deleteOwnSession, [personId, tokenHash])).length > 0

/** Ends all sessions, or all but one; returns how many. */
export const endSessions = async (
  query: Query,
  personId: string,
  except: Buffer | null = null,
): Promise<number> => (await query(deleteSessions, [personId, except])).length

const isEqual = (given: string, expected: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const isCsrfOf = (session: Pick<Session, 'csrf'>, given: unknown): boolean =>
  typeof given === 'string' && isEqual(given, session.csrf)

/** Whether the form belongs to this session. The origin of the form was checked before it was read. */
export const isFormOf = (session: Session, form: Form): boolean => isCsrfOf(session, field(form, 'csrf'))
