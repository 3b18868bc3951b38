import { expect, it } from 'vitest'
import { useInstallation } from '../../harness/use-installation.ts'
import { expectCompleteScore, newScoreFixture, pointsIn, type ScoreFixture } from './score-fixture.ts'

const installation = useInstallation()

/*
 * Seven histories, built through the API alone in sandboxes of their own. The sandbox opens on Monday 16 November 2026, 09:00 in
 * Paris. Invoices are of 1,200.00 € unless said otherwise; the median read from the histogram is the middle of its step,
 * 1,201.94 € for invoices of 1,200.00 € and 100.27 € for those of 100.00 €. Criteria that are not named have no points.
 */

it('a new debtor, five days late: 3', async () => {
  const fixture = await newScoreFixture(installation)
  const { ids, debtorId } = await fixture.invoices(['2026-11-11'])
  await fixture.firstMessage(ids[0]!)
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ageing: 1, // 15 × 5 ÷ 75 = 1
    escalation_depth: 2, // an email
    // exposure: 1,200.00 ÷ 1,201.94 is less than one; silence: one contact, 3 × (1 − 1)
  })
  expect(score).toMatchObject({ debtorId, score: 3, riskLevel: 'low' })
})

it('a slow payer with three open: 59', async () => {
  const fixture = await newScoreFixture(installation)
  await fixture.settle('2026-01-10', '2026-01-30') // 20 days late
  await fixture.settle('2026-02-10', '2026-03-02') // 20
  await fixture.settle('2026-06-10', '2026-07-25') // 45
  await fixture.settle('2026-07-10', '2026-08-24') // 45
  await fixture.settle('2026-08-10', '2026-09-24') // 45
  const { ids, debtorId } = await fixture.invoices(['2026-10-20', '2026-10-20', '2026-10-20'])
  await fixture.firstMessage(ids[0]!)
  // Emails on 16 and 21 November, an SMS on the 25th, an email on the 30th; the call is planned for 4 December.
  await fixture.advanceToDay('2026-12-03')
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ageing: 9, // 44 days: 15 × 44 ÷ 75 = 8.8
    delay_history: 9, // (20 + 20 + 45 + 45 + 45) ÷ 5 = 35 days: 15 × 35 ÷ 60 = 8.75
    exposure: 7, // 3,600.00 ÷ 1,201.94 = 2.995: 15 × log10 2.995 = 7.15
    open_count: 8, // 4 × (3 − 1)
    silence: 9, // 3 × (4 − 1)
    escalation_depth: 4, // an SMS
    trend: 13, // last three 45, earlier 20: 15 × 25 ÷ 30 = 12.5
  })
  expect(score).toMatchObject({ score: 59, riskLevel: 'medium' })
})

it('an honest dispute: 14, and less when it is upheld', async () => {
  const fixture = await newScoreFixture(installation)
  const { ids, debtorId } = await fixture.invoices(['2026-10-02'])
  await fixture.firstMessage(ids[0]!)
  await fixture.dispute(ids[0]!)
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ageing: 9, // 45 days: 15 × 45 ÷ 75 = 9
    disputes: 3, // one open
    escalation_depth: 2, // an email, before the debtor's response
  })
  expect(score.score).toBe(14)
  await fixture.resolve(ids[0]!, 'upheld')
  expect((await fixture.read(debtorId)).score).toBe(11)
})

it('a promise breaker with a partial payment: 79', async () => {
  const fixture = await newScoreFixture(installation)
  const {
    ids: [first, second],
    debtorId,
  } = await fixture.invoices(['2026-08-15', '2026-08-15'])
  await fixture.firstMessage(first!)
  await fixture.pay(first!, 36_000)
  await fixture.declined(second!)
  await fixture.declined(second!)
  // Each promise is broken two working days after its day, and the cascade goes on: a letter in December, a call in January.
  await fixture.promise(first!, '2026-11-20')
  await fixture.advanceToDay('2026-11-24')
  await fixture.promise(first!, '2026-12-01')
  await fixture.advanceToDay('2027-01-08')
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ageing: 15, // 146 days
    exposure: 3, // (840.00 + 1,200.00) ÷ 1,201.94 = 1.697: 15 × log10 1.697 = 3.45
    open_count: 4, // 4 × (2 − 1)
    silence: 15, // more than five contacts since 24 November
    broken_promises: 12, // two
    payment_incidents: 8, // 4 × 2 declined
    escalation_depth: 11, // a registered letter
    partial_stall: 11, // 840.00 of 1,200.00, 53 days: 15 × 0.7 × 1 = 10.5
  })
  expect(score).toMatchObject({ score: 79, riskLevel: 'medium' })
})

