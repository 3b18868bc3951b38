import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()

interface Task {
  kind: string
  group: string
  id: string | null
  invoices: number
  because: string | null
  dueOn: string | null
}
interface Line {
  debtorId: string
  openCents: number
  oldestDaysOverdue: number | null
  inChargeId: string | null
  comeBackOn: string | null
  tasks: Task[]
  taskCount: number
}
interface Summary {
  groups: { group: string; debtors: number }[]
  all: { debtors: number; openCents: number }
  mine: { debtors: number }
  later: { debtors: number }
}

const listOf = async (sandbox: Sandbox, query = '') =>
  (await sandbox.call<Line[]>('GET', `/api/v1/work?limit=100${query}`)).body.data
const kindsOf = async (sandbox: Sandbox, debtorId: string) =>
  (await listOf(sandbox)).find(line => line.debtorId === debtorId)?.tasks.map(({ kind }) => kind) ?? []
const summaryOf = (sandbox: Sandbox, query = '') =>
  sandbox.done<Summary>('GET', `/api/v1/work/summary${query}`)

/** The counts of every group are those of its rows. */
async function expectCounted(sandbox: Sandbox) {
  const summary = await summaryOf(sandbox)
  const all = await listOf(sandbox)
  expect(summary.all.debtors).toBe(all.length)
  expect(summary.all.openCents).toBe(all.reduce((sum, line) => sum + line.openCents, 0))
  expect(summary.later.debtors).toBe((await listOf(sandbox, '&later=true')).length)
  for (const { group, debtors } of summary.groups) {
    const lines = await listOf(sandbox, `&group=${group}`)
    expect(lines.length, group).toBe(debtors)
    for (const line of lines) expect(line.tasks[0]!.group).toBe(group)
  }
  for (const line of all) expect(line.tasks.length).toBe(Math.min(line.taskCount, 20))
  return summary
}

it('a reply is work until it is read', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Bavard SARL') })
  await sandbox.advance('PT2H')
  expect(await listOf(sandbox)).toEqual([])
  await sandbox.simulate('reply', { invoiceId: id })
  const [line] = await listOf(sandbox)
  expect(line).toMatchObject({
    debtorId: debtor.id,
    openCents: 120_000,
    inChargeId: null,
    comeBackOn: null,
    taskCount: 1,
    tasks: [{ kind: 'reply', group: 'replies', channel: 'email', said: null, invoiceId: null, invoices: 0 }],
  })
  await expectCounted(sandbox)
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/replies/${line!.tasks[0]!.id}/read`)
  expect(await listOf(sandbox)).toEqual([])
  await expectCounted(sandbox)
})

it('a dispute is work until it is resolved, also while a situation is decided first; then what was upheld is', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Fâché SARL') })
  await sandbox.advance('PT2H')
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Rayée', amountCents: 20_000 })
  expect((await listOf(sandbox))[0]!.tasks).toMatchObject([
    { kind: 'dispute', group: 'disputes', invoiceId: id, invoices: 1, amountCents: 20_000 },
  ])
  const { id: situationId } = await sandbox.done<{ id: string }>(
    'POST',
    `/api/v1/debtors/${debtor.id}/situations`,
    { situation: 'protected_person', channel: 'voice' },
  )
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['situation', 'dispute'])
  await expectCounted(sandbox)
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/situations/${situationId}/decide`, {
    decision: 'not_confirmed',
  })
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['dispute'])
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'upheld' })
  expect((await listOf(sandbox))[0]!.tasks).toMatchObject([
    { kind: 'decision', group: 'decisions', because: 'upheld', invoiceId: id, invoices: 1 },
  ])
  await expectCounted(sandbox)
  expect((await sandbox.trigger(id, { action: 'resume' })).status).toBe(200)
  expect(await listOf(sandbox)).toEqual([])
})

it("an address of somebody else is one task for all the debtor's invoices, until it is corrected", async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Parti SARL')
  const { id, debtor: made } = await sandbox.invoice({ debtor })
  await sandbox.invoice({ debtor })
  await sandbox.done('POST', `/api/v1/debtors/${made.id}/wrong-person`, { point: 'email' })
  expect((await listOf(sandbox))[0]).toMatchObject({
    openCents: 240_000,
    taskCount: 1,
    tasks: [{ kind: 'wrong_person', group: 'addresses', invoiceId: id, invoices: 2, channel: 'email' }],
  })
  await expectCounted(sandbox)
  await sandbox.done('PUT', `/api/v1/debtors/${made.id}`, { email: 'autre@parti.example' })
  expect(await listOf(sandbox)).toEqual([])
})

