import { expect, it } from 'vitest'
import { optionsOf } from '../../../src/start/command-line.ts'
import { type Command, commands } from '../../../src/start/commands.ts'
import { command, startedCommand } from '../../harness/operator.ts'
import { peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ ...withProxy, own: 'stops or changes parts' })

const relance = command(installation)
const startRelance = startedCommand(installation)

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
  expect([early.code, early.out]).toEqual([5, expect.stringContaining('relance-server company open')])
  expect((await relance('company', 'open', '--company', companyId)).out).toContain(
    'Menuiserie Nouvelle is open',
  )
  const production = await relance('company', 'key', '--company', companyId, '--environment', 'production')
  const key = keyIn(production.out)
  expect(await statusOf(key)).toBe(200)
  const address = { address: '4 rue des Tanneurs', postalCode: '69005', city: 'Lyon', siren: '732829320' }
  await installation.call('PUT', '/api/v1/company', { body: address, key })
  await relance('company', 'set', '--company', companyId, '--iban', optionValues.iban!)
  const input = invoiceInput()
  expect((await installation.call('POST', '/api/v1/invoices', { body: input, key })).status).toBe(201)
  await eventually(
    () => installation.server.mailbox.messages().filter(mail => mail.to === input.debtor.email),
    mails => mails.length === 1,
  )
})

it('a company is made, shown, changed, closed and opened again, and every stop is on record', async () => {
  const made = await startRelance(
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
  expect([refused.code, refused.out]).toEqual([5, expect.stringContaining('is closed')])
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
  expect([wrong.code, wrong.out]).toEqual([5, expect.stringContaining('invoices:reed')])
})

async function expectSentence(args: readonly string[], sentence: string) {
  const { code, out } = await relance(...args)
  expect([code, out.trim().split('\n')]).toEqual([5, [expect.stringContaining(sentence)]])
}

/** A value for every option that a command about a company takes. */
const optionValues: Record<string, string> = {
  by: 'Dominique',
  reason: 'x',
  environment: 'sandbox',
  scopes: 'invoices:read',
  'sells-to': 'business',
  tier: 'pro',
  'requests-per-minute': '60',
  'in-flight': '5',
  iban: 'FR76 3000 6000 0112 3456 7890 189',
  'account-holder': 'Caillou SARL',
  'reply-email': 'compta@caillou.example',
  telephone: '+33478000000',
  'legal-name': 'Caillou SARL',
  'payment-account': 'acct_1',
  channel: 'email',
  messages: '5',
  megabytes: '500',
  cents: '5',
  email: 'new@caillou.example',
  'signed-on': '2026-01-12',
  reference: 'Coffre 12',
}
const withAllOptions = (Object.keys(commands) as Command[]).flatMap(command => {
  const options = optionsOf(command)
  if (!command.startsWith('company ') || !('company' in options)) return []
  const others = Object.entries(options).filter(([name]) => name !== 'company')
  const given = others.flatMap(([name, { type }]) =>
    type === 'boolean' ? [`--${name}`] : [`--${name}`, optionValues[name]!],
  )
  return { command, given }
})

it.each([
  ...withAllOptions,
  { command: 'company set', given: ['--iban', optionValues.iban!] },
  { command: 'company set', given: ['--sells-to', 'business'] },
])('$command $given answers an unknown company with one sentence', async ({ command, given }) => {
  for (const id of ['nobody', '01900000-0000-7000-8000-000000000000'])
    await expectSentence(
      [...command.split(' '), '--company', id, ...given],
      `There is no company with the id "${id}"; \`relance-server company list\` shows them.`,
    )
})

it.each([
  [['sends', 'stop'], '--reason'],
  [['company', 'set', '--iban', 'FR76 0000'], 'iban'],
  [['company', 'set', '--reply-email', 'nobody'], 'replyEmail'],
  [['company', 'tier', '--tier', 'golden'], 'tier'],
  [['company', 'limits', '--channel', 'pigeon'], 'channel'],
  [['company', 'invite', '--email', 'nobody'], '--email'],
])('%j says what is wrong in one sentence', async (args, sentence) => {
  const about = args[0] === 'company' ? ['--company', installation.company.companyId] : []
  await expectSentence([...args, ...about], sentence)
})

it.each([
  { target: [], name: 'everybody' },
  { target: ['--provider', 'brevo'], name: 'brevo' },
  { target: ['--company'], name: 'Atelier' },
])('sending is stopped, shown and resumed: $name', async ({ target: given, name }) => {
  const target = given[0] === '--company' ? ['--company', installation.company.companyId] : given
  const run = name === 'everybody' ? startRelance : relance
  const stopped = await run('sends', 'stop', '--reason', 'a wrong text', '--by', 'Dominique', ...target)
  expect(stopped.out).toMatch(new RegExp(`^nothing more is sent: ${name}`))
  expect((await relance('sends', 'stop', '--reason', 'again', ...target)).out).toContain('stopped already')
  expect((await relance('sends', 'status')).out).toContain('stop  by Dominique: a wrong text')
  expect((await relance('sends', 'resume', ...target)).out).toMatch(new RegExp(`^sending goes on: ${name}`))
  expect((await relance('sends', 'resume', ...target)).out).toContain('was not stopped')
  expect((await relance('sends', 'status')).out).toBe('nothing is stopped\n')
})

it.each([
  [['--provider', 'pigeon'], 'There is no provider "pigeon"'],
  [['--company', 'nobody'], 'There is no company with the id "nobody"'],
  [['--tenant', 'nobody'], 'There is no tenant with the id "nobody"'],
  [['--provider', 'smtp', '--company', 'x'], 'Say one of --company, --tenant and --provider'],
])('sends stop %j is refused with one sentence', async (target, sentence) => {
  await expectSentence(['sends', 'stop', '--reason', 'x', ...target], sentence)
})

it('debtors that were parked are tried again, of one tenant or of all', async () => {
  const park = async () => {
    const { body } = await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01' }),
    })
    const { id } = body.data.debtor
    await installation.sql(
      `update agendas set parked_because = 'task_failed', wake_at = null, attempts = 9 where debtor_id = $1`,
      [id],
    )
    return id
  }
  const wakesOf = (ids: string[]) =>
    installation.sql<{ parked: boolean }>(
      `select parked_because is not null as parked from agendas where debtor_id = any ($1)`,
      [ids],
    )
  const ids = [await park(), await park()]
  const { tenants } = installation.company
  expect((await relance('sends', 'unpark', '--tenant', tenants.sandbox)).out).toBe(
    '0 parked debtors are tried again\n',
  )
  expect((await wakesOf(ids)).map(({ parked }) => parked)).toEqual([true, true])
  expect((await relance('sends', 'unpark')).out).toBe('2 parked debtors are tried again\n')
  expect((await wakesOf(ids)).map(({ parked }) => parked)).toEqual([false, false])
  expect((await relance('sends', 'unpark')).out).toBe('0 parked debtors are tried again\n')
})

it('maintenance stops sending, and its end lets it go on', async () => {
  expect((await startRelance('maintenance', 'on', '--minutes', '5')).out).toContain(
    'nothing is sent meanwhile',
  )
  expect((await relance('sends', 'status')).out).toContain('installation  maintenance  by ')
  expect((await startRelance('maintenance', 'off')).out).toContain('maintenance is over')
  expect((await relance('sends', 'status')).out).toBe('nothing is stopped\n')
})
