import { expect, it } from 'vitest'
import { keptCounts } from '../../harness/kept-counts.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

const [
  standing,
  openSum,
  byDueDay,
  byDebtor,
  byStatus,
  byQuarterHour,
  havePlanned,
  planned,
  debtors,
  isOpen,
] = Object.keys(keptCounts)

async function broken(): Promise<string[]> {
  const found: string[] = []
  for (const [promise, query] of Object.entries(keptCounts))
    if ((await installation.sql(query)).length > 0) found.push(promise)
  return found
}

/** An invoice is written about, partly paid and paused. */
async function runStory() {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.advance('PT1H')
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 1_000,
    method: 'bank_transfer',
  })
  await sandbox.trigger(id, { action: 'pause' })
  return sandbox
}

it.each([
  ['recoveries', 'set_standing', [standing, byDueDay, debtors]],
  ['recoveries', 'count_changed_recoveries', [byDueDay, byStatus, debtors]],
  ['agendas', 'count_new_agendas', [byQuarterHour, havePlanned]],
  ['agendas', 'count_changed_agenda', [byQuarterHour, havePlanned]],
  ['communications', 'count_changed_message', [byQuarterHour]],
  ['invoices', 'count_new_invoices', [byDueDay, byDebtor]],
  ['invoices', 'count_changed_invoices', [byDueDay, byDebtor]],
  ['invoices', 'set_open_cents', [openSum, byDueDay, byDebtor]],
])(
  'without the trigger of %s called %s the comparison with the rows fails',
  async (table, trigger, promises) => {
    await installation.sql(`alter table ${table} disable trigger ${trigger}`)
    const sandbox = await runStory()
    expect(await broken()).toEqual(promises)
    await installation.sql(`alter table ${table} enable trigger ${trigger}`)
    // A sandbox that is emptied leaves nothing kept behind.
    await sandbox.done('POST', '/api/v1/sandbox/reset')
    expect(await broken()).toEqual([])
  },
)

it('a message that is announced before anything waits is noticed', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Durand SARL'), dueDate: '2026-12-01' })
  expect(await broken()).toEqual([])
  await installation.sql('update agendas set contact_slot = contact_slot - 100 where tenant_id = $1', [
    sandbox.tenantId,
  ])
  expect(await broken()).toEqual([planned])
})

it('and a paid invoice whose reminders go on', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Martin SARL'), dueDate: '2026-12-01' })
  await installation.sql("update invoices set status = 'paid' where tenant_id = $1", [sandbox.tenantId])
  expect(await broken()).toContain(isOpen)
})
