import { expect, it } from 'vitest'
import { useOperationCalls } from '../../../../test/guards/operation-calls.ts'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput } from '../../../../test/harness/use-installation.ts'

const calls = useOperationCalls()
const { installation } = calls

interface Included {
  id: string
  recovery?: {
    status: string
    standing: string
    step: string | null
    holds: string[]
    nextActionAt: string | null
    nextChannel: string | null
    reasonCode: string
    limitationEndsOn: string
    claimedCents: number
    claimed: { kind: string; amountCents: number; basis: string }[]
  }
}

it('an invoice shows where its recovery stands, what is claimed by which law, and until when', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Avec SARL'), dueDate: '2026-10-15' })
  await sandbox.advanceToDay('2026-12-18')
  // As if a message had claimed interest too: here is no rate of the central bank.
  await installation.sql('update invoices set claimed_cents = 6300 where id = $1', [id])
  const [invoice, workflow, next] = await Promise.all([
    sandbox.done<Included>('GET', `/api/v1/invoices/${id}?include=recovery`),
    sandbox.workflow(id),
    sandbox.nextAction(id),
  ])
  const { recovery } = invoice
  expect(recovery).toMatchObject({
    status: 'in_recovery',
    standing: 'running',
    step: workflow.currentStep,
    holds: [],
    nextActionAt: workflow.nextActionAt,
    reasonCode: next.reasonCode,
  })
  expect(recovery!.limitationEndsOn).toMatch(/^2031-/)
  expect(recovery!.claimedCents).toBe(6_300)
  expect(recovery!.claimed).toEqual([
    { kind: 'indemnity', amountCents: 4_000, basis: 'art. D441-5 C. com.' },
    { kind: 'interest', amountCents: 2_300, basis: 'art. L441-10 C. com.' },
  ])
  const [listed] = await sandbox.done<Included[]>('GET', '/api/v1/invoices?include=recovery')
  const { acts: _, ...withoutActs } = invoice as Included & { acts: object[] }
  expect(listed).toEqual(withoutActs)
  expect(await sandbox.done<Included>('GET', `/api/v1/invoices/${id}`)).not.toHaveProperty('recovery')
})

it('when the reminders are over and a person has to decide, every answer and the list say so', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Fin SARL'), dueDate: '2026-10-15' })
  await sandbox.advanceToDay('2027-02-01')
  expect(await sandbox.nextAction(id)).toMatchObject({ reasonCode: 'awaiting_decision' })
  const { recovery } = await sandbox.done<Included>('GET', `/api/v1/invoices/${id}?include=recovery`)
  expect(recovery).toMatchObject({ status: 'in_recovery', standing: 'decide' })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'in_recovery', standing: 'decide' })
  const listed = await sandbox.done<Included[]>('GET', '/api/v1/invoices?include=recovery&standing=decide')
  expect(listed.map(one => [one.id, one.recovery?.standing])).toEqual([[id, 'decide']])
  const paused = await sandbox.trigger(id, { action: 'pause' })
  expect(paused.body.data).toMatchObject({ status: 'paused', standing: 'held:asked' })
})

it('a held recovery says why; without the scope of recoveries it is refused', async () => {
  const { body } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  const { id } = body.data
  await installation.call('POST', `/api/v1/invoices/${id}/dispute`, { body: { reason: 'broken' } })
  const read = (key?: string) =>
    installation.call<Included>('GET', `/api/v1/invoices/${id}?include=recovery`, key ? { key } : {})
  expect((await read()).body.data.recovery).toMatchObject({
    status: 'paused',
    standing: 'held:dispute',
    holds: ['dispute'],
    nextActionAt: null,
    nextChannel: null,
    reasonCode: 'paused',
  })
  const key = await calls.makeKey(['invoices:read'])
  expect((await read(key.text)).body.error).toMatchObject({ code: 'AUTH_004' })
})

it.each([
  ...['standing=running', 'workflowStatus=paused', 'step=relance_email_1', 'reasonCode=paused'],
  ...['nextFrom=2026-11-17T00:00:00Z', 'nextTo=2026-11-17T00:00:00Z', 'sortBy=next_action_at'],
])(
  'invoices by %s need the scope of recoveries: an order or a filter tells as much as a field',
  async query => {
    const path = `/api/v1/invoices?${query}`
    const key = await calls.makeKey(['invoices:read'])
    expect((await installation.call('GET', path, { key: key.text })).body.error).toMatchObject({
      code: 'AUTH_004',
      requiredScopes: ['workflow:read'],
    })
    expect((await installation.call('GET', path)).status).toBe(200)
  },
)

it.each(['include=account', 'sortBy=next_contact', 'standing=running'])(
  'debtors with %s need the scope of recoveries',
  async query => {
    const path = `/api/v1/debtors?${query}`
    const key = await calls.makeKey(['debtors:read', 'invoices:read'])
    expect((await installation.call('GET', path, { key: key.text })).body.error).toMatchObject({
      code: 'AUTH_004',
    })
    expect((await installation.call('GET', path)).status).toBe(200)
  },
)

it('records at the same address are named, with what they share', async () => {
  const create = async (debtor: object) =>
    (await installation.call<{ id: string }>('POST', '/api/v1/debtors', { body: debtor })).body.data.id
  const [one, both, phone] = [
    await create({ name: 'Un', email: 'meme@adresse.example', phone: '+33698765432' }),
    await create({ name: 'Deux', email: 'meme@adresse.example', phone: '+33698765432' }),
    await create({ name: 'Trois', email: 'autre@adresse.example', phone: '+33698765432' }),
  ]
  const read = async (id: string, query = '?include=sameAddress') =>
    (await installation.call<{ sameAddress?: object[] }>('GET', `/api/v1/debtors/${id}${query}`)).body.data
  expect((await read(one)).sameAddress).toEqual([
    { id: both, name: 'Deux', shares: ['email', 'phone'] },
    { id: phone, name: 'Trois', shares: ['phone'] },
  ])
  expect(await read(one, '')).not.toHaveProperty('sameAddress')
})
