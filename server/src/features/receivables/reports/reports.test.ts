import { expect, it } from 'vitest'
import { keptCounts } from '../../../../test/harness/kept-counts.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation', redisUrl: undefined })

interface Sums {
  invoices: number
  openCents: number
}
interface Group extends Sums {
  group: string
  standings: string[]
}
interface Aged {
  asOf: string
  currency: string
  buckets: (Sums & {
    fromDays: number | null
    toDays: number | null
    standings: (Sums & { standing: string })[]
    groups: Group[]
  })[]
  totals: Sums & { groups: Group[] }
  otherCurrencies: (Sums & { currency: string })[]
}
interface Day {
  date: string
  timeZone: string
  stopped: { because: string; since: string | null } | null
  slots: { at: string; channel: string; planned: number; sent: number; delivered: number; left: number }[]
  totals: { planned: number; left: number }
  axis: { from: string; until: string }
  held: (Sums & { because: string; standing: string })[]
  queues: {
    kind: string
    unit: string
    invoices: number | null
    openCents: number | null
    standing: string | null
  }[]
  collectedCents: number
  begun: { invoice: boolean; message: boolean; payment: boolean }
}

const aged = (sandbox: Sandbox, query = '') =>
  sandbox.done<Aged>('GET', `/api/v1/reports/aged-balance${query}`)
const dayOf = (sandbox: Sandbox, query = '') => sandbox.done<Day>('GET', `/api/v1/reports/today${query}`)

const untilFolded = (sandbox: Sandbox) =>
  eventually(
    () => installation.sql('select 1 from count_deltas where tenant_id = $1', [sandbox.tenantId]),
    rows => rows.length === 0,
  )

async function expectKept() {
  for (const [promise, query] of Object.entries(keptCounts))
    expect(await installation.sql(query), promise).toEqual([])
}