it('a request about personal data is work until it is decided, a claim until it is declared', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  const { id, dueOn } = await sandbox.done<{ id: string; dueOn: string }>(
    'POST',
    `/api/v1/debtors/${debtor.id}/data-requests`,
    { kind: 'objection' },
  )
  expect((await listOf(sandbox))[0]!.tasks).toMatchObject([{ kind: 'data_request', id, dueOn }])
  const insolvency = { kind: 'receivership', openedOn: '2026-11-10', publishedOn: '2026-11-12' }
  await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { insolvency })
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['claim', 'data_request'])
  await expectCounted(sandbox)
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/data-requests/${id}/decide`, {
    decision: 'refused',
  })
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['claim'])
  await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, {
    insolvency: { ...insolvency, declaredOn: '2026-11-14' },
  })
  expect(await listOf(sandbox)).toEqual([])
})

it('who owes more for longer comes first, and pages continue where the last one ended', async () => {
  const sandbox = await newSandbox(installation)
  const made: string[] = []
  for (const [amountCents, dueDate] of [
    [10_000, '2026-10-01'],
    [50_000, '2026-10-01'],
    [10_000, '2026-05-01'],
  ] as const) {
    const { debtor } = await sandbox.invoice({
      debtor: lyonDebtor(`Numéro ${made.length} SARL`.replace(/\d/, n => 'abc'[Number(n)]!)),
      amountCents,
      issueDate: '2026-04-01',
      dueDate,
    })
    await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/data-requests`, { kind: 'objection' })
    made.push(debtor.id)
  }
  const expected = [made[1], made[2], made[0]]
  expect((await listOf(sandbox)).map(line => line.debtorId)).toEqual(expected)
  const paged: string[] = []
  let cursor = ''
  do {
    const { body } = await sandbox.call<Line[]>('GET', `/api/v1/work?limit=1${cursor && `&cursor=${cursor}`}`)
    expect(body.pagination).toMatchObject({ total: 3 })
    paged.push(...body.data.map(line => line.debtorId))
    cursor = (body.pagination as { nextCursor?: string }).nextCursor ?? ''
  } while (cursor)
  expect(paged).toEqual(expected)
})

/** A debtor whose promise was broken: promised for 18 November, and two working days have passed. */
async function brokenPromise(sandbox: Sandbox) {
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Promis SARL') })
  await sandbox.advance('PT2H')
  const promise = await sandbox.done<{ id: string }>('POST', `/api/v1/invoices/${id}/promise`, {
    date: '2026-11-18',
    amountCents: 50_000,
  })
  expect(await listOf(sandbox)).toEqual([])
  await sandbox.advanceToDay('2026-11-21')
  expect(await listOf(sandbox)).toMatchObject([
    {
      debtorId: debtor.id,
      taskCount: 1,
      tasks: [
        {
          kind: 'promise_broken',
          group: 'promises',
          id: promise.id,
          invoiceId: id,
          invoices: 1,
          amountCents: 50_000,
          dueOn: '2026-11-18',
        },
      ],
    },
  ])
  return { id, debtorId: debtor.id, promiseId: promise.id }
}

it.each<[string, (sandbox: Sandbox, broken: { id: string; debtorId: string; promiseId: string }) => unknown]>(
  [
    [
      'it is seen',
      (sandbox, { id, promiseId }) =>
        sandbox.done('POST', `/api/v1/invoices/${id}/promises/${promiseId}/seen`),
    ],
    [
      'a new promise',
      (sandbox, { id }) => sandbox.done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-12-01' }),
    ],
    [
      'the payment',
      (sandbox, { id }) =>
        sandbox.done('POST', '/api/v1/payments', {
          invoiceId: id,
          amountCents: 120_000,
          method: 'bank_transfer',
        }),
    ],
    ['the end of the recovery', (sandbox, { id }) => sandbox.trigger(id, { action: 'cancel' })],
    [
      'a dispute',
      async (sandbox, { id }) => {
        await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Rayée' })
        await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, {
          outcome: 'rejected',
          answer: 'Non',
        })
      },
    ],
    ['a pause', (sandbox, { id }) => sandbox.trigger(id, { action: 'pause' })],
    [
      'a pause of the debtor',
      (sandbox, { debtorId }) => sandbox.done('POST', `/api/v1/debtors/${debtorId}/pause`, {}),
    ],
    [
      'a message that a person asks for',
      (sandbox, { id }) =>
        sandbox.done('POST', `/api/v1/workflow/invoice/${id}/communications`, { channel: 'email' }),
    ],
  ],
)('a broken promise is work until %s', async (_, end) => {
  const sandbox = await newSandbox(installation)
  const broken = await brokenPromise(sandbox)
  await expectCounted(sandbox)
  await end(sandbox, broken)
  expect(await kindsOf(sandbox, broken.debtorId)).not.toContain('promise_broken')
  await expectCounted(sandbox)
})

