import { expect, it } from 'vitest'
import { criterionCodes } from '../../src/domain/score/score.ts'
import { keyCalls } from '../harness/keys.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface ScoreReply {
  score: number
  riskLevel: string
  factors: string[]
  criteria: { code: string; points: number }[]
  lastUpdated: string
}
const path = (debtorId: string) => `/api/v1/debtors/${debtorId}/score`
const read = async (debtorId: string) =>
  (await installation.call<ScoreReply>('GET', path(debtorId))).body.data
const pointsOf = (score: ScoreReply, code: string) => score.criteria.find(each => each.code === code)!.points

async function overdue() {
  const { data } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2026-10-17' }),
    })
  ).body
  return { id: data.id, debtorId: data.debtor.id }
}
const done = async (method: string, at: string, body: unknown) =>
  expect((await installation.call(method, at, { body })).status).toBeLessThan(300)

it('a score is read with every field of the specification', async () => {
  const { debtorId } = await overdue()
  const score = await read(debtorId)
  expect(Object.keys(score).sort()).toEqual([
    'criteria',
    'debtorId',
    'factors',
    'lastUpdated',
    'riskLevel',
    'score',
  ])
  expect(score).toMatchObject({ debtorId, riskLevel: 'low' })
  expect(score.criteria.map(each => each.code)).toEqual([...criterionCodes])
  expect(score.score).toBe(score.criteria.reduce((sum, each) => sum + each.points, 0))
  // 30 days late: 15 × 30 ÷ 75; the test company is French.
  expect(pointsOf(score, 'ageing')).toBe(6)
  expect(score.factors[0]).toBe(
    'Les sommes dues sont échues depuis 30 jours, en moyenne pondérée par le solde.',
  )
  expect(score.lastUpdated).toMatch(/^2026-11-16T\d\d:\d\d:\d\d\.\d{3}Z$/)
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
  const payments = await installation.call<{ id: string }[]>('GET', `/api/v1/payments?invoiceId=${id}`)
  await done('PUT', `/api/v1/payments/${payments.body.data[0]!.id}`, { status: 'failed' })
  const afterPayment = await read(debtorId)
  expect([before, afterPayment].map(score => pointsOf(score, 'payment_incidents'))).toEqual([0, 4])
  await done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Broken' })
  expect(pointsOf(await read(debtorId), 'disputes')).toBe(3)
  await done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
  expect(pointsOf(await read(debtorId), 'disputes')).toBe(6)
  await done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-20' })
  const [promises] = await installation.sql<{ n: number }>(
    'select count(*)::integer as n from promises where debtor_id = $1',
    [debtorId],
  )
  expect(promises!.n).toBe(1)
  expect(pointsOf(await read(debtorId), 'silence')).toBe(0)
})

it('scoring:read alone opens scores, and nothing else', async () => {
  const { debtorId } = await overdue()
  const keys = keyCalls(installation)
  const scoring = (await keys.newKey({ scopes: ['scoring:read'] })).apiKey
  const debtors = (await keys.newKey({ scopes: ['debtors:read'] })).apiKey
  const neither = (await keys.newKey({ scopes: ['invoices:read'] })).apiKey
  const statusWith = async (key: string, at: string) => (await installation.call('GET', at, { key })).status
  expect([await statusWith(scoring, path(debtorId)), await statusWith(debtors, path(debtorId))]).toEqual([
    200, 200,
  ])
  expect(await statusWith(scoring, `/api/v1/debtors/${debtorId}`)).toBe(403)
  const refused = await installation.call('GET', path(debtorId), { key: neither })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_004'])
  expect(refused.body.error.requiredScopes).toEqual(['debtors:read'])
})
