import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkerContext } from '../../../src/features/recovery/messages/worker-context.ts'
import { wakeDebtor } from '../../../src/features/recovery/wake/wake-debtor.ts'
import { statements } from '../../../src/kit/db/statement.ts'
import {
  eventually,
  invoiceInput,
  mondayMorning,
  type TestInstallation,
  useInstallation,
} from '../../harness/use-installation.ts'
import { workerWithoutLoop } from '../../harness/worker-without-loop.ts'

const attempts = 50
const connections = 25
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const dueSince = '2026-11-16T08:00:00+01:00'

interface ContentionFixture {
  installation: TestInstallation
  worker: WorkerContext
}

/** An installation, and a second worker that wakes as many debtors at once as it has connections. */
function useContentionFixture(): ContentionFixture {
  const fixture = { installation: useInstallation({ own: 'moves the clock' }) } as ContentionFixture
  let stop: () => Promise<void>
  beforeAll(() => {
    // Reserved messages are taken at once by the installation's own loop, which sends them.
    const worker = workerWithoutLoop(fixture.installation.database, { connections, reclaimAfterMs: 0 })
    fixture.worker = worker
    stop = () => worker.stop()
  })
  afterAll(() => stop?.())
  return fixture
}

type Environment = 'production' | 'sandbox'

/**
 * Records that are due on Monday morning, imported on the Sunday before. The installation's own loop does not wake them, so
 * that only the test's attempts are made.
 */
async function recordsWaiting(
  { installation }: ContentionFixture,
  count: number,
  debtorOf: (i: number) => Record<string, unknown>,
  environment: Environment = 'production',
): Promise<string[]> {
  await installation.setNow(sunday)
  const inputs = Array.from({ length: count }, (_, i) => invoiceInput({ debtor: debtorOf(i) }))
  const answer = await installation.call<{ imported: number; results: { id: string }[] }>(
    'POST',
    '/api/v1/invoices/bulk',
    {
      body: { invoices: inputs },
      key: environment === 'sandbox' ? installation.company.sandboxKey : installation.company.productionKey,
    },
  )
  expect(answer.body.data.imported).toBe(count)
  const ids = answer.body.data.results.map(result => result.id)
  await installation.sql('update recoveries set wish_at = $2, due_at = $2 where invoice_id = any ($1)', [
    ids,
    dueSince,
  ])
  await installation.setNow(mondayMorning)
  const rows = await installation.sql<{ debtor_id: string }>(
    'select distinct debtor_id from recoveries where invoice_id = any ($1)',
    [ids],
  )
  return rows.map(row => row.debtor_id)
}

const lockTimeout = '55P03'

/** Wakes all of these debtors at once; returns the messages that were reserved. */
async function wakeAtOnce(
  { installation, worker }: ContentionFixture,
  debtorIds: readonly string[],
  environment: Environment = 'production',
): Promise<string[]> {
  const rows = await installation.sql<{ debtor_id: string; wake_generation: string }>(
    'select debtor_id, wake_generation from agendas where debtor_id = any ($1)',
    [debtorIds],
  )
  const generations = new Map(rows.map(row => [row.debtor_id, Number(row.wake_generation)]))
  const tenantId = installation.company.tenants[environment]
  // A wake that times out on a lock is tried again, as a worker does.
  const woken = await Promise.all(
    debtorIds.map(async debtorId => {
      for (;;)
        try {
          return await wakeDebtor(worker, { tenantId, debtorId, generation: generations.get(debtorId)! })
        } catch (error) {
          if ((error as { code?: string }).code !== lockTimeout) throw error
        }
    }),
  )
  return [...new Set(woken.flatMap(one => (one?.kind === 'send' ? [one.communicationId] : [])))]
}

