import { expect, it } from 'vitest'
import { newEmail, newPassword, peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

async function requestMail(email: string, mails: number) {
  const who = people.visitor()
  const answer = await who.submit(await who.get('/forgot'), '/forgot', { email })
  expect(answer.location).toBe('/mail-sent')
  return people.linkIn(await people.mailTo(email, mails))
}

it('a new password by mail ends every session and every other link, and is the only one that works', async () => {
  const known = await people.newOwner()
  const elsewhere = people.visitor()
  await people.signIn(elsewhere, known.email, known.password)
  const first = await requestMail(known.email, 2)
  const link = await requestMail(known.email, 3)
  expect(link).toMatch(/^\/reset\?token=ml_/)
  const password = newPassword()
  const who = people.visitor()
  const page = await who.get(link)
  expect(visibleText(page.html)).toContain(known.email)
  const answer = await who.submit(page, '/reset', { password })
  expect(answer.status).toBe(303)
  expect(answer.location).toMatch(/^\/sign-in\?done=password&next=/)
  expect(who.cookies.size).toBe(0)
  for (const before of [known.visitor, elsewhere]) expect((await before.get('/account')).status).toBe(303)
  expect((await who.get(first)).status).toBe(404)
  expect((await who.submit(page, '/reset', { password: newPassword() })).status).toBe(404)
  expect((await people.signIn(who, known.email, known.password)).status).toBe(400)
  expect((await people.signIn(who, known.email, password)).location).toBe('/console')
  expect((await people.auditEvents(known.companyId)).map(event => event.type)).toContain(
    'person.password_changed',
  )
})

it('used by several at once, a link changes the password once', async () => {
  const known = await people.newOwner()
  const link = await requestMail(known.email, 2)
  const tries = Array.from({ length: 4 }, () => ({ who: people.visitor(), password: newPassword() }))
  const pages = await Promise.all(tries.map(({ who }) => who.get(link)))
  const answers = await Promise.all(
    tries.map(({ who, password }, i) => who.submit(pages[i]!, '/reset', { password })),
  )
  expect(answers.map(answer => answer.status).sort()).toEqual([303, 404, 404, 404])
  for (const [i, { who, password }] of tries.entries()) {
    const { status } = await people.signIn(who, known.email, password)
    expect(status).toBe(answers[i]!.status === 303 ? 303 : 400)
  }
})

it('a link is good for an hour', async () => {
  const known = await people.newOwner()
  const link = await requestMail(known.email, 2)
  const page = await people.visitor().get(link)
  const [row] = await installation.sql<{ life: number }>(
    `update mail_links set expires_at = $2 where person_id = $1 and purpose = 'reset_password'
     returning extract(epoch from $3::timestamptz - created_at)::integer as life`,
    [known.personId, new Date(Date.now() - 1).toISOString(), new Date().toISOString()],
  )
  expect(row!.life).toBeLessThan(60)
  const who = people.visitor()
  const dead = await who.get(link)
  expect(dead.status).toBe(404)
  expect(visibleText(dead.html)).toContain('Ask for a new link.')
  expect((await who.submit(page, '/reset', { password: newPassword() })).status).toBe(404)
  expect((await people.signIn(who, known.email, known.password)).location).toBe('/console')
})

it('a link for one thing is none for another', async () => {
  const known = await people.newOwner()
  const token = new URLSearchParams((await requestMail(known.email, 2)).split('?')[1]).get('token')
  const who = people.visitor()
  expect((await who.get(`/verify?token=${token}`)).status).toBe(404)
  expect((await who.post('/verify', { token: token! })).status).toBe(404)
  expect(who.cookies.size).toBe(0)
  expect((await who.get(`/reset?token=${token}`)).status).toBe(200)
})

it('a password that will not do leaves the link as it was', async () => {
  const known = await people.newOwner()
  const link = await requestMail(known.email, 2)
  const who = people.visitor()
  const page = await who.get(link)
  const refused = await who.submit(page, '/reset', { password: known.email })
  expect(refused.status).toBe(400)
  expect(visibleText(refused.html)).toContain('not your email address')
  expect((await who.submit(refused, '/reset', { password: newPassword() })).status).toBe(303)
})

it('it opens an account that was closed by guessing, and confirms an address that was not', async () => {
  const known = await people.newOwner()
  for (let i = 0; i < 10; i++) await people.signIn(people.visitor(), known.email, newPassword())
  expect((await people.signIn(people.visitor(), known.email, known.password)).status).toBe(400)
  const { form } = await people.signUp()
  await people.mailTo(form.email)
  for (const email of [known.email, form.email]) {
    const who = people.visitor()
    const password = newPassword()
    await who.submit(await who.get(await requestMail(email, 2)), '/reset', { password })
    expect((await people.signIn(who, email, password)).location).toBe('/console')
  }
})

it('the token stands in the mail and nowhere in the database once it is sent; before, it is sealed', async () => {
  const known = await people.newOwner()
  const link = await requestMail(known.email, 2)
  const token = link.split('token=')[1]!
  const tables = await installation.sql<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  for (const { name } of tables) {
    const rows = await installation.sql(`select 1 from ${name} as x where x::text like $1`, [`%${token}%`])
    expect(rows, name).toEqual([])
  }
  expect(await installation.sql('select 1 from account_mails')).toEqual([])
})

it('one place asks for thirty mails an hour at most, whoever they are for', async () => {
  const who = people.visitor()
  const requestReset = async () => (await who.post('/forgot', { email: newEmail() })).status
  for (let i = 0; i < 30; i++) expect(await requestReset()).toBe(303)
  expect(await requestReset()).toBe(429)
  const refused = await who.post('/sign-up', people.signUpForm())
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('3600')
  expect((await people.visitor().post('/forgot', { email: newEmail() })).status).toBe(303)
})
