import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailevaSent, mailevaAccount, startMaileva } from '../../../dev/stand-ins/maileva.ts'
import { readPdf } from '../../harness/pdf-text.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'
import { newVisitor, visibleText } from '../../harness/visitor.ts'

const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const maileva = await startMaileva()
const installation = useInstallation({
  own: 'moves the clock',
  publicHost: 'localhost',
  env: {
    TRUSTED_PROXIES: '127.0.0.1',
    LETTER_PROVIDER: 'maileva',
    MAILEVA_BASE_URL: maileva.url,
    MAILEVA_TOKEN_URL: `${maileva.url}/auth/token`,
    MAILEVA_CLIENT_ID: mailevaAccount.clientId,
    MAILEVA_CLIENT_SECRET: mailevaAccount.clientSecret,
    MAILEVA_USERNAME: mailevaAccount.username,
    MAILEVA_PASSWORD: mailevaAccount.password,
    MAILEVA_CALLBACK_KEY: mailevaAccount.callbackKey,
  },
})
afterAll(() => maileva.stop())

const baseUrl = () => installation.server.baseUrl.replace('127.0.0.1', 'localhost')
const visitor = () => newVisitor(baseUrl(), { acceptLanguage: 'fr' })
const type = (code: string, who = visitor()) => who.post('/d', { code })

/** What stands on the front of the letter that was posted. */
let front = ''
let link = ''
beforeAll(async () => {
  await installation.setNow(sunday)
  const debtor = {
    name: 'Durand et Fils SARL',
    email: 'compta@durand.example',
    address: '12 avenue de la Gare',
    postalCode: '38000',
    city: 'Grenoble',
    type: 'business',
  }
  const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    {
      body: invoiceInput({ debtor }),
    },
  )
  const { id, debtor: saved } = body.data
  await installation.sql('update recoveries set step = 6, wish_at = $2, due_at = $2 where invoice_id = $1', [
    id,
    new Date(mondayMorning).toISOString(),
  ])
  await installation.setNow(mondayMorning + 60_000)
  await installation.sql(
    'update agendas set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where debtor_id = $1',
    [saved.id],
  )
  const [sent] = await eventually(
    async () => maileva.effects(),
    letters => letters.length === 1,
  )
  front = readPdf(Buffer.from((sent as MailevaSent).document, 'base64')).pageTexts[0]!
  link = `/d/${sent!.reference}`
})

const printed = () => /[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(front)![0]

it('the code on a posted letter opens its page, however it is typed', async () => {
  expect(front).toContain(`${baseUrl().replace('http://', '')}/d`)
  const form = await visitor().get('/d')
  expect(form.status).toBe(200)
  expect(visibleText(form.html)).toContain('Tapez le code de votre lettre')
  expect(form.html).not.toContain('<script')
  expect((await visitor().get('/d/')).html).toContain('Tapez le code')
  for (const code of [printed(), printed().toLowerCase(), ` ${printed().replaceAll('-', ' ')} `]) {
    const opened = await type(code)
    expect([opened.status, opened.location]).toEqual([303, link])
  }
  expect(visibleText((await visitor().get(link)).html)).toContain('à payer à')
})

it('a code that is incomplete, wrong or too old says so, and nothing else', async () => {
  const short = await type(printed().slice(1))
  expect(short.status).toBe(400)
  expect(visibleText(short.html)).toContain('Ce code n’est pas complet')
  const wrong = await type('2222-2222-2222')
  expect(wrong.status).toBe(404)
  expect(visibleText(wrong.html)).toContain('Ce code n’ouvre aucun dossier')
  const { expires_at: expires } = (
    await installation.sql<{ expires_at: string }>(
      `update message_codes set expires_at = '2020-01-01' where code = $1
       returning (select expires_at from message_codes where code = $1) as expires_at`,
      [link.slice(3)],
    )
  )[0]!
  const old = await type(printed())
  expect(visibleText(old.html).replace(printed(), '')).toBe(visibleText(wrong.html))
  expect(old.status).toBe(404)
  await installation.sql('update message_codes set expires_at = $2 where code = $1', [link.slice(3), expires])
})

it('who guesses is stopped after five tries a minute, also before the right one', async () => {
  const guess = async () => {
    const minute = () => Math.floor(Date.now() / 60_000)
    const [begun, guesser] = [minute(), visitor()]
    const wrong: number[] = []
    for (let i = 2; i < 7; i++) wrong.push((await type(`2222-2222-222${i}`, guesser)).status)
    const right = await type(printed(), guesser)
    return { wrong, right, isOneMinute: minute() === begun }
  }
  // The tries are counted by the minute: those on both sides of its end are not what is looked at here.
  const { wrong, right } = await eventually(guess, ({ isOneMinute }) => isOneMinute)
  expect(wrong).toEqual([404, 404, 404, 404, 404])
  expect(right.status).toBe(429)
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(visibleText(right.html)).toContain('Trop de demandes')
  expect((await type(printed())).status).toBe(303)
})

it('only letters have such a code', async () => {
  const rows = await installation.sql<{ channel: string; has_code: boolean }>(
    `select c.channel, m.letter_code is not null as has_code from message_codes m
       join communications c on c.id = m.communication_id`,
  )
  for (const { channel, has_code: hasCode } of rows) expect(hasCode, channel).toBe(channel === 'lrar')
  expect(rows.length).toBeGreaterThan(0)
})

it('a form from elsewhere is refused', async () => {
  const foreign = await visitor().post(
    '/d',
    { code: printed() },
    { headers: { origin: 'https://evil.example' } },
  )
  expect(foreign.status).toBe(403)
})
