import pg from 'pg'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ env: { WAKE_TIMEOUT_MS: '1500' } })
const clock = '/api/v1/sandbox/clock'
const body = { advance: 'P6D' }

const withKey = (sandbox: Sandbox, idempotencyKey: string) =>
  installation.call<{ status: string }>('POST', clock, {
    key: sandbox.key,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  })

const isReplayed = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed') === 'true'

const storedReplies = (sandbox: Sandbox) =>
  installation.sql<{ status: number }>('select status from idempotency_keys where tenant_id = $1', [
    sandbox.tenantId,
  ])

/** Locks a recovery, so that no worker can send for it. */
async function lockRecovery(invoiceId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: installation.database.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from recoveries where invoice_id = $1 for update', [invoiceId])
  return () => client.end()
}

it('the response stored under a key is the one after the waiting, not the one before it', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  const first = await withKey(sandbox, 'a')
  expect(first.body.data).toMatchObject({ status: 'done', happened: [{ action: 'relance_email_1' }] })
  const again = await withKey(sandbox, 'a')
  expect([again.text, isReplayed(again)]).toEqual([first.text, true])
  expect(await storedReplies(sandbox)).toEqual([{ status: 200 }])
})

it('five of one request at once let the time pass once, and all get the answer after the waiting', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  const before = await sandbox.now()
  const answers = await Promise.all(Array.from({ length: 5 }, () => withKey(sandbox, 'five')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]!.body.data.status).toBe('done')
  expect(answers.filter(answer => !isReplayed(answer))).toHaveLength(1)
  expect((await sandbox.now()) - before).toBeLessThan(7 * 24 * 3_600_000)
})

it('a waiting that nobody finished is locked for half a minute, then its first answer stands', async () => {
  const sandbox = await newSandbox(installation)
  const first = await withKey(sandbox, 'dead')
  const change = (set: string) =>
    installation.sql(`update idempotency_keys set ${set} where tenant_id = $1`, [sandbox.tenantId])
  await change('status = -200')
  const locked = await withKey(sandbox, 'dead')
  expect([locked.status, locked.body.error.code, locked.headers.get('retry-after')]).toEqual([
    423,
    'RES_004',
    '1',
  ])
  const other = await installation.call('POST', clock, {
    key: sandbox.key,
    body: { advance: 'P1D' },
    headers: { 'idempotency-key': 'dead' },
  })
  expect(other.body.error.code).toBe('RES_003')
  await change(`created_at = created_at - interval '31 seconds'`)
  const again = await withKey(sandbox, 'dead')
  expect([again.status, again.text, isReplayed(again)]).toEqual([200, first.text, true])
})

it('a request that waits 20 seconds is answered with running; until then every other request has to wait', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Lent SARL') })
  await sandbox.advance('PT1S')
  /** No worker is processing the debtor or is about to. */
  const isIdle = async () => {
    for (let looks = 0; looks < 10; looks++) {
      if ((await sandbox.done<{ status: string }>('GET', clock)).status !== 'idle') return false
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return true
  }
  await eventually(isIdle, idle => idle)
  let unlock = await lockRecovery(id)
  // A worker that was processing the debtor could not finish: unlock, wait until it is idle, and lock again.
  while (!(await isIdle())) {
    await unlock()
    await eventually(isIdle, idle => idle)
    unlock = await lockRecovery(id)
  }
  const start = performance.now()
  const slow = withKey(sandbox, 'slow')
  await eventually(
    () => sandbox.done<{ status: string }>('GET', clock),
    ({ status }) => status === 'running',
  )
  /** Reads are answered at any time, however many requests wait for the exclusive lock. */
  let isReading = true
  const readers = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (isReading) await sandbox.done('GET', clock)
    }),
  )
  const [twin, advance, reset] = await Promise.all([
    withKey(sandbox, 'slow'),
    withKey(sandbox, 'other'),
    sandbox.call('POST', '/api/v1/sandbox/reset'),
  ])
  isReading = false
  await readers
  for (const answer of [twin, advance, reset])
    expect([answer.status, answer.body.error?.code, answer.headers.get('retry-after')]).toEqual([
      423,
      'RES_004',
      '1',
    ])
  expect(await sandbox.done('GET', clock)).toMatchObject({ status: 'running', due: 1 })
  const slowReply = await slow
  expect(slowReply.status, slowReply.text).toBe(200)
  expect((performance.now() - start) / 1000).toBeGreaterThan(19)
  expect(slowReply.body.data).toMatchObject({ status: 'running', happened: [] })
  const again = await withKey(sandbox, 'slow')
  expect([again.text, isReplayed(again)]).toEqual([slowReply.text, true])
  await unlock()
  for (let tries = 0; tries < 100; tries++) {
    if ((await sandbox.done<{ status: string }>('GET', clock)).status === 'idle') break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  expect((await sandbox.history(id)).map(({ action }) => action)).toEqual([
    'email_prise_en_charge',
    'relance_email_1',
  ])
  // A 423 is never stored under the key.
  const later = await withKey(sandbox, 'other')
  expect([later.status, isReplayed(later), later.body.data.status]).toEqual([200, false, 'done'])
})
