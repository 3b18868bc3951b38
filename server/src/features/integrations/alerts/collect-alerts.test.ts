import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation', hasWorker: false })
const delivery = useManualDelivery(installation)
const owner = 'comptabilite@atelier-martin.example'
const mails = () => installation.server.mailbox.messages().filter(mail => mail.to === owner)

/** Messages of production come back, so many at once. */
async function storm(count: number): Promise<void> {
  const { body } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput({ dueDate: '2027-02-01' }),
  })
  await installation.sql(
    `with told as (
       insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
       select tenant_id, (left(id::text, 14) || right(gen_random_uuid()::text, 22))::uuid, 'message.bounced', 1, subject_id, 100 + n,
              data || '{"channel": "email"}', actor, occurred_at, recorded_at
         from events cross join generate_series(1, $2::integer) n where subject_id = $1 and type = 'invoice.created'
       returning tenant_id, id, recorded_at)
     insert into alerts (tenant_id, kind, subject_id, recorded_at) select tenant_id, 'message.bounced', id, recorded_at from told`,
    [body.data.id, count],
  )
}

it('a storm of bounces is one mail, then one in ten minutes, with the first ten named and the rest counted', async () => {
  await storm(1)
  await delivery.sendMail()
  expect(mails().map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Un message à Durand \d+ SARL est revenu$/),
  ])
  for (let i = 0; i < 4; i++) {
    await storm(300)
    await delivery.sendMail()
  }
  expect(mails()).toHaveLength(1)
  delivery.advanceClock(10 * 60_000)
  await delivery.sendMail()
  const [, second, ...more] = mails()
  expect(more).toEqual([])
  expect(second!.subject).toBe('1200 messages sont revenus')
  expect(second!.text.match(/^- Un message à/gm)).toHaveLength(10)
  expect(second!.text).toContain('et 1190 de plus')
  await delivery.sendMail()
  expect(mails()).toHaveLength(2)
  expect(await installation.sql('select 1 from alerts')).toEqual([])
})

it('a provider that stays away is mailed once a day, whatever waits', async () => {
  const before = mails().length
  const tell = () =>
    installation.sql(
      `insert into alerts (tenant_id, kind, subject_id, recorded_at) select id, 'provider_away.sms', id, $1::timestamptz
         from tenants where environment = 'production' on conflict do nothing`,
      [new Date().toISOString()],
    )
  for (let i = 0; i < 3; i++) {
    await tell()
    await delivery.sendMail()
    delivery.advanceClock(60 * 60_000)
  }
  expect(
    mails()
      .slice(before)
      .map(({ subject }) => subject),
  ).toEqual(['Vos messages attendent\u00a0: les SMS ne partent pas en ce moment'])
  delivery.advanceClock(22 * 60 * 60_000)
  await delivery.sendMail()
  expect(mails()).toHaveLength(before + 2)
})

it('what is over is deleted: old alerts, batches without mail for two days, links after two weeks', async () => {
  const purge = (at: string) => installation.sql('select purge_alerts($1::timestamptz, 1000)', [at])
  await installation.sql(
    `insert into alerts (tenant_id, kind, subject_id, recorded_at) values ($1, 'reply.received', $1, '2026-01-01')`,
    [randomUUIDv7()],
  )
  expect(await installation.sql('select 1 from alert_links')).not.toEqual([])
  await purge('2100-01-01')
  for (const table of ['alerts', 'alert_batches', 'alert_links'])
    expect(await installation.sql(`select 1 from ${table}`), table).toEqual([])
})
