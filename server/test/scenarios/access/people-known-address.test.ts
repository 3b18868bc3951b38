import { describe, expect, it } from 'vitest'
import { newEmail, newPassword, peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

describe('an address that is somebody else’s', () => {
  it('opens nothing to who signed up with it, before it is confirmed or after', async () => {
    const email = newEmail()
    const theirs = newPassword()
    const thief = people.visitor()
    await thief.post('/sign-up', people.signUpForm({ email, password: theirs }))
    const before = await people.signIn(thief, email, theirs)
    expect(before.status).toBe(400)
    const own = newPassword()
    const owner = people.visitor()
    expect((await people.confirm(owner, await people.mailTo(email), own)).location).toBe('/console')
    expect((await people.signIn(thief, email, theirs)).status).toBe(400)
    expect(thief.cookies.size).toBe(0)
    expect((await people.signIn(people.visitor(), email, own)).location).toBe('/console')
  })

  it('has no password before it is confirmed, whatever the code does', async () => {
    const { form } = await people.signUp()
    await expect(
      installation.sql(`update people set password_hash = '$argon2id$' where email = $1`, [form.email]),
    ).rejects.toThrow(/password_of_confirmed/)
  })
})

describe('an address that is known already', () => {
  it('gets the same answer as a new one, and a mail that says so; nothing else changes', async () => {
    const known = await people.newOwner()
    const visitor = people.visitor()
    const answers = []
    for (const email of [known.email, known.email.toUpperCase(), newEmail()]) {
      const startedAt = performance.now()
      const { answer } = await people.signUp({ email, company: 'Une autre' }, visitor)
      expect(performance.now() - startedAt).toBeGreaterThan(150)
      const page = await visitor.get(answer.location!)
      answers.push({ status: answer.status, location: answer.location, body: answer.html, page: page.html })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])

    const mail = await people.mailTo(known.email, 2)
    expect(mail.subject).toBe('You already have an account')
    expect(mail.text).not.toContain('token=')
    const rows = await installation.sql(
      'select company_id from memberships m join people p on p.id = m.person_id where email_key = $1',
      [known.email],
    )
    expect(rows).toEqual([{ company_id: known.companyId }])
    expect((await people.signIn(people.visitor(), known.email, known.password)).location).toBe('/console')
  })

  it('claimed by several at once is one person with one company', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => people.signUp({ email, company: `Même moment ${i}` })),
    )
    for (const { answer } of answers) expect(answer.location).toBe('/mail-sent')
    expect(await installation.sql('select 1 from people where email = $1', [email])).toHaveLength(1)
    expect(await installation.sql(`select 1 from companies where name like 'Même moment %'`)).toHaveLength(1)
  })

  it('is told so once an hour, whoever asks, and still gets the mails that were not asked for so often', async () => {
    const known = await people.newOwner()
    for (let i = 0; i < 9; i++) {
      const { answer } = await people.signUp({ email: known.email })
      expect(answer.location).toBe('/mail-sent')
    }
    for (let i = 0; i < 7; i++) await people.visitor().post('/forgot', { email: known.email })
    await people.mailTo(known.email, 7)
    const due = await installation.sql('select 1 from account_mails where subject_id = $1', [known.personId])
    expect(due).toEqual([])
    const subjects = people.mailsTo(known.email).map(mail => mail.subject)
    expect(subjects.filter(subject => subject === 'You already have an account')).toHaveLength(1)
    expect(subjects.filter(subject => subject === 'Choose a new password')).toHaveLength(5)
  })

  it('and was never confirmed gets its link again, five times an hour at most', async () => {
    const { form } = await people.signUp()
    for (let i = 0; i < 8; i++) await people.signUp({ email: form.email })
    await people.mailTo(form.email, 5)
    expect(await installation.sql('select 1 from account_mails')).toEqual([])
    const subjects = people.mailsTo(form.email).map(mail => mail.subject)
    expect(subjects).toEqual(Array(5).fill('Confirm your email address'))
  })
})