it('what is open stands in the bucket of its age and under where it stands, folded or not', async () => {
  const sandbox = await newSandbox(installation)
  const invoice = (name: string, dueDate: string, changes: object = {}) =>
    sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`), issueDate: '2026-05-01', dueDate, ...changes })
  await invoice('Demain', '2026-11-17')
  await invoice('Aujourdhui', '2026-11-16')
  await invoice('Hier', '2026-11-15')
  const old = await invoice('Vieux', '2026-10-17')
  const older = await invoice('Ancien', '2026-10-16')
  const oldest = await invoice('Antique', '2026-06-01', { amountCents: 50_000 })
  await invoice('Sterling', '2026-10-01', { currency: 'GBP' })
  await sandbox.trigger(old.id, { action: 'pause' })
  await sandbox.done('POST', `/api/v1/invoices/${older.id}/dispute`, { reason: 'Not delivered' })
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: oldest.id,
    amountCents: 20_000,
    method: 'bank_transfer',
  })
  const expected = {
    asOf: '2026-11-16',
    currency: 'EUR',
    buckets: [
      {
        fromDays: null,
        toDays: 0,
        invoices: 2,
        openCents: 240_000,
        standings: [{ standing: 'running', invoices: 2, openCents: 240_000 }],
      },
      {
        fromDays: 1,
        toDays: 30,
        invoices: 2,
        openCents: 240_000,
        standings: [
          { standing: 'running', invoices: 1, openCents: 120_000 },
          { standing: 'held:asked', invoices: 1, openCents: 120_000 },
        ],
      },
      {
        fromDays: 31,
        toDays: 60,
        invoices: 1,
        openCents: 120_000,
        standings: [{ standing: 'held:dispute', invoices: 1, openCents: 120_000 }],
      },
      { fromDays: 61, toDays: 90, invoices: 0, openCents: 0, standings: [] },
      {
        fromDays: 91,
        toDays: null,
        invoices: 1,
        openCents: 30_000,
        standings: [{ standing: 'running', invoices: 1, openCents: 30_000 }],
      },
    ],
    totals: { invoices: 6, openCents: 630_000 },
    otherCurrencies: [{ currency: 'GBP', invoices: 1, openCents: 120_000 }],
  }
  expect(await aged(sandbox)).toMatchObject(expected)
  await untilFolded(sandbox)
  const { buckets, totals } = await aged(sandbox)
  expect({ buckets, totals }).toMatchObject({ buckets: expected.buckets, totals: expected.totals })
  const groupsOf = (groups: Group[]) =>
    groups.map(({ group, invoices, openCents }) => [group, invoices, openCents])
  expect(buckets.map(({ groups }) => groupsOf(groups))).toEqual([
    [['running', 2, 240_000]],
    [
      ['running', 1, 120_000],
      ['waiting', 1, 120_000],
    ],
    [['decide', 1, 120_000]],
    [],
    [['running', 1, 30_000]],
  ])
  expect(groupsOf(totals.groups)).toEqual([
    ['running', 4, 390_000],
    ['waiting', 1, 120_000],
    ['decide', 1, 120_000],
  ])
  // What a group is made of is the filter of its list.
  const decide = totals.groups.find(({ group }) => group === 'decide')!
  const listed = await sandbox.call(
    'GET',
    `/api/v1/invoices?standing=${decide.standings.join()}&overdueMin=31`,
  )
  expect(listed.body.data).toMatchObject([{ id: older.id }])
  const two = await aged(sandbox, '?edges=29&currency=GBP')
  expect(two.buckets.map(({ fromDays, toDays, invoices }) => [fromDays, toDays, invoices])).toEqual([
    [null, 0, 0],
    [1, 29, 0],
    [30, null, 1],
  ])
  expect(two.otherCurrencies).toEqual([{ currency: 'EUR', invoices: 6, openCents: 630_000 }])
  // Paid in full it is open no more; given back it is, and waits for a person.
  const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
    invoiceId: oldest.id,
    amountCents: 30_000,
    method: 'bank_transfer',
  })
  expect((await aged(sandbox)).totals).toMatchObject({ invoices: 5, openCents: 600_000 })
  await sandbox.done('POST', `/api/v1/payments/${id}/refund`, { reason: 'Paid twice' })
  expect((await aged(sandbox)).buckets.at(-1)!.standings).toEqual([
    { standing: 'held:reopened', invoices: 1, openCents: 30_000 },
  ])
  for (const query of ['?edges=30,20', '?edges=0', '?edges=a', '?currency=XYZ', '?edges='])
    expect((await sandbox.call('GET', `/api/v1/reports/aged-balance${query}`)).status, query).toBe(400)
  await expectKept()
})

it('a day tells what is planned, what has left, what is held and what waits for a person', async () => {
  const sandbox = await newSandbox(installation)
  const ids: string[] = []
  for (const name of ['Un', 'Deux', 'Trois', 'Quatre'])
    ids.push((await sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`) })).id)
  await sandbox.advance('PT1H')
  await sandbox.trigger(ids[0]!, { action: 'pause' })
  await sandbox.done('POST', `/api/v1/invoices/${ids[1]}/dispute`, { reason: 'Not delivered' })
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: ids[2],
    amountCents: 1_000,
    method: 'bank_transfer',
  })
  await sandbox.advance('PT1H')
  const today = await dayOf(sandbox)
  expect(today).toMatchObject({
    date: '2026-11-16',
    timeZone: 'Europe/Paris',
    stopped: null,
    currency: 'EUR',
    held: [
      { because: 'dispute', standing: 'held:dispute', invoices: 1, openCents: 120_000 },
      { because: 'asked', standing: 'held:asked', invoices: 1, openCents: 120_000 },
    ],
    queues: [
      { kind: 'disputes', unit: 'invoices', invoices: 1, openCents: 120_000, standing: 'held:dispute' },
    ],
    axis: { from: '2026-11-16T07:00:00.000Z', until: '2026-11-16T19:00:00.000Z' },
    collectedCents: 1_000,
  })
  const left = today.slots.reduce((sum, slot) => sum + slot.sent + slot.delivered, 0)
  const [sent] = await installation.sql<{ n: number }>(
    `select count(*)::integer as n from communications where tenant_id = $1 and state in ('sent', 'delivered')`,
    [sandbox.tenantId],
  )
  expect(left).toBe(sent!.n)
  expect(today.totals).toMatchObject({
    left,
    planned: today.slots.reduce((sum, slot) => sum + slot.planned, 0),
  })
  expect(today.slots.reduce((sum, slot) => sum + slot.left, 0)).toBe(left)
  expect(left).toBeGreaterThanOrEqual(4)
  for (const { at } of today.slots) expect(Date.parse(at) % 900_000).toBe(0)
  await expectKept()
})