it('a broken promise that was seen stays broken, seeing it again changes nothing, and a reply does not end it', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtorId, promiseId } = await brokenPromise(sandbox)
  await sandbox.simulate('reply', { invoiceId: id })
  expect(await kindsOf(sandbox, debtorId)).toEqual(['reply', 'promise_broken'])
  const seen = `/api/v1/invoices/${id}/promises/${promiseId}/seen`
  expect(await sandbox.done('POST', seen)).toMatchObject({
    id: promiseId,
    status: 'broken',
    date: '2026-11-18',
  })
  expect(await sandbox.done('POST', seen)).toMatchObject({ status: 'broken' })
  expect(await kindsOf(sandbox, debtorId)).toEqual(['reply'])
  const other = await sandbox.invoice({ debtor: lyonDebtor('Autre SARL') })
  expect((await sandbox.call('POST', seen.replace(id, other.id))).status).toBe(404)
})

it('a day to come back puts a debtor off until that day, or until something arises; a later note or a person ends it', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Plus Tard SARL') })
  await sandbox.advance('PT2H')
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Rayée' })
  await sandbox.advance('PT1M')
  const notes = `/api/v1/debtors/${debtor.id}/notes`
  const note = await sandbox.done<{ id: string }>('POST', notes, {
    text: 'Leur comptable revient lundi',
    comeBackOn: '2026-11-20',
    invoiceId: id,
  })
  expect(note).toMatchObject({ invoiceId: id, comeBackOn: '2026-11-20', comeBackEndedAt: null })
  expect(await listOf(sandbox)).toEqual([])
  expect(await listOf(sandbox, '&later=true')).toMatchObject([
    {
      comeBackOn: '2026-11-20',
      taskCount: 2,
      tasks: [
        { kind: 'dispute' },
        { kind: 'follow_up', id: note.id, invoiceId: id, invoices: 1, dueOn: '2026-11-20' },
      ],
    },
  ])
  expect(await expectCounted(sandbox)).toMatchObject({ all: { debtors: 0 }, later: { debtors: 1 } })
  // Something new.
  await sandbox.advance('PT1M')
  await sandbox.simulate('reply', { invoiceId: id })
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['reply', 'dispute'])
  expect(await listOf(sandbox, '&later=true')).toEqual([])
  await expectCounted(sandbox)
  // Put off again, and the day comes.
  await sandbox.advance('PT1M')
  const second = await sandbox.done<{ id: string }>('POST', notes, { text: 'Vu', comeBackOn: '2026-11-19' })
  expect(await listOf(sandbox)).toEqual([])
  await sandbox.advanceToDay('2026-11-19')
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['reply', 'dispute', 'follow_up'])
  await expectCounted(sandbox)
  await sandbox.done('POST', `${notes}/${second.id}/done`)
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['reply', 'dispute'])
  const { body } = await sandbox.call<{ text: string; comeBackEndedAt: string | null }[]>('GET', notes)
  expect(body.data.map(({ text, comeBackEndedAt }) => [text, comeBackEndedAt !== null])).toEqual([
    ['Vu', true],
    ['Leur comptable revient lundi', true],
  ])
  // The timelines of the debtor and of the invoice show them.
  const kinds = async (path: string) =>
    (await sandbox.call<{ kind: string; sentence: string }[]>('GET', `${path}/timeline?lang=fr`)).body.data
      .filter(({ kind }) => kind === 'note')
      .map(({ sentence }) => sentence.replaceAll(/\s/g, ' '))
  expect(await kinds(`/api/v1/debtors/${debtor.id}`)).toEqual([
    'Note, à revoir le 19 novembre 2026 : Vu',
    'Note, à revoir le 20 novembre 2026 : Leur comptable revient lundi',
  ])
  expect(await kinds(`/api/v1/invoices/${id}`)).toHaveLength(1)
})

