import { expect, it } from 'vitest'
import { asAdmin } from '../../../../dev/database.ts'
import { keptCounts } from '../../../../test/harness/kept-counts.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation', redisUrl: undefined })

interface Line {
  invoices: number | null
  debtors: number | null
  standing: string | null
}
interface Day {
  date: string
  slots: Record<string, number>[]
  totals: Record<string, number | null>
  held: (Line & { because: string })[] | null
  queues:
    | (Line & {
        kind: string
        unit: string
        messages: number | null
        replies: number | null
        addresses: number | null
      })[]
    | null
  collectedCents: number | null
}

const dayOf = (sandbox: Sandbox, query = '') => sandbox.done<Day>('GET', `/api/v1/reports/today${query}`)
const untilFolded = (sandbox: Sandbox) =>
  eventually(
    () => installation.sql('select 1 from count_deltas where tenant_id = $1', [sandbox.tenantId]),
    rows => rows.length === 0,
  )
const totalOf = async (sandbox: Sandbox, path: string) =>
  (await sandbox.call('GET', path)).body.pagination.total

/** The lists that a line leads to have as many invoices and debtors as it says. */
async function expectListed(sandbox: Sandbox) {
  const { held, queues } = await dayOf(sandbox)
  for (const { standing, invoices, debtors } of [...held!, ...queues!]) {
    expect(await totalOf(sandbox, `/api/v1/invoices?standing=${standing}`), standing!).toBe(invoices)
    expect(await totalOf(sandbox, `/api/v1/debtors?standing=${standing}`), standing!).toBe(debtors)
  }
  for (const [promise, query] of Object.entries(keptCounts))
    expect(await installation.sql(query), promise).toEqual([])
}

it('counts replies, addresses, debtors and invoices apart, as many as its lists show', async () => {
  const sandbox = await newSandbox(installation)
  const invoicesOf = async (name: string, count: number) => {
    const debtor = lyonDebtor(`${name} SARL`)
    const made: { id: string; debtor: { id: string } }[] = []
    for (let i = 0; i < count; i++) made.push(await sandbox.invoice({ debtor }))
    return made
  }
  const talkative = await invoicesOf('Bavard', 3)
  const moved = await invoicesOf('Parti', 2)
  const angry = await invoicesOf('Fâché', 2)
  await invoicesOf('Calme', 2)
  await sandbox.advance('PT2H')
  const { replyId } = (await sandbox.simulate('reply', { invoiceId: talkative[0]!.id })) as {
    replyId: string
  }
  await sandbox.advance('PT1M')
  await sandbox.simulate('reply', { invoiceId: talkative[0]!.id })
  await sandbox.done('POST', `/api/v1/debtors/${moved[0]!.debtor.id}/wrong-person`, { point: 'email' })
  for (const { id } of angry)
    await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Rayée' })
  const none = { messages: null, replies: null, addresses: null }
  const expected = [
    { kind: 'disputes', unit: 'invoices', ...none, invoices: 2, debtors: 1, standing: 'held:dispute' },
    {
      kind: 'wrongPerson',
      unit: 'addresses',
      ...none,
      addresses: 1,
      invoices: 2,
      debtors: 1,
      standing: 'held:wrong_person',
    },
    {
      kind: 'replies',
      unit: 'replies',
      ...none,
      replies: 2,
      invoices: 3,
      debtors: 1,
      standing: 'held:reply',
    },
  ]
  const held = [
    { because: 'dispute', invoices: 2, debtors: 1 },
    { because: 'wrong_person', invoices: 2, debtors: 1 },
    { because: 'reply', invoices: 3, debtors: 1 },
  ]
  expect(await dayOf(sandbox)).toMatchObject({ queues: expected, held })
  await expectListed(sandbox)
  await untilFolded(sandbox)
  expect(await dayOf(sandbox)).toMatchObject({ queues: expected, held })
  await expectListed(sandbox)
  // Of two wrong points of a debtor each is an address. One that was corrected is not counted any more.
  await sandbox.done('POST', `/api/v1/debtors/${moved[0]!.debtor.id}/wrong-person`, { point: 'phone' })
  const wrong = async () => (await dayOf(sandbox)).queues!.find(({ kind }) => kind === 'wrongPerson')
  expect(await wrong()).toMatchObject({ addresses: 2, debtors: 1, invoices: 2 })
  await sandbox.done('PUT', `/api/v1/debtors/${moved[0]!.debtor.id}`, { phone: '+33611223344' })
  expect(await wrong()).toMatchObject({ addresses: 1, debtors: 1, invoices: 2 })
  // One reply is read, the other still holds; and it is to be read though its debtor has paid.
  await sandbox.done('POST', `/api/v1/debtors/${talkative[0]!.debtor.id}/replies/${replyId}/read`)
  const replies = async () => (await dayOf(sandbox)).queues!.find(({ kind }) => kind === 'replies')
  expect(await replies()).toMatchObject({ replies: 1, debtors: 1, invoices: 3 })
  for (const { id } of talkative)
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: id,
      amountCents: 120_000,
      method: 'bank_transfer',
    })
  expect(await replies()).toMatchObject({ replies: 1, debtors: 0, invoices: 0 })
  await expectListed(sandbox)
  await untilFolded(sandbox)
  await expectListed(sandbox)
})

