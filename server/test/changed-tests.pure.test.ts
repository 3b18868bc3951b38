import { expect, it } from 'vitest'
import { testsTouchedBy } from './changed-tests.ts'
import { longSeconds, readCheckTimes } from './harness/check-times.ts'

const papers = 'server/test/guards/papers.pure.test.ts'

it('a paper touches the check of papers, and nothing else', () => {
  expect(testsTouchedBy(['docs/proofs.md'])).toEqual([papers])
})

it('a rule touches its test, whatever else imports it, and the guards', () => {
  const touched = testsTouchedBy(['server/src/domain/money/iban.ts'])
  expect(touched).toContain('server/src/domain/money/iban.test.ts')
  expect(touched).toContain('server/test/guards/tenancy.test.ts')
  expect(touched).not.toContain('server/test/scenarios/access/people-reset.test.ts')
})

it('a file of a feature touches the tests beside it and the stories of its wing, whoever starts the whole server', () => {
  const touched = testsTouchedBy(['server/src/features/access/people/members.ts'])
  expect(touched).toContain('server/src/features/access/people/members.test.ts')
  expect(touched).toContain('server/test/scenarios/access/people-reset.test.ts')
  expect(touched).not.toContain('server/test/scenarios/receivables/late-payment.test.ts')
})

it('a migration touches the guards, and of the long tests none', () => {
  const touched = testsTouchedBy(['server/migrations/0001_access.sql'])
  expect(touched).toContain('server/test/guards/migrations.test.ts')
  const long = Object.entries(readCheckTimes().files)
    .filter(([, { wallSeconds }]) => wallSeconds >= longSeconds)
    .map(([name]) => name)
  expect(long).toContain('server/test/guards/door.test.ts')
  expect(touched.filter(name => long.includes(name))).toEqual([])
})

it('a long test is touched by what it imports', () => {
  expect(testsTouchedBy(['server/test/chaos/fuzz-judge.ts'])).toEqual([
    'server/test/guards/fuzz.test.ts',
    papers,
  ])
})

it('a test touches itself, and a dependency everything', () => {
  const own = 'server/test/scenarios/kit/http-layer.test.ts'
  expect(testsTouchedBy([own])).toEqual([papers, own])
  expect(testsTouchedBy(['package-lock.json']).length).toBeGreaterThan(200)
})

it('no change touches nothing', () => {
  expect(testsTouchedBy([])).toEqual([])
})
