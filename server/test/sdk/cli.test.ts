import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useCli } from '../harness/cli.ts'
import { eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation()
const cli = useCli(() => ({
  BASE_URL: installation.server.baseUrl,
  API_KEY: installation.company.sandboxKey,
}))

it('a body comes from flags, from a file, or from both', async () => {
  const { debtor: _, ...rest } = invoiceInput()
  const byFlags = await cli.run([
    ...['invoices', 'create', '--json', '--invoice-number', 'CLI-1', '--amount-cents', '120000'],
    ...['--issue-date', '2026-09-15', '--due-date=2026-10-15'],
    ...['--debtor.name', 'Durand SARL', '--debtor.email', 'compta@durand.example'],
  ])
  expect([byFlags.code, byFlags.err]).toEqual([0, ''])
  const { debtor, ...created } = JSON.parse(byFlags.out)
  expect(created).toMatchObject({ invoiceNumber: 'CLI-1', amountCents: 120_000 })
  const input = JSON.stringify({ ...rest, invoiceNumber: 'CLI-2', debtor: { id: debtor.id } })
  const byBoth = await cli.run(
    ['invoices', 'create', '--json', '--json-file', '-', '--amount-cents', '500'],
    {},
    input,
  )
  expect(JSON.parse(byBoth.out)).toMatchObject({ invoiceNumber: 'CLI-2', amountCents: 500 })
})

it('a list is a table for people, JSON for programs, and with --all everything', async () => {
  const table = await cli.run([
    'invoices',
    'list',
    '--sort-by',
    'amount_cents',
    '--sort-order',
    'asc',
    '--limit',
    '1',
  ])
  expect(table.out.split('\n')[0]).toMatch(/^ID +INVOICE NUMBER +DEBTOR +STATUS +AMOUNT/)
  expect(table.out.split('\n')[1]).toMatch(/CLI-2 +Durand SARL .* 5\.00 /)
  expect(table.err).toContain('1 of 2; --all shows them all')
  const page = await cli.run(['invoices', 'list', '--json', '--limit', '1'])
  expect(JSON.parse(page.out)).toMatchObject({ pagination: { total: 2 }, data: [{ invoiceNumber: 'CLI-2' }] })
  const all = await cli.run(['invoices', 'list', '--all', '--json', '--limit', '1'])
  const numbers = all.out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).invoiceNumber)
  expect(numbers).toEqual(['CLI-2', 'CLI-1'])
})

it.each([
  ['a command that is not there', ['invoces', 'list'], {}, 2, 'Did you mean invoices?'],
  ['a field that is missing', ['invoices', 'create', '--amount-cents', '5'], {}, 2, '--invoice-number'],
  ['a credential that is wrong', ['invoices', 'list'], { API_KEY: 'fk_test_no' }, 3, 'AUTH_002'],
  ['nobody who is signed in', ['invoices', 'list'], { API_KEY: '' }, 3, 'relance login'],
  [
    'a record that is not there',
    ['invoices', 'get', '00000000-0000-7000-8000-000000000000'],
    {},
    4,
    'RES_001',
  ],
  ['an input that is refused', ['invoices', 'get', 'x'], {}, 5, 'VAL_004'],
  ['a server that is away', ['whoami'], { BASE_URL: 'http://127.0.0.1:1' }, 6, 'NO_ANSWER'],
] as const)('%s has its exit code, a sentence and what to do', async (_, args, env, code, said) => {
  const answer = await cli.run(args, env)
  expect([answer.code, answer.out, answer.err]).toEqual([code, '', expect.stringContaining(said)])
  expect(answer.err).not.toMatch(/\n\s+at /)
})

it('help is there on every level, and costs no request', async () => {
  for (const args of [
    ['--help'],
    ['invoices', '--help'],
    ['invoices', 'create', '--help'],
    ['listen', '--help'],
  ]) {
    const { code, out } = await cli.run(args, { BASE_URL: '', API_KEY: '' })
    expect([code, out]).toEqual([0, expect.stringContaining(args.length > 1 ? args[0]! : 'Exit codes')])
  }
})

it('a key is stored where only its owner reads it, and used until it is forgotten', async () => {
  const key = installation.company.sandboxKey
  const away = { API_KEY: '', BASE_URL: '' }
  const wrong = await cli.run(['login', '--api-key', 'fk_test_no'], { API_KEY: '' })
  expect(wrong.code).toBe(3)
  const stored = await cli.run(['login', '--api-key', key, '--base-url', installation.server.baseUrl], away)
  expect([stored.code, stored.err + stored.out]).toEqual([0, expect.not.stringContaining(key)])
  const { mode } = await stat(join(cli.home.folder, 'relance/credentials.json'))
  expect(mode & 0o777).toBe(0o600)
  expect((await cli.run(['whoami', '--json'], away)).out).toContain('"environment": "sandbox"')
  const elsewhere = await cli.run(['whoami'], { API_KEY: '', BASE_URL: 'http://127.0.0.1:1' })
  expect([elsewhere.code, elsewhere.err]).toEqual([3, expect.stringContaining('You are signed in at')])
  expect((await cli.run(['logout'], away)).code).toBe(0)
  expect((await cli.run(['whoami'], away)).code).toBe(3)
})

it('an event is caused for real, time passes, and the history is shown as it grows', async () => {
  const paid = await cli.run(['trigger', 'invoice.paid', '--json'])
  expect([paid.code, paid.err]).toEqual([0, expect.stringContaining('created invoice CLI-')])
  expect(JSON.parse(paid.out)).toMatchObject({ event: 'debt.paid', environment: 'sandbox' })
  const live = { API_KEY: installation.company.productionKey }
  expect((await cli.run(['trigger', 'debt.paid'], live)).code).toBe(2)
  expect((await cli.run(['clock', 'advance', '3d'], live)).code).toBe(2)

  const watching = cli.start(['watch', 'CLI-1'])
  await eventually(
    async () => watching.out().split('\n').length,
    lines => lines > 1,
  )
  const before = watching.out()
  const advanced = await cli.run(['clock', 'advance', '2w'])
  expect([advanced.code, advanced.out]).toEqual([0, expect.stringContaining('relance_email_1')])
  await eventually(
    async () => watching.out(),
    out => out.length > before.length,
  )
  watching.interrupt()
  expect(await watching.ended).toBe(130)
  const lines = watching.out().trim().split('\n')
  expect(new Set(lines).size).toBe(lines.length)
})