it('a debtor with nothing open but a day to come back is later, and work on that day', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Tranquille SARL') })
  const notes = `/api/v1/debtors/${debtor.id}/notes`
  expect((await sandbox.call('POST', notes, { text: 'Hier', comeBackOn: '2026-11-01' })).status).toBe(400)
  expect((await sandbox.call('POST', notes, { text: 'Rien', invoiceId: debtor.id })).status).toBe(404)
  await sandbox.done('POST', notes, { text: 'Rappeler', comeBackOn: '2026-11-19' })
  expect(await listOf(sandbox)).toEqual([])
  await expectCounted(sandbox)
  await sandbox.advanceToDay('2026-11-19')
  expect(await kindsOf(sandbox, debtor.id)).toEqual(['follow_up'])
  await expectCounted(sandbox)
  await sandbox.done('POST', notes, { text: 'Fait' })
  expect(await listOf(sandbox)).toEqual([])
  expect(await listOf(sandbox, '&later=true')).toEqual([])
})

it('a message of unknown outcome is work until a person has seen it', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Inconnu SARL') })
  await sandbox.advanceToDay('2026-11-17')
  const [message] = await sandbox.messages()
  // Outcomes of a sandbox are never unknown: the row is the one that production would have.
  await installation.sql(
    'insert into unknown_messages (tenant_id, communication_id, since) select tenant_id, id, reserved_at from communications where id = $1',
    [message!.communicationId],
  )
  expect((await listOf(sandbox))[0]!.tasks).toMatchObject([
    {
      kind: 'unknown_message',
      group: 'messages',
      id: message!.communicationId,
      invoiceId: id,
      channel: 'email',
    },
  ])
  await expectCounted(sandbox)
  const { state } = await sandbox.done<{ state: string }>(
    'POST',
    `/api/v1/communications/${message!.communicationId}/seen`,
  )
  expect(state).toBe('sent')
  expect(await kindsOf(sandbox, debtor.id)).toEqual([])
})

it('somebody of the company is in charge of a debtor; who left counts as nobody', async () => {
  const sandbox = await newSandbox(installation)
  const { debtor } = await sandbox.invoice({ debtor: lyonDebtor('Suivi SARL') })
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/data-requests`, { kind: 'objection' })
  const personId = randomUUID()
  await installation.sql(
    `with person as (
       insert into people (id, email, email_key, name, language, created_at)
       select id, id || '@example.org', id || '@example.org', 'Camille', 'fr', $3 from (select $1::uuid as id) given returning id)
     insert into memberships (person_id, company_id, role, created_at) select id, $2, 'agent', $3 from person`,
    [personId, sandbox.companyId, new Date().toISOString()],
  )
  const path = `/api/v1/debtors/${debtor.id}`
  expect((await sandbox.call('PUT', path, { inChargeId: randomUUID() })).status).toBe(404)
  expect(await sandbox.done('PUT', path, { inChargeId: personId })).toMatchObject({ inChargeId: personId })
  const audited = await installation.sql<{ data: unknown }>(
    `select data from audit_log where subject_id = $1 and type = 'debtor.in_charge_changed'`,
    [debtor.id],
  )
  expect(audited).toEqual([{ data: { debtorId: debtor.id, before: null, after: personId } }])
  // Another change of the debtor keeps it.
  await sandbox.done('PUT', path, { city: 'Annecy' })
  const idsOf = async (inCharge: string) =>
    (await listOf(sandbox, `&inCharge=${inCharge}`)).map(line => line.inChargeId)
  expect([await idsOf(personId), await idsOf('none'), await idsOf('me')]).toEqual([[personId], [], []])
  expect((await summaryOf(sandbox)).mine).toEqual({ debtors: 0 })
  await installation.sql('delete from memberships where person_id = $1', [personId])
  expect(await sandbox.done('GET', path)).toMatchObject({ inChargeId: null })
  expect([await idsOf(personId), await idsOf('none')]).toEqual([[], [null]])
  await sandbox.done('PUT', path, { inChargeId: null })
})
