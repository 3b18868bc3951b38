import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Installation, startInstallation } from '../../../../dev/installation.ts'
import {
  errorOf,
  type HttpReply,
  newCode,
  type OAuthServer,
  ownToken,
  redeem,
  refreshWith,
  requestToken,
  send,
  type Tokens,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const first = useOAuthFixture()
let second: OAuthServer
let secondServer: Installation
beforeAll(async () => {
  const { installation } = first
  secondServer = await startInstallation({
    database: installation.database,
    redisUrl: inject('redisUrl') || undefined,
    hasWorker: false,
    logLevel: 'silent',
    env: {
      KEYRING: installation.server.config.KEYRING!,
      PUBLIC_URL: first.issuer,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  second = { url: secondServer.baseUrl, issuer: first.issuer, sql: first.sql }
})
afterAll(() => secondServer?.stop())

const both = (): [OAuthServer, OAuthServer] => [first, second]
const code = () => newCode(first, first.app, first.cookie, [first.company.companyId])
const tokens = async (): Promise<Tokens> => redeem(first, await code())

/** Twenty times the same, ten at each. One succeeds; the others are refused, and none by mistake. */
async function twentyAtOnce(form: Record<string, string>): Promise<Tokens> {
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => requestToken(both()[i % 2]!, form)))
  const won = replies.filter(answer => answer.status === 200)
  expect(won).toHaveLength(1)
  // A process that waited too long for the lock answers with an error, which is no success either.
  for (const answer of replies)
    if (answer !== won[0]) expect(['invalid_grant', 'temporarily_unavailable']).toContain(errorOf(answer))
  return won[0]!.json as unknown as Tokens
}

const rounds = Array.from({ length: 10 }, (_, i) => i + 1)

describe('twenty at once, at two processes', () => {
  it.each(rounds)(
    'RFC 6749 §4.1.2: one of twenty redemptions of a code succeeds, and its tokens die with the reuse (round %i)',
    async () => {
      const won = await twentyAtOnce(await code())
      for (const server of both()) expect((await useToken(server, won.access_token)).status).toBe(401)
    },
  )

  it.each(rounds)(
    'RFC 9700 §4.14.2: one of twenty uses of a refresh token succeeds, and what it gave is good (round %i)',
    async () => {
      const won = await twentyAtOnce(refreshWith(first.app, (await tokens()).refresh_token))
      for (const server of both()) expect((await useToken(server, won.access_token)).status).toBe(200)
      expect((await requestToken(second, refreshWith(first.app, won.refresh_token))).status).toBe(200)
    },
  )
})

const statuses = async (asked: Promise<HttpReply>[]) =>
  (await Promise.all(asked)).map(replies => replies.status)

it('RFC 7009 §2.1: what was revoked at one process is refused by the other from that answer on, 40 of 40 times', async () => {
  for (let round = 0; round < 40; round++) {
    const [here, there] = round % 2 === 0 ? [first, second] : [second, first]
    const family = round % 4 < 2 ? await tokens() : null
    const access = family?.access_token ?? (await ownToken(here, first.app))
    expect(await statuses([useToken(there, access), useToken(here, access)])).toEqual([200, 200])
    await send(here, 'POST', '/api/oauth/revoke', { json: { token: family?.refresh_token ?? access } })
    expect(await statuses([useToken(there, access), useToken(here, access)]), `round ${round}`).toEqual([
      401, 401,
    ])
  }
})

it('RFC 9068 §4: what one process issues the other believes, and both say the same about it', async () => {
  for (const [here, there] of [both(), both().reverse()] as [OAuthServer, OAuthServer][]) {
    const token = await ownToken(here, first.app)
    expect((await useToken(there, token)).status).toBe(200)
    const [a, b] = await Promise.all(
      [here, there].map(server => send(server, 'POST', '/api/oauth/introspect', { json: { token } })),
    )
    expect(a!.json).toEqual(b!.json)
  }
})
