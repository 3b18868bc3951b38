import { expect, it } from 'vitest'
import type { Channel } from '../../../src/domain/contact/channel.ts'
import { cents, formatMoney } from '../../../src/domain/money/money.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

/** The full size is 2,000 debtors; fewer by default to save time. */
const size = Number(process.env.LIVES ?? 12)

/** The same numbers in every run. */
function randomNumbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
const random = randomNumbers(20_261_116)
const pick = <T>(...of: readonly T[]): T => of[random(of.length)]!

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

interface Executed {
  action: string
  channel: Channel
  sent_by: Channel
  number: string
  amount_cents: number
  invoice_id: string
  communication_id: string
  lead_invoice_id: string
  lead_number: string
  language: 'fr' | 'en'
  invoices: number
  grouped_with: string | null
  body: string
  event: Record<string, unknown> | null
}

// Whose invoices fall due at many moments: some days belong to steps of several invoices, and of several channels.
it(`in ${size} lives no step is executed by a message that does not name its invoice`, async () => {
  const sandbox = await newSandbox(installation)
  for (let life = 0; life < size; life++) {
    const debtor = {
      ...lyonDebtor(`Vie ${String.fromCharCode(97 + (life % 26))}${'x'.repeat(Math.floor(life / 26))} SA`),
      type: pick('business', 'business', 'public_body', 'consumer'),
      language: pick('fr', 'en'),
    }
    const count = life % 6 === 5 ? 30 : 2 + random(7)
    const spread = pick(1, 25, 60)
    await sandbox.done('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: count }, () =>
        invoiceInput({
          debtor,
          amountCents: 20_000 + random(900_000),
          dueDate: new Date(Date.UTC(2026, 10, 20 + random(spread))).toISOString().slice(0, 10),
        }),
      ),
    })
  }
  for (let i = 0; i < 3; i++) await sandbox.advance('P60D')
  const executed = await installation.sql<Executed>(
    `select a.action, a.channel, c.channel as sent_by, i.number, i.amount_cents::integer as amount_cents, a.invoice_id, a.communication_id,
            c.lead_invoice_id, l.number as lead_number, d.language, m.body, a.params ->> 'groupedWith' as grouped_with,
            (select count(*)::integer from communication_invoices x where x.tenant_id = c.tenant_id and x.communication_id = c.id) as invoices,
            (select e.data from events e where e.tenant_id = a.tenant_id and e.subject_id = a.invoice_id
                and e.type = 'workflow.action_triggered' and e.data ->> 'actionId' = a.id::text) as event
       from actions a
       join communications c on c.tenant_id = a.tenant_id and c.id = a.communication_id
       join invoices i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
       join invoices l on l.tenant_id = c.tenant_id and l.id = c.lead_invoice_id
       join debtors d on d.tenant_id = c.tenant_id and d.id = c.debtor_id
       join sandbox_messages m on m.tenant_id = c.tenant_id and m.communication_id = c.id
      where a.tenant_id = $1 and a.status in ('sent', 'delivered', 'unknown')`,
    [sandbox.tenantId],
  )
  expect(executed.length).toBeGreaterThan(size * 10)
  expect(executed.filter(step => step.invoices > 1).length).toBeGreaterThan(size)
  const isNamed = ({ sent_by, body, number, amount_cents, language, invoices }: Executed) => {
    const text = plain(body)
    const sum = plain(formatMoney(cents(amount_cents), 'EUR', language))
    switch (sent_by) {
      case 'voice':
        return invoices === 1
          ? text.includes(number)
          : text.includes(`${invoices} ${language === 'fr' ? 'factures' : 'invoices'}, `)
      // The page behind its link names them.
      case 'sms':
        return true
      default: {
        const [before, after = ''] = text.split(/Pour information|For information/)
        const own = `${before}\n${after.split(/Annexe :|Annex:/)[1] ?? ''}`
        const lines = invoices === 1 ? [own] : own.split('\n')
        return lines.some(line => line.includes(number) && line.includes(sum))
      }
    }
  }
  expect(executed.filter(step => !isNamed(step)).map(({ number, body }) => `${number} ${body}`)).toEqual([])
  for (const step of executed) {
    const isLead = step.invoice_id === step.lead_invoice_id
    expect(step.channel).toBe(step.sent_by)
    expect(step.grouped_with).toBe(isLead ? null : step.lead_number)
    expect(step.event).toMatchObject({
      channel: step.sent_by,
      communicationId: step.communication_id,
      withInvoiceId: isLead ? null : step.lead_invoice_id,
    })
  }
}, 600_000)