it('counts a debtor once however often its invoices change, folded or not', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Durand SARL')
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await sandbox.invoice({ debtor })).id)
  ids.push((await sandbox.invoice({ debtor: lyonDebtor('Petit SARL') })).id)
  const asked = async () => {
    const line = (await dayOf(sandbox)).held!.find(({ because }) => because === 'asked')
    return line ? [line.invoices, line.debtors] : [0, 0]
  }
  for (const [action, id, counted] of [
    ['pause', ids[0], [1, 1]],
    ['pause', ids[1], [2, 1]],
    ['pause', ids[3], [3, 2]],
    ['resume', ids[0], [2, 2]],
    ['pause', ids[0], [3, 2]],
    ['resume', ids[3], [2, 1]],
    ['resume', ids[0], [1, 1]],
    ['resume', ids[1], [0, 0]],
  ] as const) {
    expect((await sandbox.trigger(id!, { action })).status).toBe(200)
    expect(await asked(), `${action} ${id}`).toEqual(counted)
    if (id === ids[0]) await untilFolded(sandbox)
    expect(await asked(), `${action} ${id}`).toEqual(counted)
  }
  await expectListed(sandbox)
})

it('a day to come has no figures of the past, and neither it nor a day before has what waits now', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.invoice({ debtor: lyonDebtor('Petit SARL'), dueDate: '2026-11-19' })
  await sandbox.advance('PT1H')
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 1_000,
    method: 'bank_transfer',
  })
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Rayée' })
  const today = await dayOf(sandbox, '?date=2026-11-16')
  expect(today).toMatchObject({ collectedCents: 1_000, totals: { left: 1 }, queues: [{ kind: 'disputes' }] })
  const past = { sent: null, delivered: null, bounced: null, failed: null, unknown: null, left: null }
  expect(await dayOf(sandbox, '?date=2026-11-20')).toMatchObject({
    collectedCents: null,
    totals: { planned: 1, ...past },
    slots: [{ planned: 1, left: 0 }],
    queues: null,
    held: null,
  })
  expect(await dayOf(sandbox, '?date=2026-11-15')).toMatchObject({
    collectedCents: 0,
    totals: { planned: 0, left: 0 },
    queues: null,
    held: null,
  })
  // The day begins where the company is: at 23:30 in Paris, tomorrow is still to come.
  await sandbox.advance({ to: '2026-11-16T23:30:00+01:00' })
  expect(await dayOf(sandbox)).toMatchObject({ date: '2026-11-16', collectedCents: 1_000 })
  expect((await dayOf(sandbox, '?date=2026-11-17')).collectedCents).toBeNull()
  await sandbox.advance('PT1H')
  expect(await dayOf(sandbox)).toMatchObject({ date: '2026-11-17', collectedCents: 0 })
  expect((await dayOf(sandbox, '?date=2026-11-16')).collectedCents).toBe(1_000)
})

interface Leaving {
  debtorId: string
  name: string
  city: string | null
  timeZone: string | null
  openCents: number
  contact: { at: string; channel: string; step: string; invoiceIds: string[] }
}
type LeavingDay = Day & { leaving: Leaving[] | null; axis: { from: string; until: string } }

const leavingOn = async (sandbox: Sandbox, date: string) => {
  const day = await sandbox.done<LeavingDay>('GET', `/api/v1/reports/today?date=${date}`)
  const lastQuarter = new Date(Date.parse(day.axis.until) - 900_000).toISOString()
  const { body } = await sandbox.call<{ name: string }[]>(
    'GET',
    `/api/v1/debtors?nextFrom=${day.axis.from}&nextTo=${lastQuarter}&sortBy=next_contact`,
  )
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort()
  expect(names(body.data)).toEqual(names(day.leaving!))
  expect(body.pagination.total).toBe(day.totals.planned)
  return day.leaving!
}

