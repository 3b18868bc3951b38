import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'
import { newVisitor } from '../../harness/visitor.ts'

const installation = useInstallation()

/** The full size is ten thousand; fewer by default to save time. */
const size = Number(process.env.CROWD ?? 1_000)

it(`a debtor with ${size} invoices gets messages that name up to 500, and every cascade comes to its end`, async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Immense SA')
  for (let i = 0; i < size; i += 100)
    await sandbox.done('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: Math.min(100, size - i) }, () =>
        invoiceInput({ debtor, dueDate: '2026-12-01' }),
      ),
    })
  await sandbox.advance('P20D')
  const messages = await sandbox.messages()
  const pagesUrl = installation.server.baseUrl.replace('127.0.0.1', 'localhost')
  const visitor = newVisitor(pagesUrl, { acceptLanguage: 'fr' })
  expect(messages.length).toBeGreaterThan(0)
  for (const { body, invoiceIds } of messages) {
    expect(invoiceIds.length).toBeLessThanOrEqual(500)
    const named = await installation.sql<{ number: string }>(
      'select number from invoices where tenant_id = $1 and id = any ($2::uuid[])',
      [sandbox.tenantId, invoiceIds],
    )
    expect(named.filter(({ number }) => !body.includes(number))).toEqual([])
    const page = await visitor.get(body.match(/\/d\/[\w-]+/)![0])
    const shown = page.html.split('<li class="bill">').slice(1)
    expect(shown).toHaveLength(invoiceIds.length)
    for (const { number } of named)
      expect(shown.find(bill => bill.includes(`>${number}<`))).toMatch(/1\s200,00\s€/)
  }
  // A message names 500: the more there are, the longer a step takes for all of them.
  for (let done = 0; done < size; done += 1_000) await sandbox.advance('P120D')
  const counts = await installation.sql<{ because: string | null; n: number }>(
    'select due_because as because, count(*)::integer as n from recoveries where tenant_id = $1 group by 1',
    [sandbox.tenantId],
  )
  expect(counts).toEqual([{ because: 'awaiting_decision', n: size }])
  const perStep = await installation.sql<{ action: string; n: number }>(
    `select action, count(*)::integer as n from actions where tenant_id = $1 group by 1 order by 2 desc`,
    [sandbox.tenantId],
  )
  for (const { n } of perStep) expect(n).toBe(size)
  const [slots] = (await installation.sql<{ days: number; messages: number }>(
    `select count(distinct local_day)::integer as days, count(distinct communication_id)::integer as messages from contact_slots
      where tenant_id = $1`,
    [sandbox.tenantId],
  )) as [{ days: number; messages: number }]
  expect(slots.messages).toBe(slots.days)
}, 300_000)
