import { expect, it } from 'vitest'
import { insertEvents, queueEvents, useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'

const installation = useInstallation({ own: 'stops or changes parts', hasWorker: false })
const delivery = useManualDelivery(installation)
const receiver = useReceiver()
const path = '/api/v1/webhooks'
const day = 24 * 3_600_000

const iso = (at: number) => new Date(at).toISOString()
const weeks = async (table: string) =>
  (
    await installation.sql<{ name: string }>(
      `select c.relname as name from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = $1::regclass order by 1`,
      [table],
    )
  ).map(({ name }) => name.slice(table.length + 1))

it('the weeks of both tables are made ahead, those of deliveries as far back as anything may be replayed', async () => {
  await installation.sql('select ensure_event_partitions($1)', ['2027-03-17T12:00:00Z'])
  const [events, deliveries] = [await weeks('events'), await weeks('webhook_deliveries')]
  const ahead = ['2027w10', '2027w11', '2027w12', '2027w13', '2027w14', '2027w15']
  expect(events).toEqual(expect.arrayContaining(ahead))
  // 30 days before the 17th of March is the 15th of February, a Monday: the first of week 7.
  expect(deliveries).toEqual(expect.arrayContaining(['2027w07', '2027w08', '2027w09', ...ahead]))
  expect(deliveries).not.toContain('2027w06')
  expect(
    await installation.sql('select ensure_event_partitions($1) as made', ['2027-03-17T12:00:00Z']),
  ).toEqual([{ made: 0 }])
  for (const table of ['events', 'webhook_deliveries'])
    expect(
      await installation.sql(
        `select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
          where h.inhparent = $1::regclass and not (c.relrowsecurity and c.relforcerowsecurity)`,
        [table],
      ),
    ).toEqual([])
})

it('the deliveries of a week are dropped when all of it is more than thirty days ago, and no other week', async () => {
  await installation.sql('select ensure_event_partitions($1)', ['2028-02-16T12:00:00Z'])
  const before = await weeks('webhook_deliveries')
  const events = await weeks('events')
  const drop = async (now: string) =>
    (
      await installation.sql<{ n: number }>('select drop_old_deliveries($1) as n', [
        iso(Date.parse(now) - 30 * day),
      ])
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
    await installation.sql('select ensure_event_partitions($1)', [iso(at)])
    await installation.sql('select drop_old_deliveries($1)', [iso(at - 30 * day)])
    const again = await installation.sql('select ensure_event_partitions($1) as made', [iso(at)])
    expect(again, iso(at)).toEqual([{ made: 0 }])
  }
})

/** A webhook and an event of the given age. */
async function webhookAndEventOfAge(ageDays: number) {
  const sandbox = await newSandbox(installation)
  const at = Date.now() - ageDays * day
  // The state of an installation that had events before deliveries existed.
  await installation.sql('select ensure_event_partitions($1)', [iso(at)])
  await installation.sql('select drop_old_deliveries($1)', [iso(Date.now() + 100 * day)])
  await installation.sql('select ensure_event_partitions($1)', [iso(Date.now())])
  const [eventId] = await insertEvents(installation, sandbox.tenantId, { count: 1, at })
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
  const { sandbox, webhookId, eventId, list } = await webhookAndEventOfAge(29)
  await sandbox.done('POST', `${path}/${webhookId}/recover`, { since: iso(Date.now() - 29.5 * day) })
  await delivery.deliverDue()
  expect(receiver.events().map(({ id }) => id)).toEqual([eventId])
  expect(await list()).toMatchObject([{ id: eventId, status: 'delivered' }])
})

it('what has waited until its week was dropped is delivered, listed nowhere, and not sent again and again', async () => {
  const { sandbox, webhookId, eventId, list } = await webhookAndEventOfAge(38)
  await queueEvents(installation, { tenantId: sandbox.tenantId, webhookId }, [eventId])
  await delivery.deliverDue()
  delivery.advanceClock(delivery.context.leaseMs + 1_000)
  expect(await delivery.deliverDue()).toEqual([])
  expect(receiver.events().map(({ id }) => id)).toEqual([eventId])
  expect(await list()).toEqual([])
  expect(await installation.sql('select 1 from webhook_queue where webhook_id = $1', [webhookId])).toEqual([])
})