const mailsTo = ({ installation }: ContentionFixture, address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

const settled = ({ installation }: ContentionFixture) =>
  eventually(
    () => installation.sql<{ n: number }>('select count(*)::int as n from pending_sends'),
    ([row]) => row!.n === 0,
  )

/** All other debtors waited for the outcome of the one message; then each has a later wake time and a reason. */
async function expectOthersWait(
  { installation }: ContentionFixture,
  debtorIds: readonly string[],
  one: string,
) {
  const [served] = await installation.sql<{ debtor_id: string }>(
    'select debtor_id from communications where id = $1',
    [one],
  )
  const agendas = await eventually(
    () =>
      installation.sql<{ debtor_id: string; wake_at: Date | null; wake_because: string }>(
        'select debtor_id, wake_at, wake_because from agendas where debtor_id = any ($1) and debtor_id <> $2',
        [debtorIds, served!.debtor_id],
      ),
    rows => rows.every(({ wake_because }) => wake_because !== 'message_on_its_way'),
  )
  expect(agendas).toHaveLength(debtorIds.length - 1)
  for (const agenda of agendas) {
    expect(agenda.wake_at).not.toBeNull()
    expect(['one_contact_a_day', 'channel_cooldown']).toContain(agenda.wake_because)
  }
}

const oneEmail = (name: string, address: string) => (i: number) => ({
  name: `${name} ${i}`,
  email: address,
  postalCode: '69002',
})

describe('fifty attempts at one person on one day', () => {
  const fixture = useContentionFixture()

  it('fifty wake-ups of one debtor at once make one message', async () => {
    const [debtorId] = await recordsWaiting(fixture, 1, oneEmail('Seul', 'seul@seul.example'))
    const passed = await wakeAtOnce(fixture, Array<string>(attempts).fill(debtorId!))
    expect(passed).toHaveLength(1)
    await settled(fixture)
    expect(mailsTo(fixture, 'seul@seul.example')).toHaveLength(1)
  })

  it.each([1, 2, 3])('fifty records with one email: exactly one is contacted (%i)', async round => {
    const address = `compta${round}@groupe.example`
    const debtorIds = await recordsWaiting(fixture, attempts, oneEmail(`Filiale ${round}`, address))
    expect(debtorIds).toHaveLength(attempts)
    const passed = await wakeAtOnce(fixture, debtorIds)
    expect(passed).toHaveLength(1)
    await settled(fixture)
    expect(mailsTo(fixture, address)).toHaveLength(1)
    await expectOthersWait(fixture, debtorIds, passed[0]!)
  })

  it('fifty records with one phone, half of them due by email and half by SMS: exactly one is contacted', async () => {
    const debtorIds = await recordsWaiting(
      fixture,
      attempts,
      i => ({
        name: `Agence ${i}`,
        email: `agence${i}@agences.example`,
        phone: '+33612345678',
        postalCode: '69002',
      }),
      'sandbox',
    )
    const bySms = debtorIds.filter((_, i) => i % 2 === 0)
    await fixture.installation.sql('update recoveries set step = 2 where debtor_id = any ($1)', [bySms])
    const passed = await wakeAtOnce(fixture, debtorIds, 'sandbox')
    expect(passed).toHaveLength(1)
    await settled(fixture)
    const messages = await fixture.installation.sql('select * from sandbox_messages where tenant_id = $1', [
      fixture.installation.company.tenants.sandbox,
    ])
    expect(messages).toHaveLength(1)
    await expectOthersWait(fixture, debtorIds, passed[0]!)
  })

  it('by email and by SMS at once, each way is really tried: alone, both would have passed', async () => {
    const independent = await recordsWaiting(
      fixture,
      2,
      i => ({
        name: `Libre ${i}`,
        email: `libre${i}@libre.example`,
        phone: `+3361234999${i}`,
        postalCode: '69002',
      }),
      'sandbox',
    )
    await fixture.installation.sql('update recoveries set step = 2 where debtor_id = $1', [independent[0]])
    const passed = await wakeAtOnce(fixture, independent, 'sandbox')
    const channels = await fixture.installation.sql<{ channel: string }>(
      'select channel from communications where id = any ($1) order by channel',
      [passed],
    )
    expect(channels).toEqual([{ channel: 'email' }, { channel: 'sms' }])
    await settled(fixture)
  })

  it('fifty invoices of fifty records with one email, posted at once: the loop itself contacts one of them', async () => {
    const { installation } = fixture
    const debtorOf = oneEmail('Succursale', 'succursales@groupe.example')
    const answers = await Promise.all(
      Array.from({ length: attempts }, (_, i) =>
        installation.call('POST', '/api/v1/invoices', { body: invoiceInput({ debtor: debtorOf(i) }) }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(attempts).fill(201))
    await eventually(
      () =>
        installation.sql<{ n: number }>(
          `select (select count(*) from pending_sends)::int
                + (select count(*) from agendas where wake_at <= clock_timestamp())::int as n`,
        ),
      ([row]) => row!.n === 0,
    )
    expect(mailsTo(fixture, 'succursales@groupe.example')).toHaveLength(1)
  })
})

describe('the tests above see what they are for', () => {
  const fixture = useContentionFixture()

  it('with the insert of the slot skipped, every one of the fifty passes', async () => {
    const debtorIds = await recordsWaiting(fixture, attempts, oneEmail('Sans créneau', 'sans@groupe.example'))
    const restore = skipSlotInsert()
    try {
      expect(await wakeAtOnce(fixture, debtorIds)).toHaveLength(attempts)
    } finally {
      restore()
    }
  })

  it('without the two constraints of the schema, more than one of the fifty passes', async () => {
    await fixture.installation.sql('drop index slot_once_a_day')
    await fixture.installation.sql('alter table contact_slots drop constraint slot_once_a_cooldown')
    const debtorIds = await recordsWaiting(fixture, attempts, oneEmail('Sans loi', 'sansloi@groupe.example'))
    expect((await wakeAtOnce(fixture, debtorIds)).length).toBeGreaterThan(1)
  })
})

/** Changes the reservation so that it inserts no slots. */
function skipSlotInsert(): () => void {
  const statement = statements.get('messages.reserve')!
  const { name, text } = statement
  const sabotaged = text.replace(
    /with slot as \(.*?returning 1\)/s,
    'with slot as (select 1 from unnest($10::text[]) where $9::text is not null)',
  )
  expect(sabotaged).not.toBe(text)
  Object.assign(statement, { name: `${name}-sabotaged`, text: sabotaged })
  return () => Object.assign(statement, { name, text })
}
