import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { invoiceInput, mondayMorning, useInstallation } from '../../../../test/harness/use-installation.ts'
import { workerWithoutLoop } from '../../../../test/harness/worker-without-loop.ts'
import { warnOfDeclarations } from './warn-of-declarations.ts'

const installation = useInstallation({ own: 'moves the clock', hasWorker: false })
const delivery = useManualDelivery(installation)
let worker: ReturnType<typeof workerWithoutLoop>
beforeAll(() => {
  worker = workerWithoutLoop(installation.database, { connections: 1, reclaimAfterMs: 75_000 })
})
afterAll(() => worker.stop())

const owner = 'owner@people.example'
const mails = () => installation.server.mailbox.messages().filter(({ to }) => to === owner)
const night = () => warnOfDeclarations(worker, installation.company.tenants.production)

async function insolvent(insolvency: Record<string, unknown>) {
  const { body } = await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  const { id } = body.data.debtor
  const answer = await installation.call<{ insolvency: { declareBy: string } }>(
    'PUT',
    `/api/v1/debtors/${id}`,
    {
      body: { insolvency },
    },
  )
  expect(answer.status, answer.text).toBe(200)
  return { id, declareBy: answer.body.data.insolvency.declareBy }
}

it('the owner is mailed 30, 14, 7 and 2 days before the last day, also with alerts switched off, until it is declared', async () => {
  const { companyId } = installation.company
  await installation.sql(
    `with person as (
       insert into people (id, email, email_key, name, language, created_at)
       values ($1, $2, $2, 'Camille', 'fr', $4) returning id)
     insert into memberships (person_id, company_id, role, created_at, receives_alerts)
     select id, $3, 'owner', $4, false from person`,
    [randomUUIDv7(), owner, companyId, new Date(mondayMorning)],
  )
  const proceedings = { kind: 'liquidation', openedOn: '2026-10-10', publishedOn: '2026-10-20' }
  const { id, declareBy } = await insolvent(proceedings)
  expect(declareBy).toBe('2026-12-20')
  const told: number[] = []
  for (let left = 34; left >= 1; left--) {
    await installation.setNow(Date.parse(`${declareBy}T09:00:00Z`) - left * 86_400_000)
    const before = mails().length
    await night()
    await night()
    delivery.advanceClock(11 * 60_000)
    await delivery.sendMail()
    if (mails().length > before) told.push(left)
  }
  expect(told).toEqual([30, 14, 7, 2])
  const [mail] = mails()
  expect(mail!.subject).toMatch(/^Déclarez votre créance sur .+ au plus tard le 20 décembre 2026$/)
  expect(mail!.text).toContain('Il ne peut pas être désactivé')

  const count = mails().length
  await installation.setNow(mondayMorning)
  const declared = await insolvent({ ...proceedings, publishedOn: '2026-09-20', declaredOn: '2026-11-12' })
  expect(declared.id).not.toBe(id)
  await installation.sql('update debtors set insolvency_declared_on = $2 where id = $1', [id, '2026-11-12'])
  await night()
  delivery.advanceClock(11 * 60_000)
  await delivery.sendMail()
  expect(mails()).toHaveLength(count)
})
