import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runChild } from '../../../src/kit/child-process.ts'
import { peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation(withProxy)
const main = join(import.meta.dirname, '../../../src/main.ts')

/** Runs the program as the operator would. */
async function relance(...args: string[]): Promise<{ code: number; out: string }> {
  const { KEYRING } = installation.server.config
  const env = { PATH: process.env.PATH, ...installation.database.env, KEYRING, RELANCE_ENV: 'development' }
  try {
    const { stdout } = await runChild(process.execPath, [main, ...args], { env: env as NodeJS.ProcessEnv })
    return { code: 0, out: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, out: stderr }
  }
}

const keyIn = (out: string) => /fk_(?:live|test)_\w+/.exec(out)![0]
const statusOf = async (key: string) => {
  const answer = await installation.call('GET', '/api/v1/company', { key })
  return answer.status === 200 ? 200 : answer.body.error.code
}

it('a company that signed itself up has a sandbox key from the operator, a production key once it is open, and then writes', async () => {
  const { companyId } = await peopleCalls(installation).newOwner({ company: 'Menuiserie Nouvelle' })
  expect((await relance('company', 'list')).out).toMatch(new RegExp(`${companyId}  not opened`))
  const sandbox = await relance('company', 'key', '--company', companyId, '--environment', 'sandbox')
  expect(await statusOf(keyIn(sandbox.out))).toBe(200)
  const early = await relance('company', 'key', '--company', companyId, '--environment', 'production')
  expect([early.code, early.out]).toEqual([1, expect.stringContaining('relance company open')])
  expect((await relance('company', 'open', '--company', companyId)).out).toContain(
    'Menuiserie Nouvelle is open',
  )
  const production = await relance('company', 'key', '--company', companyId, '--environment', 'production')
  const key = keyIn(production.out)
  expect(await statusOf(key)).toBe(200)
  const input = invoiceInput()
  expect((await installation.call('POST', '/api/v1/invoices', { body: input, key })).status).toBe(201)
  await eventually(
    () => installation.server.mailbox.messages().filter(mail => mail.to === input.debtor.email),
    mails => mails.length === 1,
  )
})

it('a company is made, shown, changed, closed and opened again, and every stop is on record', async () => {
  const made = await relance(
    'company',
    'create',
    '--name',
    'Caillou SARL',
    '--owner-email',
    'c@caillou.example',
  )
  expect(made.out).toContain('sells to: consumer')
  const [, companyId] = /\(([0-9a-f-]{36})\)/.exec(made.out)!
  const key = keyIn(made.out)
  const sellsTo = async () =>
    (await installation.call('GET', '/api/v1/company', { key })).body.data.defaultDebtorType
  expect(await sellsTo()).toBe('consumer')
  expect((await relance('company', 'set', '--company', companyId!, '--sells-to', 'business')).code).toBe(0)
  expect(await sellsTo()).toBe('business')
  const closed = await relance(
    ...['company', 'close', '--company', companyId!, '--reason', 'not its IBAN', '--by', 'Dominique'],
  )
  expect(closed.out).toContain('Caillou SARL is closed')
  expect(await statusOf(key)).toBe('AUTH_006')
  expect((await relance('company', 'close', '--company', companyId!, '--reason', 'again')).out).toContain(
    'closed already',
  )
  const refused = await relance('company', 'key', '--company', companyId!, '--environment', 'sandbox')
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('is closed')])
  await relance('company', 'open', '--company', companyId!)
  expect(await statusOf(key)).toBe(200)
  const shown = JSON.parse((await relance('company', 'show', '--company', companyId!)).out)
  expect(shown).toMatchObject({
    state: 'open',
    sells_to: 'business',
    enabled_keys: { production: 1, sandbox: 1 },
    stops: [{ scope: 'company', reason: 'not its IBAN', stopped_by: 'Dominique' }],
  })
  const audited = await installation.call<{ type: string; actor: unknown }[]>(
    'GET',
    '/api/v1/security-events',
    {
      key,
    },
  )
  const actor = { kind: 'operator', id: 'command' }
  for (const type of ['company.changed', 'company.closed', 'company.opened'])
    expect(audited.body.data).toContainEqual(expect.objectContaining({ type, actor }))
})

it('a key of the operator has the scopes that were asked for, and none that does not exist', async () => {
  const { companyId } = installation.company
  const limited = await relance(
    ...['company', 'key', '--company', companyId, '--environment', 'production'],
    ...['--scopes', 'invoices:read,workflow:read'],
  )
  const listed = await installation.call<{ name: string; scopes: string[] }[]>('GET', '/api/v1/api-keys')
  expect(listed.body.data).toContainEqual(
    expect.objectContaining({ name: 'Made by the operator', scopes: ['invoices:read', 'workflow:read'] }),
  )
  expect(await statusOf(keyIn(limited.out))).toBe(200)
  const wrong = await relance(
    ...['company', 'key', '--company', companyId, '--environment', 'production', '--scopes', 'invoices:reed'],
  )
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('invoices:reed')])
})

it.each([
  [['company', 'close', '--company', 'nobody', '--reason', 'x'], 'relance company list'],
  [
    ['company', 'close', '--company', '01900000-0000-7000-8000-000000000000', '--reason', 'x'],
    'relance company list',
  ],
  [['sending', 'stop'], '--reason'],
])('%j says what is wrong in one sentence', async (args, sentence) => {
  const { code, out } = await relance(...args)
  expect([code, out.trim().split('\n').length]).toEqual([1, 1])
  expect(out).toContain(sentence)
})

it('sending is stopped and resumed', async () => {
  expect((await relance('sending', 'stop', '--reason', 'a wrong text')).out).toContain('nothing more is sent')
  expect((await relance('sending', 'resume')).out).toContain('sending goes on')
  expect((await relance('sending', 'resume')).out).toContain('was not stopped')
})
