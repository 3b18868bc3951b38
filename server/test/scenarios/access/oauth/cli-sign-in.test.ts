import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { clientIds } from '../../../../../sdk/src/cli/credentials.ts'
import { scopes } from '../../../../src/features/access/scopes.ts'
import { useCli } from '../../../harness/cli.ts'
import { eventually } from '../../../harness/use-installation.ts'
import { consent, newPkce, requestConsent, requestToken } from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()
const cli = useCli(() => ({ BASE_URL: fixture.url }))
const file = () => join(cli.home.folder, 'relance/credentials.json')

/** What the browser does: the page, the decision, and the way back to the command line. */
async function agree(args: readonly string[], companyIds: readonly string[]) {
  const signingIn = cli.start(['login', '--no-browser', ...args])
  const said = await eventually(
    async () => signingIn.err(),
    err => err.includes('/authorize?'),
  )
  const { searchParams } = new URL(/https?:\S+authorize\?\S+/.exec(said)![0])
  const back = await consent(fixture, fixture.cookie, Object.fromEntries(searchParams), companyIds)
  expect(back.hostname).toBe('127.0.0.1')
  // Whoever does not know the state is not listened to.
  const foreign = new URL(back)
  foreign.searchParams.set('state', 'another')
  expect((await fetch(foreign)).status).toBe(404)
  const page = await fetch(back)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('You are signed in')])
  const code = await signingIn.ended
  return { code, out: signingIn.out(), err: signingIn.err() }
}

it('a person signs in by the page of consent, calls, renews the token, and signs out', async () => {
  const { companyId } = fixture.company
  const signedIn = await agree([], [companyId])
  expect([signedIn.code, signedIn.out]).toEqual([
    0,
    expect.stringMatching(/environment +sandbox\ncompany +Atelier Martin/),
  ])
  expect((await cli.run(['invoices', 'list'])).code).toBe(0)

  const before = JSON.parse(await readFile(file(), 'utf8'))
  await writeFile(file(), JSON.stringify({ sandbox: { ...before.sandbox, expiresAt: 0 } }))
  // Three processes find the token old in the same moment: one renews it, the others take what it got.
  const runs = await Promise.all([1, 2, 3].map(() => cli.run(['whoami'])))
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
  const after = JSON.parse(await readFile(file(), 'utf8'))
  expect(after.sandbox.refreshToken).not.toBe(before.sandbox.refreshToken)

  expect((await cli.run(['logout'])).code).toBe(0)
  const dead = await requestToken(fixture, {
    grant_type: 'refresh_token',
    client_id: clientIds.sandbox,
    refresh_token: after.sandbox.refreshToken,
  })
  expect(dead.json).toMatchObject({ error: 'invalid_grant' })
})

it('production is signed in to by itself, and a token for several companies asks which one', async () => {
  const both = [fixture.company.companyId, fixture.second.companyId]
  const signedIn = await agree(['--production'], both)
  expect([signedIn.code, signedIn.out]).toEqual([0, expect.stringContaining('--company')])
  expect((await cli.run(['whoami'])).code).toBe(3)
  expect((await cli.run(['invoices', 'list', '--production'])).err).toContain('VAL_003')
  const one = await cli.run(['whoami', '--production', '--company', fixture.second.companyId])
  expect(one.out).toContain('Librairie Petit')
})

const ask = (redirectUri: string, clientId = clientIds.sandbox) =>
  requestConsent(
    fixture,
    {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: newPkce().challenge,
      code_challenge_method: 'S256',
    },
    fixture.cookie,
  )

it('a public client is sent back to any port of this computer, and nowhere else', async () => {
  for (const uri of [
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65000/callback',
    'http://[::1]:4000/callback',
  ])
    expect((await ask(uri)).status, uri).toBe(200)
  for (const uri of [
    'http://localhost:4000/callback',
    'http://127.0.0.1:4000/other',
    'http://127.0.0.1:4000/callback?x=1',
    'http://127.0.0.1:4000@evil.example/callback',
    'http://127.0.0.1.evil.example:80/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:65536/callback',
    'http://[::1]:99999/callback',
    'https://127.0.0.1:4000/callback',
    'https://evil.example/callback',
  ])
    expect((await ask(uri)).status, uri).toBe(400)
  const loopback = 'http://127.0.0.1/callback'
  await fixture.sql('update oauth_clients set redirect_uris = $2 where id = $1', [fixture.app.id, [loopback]])
  expect((await ask(loopback, fixture.app.id)).status).toBe(200)
  expect((await ask('http://127.0.0.1:4000/callback', fixture.app.id)).status).toBe(400)
})

it('the page says what asks, and that the person must have started it', async () => {
  const { text } = await ask('http://127.0.0.1:4000/callback')
  expect(text).toContain('the command line of Relance, on your computer')
})

it('a public client has no secret that could be right, and nothing of its own', async () => {
  const asked = { grant_type: 'client_credentials', client_id: clientIds.sandbox }
  expect((await requestToken(fixture, asked)).json).toMatchObject({ error: 'unauthorized_client' })
  for (const client_secret of ['', 'x', 'nobody has this secret'])
    expect((await requestToken(fixture, { ...asked, client_secret })).status, client_secret).not.toBe(200)
})

it('the built-in clients have every scope that there is', async () => {
  const rows = await fixture.sql<{ scopes: string[] }>(
    'select scopes from oauth_clients where secret_hash is null',
  )
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(new Set(row.scopes)).toEqual(new Set(scopes))
})
