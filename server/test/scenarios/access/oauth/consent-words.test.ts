import { expect, it } from 'vitest'
import { wordsOf } from '../../../harness/visitor.ts'
import { type AppSettings, authorization, newPkce, registerApp, send } from './stage.ts'
import { useStage } from './use-stage.ts'

const stage = useStage()

async function pageFor(settings: AppSettings, language = 'en'): Promise<string> {
  const app = await registerApp(stage, stage.company, settings)
  const query = new URLSearchParams({ ...authorization(app, newPkce()), lang: language })
  const told = await send(stage, 'GET', `/api/oauth/authorize?${query}`, {
    headers: { cookie: stage.cookie },
  })
  expect(told.status).toBe(200)
  return wordsOf(told.text)
}

it.each([
  ['https://app.example/cb', 'app.example'],
  ['http://127.0.0.1:8123/cb', '127.0.0.1:8123'],
  ['com.example.app:/cb', 'com.example.app'],
  // Nobody registers this one any more: what stands where a host would stand is the application’s to choose.
  ['com.evil.app://accounts.google.com/callback', 'com.evil.app'],
])('where %s leads back to is shown as %s', async (redirectUri, shown) => {
  const words = await pageFor({ redirectUris: [redirectUri] })
  expect(words).toContain(`Leads back to ${shown} Environment`)
  if (!redirectUri.startsWith('http')) expect(words).not.toContain('accounts.google.com')
})

it.each([
  ['en', /Invite members, give them other roles and remove them/],
  ['fr', /Inviter des membres, changer leur rôle et les retirer/],
])('who gives webhooks:manage away is told in %s that it reaches the members', async (language, told) => {
  expect(await pageFor({ scopes: ['webhooks:manage'] }, language)).toMatch(told)
})
