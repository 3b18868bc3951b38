import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKeyring } from '../../../dev/installation.ts'
import { inheritedEnv } from '../../../dev/relance-args.ts'
import { brevoAccount, startBrevo } from '../../../dev/stand-ins/brevo.ts'
import { runChild } from '../../../src/kit/child-process.ts'
import { createStartContext, type RunningService } from '../../../src/start/api.ts'
import type { Config } from '../../../src/start/config.ts'
import { examine } from '../../../src/start/doctor.ts'
import { testProviders } from '../../../src/start/providers-command.ts'
import { startWorker } from '../../../src/start/worker.ts'
import { useClone } from '../../guards/clone.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

// Without a shifted clock, as in production.
const installation = useInstallation({ hasWorker: false, now: undefined })
const unmigrated = useClone()

let worker: RunningService | null = null
const stopWorker = async () => {
  await worker?.stop()
  worker = null
}
beforeAll(async () => {
  worker = await startWorker(createStartContext(installation.server.config))
})
afterAll(stopWorker)

/** What needs a person, with this environment. */
async function faultsWith(changes: Partial<Config> = {}, wall = Date.now()) {
  const findings = await examine({ ...installation.server.config, ...changes }, wall)
  return findings.filter(({ isFine }) => !isFine)
}
const nowhere = (url: string) => Object.assign(new URL(url), { port: '9' }).href

async function runDoctor(env: Record<string, string | undefined> = {}) {
  const { config } = installation.server
  const main = join(import.meta.dirname, '../../../src/main.ts')
  const own = { ...inheritedEnv(), RELANCE_ENV: 'development' }
  const { KEYRING, SMTP_URL, REDIS_URL } = config
  const settings = { KEYRING, SMTP_URL, ...(REDIS_URL && { REDIS_URL }), ...installation.database.env }
  return runChild(process.execPath, [main, 'doctor'], { env: { ...own, ...settings, ...env } }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout }) => ({ code, out: stdout }),
  )
}

it('an installation whose services run is fine, and what stops nothing is a note', async () => {
  expect(await faultsWith()).toEqual([])
  const { code, out } = await runDoctor()
  expect(out).not.toContain('LOOK')
  expect(out).toMatch(/^fine {2}1 workers are alive$/m)
  expect(out).toMatch(/^note {2}no interest for late payment is claimed for the half-years from 2026-07-01/m)
  expect(code).toBe(0)
})

