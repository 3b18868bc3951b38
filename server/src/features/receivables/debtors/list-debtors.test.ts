import { beforeAll, expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Listed {
  id: string
  name: string
  account?: {
    currency: string
    openCents: number
    openInvoices: number
    oldestDueDate: string | null
    nextContact: { at: string; channel: string; because: string | null } | null
    heldBy: string[]
    riskLevel: string | null
  }
}

let sandbox: Sandbox
const names = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo']
const invoices: Record<string, string> = {}

beforeAll(async () => {
  sandbox = await newSandbox(installation)
  for (const [i, name] of ['Delta', 'Alpha', 'Echo', 'Bravo', 'Charlie'].entries()) {
    const made = await sandbox.invoice({
      debtor: lyonDebtor(`${name} SARL`),
      amountCents: 10_000 * (i + 1),
      dueDate: `2026-11-2${i + 1}`,
    })
    invoices[name] = made.id
  }
  await sandbox.done('POST', '/api/v1/debtors', { name: 'Zulu SARL', email: 'z@zulu.example' })
  await sandbox.trigger(invoices.Echo!, { action: 'pause' })
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: invoices.Alpha,
    amountCents: 20_000,
    method: 'bank_transfer',
  })
  await eventually(
    () =>
      installation.sql(
        `select 1 from count_deltas where tenant_id = $1 union all select 1 from score_marks where tenant_id = $1`,
        [sandbox.tenantId],
      ),
    rows => rows.length === 0,
  )
})

const list = (query: string) => sandbox.call<Listed[]>('GET', `/api/v1/debtors${query}`)
const namesOf = async (query: string) =>
  (await list(query)).body.data.map(({ name }) => name.replace(' SARL', ''))

it('debtors are listed by name, by what they owe and by their next contact', async () => {
  expect(await namesOf('?sortBy=name')).toEqual([...names, 'Zulu'])
  expect(await namesOf('?sortBy=name&sortOrder=desc')).toEqual(['Zulu', ...names.toReversed()])
  // Alpha has paid.
  expect(await namesOf('?sortBy=balance')).toEqual(['Charlie', 'Bravo', 'Echo', 'Delta'])
  expect(await namesOf('?sortBy=balance&sortOrder=asc')).toEqual(['Delta', 'Echo', 'Bravo', 'Charlie'])
  // Echo is paused, Alpha paid.
  expect(await namesOf('?sortBy=next_contact')).toEqual(['Delta', 'Bravo', 'Charlie'])
  expect((await list('?sortBy=score')).body.data.length).toBeGreaterThanOrEqual(5)
})

it('the debtors to be contacted on a day are found, in any order, with their number', async () => {
  const whole = (await list('?sortBy=next_contact&include=account')).body.data
  const [first, second, third] = whole.map(({ account }) => account!.nextContact!.at)
  expect(first! < second! && second! < third!).toBe(true)
  const found = async (query: string) => {
    const { body } = await list(`?sortBy=next_contact${query}`)
    return [body.data.map(({ name }) => name.replace(' SARL', '')), body.pagination!.total]
  }
  expect(await found(`&nextTo=${first}`)).toEqual([['Delta'], 1])
  expect(await found(`&nextFrom=${second}`)).toEqual([['Bravo', 'Charlie'], 2])
  expect(await found(`&nextFrom=${second}&nextTo=${second}`)).toEqual([['Bravo'], 1])
  expect(await found(`&nextFrom=${second}&search=charlie`)).toEqual([['Charlie'], 1])
  expect(await namesOf(`?sortBy=name&nextFrom=${second}`)).toEqual(['Bravo', 'Charlie'])
  expect(await namesOf(`?sortBy=balance&nextFrom=${second}`)).toEqual(['Charlie', 'Bravo'])
  expect(await found('&nextFrom=2099-01-01T00:00:00Z')).toEqual([[], 0])
})

it.each(['name', 'balance', 'next_contact', 'score', 'created_at'])(
  'pages by cursor give the whole list by %s',
  async sortBy => {
    const whole = await namesOf(`?sortBy=${sortBy}`)
    const found: string[] = []
    for (let query = `?sortBy=${sortBy}&limit=2`; ; ) {
      const answer = await list(query)
      expect(answer.status, answer.text).toBe(200)
      found.push(...answer.body.data.map(({ name }) => name.replace(' SARL', '')))
      const cursor = (answer.body.pagination as { nextCursor?: string | null }).nextCursor
      if (!cursor) break
      query = `?sortBy=${sortBy}&limit=2&cursor=${cursor}`
    }
    expect(found).toEqual(whole)
  },
)

it('filters by standing, balance and risk, alone and together', async () => {
  expect(await namesOf('?standing=held:asked')).toEqual(['Echo'])
  expect(await namesOf('?standing=held:asked,ended&sortBy=name')).toEqual(['Alpha', 'Echo'])
  expect(await namesOf('?minBalance=40000&sortBy=name')).toEqual(['Bravo', 'Charlie'])
  expect(await namesOf('?minBalance=40000&sortBy=balance')).toEqual(['Charlie', 'Bravo'])
  expect(await namesOf('?minBalance=40000&standing=held:asked')).toEqual([])
  expect((await namesOf('?risk=low&sortBy=name')).length).toBeGreaterThanOrEqual(5)
  expect(await namesOf('?risk=critical')).toEqual([])
  expect((await list('?standing=held:asked')).body.pagination).toMatchObject({ total: 1 })
  for (const query of ['?standing=asleep', '?risk=none', '?minBalance=-1', '?sortBy=email', '?include=all'])
    expect((await list(query)).status, query).toBe(400)
})

it('finds debtors whose wake-up failed again and again', async () => {
  expect(await namesOf('?parked=true')).toEqual([])
  const park = (because: string | null) =>
    installation.sql(
      `update agendas set parked_because = $2 where tenant_id = $1
          and debtor_id = (select debtor_id from invoices where tenant_id = $1 and id = $3)`,
      [sandbox.tenantId, because, invoices.Delta],
    )
  await park('calendar_missing')
  expect(await namesOf('?parked=true')).toEqual(['Delta'])
  expect(await namesOf('?parked=true&sortBy=name&risk=low')).toEqual(['Delta'])
  expect((await list('?parked=true')).body.pagination).toMatchObject({ total: 1 })
  expect((await list('?parked=false')).status).toBe(400)
  await park(null)
})

it('an account tells what is open, what comes next and what holds', async () => {
  const byName = new Map(
    (await list('?include=account')).body.data.map(debtor => [
      debtor.name.replace(' SARL', ''),
      debtor.account!,
    ]),
  )
  expect(byName.get('Echo')).toMatchObject({
    currency: 'EUR',
    openCents: 30_000,
    openInvoices: 1,
    oldestDueDate: '2026-11-23',
    nextContact: null,
    heldBy: ['asked'],
  })
  expect(byName.get('Alpha')).toMatchObject({
    openCents: 0,
    openInvoices: 0,
    oldestDueDate: null,
    nextContact: null,
  })
  expect(byName.get('Zulu')).toMatchObject({ openCents: 0, nextContact: null, heldBy: [] })
  const planned = await sandbox.nextAction(invoices.Bravo!)
  expect(byName.get('Bravo')!.nextContact).toMatchObject({
    at: planned.scheduledAt,
    channel: 'email',
    step: 'email_prise_en_charge',
  })
  expect((await list('')).body.data[0]).not.toHaveProperty('account')
})
