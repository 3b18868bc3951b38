import { expect, it } from 'vitest'
import { useManualDelivery } from '../../harness/manual-delivery.ts'
import { peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ ...withProxy, hasWorker: false })
const delivery = useManualDelivery(installation)
const people = peopleCalls(installation)

const notices = () =>
  installation.sql<{ kind: string; tenant_id: string | null; secret_sealed: string | null }>(
    'select kind, tenant_id, secret_sealed from account_mails order by created_at',
  )

it('until it is sent the link is sealed in the notice, and afterwards it is gone with it', async () => {
  const { form } = await people.signUp()
  const [waiting, ...more] = await notices()
  expect(more).toEqual([])
  expect(waiting).toMatchObject({ kind: 'verify_email', tenant_id: null })
  expect(waiting!.secret_sealed).toMatch(/^k1\.[\w-]+$/)
  await delivery.sendMail()
  const mail = await people.mailTo(form.email)
  const token = people.linkIn(mail).split('token=')[1]!
  expect(waiting!.secret_sealed).not.toContain(token)
  expect(await notices()).toEqual([])
})

it('a seal is for one mail: put into another it opens nothing and nothing is sent', async () => {
  const [one, other] = [await people.signUp(), await people.signUp()]
  await installation.sql(
    `update account_mails n set secret_sealed = o.secret_sealed from account_mails o where n.id <> o.id`,
  )
  await delivery.sendMail()
  for (const { form } of [one, other]) expect(people.mailsTo(form.email)).toEqual([])
  expect(await notices()).toHaveLength(2)
  await installation.sql('delete from account_mails')
})

it.each([
  ['fr', 'Confirmez votre adresse e-mail', 'Choisissez un nouveau mot de passe', 'Vous avez déjà un compte'],
  ['en', 'Confirm your email address', 'Choose a new password', 'You already have an account'],
])('mails are in the person’s language: %s', async (language, ...subjects) => {
  const { form, visitor } = await people.signUp({ language })
  await visitor.post('/forgot', { email: form.email })
  await installation.sql('update people set email_verified_at = created_at where email = $1', [form.email])
  await people.signUp({ email: form.email, language: language === 'fr' ? 'en' : 'fr' })
  await delivery.sendMail()
  expect(people.mailsTo(form.email).map(mail => mail.subject)).toEqual(subjects)
  for (const mail of people.mailsTo(form.email)) {
    expect(mail.text).not.toContain('Camille')
    expect(mail.text).not.toContain('Menuiserie')
  }
})

it('a link whose time is over before its mail could leave is not sent any more', async () => {
  const { form, visitor } = await people.signUp()
  await visitor.post('/forgot', { email: form.email })
  delivery.advanceClock(61 * 60_000)
  await delivery.sendMail()
  expect(people.mailsTo(form.email).map(mail => mail.subject)).toEqual(['Confirm your email address'])
  const late = await people.signUp()
  delivery.advanceClock(24 * 3_600_000)
  await delivery.sendMail()
  expect(people.mailsTo(late.form.email)).toEqual([])
  expect(await notices()).toEqual([])
})

it('what is over is tidied away, and what is not stays', async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const hour = 3_600_000
  const { form } = await people.signUp()
  const [person] = await installation.sql<{ id: string }>('select id from people where email = $1', [
    form.email,
  ])
  await installation.sql('delete from mail_links')
  for (const [i, ends] of [-25 * hour, -hour, hour].entries()) {
    await installation.sql(
      `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
       values ($1, $2, 'link', '', '', $3, $3, $3)`,
      [Buffer.from([i]), person!.id, at(ends)],
    )
    await installation.sql(
      `insert into mail_links (token_hash, person_id, purpose, created_at, expires_at) values ($1, $2, 'verify_email', $3, $3)`,
      [Buffer.from([i]), person!.id, at(ends)],
    )
    await installation.sql('insert into passkey_challenges (challenge, expires_at) values ($1, $2)', [
      String(i),
      at(ends),
    ])
    await installation.sql('insert into sign_in_failures (subject, failures, since) values ($1, 1, $2)', [
      Buffer.from([i]),
      at(ends),
    ])
  }
  await delivery.context.pool.query('select purge_identity($1, 1000)', [at(0)])
  const left = async (table: string, column: string) =>
    (await installation.sql(`select 1 from ${table} where ${column} in ('\\x00', '\\x01', '\\x02')`)).length
  expect(await left('sessions', 'token_hash')).toBe(1)
  // A link says for a day longer why it works no more; so long a failure is remembered.
  expect(await left('mail_links', 'token_hash')).toBe(2)
  expect(await left('sign_in_failures', 'subject')).toBe(2)
  expect(
    await installation.sql(`select 1 from passkey_challenges where challenge in ('0', '1', '2')`),
  ).toHaveLength(1)
})
