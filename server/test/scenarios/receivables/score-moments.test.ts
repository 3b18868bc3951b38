import { describe, expect, it } from 'vitest'
import { type ScoreInputs, scoreFormula } from '../../../src/domain/score/score.ts'
import { eventually, useHouse } from '../../harness/house.ts'
import { pointsIn, type ScoreStory, startStory } from './score-story.ts'

const house = useHouse()

interface Kept {
  score: number
  formula: number
  points: number[]
  inputs: ScoreInputs
  stale_on: string | null
  at: number
}
const kept = async (debtorId: string): Promise<Kept | undefined> =>
  (
    await house.sql<Kept>(
      `select score, formula, points, inputs, stale_on::text, extract(epoch from computed_at)::float8 * 1000 as at
         from debtor_scores where debtor_id = $1`,
      [debtorId],
    )
  )[0]
const upToDate = (debtorId: string, isTrue: (row: Kept | undefined) => boolean) =>
  eventually(() => kept(debtorId), isTrue)
const marks = () => house.sql('select debtor_id from score_marks')
const settled = () => eventually(marks, rows => rows.length === 0)

/** One overdue invoice whose first message has left, with a score that is kept. */
async function begun(story: ScoreStory, dueDate = '2026-10-02') {
  const { ids, debtorId } = await story.invoices([dueDate])
  await story.firstMessage(ids[0]!)
  await settled()
  return { id: ids[0]!, debtorId }
}

describe('the score is worked out again, without anybody reading it, after', () => {
  const seenAfter = async (
    what: (story: ScoreStory, id: string, debtorId: string) => Promise<unknown>,
    field: keyof ScoreInputs,
    seen: unknown,
  ) => {
    const story = await startStory(house)
    const { id, debtorId } = await begun(story)
    expect((await kept(debtorId))!.inputs[field]).not.toEqual(seen)
    await what(story, id, debtorId)
    const after = await upToDate(debtorId, row => JSON.stringify(row!.inputs[field]) === JSON.stringify(seen))
    expect(after!.formula).toBe(scoreFormula)
    expect(after!.score).toBe(after!.points.reduce((sum, each) => sum + each, 0))
    // And whoever reads at that moment is told the same.
    await settled()
    expect((await story.read(debtorId)).score).toBe((await kept(debtorId))!.score)
  }
  it('a payment in part', () => seenAfter((story, id) => story.pay(id, 20_000), 'partCents', 100_000))
  it('a payment in full', () => seenAfter((story, id) => story.pay(id, 120_000), 'settledInvoices', 1))
  it('a payment that was declined', () => seenAfter((story, id) => story.declined(id), 'failedPayments', 1))
  it('a payment that was taken back', () =>
    seenAfter((story, id) => story.reversed(id), 'reversedPayments', 1))
  it('a dispute', () => seenAfter((story, id) => story.dispute(id), 'openDisputes', 1))
  it('the end of a dispute', () =>
    seenAfter(
      async (story, id) => {
        await story.dispute(id)
        await story.resolve(id, 'rejected')
      },
      'rejectedDisputes',
      1,
    ))
  it('a promise that nobody kept', () =>
    seenAfter(
      async (story, id) => {
        await story.promise(id, '2026-11-17')
        await story.goTo('2026-11-20')
      },
      'brokenPromises',
      1,
    ))
  it('a sign of life', () =>
    seenAfter((story, id) => story.promise(id, '2026-11-30'), 'contactsSinceSign', 0))
  it('a message that came back', () => seenAfter(story => story.bounceLast('email'), 'deadChannels', 1))
  it('an address that is somebody else’s', () =>
    seenAfter(
      (story, _, debtorId) => story.simulate('wrong-person', { debtorId, point: 'phone' }),
      'deadChannels',
      2,
    ))
  it('a letter that was refused', () =>
    seenAfter(
      async (story, id) => {
        await story.goTo('2026-12-16')
        // What the messages on the way marked is worked out: only the letter is news.
        await settled()
        await story.simulate('lrar-refused', { invoiceId: id })
      },
      'letterCameBack',
      true,
    ))
  it('an invoice that was given up', () => seenAfter((story, id) => story.writeOff(id), 'badOutcomes', 1))
  it('another invoice', () => seenAfter(story => story.invoices(['2026-11-01']), 'overdueInvoices', 2))
})

it('between a payment and its score in the table lies less than a second', async () => {
  const story = await startStory(house)
  const { id, debtorId } = await begun(story)
  const waited: number[] = []
  for (let paid = 1_000; paid <= 9_000; paid += 1_000) {
    await story.pay(id, 1_000)
    const since = performance.now()
    await upToDate(debtorId, row => row!.inputs.partCents === 120_000 - paid)
    waited.push(performance.now() - since)
  }
  // The middle of nine: one that met a busy machine proves nothing.
  expect(waited.sort((left, right) => left - right)[4]).toBeLessThan(1_000)
})

