import { expect, it } from 'vitest'
import { criterionCodes } from '../../src/domain/score/score.ts'
import { invoiceInput, useHouse } from '../harness/house.ts'
import { keyCalls } from '../harness/keys.ts'

const house = useHouse({ redisUrl: undefined })

interface Told {
  score: number
  riskLevel: string
  factors: string[]
  criteria: { code: string; points: number }[]
  lastUpdated: string
}
const path = (debtorId: string) => `/api/v1/debtors/${debtorId}/score`
const read = async (debtorId: string) => (await house.call<Told>('GET', path(debtorId))).body.data
const pointsOf = (told: Told, code: string) => told.criteria.find(each => each.code === code)!.points

async function overdue() {
  const { data } = (
    await house.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2026-10-17' }),
    })
  ).body
  return { id: data.id, debtorId: data.debtor.id }
}
const done = async (method: string, at: string, body: unknown) =>
  expect((await house.call(method, at, { body })).status).toBeLessThan(300)

it('a score is read with every field of the specification', async () => {
  const { debtorId } = await overdue()
  const told = await read(debtorId)
  expect(Object.keys(told).sort()).toEqual([
    'criteria',
    'debtorId',
    'factors',
    'lastUpdated',
    'riskLevel',
    'score',
  ])
  expect(told).toMatchObject({ debtorId, riskLevel: 'low' })
  expect(told.criteria.map(each => each.code)).toEqual([...criterionCodes])
  expect(told.score).toBe(told.criteria.reduce((sum, each) => sum + each.points, 0))
  // 30 days late: 15 × 30 ÷ 75; the company of the house is French.
  expect(pointsOf(told, 'ageing')).toBe(6)
  expect(told.factors[0]).toBe(
    'Les sommes dues sont échues depuis 30 jours, en moyenne pondérée par le solde.',
  )
  expect(told.lastUpdated).toMatch(/^2026-11-16T\d\d:\d\d:\d\d\.\d{3}Z$/)
})

it('it is another one at once after a payment, a dispute and an answer', async () => {
  const { id, debtorId } = await overdue()
  await done('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 20_000,
    method: 'card',
    status: 'pending',
  })
  const before = await read(debtorId)
  const payments = await house.call<{ id: string }[]>('GET', `/api/v1/payments?invoiceId=${id}`)
  await done('PUT', `/api/v1/payments/${payments.body.data[0]!.id}`, { status: 'failed' })
  const afterPayment = await read(debtorId)
  expect([before, afterPayment].map(told => pointsOf(told, 'payment_incidents'))).toEqual([0, 4])
  await done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Broken' })
  expect(pointsOf(await read(debtorId), 'disputes')).toBe(3)
  await done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
  expect(pointsOf(await read(debtorId), 'disputes')).toBe(6)
  await done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-20' })
  const [kept] = await house.sql<{ n: number }>(
    'select count(*)::integer as n from promises where debtor_id = $1',
    [debtorId],
  )
  expect(kept!.n).toBe(1)
  expect(pointsOf(await read(debtorId), 'silence')).toBe(0)
})

it('scoring:read alone opens scores, and nothing else', async () => {
  const { debtorId } = await overdue()
  const keys = keyCalls(house)
  const scoring = (await keys.made({ scopes: ['scoring:read'] })).apiKey
  const debtors = (await keys.made({ scopes: ['debtors:read'] })).apiKey
  const neither = (await keys.made({ scopes: ['invoices:read'] })).apiKey
  const asked = async (key: string, at: string) => (await house.call('GET', at, { key })).status
  expect([await asked(scoring, path(debtorId)), await asked(debtors, path(debtorId))]).toEqual([200, 200])
  expect(await asked(scoring, `/api/v1/debtors/${debtorId}`)).toBe(403)
  const refused = await house.call('GET', path(debtorId), { key: neither })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_004'])
  expect(refused.body.error.requiredScopes).toEqual(['debtors:read'])
})
