import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { useCli } from '../../harness/cli.ts'
import { newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await newSandbox(installation)
})
const cli = useCli(() => ({ BASE_URL: installation.server.baseUrl, API_KEY: sandbox.key }))

const head = 'N° facture;Client;E-mail;Date facture;Échéance;Somme'
const row = (number: string, amount: string) =>
  `${number};Petit & Fils;compta@petit.example;01/09/2026;01/10/2026;${amount}`
const fileOf = async (name: string, rows: readonly string[]) => {
  const path = join(cli.home.folder, name)
  await writeFile(path, [head, ...rows].join('\n'))
  return path
}
const count = async () => (await sandbox.done<unknown[]>('GET', '/api/v1/invoices?limit=100')).length

it('a dry run says what would be imported and why not, and the task then does it', async () => {
  const path = await fileOf('some.csv', [
    row('CLI-1', '1 234,56'),
    row('CLI-2', 'a lot'),
    row('CLI-3', '10,00'),
  ])
  const map = ['--map', 'Somme=amount']
  const dry = await cli.run(['invoices', 'import', path, ...map, '--dry-run', '--language', 'en'])
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('2 rows can be imported, 1 cannot')])
  expect(dry.out).toMatch(/Somme +amount/)
  expect(dry.out).toMatch(/line 3: .*\(\w+\)/)
  expect(await count()).toBe(0)
  const [, task] = /^task (\S+)/m.exec(dry.err)!
  const done = await cli.run(['invoices', 'import', '--task', task!])
  expect([done.code, done.out]).toEqual([
    5,
    expect.stringContaining('finished: 2 invoices created, 1 rows refused'),
  ])
  expect(await count()).toBe(2)
})

it('a column that is not there is named, with those that are', async () => {
  const path = await fileOf('other.csv', [row('CLI-9', '1,00')])
  const { code, err } = await cli.run(['invoices', 'import', path, '--map', 'Montant=amount'])
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('No column is called "Montant"; the columns are 0 N° facture'),
  ])
})

it('Ctrl-C ends the command and not the task, which goes on with --task', async () => {
  const before = await count()
  const path = await fileOf(
    'more.csv',
    Array.from({ length: 20 }, (_, i) => row(`MORE-${i}`, '5,00')),
  )
  const first = cli.start(['invoices', 'import', path, '--map', 'Somme=amount'])
  await eventually(
    async () => first.err(),
    said => /^task /m.test(said),
  )
  first.interrupt()
  expect(await first.ended).toBe(130)
  const [, task] = /invoices import --task (\S+)/.exec(first.err())!
  const done = await cli.run(['invoices', 'import', '--task', task!, '--map', 'Somme=amount'])
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('finished: 20 invoices created')])
  expect(await count()).toBe(before + 20)
})
