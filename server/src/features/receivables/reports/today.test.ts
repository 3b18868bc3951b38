import { expect, it } from 'vitest'
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
