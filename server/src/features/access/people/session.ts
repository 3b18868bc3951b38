import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { type Ask, asking } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { cookieHeader, type Form, field, isOwnForm, readCookie, type Site } from '../../../kit/http/site.ts'

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
/** How long a sign-in is proof enough to change how one signs in. */
const freshMs = 10 * 60_000
/** Seen is written down now and then, not at every click. */
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
const find = sql(
  'people.find-session',
  `select p.id, p.email, p.name, p.language, p.email_verified_at, s.created_at, s.seen_at
     from sessions s join people p on p.id = s.person_id where s.token_hash = $1 and s.expires_at > $2`,
).as<Row>()
const touch = sql('people.touch-session', 'update sessions set seen_at = $2 where token_hash = $1')
const open = sql(
  'people.insert-session',
  `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $6, $7)`,
)
const close = sql('people.delete-session', 'delete from sessions where token_hash = $1')
const closeOne = sql(
  'people.delete-session-of-person',
  'delete from sessions where person_id = $1 and token_hash = $2 returning method',
).as<{ method: Method }>()
const closeAll = sql(
  'people.delete-other-sessions',
  'delete from sessions where person_id = $1 and token_hash is distinct from $2 returning method',
).as<{ method: Method }>()

const csrfOf = (site: Site, tokenHash: Buffer) => site.keyring.mac('csrf', tokenHash.toString('hex'))

/** What the browser knows its session by. */
const tokenOf = (request: FastifyRequest) => {
  const token = readCookie(request, `__Host-${cookie}`)
  return token && /^[\w-]{43}$/.test(token) ? token : null
}

/** Who sits at the browser. Asked of the database each time: a session that was ended is over everywhere at once. */
export async function sessionOf(site: Site, request: FastifyRequest): Promise<Session | null> {
  const token = tokenOf(request)
  if (!token) return null
  const ask = asking(site.pool)
  const tokenHash = plainSha256(token)
  const wall = site.clock.wall()
  const [row] = await ask(find, [tokenHash, iso(wall)])
  if (!row) return null
  if (row.seen_at < wall - seenEveryMs) await ask(touch, [tokenHash, iso(wall)])
  const { id, email, name, language, email_verified_at } = row
  const person = { id, email, name, language, isVerified: email_verified_at !== null }
  return { tokenHash, person, csrf: csrfOf(site, tokenHash), since: row.created_at }
}

/** Somebody who was signed in this morning may be anybody at that desk by now. */
export const isFresh = ({ clock }: Pick<Site, 'clock'>, { since }: Session): boolean =>
  since > clock.wall() - freshMs

/** A new session with a new token, whatever was there before: nobody can prepare one for somebody else to sign in to. */
export async function signIn(
  site: Site,
  ask: Ask,
  request: FastifyRequest,
  reply: FastifyReply,
  personId: string,
  method: Method,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const wall = site.clock.wall()
  const before = tokenOf(request)
  if (before) await ask(close, [plainSha256(before)])
  await ask(open, [
    plainSha256(token),
    personId,
    method,
    request.ip,
    String(request.headers['user-agent'] ?? '').slice(0, 200),
    iso(wall),
    iso(wall + lifeMs),
  ])
  reply.header('set-cookie', cookieHeader(cookie, token, lifeMs / 1000))
}

const forgetCookie = (reply: FastifyReply) => reply.header('set-cookie', cookieHeader(cookie, '', 0))

export async function signOut(ask: Ask, session: Session, reply: FastifyReply): Promise<void> {
  await ask(close, [session.tokenHash])
  forgetCookie(reply)
}

/** One of the person's sessions, on whatever machine; false when there is none. */
export const endSession = async (ask: Ask, personId: string, tokenHash: Buffer): Promise<boolean> =>
  (await ask(closeOne, [personId, tokenHash])).length > 0

/** All of them, or all but one. How many there were. */
export const endSessions = async (
  ask: Ask,
  personId: string,
  except: Buffer | null = null,
): Promise<number> => (await ask(closeAll, [personId, except])).length

const isEqual = (given: string, expected: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const isCsrfOf = (session: Session, given: unknown): boolean =>
  typeof given === 'string' && isEqual(given, session.csrf)

/** The form is ours, and belongs to this session. */
export const isFormOf = (site: Site, request: FastifyRequest, session: Session, form: Form): boolean =>
  isOwnForm(site, request) && isCsrfOf(session, field(form, 'csrf'))