it('advancing the clock of a sandbox moves nothing that is planned for a day', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL'), dueDate: '2026-11-25' })
  const next = await sandbox.nextAction(id)
  const date = next.scheduledAt!.slice(0, 10)
  const before = (await dayOf(sandbox, `?date=${date}`)).slots
  const slot = Math.floor(Date.parse(next.scheduledAt!) / 900_000) * 900_000
  expect(before).toEqual([
    {
      at: new Date(slot).toISOString(),
      channel: 'email',
      planned: 1,
      sent: 0,
      delivered: 0,
      bounced: 0,
      failed: 0,
      unknown: 0,
      left: 0,
    },
  ])
  await sandbox.advance('P3D')
  expect((await dayOf(sandbox, `?date=${date}`)).slots).toEqual(before)
  await sandbox.trigger(id, { action: 'pause' })
  expect((await dayOf(sandbox, `?date=${date}`)).slots).toEqual([])
  await sandbox.trigger(id, { action: 'resume' })
  await sandbox.advance('P60D')
  await sandbox.advance('P40D')
  await expectKept()
  await untilFolded(sandbox)
  await expectKept()
  expect((await dayOf(sandbox)).queues).toMatchObject([{ kind: 'decide', invoices: 1 }])
})

it('a stop of sending is told with its moment', async () => {
  const company = installation.company
  const since = '2026-11-16T07:00:00.000Z'
  await installation.sql(
    `insert into stops (id, scope, target, kind, reason, since, stopped_by) values (gen_random_uuid(), 'company', $1, 'stop', 'r', $2, 'o')`,
    [company.companyId, since],
  )
  const { body } = await installation.call<Day>('GET', '/api/v1/reports/today')
  expect(body.data.stopped).toEqual({ because: 'sending_stopped', since })
})

it('says what has happened once, on whatever day, folded or not', async () => {
  const sandbox = await newSandbox(installation)
  const begun = async () => (await dayOf(sandbox, '?date=2026-11-20')).begun
  expect(await begun()).toEqual({ invoice: false, message: false, payment: false })
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Demain SARL'), dueDate: '2026-12-17' })
  expect(await begun()).toEqual({ invoice: true, message: false, payment: false })
  await untilFolded(sandbox)
  expect(await begun()).toEqual({ invoice: true, message: false, payment: false })
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 1_000,
    method: 'bank_transfer',
  })
  await sandbox.invoice({ debtor: lyonDebtor('Hier SARL'), dueDate: '2026-10-15' })
  await sandbox.advance('PT1H')
  expect(await begun()).toEqual({ invoice: true, message: true, payment: true })
  await untilFolded(sandbox)
  expect(await begun()).toEqual({ invoice: true, message: true, payment: true })
})

