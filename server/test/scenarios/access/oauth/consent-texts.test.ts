import { expect, it } from 'vitest'
import { visibleText } from '../../../harness/visitor.ts'
import { type AppSettings, authorization, newPkce, registerApp, send } from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

async function pageFor(settings: AppSettings, language = 'en'): Promise<string> {
  const app = await registerApp(fixture, fixture.company, settings)
  const query = new URLSearchParams({ ...authorization(app, newPkce()), lang: language })
  const reply = await send(fixture, 'GET', `/api/oauth/authorize?${query}`, {
    headers: { cookie: fixture.cookie },
  })
  expect(reply.status).toBe(200)
  return visibleText(reply.text)
}

it.each([
  ['https://app.example/cb', 'app.example'],
  ['http://127.0.0.1:8123/cb', '127.0.0.1:8123'],
  ['com.example.app:/cb', 'com.example.app'],
  // Nobody registers this one any more: what stands where a host would stand is the application’s to choose.
  ['com.evil.app://accounts.google.com/callback', 'com.evil.app'],
])('where %s leads back to is shown as %s', async (redirectUri, label) => {
  const text = await pageFor({ redirectUris: [redirectUri] })
  expect(text).toContain(`Leads back to ${label} Environment`)
  if (!redirectUri.startsWith('http')) expect(text).not.toContain('accounts.google.com')
})

it.each([
  ['en', /Invite members, give them other roles and remove them/],
  ['fr', /Inviter des membres, changer leur rôle et les retirer/],
])('who gives webhooks:manage away is told in %s that it reaches the members', async (language, reply) => {
  expect(await pageFor({ scopes: ['webhooks:manage'] }, language)).toMatch(reply)
})
