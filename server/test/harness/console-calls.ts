import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import type { Role } from '../../src/features/access/roles.ts'
import type { Environment } from '../../src/kit/actor.ts'
import { plainSha256 } from '../../src/kit/crypto.ts'
import type { ApiResponse, TestInstallation } from './use-installation.ts'
import { randomAddress } from './visitor.ts'

/** A person with a session, and what their browser sends with it. */
export interface ConsolePerson {
  id: string
  cookie: string
  tokenHash: Buffer
  csrf: string
  companyId: string
}

export interface Me {
  person: { id: string; name: string; email: string; language: string }
  csrf: string
  since: string
  freshUntil: string
  companies: {
    id: string
    name: string
    role: Role
    environments: Record<Environment, { isOpen: boolean }>
  }[]
  roles: { role: Role; may: string[] }[]
  needFreshSignIn: string[]
}

/** The status of an answer, and the codes of its error. */
export const refusal = ({ status, body }: ApiResponse<unknown>) => [
  status,
  body.error?.code,
  ...(body.error?.details ?? []).map(({ code }) => code),
]

/** Requests as the script of the console makes them. */
export function consoleCalls(installation: TestInstallation) {
  const origin = () => installation.server.baseUrl

  async function send<Data = Record<string, unknown>>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<ApiResponse<Data>> {
    const response = await fetch(origin() + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': randomAddress(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    } as ApiResponse<Data>
  }

  const me = (cookie: string, headers: Record<string, string> = {}) =>
    send<Me>('GET', '/console/me', { cookie, 'sec-fetch-site': 'same-origin', ...headers })

  /** Another session of somebody, which began so long ago. */
  async function session(
    personId: string,
    companyId: string,
    { ageMs = 0 }: { ageMs?: number } = {},
  ): Promise<ConsolePerson> {
    const token = randomBytes(32).toString('base64url')
    const tokenHash = plainSha256(token)
    const since = Date.now() - ageMs
    await installation.sql(
      `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
       values ($1, $2, 'password', '192.0.2.1', 'test', $3, $4, $5)`,
      [tokenHash, personId, new Date(since), new Date(), new Date(since + 12 * 3_600_000)],
    )
    const cookie = `__Host-relance=${token}`
    const answer = await me(cookie)
    expect(answer.status, answer.text).toBe(200)
    return { id: personId, cookie, tokenHash, csrf: answer.body.data.csrf, companyId }
  }

  async function member(
    role: Role,
    { companyId = installation.company.companyId, ageMs = 0 } = {},
  ): Promise<ConsolePerson> {
    const id = randomUUIDv7()
    await installation.sql(
      `with person as (
         insert into people (id, email, email_key, name, language, email_verified_at, created_at)
         values ($1, $2, $2, 'Camille Exemple', 'fr', $4, $4) returning id)
       insert into memberships (person_id, company_id, role, created_at) select id, $3, $5, $4 from person`,
      [id, `console-${id.slice(-12)}@example.org`, companyId, new Date(), role],
    )
    return session(id, companyId, { ageMs })
  }

  /** What the script sends with every request. */
  const headersOf = (
    { cookie, csrf, companyId }: Pick<ConsolePerson, 'cookie' | 'csrf' | 'companyId'>,
    environment: Environment = 'production',
  ): Record<string, string> => ({
    cookie,
    'x-csrf-token': csrf,
    origin: origin(),
    'sec-fetch-site': 'same-origin',
    'x-company-id': companyId,
    'x-environment': environment,
  })

  return {
    send,
    me,
    session,
    member,
    headersOf,
    endSession: ({ tokenHash }: ConsolePerson) =>
      installation.sql('delete from sessions where token_hash = $1', [tokenHash]),
    call: <Data = Record<string, unknown>>(
      person: ConsolePerson,
      method: string,
      path: string,
      body?: unknown,
      { environment, headers = {} }: { environment?: Environment; headers?: Record<string, string> } = {},
    ) => send<Data>(method, `/console${path}`, { ...headersOf(person, environment), ...headers }, body),
  }
}
