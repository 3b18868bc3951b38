import { afterEach, beforeAll, expect, it } from 'vitest'
import type { FenceCommit } from '../../../src/features/recovery/messages/worker-context.ts'
import { createPool } from '../../../src/kit/db/pool.ts'
import { doctor } from '../../../src/start/doctor.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({
  own: 'moves the clock',
  hasOwnCluster: true,
  env: { FENCE_SYNCHRONOUS_COMMIT: 'remote_write' },
})
const impatient = useManualWorker(installation, { fenceCommit: 'remote_write', statementTimeoutMs: 500 })

const setStandby = async (name: string) => {
  await installation.sql(`alter system set synchronous_standby_names = '${name}'`)
  await installation.sql('select pg_reload_conf()')
}
// Only a commit that asks for it waits for the standby.
beforeAll(() => installation.sql('alter role relance_worker set synchronous_commit = local'))
beforeAll(() => installation.sql('alter role relance_api set synchronous_commit = local'))
beforeAll(() => installation.sql('alter role postgres set synchronous_commit = local'))
beforeAll(() =>
  installation.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null`,
  ),
)
afterEach(() => setStandby(''))

async function importInvoice(): Promise<{ id: string; addressee: string }> {
  const body = invoiceInput()
  const created = await eventually(
    () => installation.call<{ id: string }>('POST', '/api/v1/invoices', { body }),
    ({ status }) => status === 201,
  )
  return { id: created.body.data.id, addressee: body.debtor.email }
}
const mailsTo = (addressee: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === addressee).length
const stateOf = async (addressee: string) =>
  (
    await installation.sql<{ state: string }>(
      `select c.state from communications c join debtors d on d.id = c.debtor_id where d.email = $1 order by c.id desc`,
      [addressee],
    )
  )[0]?.state

it('the body of a message leaves only when the standby has its fence; nothing else waits for the standby', async () => {
  await setStandby('somebody')
  const { addressee } = await importInvoice()
  const waiting = await eventually(
    () =>
      installation.sql<{ application_name: string }>(
        `select application_name from pg_stat_activity where wait_event = 'SyncRep'`,
      ),
    found => found.length > 0,
  )
  expect(waiting).toEqual([{ application_name: 'relance-worker' }])
  expect([await stateOf(addressee), mailsTo(addressee)]).toEqual(['sending', 0])
  await setStandby('')
  await eventually(
    () => mailsTo(addressee),
    count => count === 1,
  )
})

it('a fence that the standby does not get in time sends nothing, although it was committed here', async () => {
  await installation.setNow(Date.parse('2026-11-15T10:00:00+01:00'))
  const { id, addressee } = await importInvoice()
  await installation.setNow(mondayMorning)
  const communicationId = await impatient.reserve(id)
  await setStandby('somebody')
  await impatient.send(communicationId)
  expect([await stateOf(addressee), mailsTo(addressee)]).toEqual(['lapsed', 0])
})

it('the doctor finds a fence that would wait for a standby, and no standby named', async () => {
  const pool = createPool({
    url: installation.database.env.OPERATOR_DATABASE_URL,
    role: 'relance-operator',
    max: 1,
    statementTimeoutMs: 5_000,
  })
  const judge = async (fenceCommit: FenceCommit | undefined) =>
    (await doctor(pool, Date.now(), { FENCE_SYNCHRONOUS_COMMIT: fenceCommit })).find(({ text }) =>
      text.includes('standby'),
    )
  expect(await judge(undefined)).toMatchObject({ isFine: true })
  expect(await judge('remote_write')).toMatchObject({
    isFine: false,
    text: 'messages wait for a standby before they leave: remote_write; 0 named in synchronous_standby_names',
  })
  await setStandby('somebody')
  await eventually(
    () => judge('remote_write'),
    finding => finding!.isFine,
  )
  await pool.end()
})
