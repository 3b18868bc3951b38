import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Worker } from '../../../src/features/recovery/messages/worker.ts'
import { wake } from '../../../src/features/recovery/wake/wake.ts'
import { statements } from '../../../src/kit/db/statement.ts'
import { eventually, type House, invoiceInput, mondayMorning, useHouse } from '../../harness/house.ts'
import { loneWorker } from '../../harness/lone-worker.ts'

const attempts = 50
const connections = 25
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const dueSince = '2026-11-16T08:00:00+01:00'

interface Ground {
  house: House
  worker: Worker
}

/** A house, and beside its own loop somebody who looks at as many debtors at once as it has connections. */
function useGround(): Ground {
  const ground = { house: useHouse() } as Ground
  let stop: () => Promise<void>
  beforeAll(() => {
    // What is reserved is handed over to the house's loop at once, which sends it.
    const worker = loneWorker(ground.house.database, { connections, redriveMs: 0 })
    ground.worker = worker
    stop = () => worker.stop()
  })
  afterAll(() => stop?.())
  return ground
}

type Environment = 'production' | 'sandbox'

/**
 * Records that wait for Monday morning, imported on the Sunday before: the house's own loop sleeps until long after, so that
 * exactly those attempts are made that a test makes.
 */
async function recordsWaiting(
  { house }: Ground,
  count: number,
  debtorOf: (i: number) => Record<string, unknown>,
  environment: Environment = 'production',
): Promise<string[]> {
  await house.setNow(sunday)
  const inputs = Array.from({ length: count }, (_, i) => invoiceInput({ debtor: debtorOf(i) }))
  const answer = await house.call<{ imported: number; results: { id: string }[] }>(
    'POST',
    '/api/v1/invoices/bulk',
    {
      body: { invoices: inputs },
      key: environment === 'sandbox' ? house.company.sandboxKey : house.company.productionKey,
    },
  )
  expect(answer.body.data.imported).toBe(count)
  const ids = answer.body.data.results.map(result => result.id)
  await house.sql('update recoveries set due_at = $2 where invoice_id = any ($1)', [ids, dueSince])
  await house.setNow(mondayMorning)
  const rows = await house.sql<{ debtor_id: string }>(
    'select distinct debtor_id from recoveries where invoice_id = any ($1)',
    [ids],
  )
  return rows.map(row => row.debtor_id)
}

const lockTimeout = '55P03'

/** Looks at all of them at once, as often as they are named; answers the messages that were let through. */
async function wakeAtOnce(
  { house, worker }: Ground,
  debtorIds: readonly string[],
  environment: Environment = 'production',
): Promise<string[]> {
  const rows = await house.sql<{ debtor_id: string; wake_gen: string }>(
    'select debtor_id, wake_gen from agendas where debtor_id = any ($1)',
    [debtorIds],
  )
  const gens = new Map(rows.map(row => [row.debtor_id, Number(row.wake_gen)]))
  const tenantId = house.company.tenants[environment]
  // Who waits in vain for a lock is handed over again, as the dispatcher would.
  const woken = await Promise.all(
    debtorIds.map(async debtorId => {
      for (;;)
        try {
          return await wake(worker, { tenantId, debtorId, gen: gens.get(debtorId)! })
        } catch (error) {
          if ((error as { code?: string }).code !== lockTimeout) throw error
        }
    }),
  )
  return [...new Set(woken.flatMap(one => (one?.kind === 'send' ? [one.communicationId] : [])))]
}

const mailsTo = ({ house }: Ground, address: string) =>
  house.installation.mailbox.messages().filter(mail => mail.to === address)

const settled = ({ house }: Ground) =>
  eventually(
    () => house.sql<{ n: number }>('select count(*)::int as n from pending_sends'),
    ([row]) => row!.n === 0,
  )