it('names who is contacted on a day, as many as it counts and the list of debtors shows', async () => {
  const sandbox = await newSandbox(installation)
  const made = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL'), dueDate: '2026-11-19' })
  await sandbox.invoice({
    debtor: { ...lyonDebtor('Hoarau SARL'), postalCode: '97400', city: 'Saint-Denis' },
    dueDate: '2026-11-19',
    amountCents: 50_000,
  })
  await sandbox.invoice({ debtor: lyonDebtor('Petit SARL'), dueDate: '2026-11-22' })
  const held = await sandbox.invoice({ debtor: lyonDebtor('Retenu SARL'), dueDate: '2026-11-19' })
  await sandbox.trigger(held.id, { action: 'pause' })
  const leaving = await leavingOn(sandbox, '2026-11-20')
  expect(leaving.map(({ contact }) => contact.at)).toEqual(leaving.map(({ contact }) => contact.at).sort())
  const byName = new Map(leaving.map(one => [one.name, one]))
  expect([...byName.keys()].sort()).toEqual(['Durand SARL', 'Hoarau SARL'])
  const planned = await sandbox.nextAction(made.id)
  expect(byName.get('Durand SARL')).toEqual({
    debtorId: made.debtor.id,
    name: 'Durand SARL',
    city: 'Lyon',
    timeZone: 'Europe/Paris',
    openCents: 120_000,
    contact: {
      at: planned.scheduledAt,
      channel: 'email',
      step: 'email_prise_en_charge',
      because: null,
      invoiceIds: [made.id],
    },
  })
  expect(byName.get('Hoarau SARL')).toMatchObject({
    city: 'Saint-Denis',
    timeZone: 'Indian/Reunion',
    openCents: 50_000,
  })
  expect((await leavingOn(sandbox, '2026-11-23')).map(({ name }) => name)).toEqual(['Petit SARL'])
  expect(await leavingOn(sandbox, '2026-11-15')).toEqual([])
})

it('a debtor whose facts have just changed is named on the day of its message, not of the stored one', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL'), dueDate: '2026-11-19' })
  await asAdmin(installation.database.adminUrl, async other => {
    await other.query(
      `update agendas set plan_generation = 0, contact_at = contact_at + interval '10 days', contact_slot = contact_slot + 960
        where debtor_id = $1`,
      [debtor.id],
    )
    // The loop that stores plans leaves out what is locked.
    await other.query('begin')
    await other.query('select from agendas where debtor_id = $1 for no key update', [debtor.id])
    expect((await leavingOn(sandbox, '2026-11-20')).map(({ name }) => name)).toEqual(['Durand SARL'])
    expect(await leavingOn(sandbox, '2026-11-30')).toEqual([])
    const found = async (query: string) =>
      (await sandbox.call<object[]>('GET', `/api/v1/debtors?${query}`)).body.data.length
    const on = (day: string) => `nextFrom=${day}T00:00:00Z&nextTo=${day}T22:00:00Z`
    for (const sortBy of ['name', 'balance', 'next_contact']) {
      expect(await found(`${on('2026-11-20')}&sortBy=${sortBy}`), sortBy).toBe(1)
      expect(await found(`${on('2026-11-30')}&sortBy=${sortBy}`), sortBy).toBe(0)
    }
    await other.query('commit')
  })
})

it('names nobody while sending is stopped, nor to a key that may not read debtors', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Durand SARL'), dueDate: '2026-11-19' })
  expect(await leavingOn(sandbox, '2026-11-20')).toHaveLength(1)
  const key = await sandbox.done<{ apiKey: string }>('POST', '/api/v1/api-keys', {
    name: 'Reports',
    scopes: ['reports:read'],
  })
  const { body } = await installation.call<LeavingDay>('GET', '/api/v1/reports/today?date=2026-11-20', {
    key: key.apiKey,
  })
  expect(body.data).toMatchObject({ totals: { planned: 1 }, leaving: null })
  await sandbox.done('POST', '/api/v1/company/stop-sending', { reason: 'Prices' })
  expect(await leavingOn(sandbox, '2026-11-20')).toEqual([])
})