it('what is wrong is printed with what to do next, and the command fails', async () => {
  const { code, out } = await runDoctor({ SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(out).toMatch(/^LOOK {2}the mail server does not take mail: ECONNREFUSED\n {6}→ correct SMTP_URL/m)
  expect(code).toBe(6)
})

describe('services', () => {
  it('a mail server that is away, or says nothing, is found within seconds', async () => {
    expect(await faultsWith({ SMTP_URL: 'smtp://127.0.0.1:9' })).toMatchObject([
      { text: 'the mail server does not take mail: ECONNREFUSED' },
    ])
    const silent = createServer().listen(0, '127.0.0.1')
    const { port } = await eventually(
      () => silent.address() as { port: number } | null,
      address => address !== null,
    ).then(address => address!)
    const askedAt = performance.now()
    const [fault] = await faultsWith({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect(fault!.text).toMatch(/^the mail server does not take mail: (no answer within 3 s|ETIMEDOUT)$/)
    expect(performance.now() - askedAt).toBeLessThan(8_000)
    silent.close()
  })

  it('a missing SMTP_URL is named, and with another provider no mail server is asked', async () => {
    expect(await faultsWith({ SMTP_URL: undefined })).toMatchObject([
      { text: expect.stringContaining('SMTP_URL is not set') },
    ])
    expect(await faultsWith({ SMTP_URL: undefined, EMAIL_PROVIDER: 'brevo' })).toEqual([])
  })

  it('Redis is asked where it is configured', async () => {
    expect(await faultsWith({ REDIS_URL: undefined })).toEqual([])
    expect(await faultsWith({ REDIS_URL: 'redis://127.0.0.1:9' })).toMatchObject([
      { text: 'Redis does not answer: ECONNREFUSED', next: expect.stringContaining('REDIS_URL') },
    ])
  })
})

describe('providers test', () => {
  const run = (config: Partial<Config>, to?: string) =>
    testProviders(
      { ...installation.server.config, ...config },
      { command: 'providers test', values: to === undefined ? {} : { to }, flags: [] },
      Date.now(),
    )

  it('signs in at each provider, and sends a mail only where it is asked to', async () => {
    const before = installation.server.mailbox.messages().length
    expect(await run({})).toMatchObject([
      { isFine: true, text: 'email: smtp accepts our credentials' },
      { isFine: true, isNote: true, text: 'sms: no provider is set, its steps are skipped' },
      { isNote: true },
      { isNote: true },
    ])
    expect(installation.server.mailbox.messages()).toHaveLength(before)
    const findings = await run({}, 'operator@example.com')
    expect(findings.at(-1)).toMatchObject({ isFine: true })
    expect(installation.server.mailbox.messages().at(-1)).toMatchObject({ to: 'operator@example.com' })
    await expect(run({}, 'nobody')).rejects.toThrow('"nobody" is not an email address')
  })

  it('names the provider that is away or refuses our account', async () => {
    expect((await run({ SMTP_URL: 'smtp://127.0.0.1:9' }))[0]).toMatchObject({
      isFine: false,
      text: 'email: smtp does not answer as it should: ECONNREFUSED',
    })
    const brevo = await startBrevo()
    const account = {
      EMAIL_PROVIDER: 'brevo',
      BREVO_BASE_URL: brevo.url,
      BREVO_CALLBACK_TOKEN: 'x',
    } as const
    expect((await run({ ...account, BREVO_API_KEY: brevoAccount.apiKey }))[0]).toMatchObject({ isFine: true })
    expect((await run({ ...account, BREVO_API_KEY: 'wrong' }))[0]).toMatchObject({
      isFine: false,
      text: expect.stringContaining('401'),
    })
    await brevo.stop()
  })
})

describe('KEYRING', () => {
  const textsWith = async (KEYRING: string | undefined) =>
    (await faultsWith({ KEYRING })).map(({ text }) => text)

  it('is missing', async () => {
    expect(await textsWith(undefined)).toEqual(['KEYRING is not set'])
  })

  it('has another key of the same name than what is sealed', async () => {
    await eventually(
      () => installation.sql('select from signing_keys'),
      keys => keys.length > 0,
    )
    expect(await textsWith(newKeyring())).toEqual([
      expect.stringContaining('KEYRING does not open what is sealed in this database'),
    ])
  })

  it('lacks a key under which API keys were made', async () => {
    const other = newKeyring().replace('k1:', 'k2:')
    expect(await textsWith(other)).toEqual([expect.stringContaining('KEYRING has no key named k1')])
    expect(await textsWith(`${other},${installation.server.config.KEYRING}`)).toEqual([])
  })
})

describe('the database', () => {
  it('is away, or refuses the login', async () => {
    const { env } = installation.database
    const away = nowhere(env.OPERATOR_DATABASE_URL)
    expect(await faultsWith({ OPERATOR_DATABASE_URL: away })).toMatchObject([
      { text: 'the database does not answer' },
    ])
    const refused = new URL(env.OPERATOR_DATABASE_URL)
    refused.pathname = '/there_is_no_such_database'
    expect(await faultsWith({ OPERATOR_DATABASE_URL: refused.href })).toMatchObject([
      { text: 'the database refuses the login of OPERATOR_DATABASE_URL' },
    ])
  })

  it('lacks migrations of this release', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'relance-migrations-'))
    const ours = join(import.meta.dirname, '../../../migrations')
    for (const name of await readdir(ours)) await copyFile(join(ours, name), join(directory, name))
    await writeFile(join(directory, '9999_next.sql'), '-- The next release.')
    const findings = await examine(installation.server.config, Date.now(), directory)
    expect(findings.filter(({ isFine }) => !isFine)).toMatchObject([
      {
        text: expect.stringContaining('not applied yet: 9999_next.sql;'),
        next: expect.stringContaining('relance-server migrate'),
      },
    ])
    await rm(directory, { recursive: true })
  })

  it('was not migrated at all, or by an older release that does not show its migrations', async () => {
    const { env } = unmigrated.database
    const { OPERATOR_DATABASE_URL, API_DATABASE_URL } = env
    await unmigrated.query('revoke select on schema_migrations from relance_operator')
    const [hidden] = await faultsWith({ OPERATOR_DATABASE_URL, API_DATABASE_URL })
    expect(hidden!.text).toContain('not applied yet: 0001_access.sql')
    await unmigrated.query('drop schema public cascade')
    await unmigrated.query('create schema public')
    const texts = (await faultsWith({ OPERATOR_DATABASE_URL, API_DATABASE_URL })).map(({ text }) => text)
    expect(texts).toEqual([
      expect.stringContaining('not applied yet: 0001_access.sql'),
      'KEYRING could not be tried on what is sealed in the database',
    ])
  })
})

it('that sending is stopped for everybody is said, by whom and why', async () => {
  const operator = operatorCalls(installation)
  await operator.stop({}, 'a fault in our texts')
  expect(await faultsWith()).toMatchObject([
    {
      text: expect.stringMatching(
        /^sending is stopped for everybody since .*, by operator: a fault in our texts$/,
      ),
    },
  ])
  await operator.resume()
  expect(await faultsWith()).toEqual([])
})

it('a provider that is away is named with the reason; one that failed once is not', async () => {
  await installation.sql(
    `insert into provider_outages (channel, provider, since, failures, reason) values ('email', 'smtp', clock_timestamp(), 1, 'ECONNREFUSED')`,
  )
  expect(await faultsWith()).toEqual([])
  await installation.sql(
    `update provider_outages set failures = 3, until = clock_timestamp() + interval '1 hour'`,
  )
  expect(await faultsWith()).toMatchObject([
    { text: expect.stringMatching(/^smtp \(email\) is away since .*: ECONNREFUSED$/) },
  ])
  await installation.sql('delete from provider_outages')
})

describe('what waits', () => {
  /** Its debtor is handled by the worker, and then left alone. */
  async function importInvoice(isSandbox: boolean): Promise<string> {
    const key = isSandbox ? installation.company.sandboxKey : installation.company.productionKey
    const { body } = await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2026-10-15' }),
      key,
    })
    const { id } = body.data.debtor
    await eventually(
      () =>
        installation.sql(
          `select from agendas a
            where debtor_id = $1 and taken_generation <> wake_generation and wake_at > clock_timestamp() + interval '1 minute'
              and not exists (select from pending_sends p where p.debtor_id = a.debtor_id)`,
          [id],
        ),
      rows => rows.length === 1,
    )
    return id
  }
  const set = (debtorId: string, change: string) =>
    installation.sql(`update agendas set ${change} where debtor_id = $1`, [debtorId])
  /** Sets an agenda, first of a sandbox, then of production, and returns what is found each time. */
  async function foundAfter(change: string, wall?: number) {
    const found: string[][] = []
    for (const isSandbox of [true, false]) {
      const debtorId = await importInvoice(isSandbox)
      await set(debtorId, change)
      found.push((await faultsWith({}, wall)).map(({ text }) => text.replace(debtorId, '…')))
      await set(debtorId, 'wake_at = null, parked_because = null, wake_generation = wake_generation + 1')
    }
    return found
  }

  it('debtors of production that wait for their wake-up are counted', async () => {
    // Not due for the worker, and late for a doctor who comes in an hour.
    const soon = `wake_at = clock_timestamp() + interval '10 minutes', wake_generation = wake_generation + 1, taken_generation = wake_generation`
    expect(await foundAfter(soon, Date.now() + 3_600_000)).toEqual([
      [],
      ['1 debtors wait longer than 5 minutes for their wake-up'],
    ])
  })

  it('wake-ups of production that were taken and are not done are counted', async () => {
    const taken = `wake_at = clock_timestamp(), taken_generation = wake_generation, taken_by = null, taken_at = clock_timestamp() - interval '1 hour'`
    expect(await foundAfter(taken)).toEqual([
      [],
      ['1 wake-ups were taken over 10 minutes ago and are not done'],
    ])
  })

  it('parked debtors of production are named with the reason', async () => {
    expect(await foundAfter(`parked_because = 'task_failed', wake_at = null`)).toEqual([
      [],
      ['1 debtors are parked and wait for a person: … (task_failed)'],
    ])
  })

  it('messages of production that are never settled are counted', async () => {
    const { sandbox, production } = installation.company.tenants
    const addPending = (tenantId: string) =>
      installation.sql(
        `insert into pending_sends (tenant_id, communication_id, debtor_id, reclaim_at, attempts)
         values ($1, $2, $2, clock_timestamp() + interval '1 hour', 3)`,
        [tenantId, randomUUID()],
      )
    await addPending(sandbox)
    expect(await faultsWith()).toEqual([])
    await addPending(production)
    expect(await faultsWith()).toMatchObject([
      { text: '1 messages were handed over three times and are still not settled' },
    ])
    await installation.sql('delete from pending_sends')
  })
})

it('without a worker nothing is sent, and the doctor says so', async () => {
  await stopWorker()
  expect(await faultsWith()).toMatchObject([
    { text: '0 workers are alive', next: expect.stringContaining('relance-server worker') },
  ])
})