it('silent after a returned letter: 101', async () => {
  const fixture = await newScoreFixture(installation)
  await fixture.usual(10_000, 20)
  await fixture.settle('2026-01-10', '2026-03-11') // 60 days late
  await fixture.settle('2026-02-10', '2026-04-11') // 60
  await fixture.settle('2026-03-10', '2026-05-09') // 60
  const { ids, debtorId } = await fixture.invoices(['2026-08-15', '2026-08-15', '2026-08-15', '2026-08-15'])
  await fixture.firstMessage(ids[0]!)
  await fixture.reversed(ids[0]!)
  // 21, 25, 30 November, 4, 9 and 14 December; the letter of the 14th is not collected, and a call follows on 6 January.
  await fixture.advanceToDay('2026-12-30')
  await fixture.simulate('lrar-unclaimed', { invoiceId: ids[0]! })
  await fixture.bounceLast('email')
  await fixture.advanceToDay('2027-01-08')
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ageing: 15, // 146 days
    delay_history: 15, // three, 60 days late
    exposure: 15, // 4,800.00 ÷ 100.27 is more than ten
    open_count: 12, // 4 × (4 − 1)
    silence: 15, // 21, 25, 30 November, 4 and 14 December, 6 January: 3 × (6 − 1); the email of 9 December came back
    unreachable: 10, // nothing arrives by email, and the letter was not collected
    payment_incidents: 8, // one taken back
    escalation_depth: 11, // a registered letter
    // trend: three settled invoices are too few
  })
  expect(score).toMatchObject({ score: 101, riskLevel: 'high' })
})

interface Defaults {
  delays: readonly [due: string, paid: string][]
  part: number
  reversed: number
  rejected: number
}

/** Seven invoices due on 1 August: one paid in part, one written off, one whose amicable stage ended, three with a broken promise. */
async function defaulter(
  fixture: ScoreFixture,
  { delays, part, reversed, rejected }: Defaults,
): Promise<string> {
  await fixture.usual(10_000, 20)
  for (const [due, paid] of delays) await fixture.settle(due, paid)
  const { ids, debtorId } = await fixture.invoices(Array.from({ length: 7 }, () => '2026-08-01'))
  const [paidInPart, debited, disputed, , , writtenOff, atCourt] = ids as [string, ...string[]]
  await fixture.firstMessage(paidInPart)
  await fixture.writeOff(writtenOff!)
  await fixture.pay(paidInPart, part)
  for (let i = 0; i < reversed; i++) await fixture.reversed(debited!)
  for (let i = 0; i < rejected; i++) {
    await fixture.dispute(disputed!)
    await fixture.resolve(disputed!, 'rejected')
  }
  for (const id of ids.slice(2, 5)) await fixture.promise(id, '2026-11-17')
  await fixture.advanceToDay('2027-01-11')
  await fixture.simulate('lrar-unclaimed', { invoiceId: atCourt! })
  await fixture.advanceToDay('2027-01-25')
  await fixture.bounceLast('email')
  await fixture.bounceLast('sms')
  expect((await fixture.trigger(atCourt!, { action: 'escalate' })).body.data.status).toBe('judicial')
  return debtorId
}

const atTheirWorst = {
  ageing: 15, // 177 days
  delay_history: 15, // four, more than 60 days late on average
  bad_outcomes: 15, // one written off, one whose amicable stage ended
  exposure: 15, // about 5,900.00 ÷ 100.27 is more than ten
  open_count: 15, // 4 × (5 − 1) = 16
  silence: 15, // more than five contacts since the promises of 16 November
  unreachable: 15, // nothing arrives by email and by SMS, and the letter was not collected
  broken_promises: 15, // three
  escalation_depth: 15, // the court
}

it('a serial defaulter: 165', async () => {
  const fixture = await newScoreFixture(installation)
  const debtorId = await defaulter(fixture, {
    delays: [
      ['2026-01-10', '2026-03-11'], // 60 days late
      ['2026-02-01', '2026-04-17'], // 75
      ['2026-03-01', '2026-05-15'], // 75
      ['2026-04-01', '2026-06-15'], // 75
    ],
    part: 60_000,
    reversed: 1,
    rejected: 1,
  })
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ...atTheirWorst,
    disputes: 6, // one rejected
    payment_incidents: 8, // one taken back
    partial_stall: 8, // half of 1,200.00, 70 days: 15 × 0.5 × 1 = 7.5
    trend: 8, // last three 75, earlier 60: 15 × 15 ÷ 30 = 7.5
  })
  expect(score).toMatchObject({ score: 165, riskLevel: 'critical' })
})

it('everything at its maximum: 195', async () => {
  const fixture = await newScoreFixture(installation)
  const debtorId = await defaulter(fixture, {
    delays: [
      ['2026-01-10', '2026-03-11'], // 60 days late
      ['2026-02-01', '2026-05-12'], // 100
      ['2026-03-01', '2026-06-09'], // 100
      ['2026-04-01', '2026-07-10'], // 100
    ],
    part: 100,
    reversed: 2,
    rejected: 3,
  })
  const score = await fixture.read(debtorId)
  expectCompleteScore(score)
  expect(pointsIn(score)).toEqual({
    ...atTheirWorst,
    disputes: 15, // 6 × 3 = 18
    payment_incidents: 15, // 8 × 2 = 16
    partial_stall: 15, // 1,199.00 of 1,200.00: 15 × 0.9992 × 1
    trend: 15, // last three 100, earlier 60: more than 30 days
  })
  expect(score).toMatchObject({ score: 195, riskLevel: 'critical' })
  expect(score.factors).toHaveLength(5)
})
