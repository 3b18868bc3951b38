import { expect, it } from 'vitest'
import { peopleCalls } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ env: { SIGN_UP: 'closed', TRUSTED_PROXIES: '127.0.0.1' } })
const people = peopleCalls(installation)

it.each([
  ['fr', 'Aucun compte ne peut être ouvert ici'],
  ['en', 'No account can be opened here'],
])('a closed sign-up says so (%s), and makes nobody', async (lang, sentence) => {
  const visitor = people.visitor()
  const page = await visitor.get(`/sign-up?lang=${lang}`)
  expect([page.status, page.html]).toEqual([403, expect.stringContaining(sentence)])
  expect(page.html).not.toContain('<form method="post" action="/sign-up')
  const posted = await visitor.post(`/sign-up?lang=${lang}`, people.signUpForm())
  expect([posted.status, posted.html]).toEqual([403, expect.stringContaining(sentence)])
  expect(await installation.sql('select id from people')).toEqual([])
})
