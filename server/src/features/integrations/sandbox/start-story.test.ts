import { expect, it } from 'vitest'
import { peopleCalls, withProxy } from '../../../../test/harness/people-calls.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'

/** A Sunday evening, on which nothing may be sent. */
const installation = useInstallation({ ...withProxy, now: Date.parse('2026-11-15T21:30:00+01:00') })
const people = peopleCalls(installation)

const readStory = (companyId: string) =>
  installation.sql<{ name: string; status: string; holds: string[]; sent: string | null }>(
    `select d.name, r.status, r.holds,
            (select min(to_char(c.sent_at at time zone 'Europe/Paris', 'YYYY-MM-DD'))
               from communication_invoices ci join communications c on c.id = ci.communication_id
              where ci.invoice_id = i.id) as sent
       from tenants t join invoices i on i.tenant_id = t.id join debtors d on d.id = i.debtor_id
       join recoveries r on r.invoice_id = i.id
      where t.company_id = $1 and t.environment = 'sandbox' order by i.number`,
    [companyId],
  )

it('who signs up finds a story in the sandbox, with a first message that has left, on a Sunday too', async () => {
  const { companyId } = await people.newOwner({ language: 'fr' })
  const story = await eventually(
    () => readStory(companyId),
    ([first]) => first?.sent !== null && first?.sent !== undefined,
  )
  expect(story).toEqual([
    { name: 'Boulangerie Petitjean', status: 'in_recovery', holds: [], sent: '2026-11-16' },
    { name: 'Garage Fontaine', status: 'paused', holds: ['dispute'], sent: null },
    { name: 'Hôtel du Parc', status: 'paused', holds: ['promise'], sent: null },
  ])
})

it('the story is told in the language of who signed up, and production stays empty', async () => {
  const { companyId } = await people.newOwner({ language: 'en', country: 'CH' })
  expect((await readStory(companyId)).map(({ name }) => name)).toEqual([
    'Petitjean Bakery',
    'Fontaine Garage',
    'Park Hotel',
  ])
  const inProduction = await installation.sql(
    `select i.id from tenants t join invoices i on i.tenant_id = t.id where t.company_id = $1 and t.environment = 'production'`,
    [companyId],
  )
  expect(inProduction).toEqual([])
})
