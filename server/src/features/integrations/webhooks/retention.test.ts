import { expect, it } from 'vitest'
import { makeHappen, queueFor, useHandCourier } from '../../../../test/harness/hand-courier.ts'
import { useHouse } from '../../../../test/harness/house.ts'
import { newSandbox } from '../../../../test/harness/sandbox.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'

const house = useHouse({ hasWorker: false })
const hand = useHandCourier(house)
const receiver = useReceiver()
const path = '/api/v1/webhooks'
const day = 24 * 3_600_000

const iso = (at: number) => new Date(at).toISOString()
const weeks = async (table: string) =>
  (
    await house.sql<{ name: string }>(
      `select c.relname as name from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = $1::regclass order by 1`,
      [table],
    )
  ).map(({ name }) => name.slice(table.length + 1))

it('the weeks of both tables are made ahead, those of deliveries as far back as anything may be told again', async () => {
  await house.sql('select ensure_event_partitions($1)', ['2027-03-17T12:00:00Z'])
  const [events, deliveries] = [await weeks('events'), await weeks('webhook_deliveries')]
  const ahead = ['2027w10', '2027w11', '2027w12', '2027w13', '2027w14', '2027w15']
  expect(events).toEqual(expect.arrayContaining(ahead))
  // 30 days before the 17th of March is the 15th of February, a Monday: the first of week 7.
  expect(deliveries).toEqual(expect.arrayContaining(['2027w07', '2027w08', '2027w09', ...ahead]))
  expect(deliveries).not.toContain('2027w06')
  expect(await house.sql('select ensure_event_partitions($1) as made', ['2027-03-17T12:00:00Z'])).toEqual([
    { made: 0 },
  ])
  for (const table of ['events', 'webhook_deliveries'])
    expect(
      await house.sql(
        `select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
          where h.inhparent = $1::regclass and not (c.relrowsecurity and c.relforcerowsecurity)`,
        [table],
      ),
    ).toEqual([])
})

it('the deliveries of a week are dropped when all of it is more than thirty days ago, and no other week', async () => {
  await house.sql('select ensure_event_partitions($1)', ['2028-02-16T12:00:00Z'])
  const before = await weeks('webhook_deliveries')
  const events = await weeks('events')
  const drop = async (now: string) =>
    (
      await house.sql<{ n: number }>('select drop_old_deliveries($1) as n', [iso(Date.parse(now) - 30 * day)])
    )[0]!.n
  // Week 7 of 2028 is 14 to 20 February: thirty days after its last moment is the 22nd of March.
  await drop('2028-03-21T23:59:59.999Z')
  expect((await weeks('webhook_deliveries'))[0]).toBe('2028w07')
  expect(await drop('2028-03-22T00:00:00Z')).toBe(1)
  expect(await weeks('webhook_deliveries')).toEqual(before.filter(week => week > '2028w07'))
  expect(await weeks('events')).toEqual(events)
})

it('a round of housekeeping makes no week that it drops', async () => {
  const monday = Date.parse('2028-09-04T00:00:00Z')
  for (let at = monday; at < monday + 8 * day; at += day / 4) {
    await house.sql('select ensure_event_partitions($1)', [iso(at)])
    await house.sql('select drop_old_deliveries($1)', [iso(at - 30 * day)])
    const again = await house.sql('select ensure_event_partitions($1) as made', [iso(at)])
    expect(again, iso(at)).toEqual([{ made: 0 }])
  }
})

/** A webhook, an event that happened so long ago, and everything that is told again of it. */
async function tellOf(ageDays: number) {
  const sandbox = await newSandbox(house)
  const at = Date.now() - ageDays * day
  // As it was left by those who made events before there were deliveries.
  await house.sql('select ensure_event_partitions($1)', [iso(at)])
  await house.sql('select drop_old_deliveries($1)', [iso(Date.now() + 100 * day)])
  await house.sql('select ensure_event_partitions($1)', [iso(Date.now())])
  const [eventId] = await makeHappen(house, sandbox.tenantId, { count: 1, at })
  const body = { url: receiver.url, events: ['invoice.created'] }
  const { id: webhookId } = await sandbox.done<{ id: string }>('POST', path, body)
  receiver.received.length = 0
  return {
    sandbox,
    webhookId,
    eventId: eventId!,
    list: () => sandbox.done('GET', `${path}/${webhookId}/deliveries`),
  }
}

it('an event of last month is delivered and listed like any other', async () => {
  const { sandbox, webhookId, eventId, list } = await tellOf(29)
  await sandbox.done('POST', `${path}/${webhookId}/recover`, { since: iso(Date.now() - 29.5 * day) })
  await hand.pass()
  expect(receiver.events().map(({ id }) => id)).toEqual([eventId])
  expect(await list()).toMatchObject([{ id: eventId, status: 'delivered' }])
})

it('what has waited until its week was dropped is delivered, listed nowhere, and not sent again and again', async () => {
  const { sandbox, webhookId, eventId, list } = await tellOf(38)
  await queueFor(house, { tenantId: sandbox.tenantId, webhookId }, [eventId])
  await hand.pass()
  hand.letPass(hand.world.leaseMs + 1_000)
  expect(await hand.pass()).toEqual([])
  expect(receiver.events().map(({ id }) => id)).toEqual([eventId])
  expect(await list()).toEqual([])
  expect(await house.sql('select 1 from webhook_queue where webhook_id = $1', [webhookId])).toEqual([])
})