it('counts what is held in every currency, and gives the sum of each apart', async () => {
  const sandbox = await newSandbox(installation)
  for (const [name, currency] of [
    ['Un', 'EUR'],
    ['Deux', 'GBP'],
    ['Trois', 'GBP'],
  ] as const) {
    const { id } = await sandbox.invoice({
      debtor: lyonDebtor(`${name} SARL`),
      amountCents: 10_000,
      currency,
    })
    await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Rayée' })
  }
  const { held, queues } = await dayOf(sandbox)
  const sums = { debtors: 3, openCents: 10_000, otherCurrencies: [{ currency: 'GBP', openCents: 20_000 }] }
  expect(held).toEqual([{ because: 'dispute', standing: 'held:dispute', invoices: 3, ...sums }])
  expect(queues).toMatchObject([{ kind: 'disputes', standing: 'held:dispute', invoices: 3, ...sums }])
})

interface DaySums {
  asOf: string
  overdue: {
    openCents: number
    invoices: number
    sinceMonday: { day: string; changeCents: number } | null
    weeks: { day: string; openCents: number }[]
  }
  old: { openCents: number; invoices: number }
  promised: {
    openCents: number
    promises: number
    days: { day: string; openCents: number }[]
    keptPercent: number | null
  }
  collected: { cents: number; changePercent: number | null; days: { day: string; cents: number }[] }
}

it('the sums of a day say what is overdue, promised and collected, and how that has changed', async () => {
  // Monday, 16 November 2026.
  const sandbox = await newSandbox(installation)
  const sums = () => sandbox.done<DaySums>('GET', '/api/v1/reports/sums')
  const invoice = (name: string, dueDate: string, amountCents: number) =>
    sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`), issueDate: '2026-08-01', dueDate, amountCents })
  const pay = (invoiceId: string, amountCents: number) =>
    sandbox.done('POST', '/api/v1/payments', { invoiceId, amountCents, method: 'bank_transfer' })
  const old = await invoice('Vieux', '2026-09-16', 100_000)
  const late = await invoice('Retard', '2026-11-01', 50_000)
  await invoice('Demain', '2026-11-17', 30_000)
  const first = await sums()
  expect(first.overdue).toEqual({
    openCents: 150_000,
    invoices: 2,
    sinceMonday: null,
    weeks: [{ day: '2026-11-16', openCents: 150_000 }],
  })
  expect(first.old).toMatchObject({ openCents: 100_000, invoices: 1 })
  expect([first.promised.promises, first.promised.keptPercent, first.collected.changePercent]).toEqual([
    0,
    null,
    null,
  ])

  await sandbox.done('POST', `/api/v1/invoices/${late.id}/promise`, { date: '2026-11-20' })
  await pay(old.id, 20_000)
  const second = await sums()
  expect(second.overdue.openCents).toBe(130_000)
  expect(second.promised).toMatchObject({ openCents: 50_000, promises: 1, isExact: true })
  expect(second.promised.days.filter(({ openCents }) => openCents > 0)).toEqual([
    { day: '2026-11-20', openCents: 50_000 },
  ])
  expect(second.collected).toEqual({
    cents: 20_000,
    changePercent: null,
    days: [{ day: '2026-11-16', cents: 20_000 }],
  })

  await pay(late.id, 50_000)
  await sandbox.advanceToDay('2026-12-16')
  await pay(old.id, 30_000)
  const third = await sums()
  expect(third.asOf).toBe('2026-12-16')
  expect(third.overdue).toMatchObject({ openCents: 80_000, invoices: 2, sinceMonday: null })
  expect(third.overdue.weeks.map(({ day }) => day)).toEqual(['2026-11-16', '2026-12-16'])
  expect(third.overdue.weeks[0]!.openCents).toBe(80_000)
  expect(third.promised.keptPercent).toBe(100)
  // 30,000 against the 70,000 of 1 to 16 November.
  expect(third.collected).toMatchObject({ cents: 30_000, changePercent: -57.14 })
  await sandbox.advanceToDay('2026-12-21')
  await sandbox.advanceToDay('2026-12-23')
  await pay(old.id, 10_000)
  expect((await sums()).overdue.sinceMonday).toEqual({ day: '2026-12-21', changeCents: -10_000 })
})