it('a read is right at once, whether or not anybody has worked it out', async () => {
  const story = await startStory(house)
  const { id, debtorId } = await begun(story)
  for (const amount of [10_000, 20_000, 30_000]) {
    await story.pay(id, amount)
    const told = await story.read(debtorId)
    expect(told.criteria.find(({ code }) => code === 'partial_stall')!.explanation).toContain(
      `${Math.round((100 * (120_000 - [10_000, 30_000, 60_000][[10_000, 20_000, 30_000].indexOf(amount)]!)) / 120_000)} %`,
    )
  }
  // A debtor of whom nobody has worked out anything yet, and one who owes nothing.
  await settled()
  await house.sql('delete from debtor_scores where debtor_id = $1', [debtorId])
  expect((await story.read(debtorId)).score).toBeGreaterThan(0)
  const blank = await story.done<{ id: string }>('POST', '/api/v1/debtors', {
    ...story.debtor,
    name: 'Nouveau',
    email: 'nouveau@example.org',
  })
  expect(await story.read(blank.id)).toMatchObject({ score: 0, riskLevel: 'low', factors: [] })
})

it('what was kept under another formula is worked out again', async () => {
  const story = await startStory(house)
  const { debtorId } = await begun(story)
  const before = await story.read(debtorId)
  await house.sql(`update debtor_scores set formula = 0, inputs = '{}', score = 195 where debtor_id = $1`, [
    debtorId,
  ])
  expect((await story.read(debtorId)).score).toBe(before.score)
})

it('days that pass are counted on reading, from what was kept', async () => {
  const story = await startStory(house)
  const { id, debtorId } = await begun(story)
  await story.trigger(id, { action: 'pause' })
  await settled()
  const before = (await kept(debtorId))!
  expect(before.points[0]).toBe(9) // 45 days
  await story.advance('P20D')
  const told = await story.read(debtorId)
  expect(pointsIn(told).ageing).toBe(13) // 65 days
  expect((await kept(debtorId))!.at).toBe(before.at)
  expect(Date.parse(told.lastUpdated)).toBeGreaterThan(before.at + 19 * 86_400_000)
})

it('the day an invoice falls due it counts, although nothing happened', async () => {
  const story = await startStory(house)
  const { ids, debtorId } = await story.invoices(['2026-10-02', '2026-11-18'])
  await story.firstMessage(ids[0]!)
  for (const id of ids) await story.trigger(id, { action: 'pause' })
  await settled()
  expect((await kept(debtorId))!.stale_on).toBe('2026-11-19')
  await story.goTo('2026-11-18')
  expect(pointsIn(await story.read(debtorId)).open_count).toBeUndefined()
  await story.goTo('2026-11-19')
  expect(pointsIn(await story.read(debtorId)).open_count).toBe(4)
  expect((await kept(debtorId))!.inputs.overdueInvoices).toBe(1)
})

it('what is older than 24 months is forgotten, on the day it is', async () => {
  const story = await startStory(house)
  // Paid on 18 November 2024: the day after tomorrow that is 730 days ago.
  await story.settle('2024-09-18', '2024-11-18')
  const { debtorId } = await story.invoices(['2026-11-30'])
  // Only a date is set by hand: the API records a payment today, and money of two years ago belongs to an invoice settled then.
  await house.sql(
    `update invoices set paid_at = timestamptz '2024-11-18 12:00Z' where debtor_id = $1 and paid_at is not null`,
    [debtorId],
  )
  await settled()
  await house.sql('delete from debtor_scores where debtor_id = $1', [debtorId])
  expect(pointsIn(await story.read(debtorId))).toEqual({ delay_history: 5 }) // 61 days, one invoice: 15 × 1 × 1 ÷ 3
  await story.goTo('2026-11-17')
  expect(pointsIn(await story.read(debtorId))).toEqual({ delay_history: 5 })
  await story.goTo('2026-11-18')
  expect(pointsIn(await story.read(debtorId))).toEqual({})
})

it('speaks the language of the company, and the other one when asked', async () => {
  const story = await startStory(house)
  const { debtorId } = await begun(story)
  const french = await story.read(debtorId)
  expect(french.factors).toEqual([
    'Les sommes dues sont échues depuis 45 jours, en moyenne pondérée par le solde.',
    'Le recouvrement est allé jusqu’à l’e-mail.',
  ])
  expect((await story.read(debtorId, '?language=fr')).factors).toEqual(french.factors)
  expect((await story.read(debtorId, '?language=en')).factors).toEqual([
    'What is owed is 45 days past due, weighted by balance.',
    'The recovery has gone as far as an email.',
  ])
  expect((await story.call('GET', `/api/v1/debtors/${debtorId}/score?language=de`)).status).toBe(400)
})