/** Who is left: nobody was forgotten, everybody else has a later moment and a reason. */
async function expectOthersWait({ house }: Ground, debtorIds: readonly string[], one: string) {
  const [served] = await house.sql<{ debtor_id: string }>(
    'select debtor_id from communications where id = $1',
    [one],
  )
  const agendas = await house.sql<{ debtor_id: string; wake_at: Date | null; wake_because: string }>(
    'select debtor_id, wake_at, wake_because from agendas where debtor_id = any ($1) and debtor_id <> $2',
    [debtorIds, served!.debtor_id],
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
  const ground = useGround()

  it('fifty wake-ups of one debtor at once make one message', async () => {
    const [debtorId] = await recordsWaiting(ground, 1, oneEmail('Seul', 'seul@seul.example'))
    const passed = await wakeAtOnce(ground, Array<string>(attempts).fill(debtorId!))
    expect(passed).toHaveLength(1)
    await settled(ground)
    expect(mailsTo(ground, 'seul@seul.example')).toHaveLength(1)
  })

  it.each([1, 2, 3])('fifty records with one email: exactly one is contacted (%i)', async round => {
    const address = `compta${round}@groupe.example`
    const debtorIds = await recordsWaiting(ground, attempts, oneEmail(`Filiale ${round}`, address))
    expect(debtorIds).toHaveLength(attempts)
    const passed = await wakeAtOnce(ground, debtorIds)
    expect(passed).toHaveLength(1)
    await settled(ground)
    expect(mailsTo(ground, address)).toHaveLength(1)
    await expectOthersWait(ground, debtorIds, passed[0]!)
  })

  it('fifty records with one phone, half of them due by email and half by SMS: exactly one is contacted', async () => {
    const debtorIds = await recordsWaiting(
      ground,
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
    await ground.house.sql('update recoveries set step = 2 where debtor_id = any ($1)', [bySms])
    const passed = await wakeAtOnce(ground, debtorIds, 'sandbox')
    expect(passed).toHaveLength(1)
    await settled(ground)
    const kept = await ground.house.sql('select * from sandbox_messages where tenant_id = $1', [
      ground.house.company.tenants.sandbox,
    ])
    expect(kept).toHaveLength(1)
    await expectOthersWait(ground, debtorIds, passed[0]!)
  })

  it('by email and by SMS at once, each way is really tried: alone, both would have passed', async () => {
    const alone = await recordsWaiting(
      ground,
      2,
      i => ({
        name: `Libre ${i}`,
        email: `libre${i}@libre.example`,
        phone: `+3361234999${i}`,
        postalCode: '69002',
      }),
      'sandbox',
    )
    await ground.house.sql('update recoveries set step = 2 where debtor_id = $1', [alone[0]])
    const passed = await wakeAtOnce(ground, alone, 'sandbox')
    const channels = await ground.house.sql<{ channel: string }>(
      'select channel from communications where id = any ($1) order by channel',
      [passed],
    )
    expect(channels).toEqual([{ channel: 'email' }, { channel: 'sms' }])
    await settled(ground)
  })

  it('fifty invoices of fifty records with one email, posted at once: the loop itself contacts one of them', async () => {
    const { house } = ground
    const debtorOf = oneEmail('Succursale', 'succursales@groupe.example')
    const answers = await Promise.all(
      Array.from({ length: attempts }, (_, i) =>
        house.call('POST', '/api/v1/invoices', { body: invoiceInput({ debtor: debtorOf(i) }) }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(attempts).fill(201))
    await eventually(
      () =>
        house.sql<{ n: number }>(
          `select (select count(*) from pending_sends)::int
                + (select count(*) from agendas where wake_at <= clock_timestamp())::int as n`,
        ),
      ([row]) => row!.n === 0,
    )
    expect(mailsTo(ground, 'succursales@groupe.example')).toHaveLength(1)
  })
})

describe('the tests above see what they are for', () => {
  const ground = useGround()

  it('with the insert of the slot skipped, every one of the fifty passes', async () => {
    const debtorIds = await recordsWaiting(ground, attempts, oneEmail('Sans créneau', 'sans@groupe.example'))
    const undo = skipSlotInsert()
    try {
      expect(await wakeAtOnce(ground, debtorIds)).toHaveLength(attempts)
    } finally {
      undo()
    }
  })

  it('without the two constraints of the schema, more than one of the fifty passes', async () => {
    await ground.house.sql('drop index slot_once_a_day')
    await ground.house.sql('alter table contact_slots drop constraint slot_once_a_cooldown')
    const debtorIds = await recordsWaiting(ground, attempts, oneEmail('Sans loi', 'sansloi@groupe.example'))
    expect((await wakeAtOnce(ground, debtorIds)).length).toBeGreaterThan(1)
  })
})

/** The reservation believes that every point was free, and takes none. */
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
