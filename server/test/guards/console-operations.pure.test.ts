import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operations } from '../../src/features/all.ts'
import {
  mainNeedsAddress,
  peopleDoNotFit,
  personMayNot,
} from '../../src/features/receivables/debtors/people/errors.ts'
import {
  collectorMayNot,
  courtNotPossible,
  invoiceIsClosed,
  latePaymentIsOver,
  stillHeld,
} from '../../src/features/recovery/case/errors.ts'
import { answerNotPossible } from '../../src/features/recovery/holds/errors.ts'
import type { DeclaredError, ErrorCode } from '../../src/kit/errors.ts'

const sources = join(import.meta.dirname, '../../../console/src')
const changes = new Map(operations.filter(({ method }) => method !== 'GET').map(one => [one.id, one]))

const files = globSync('**/*.{ts,tsx}', { cwd: sources })
  .filter(file => !file.includes('.test.'))
  .map(file => ({ file, text: readFileSync(join(sources, file), 'utf8') }))

/** Where a role is asked about: `may('…')`, and the tables of commands and acts. */
const askedIn = (text: string) =>
  [...text.matchAll(/\bmay\('([^']+)'\)|\b(?:needs|operation): '([^']+)'/g)].map(
    match => match[1] ?? match[2]!,
  )

it('the console asks the roles only about changes: they know nothing of what is read', () => {
  const asked = files.flatMap(({ file, text }) => askedIn(text).map(id => ({ file, id })))
  expect(asked.length).toBeGreaterThan(40)
  expect(asked.filter(({ id }) => !changes.has(id))).toEqual([])
  expect(askedIn("may('debtors.get') && { needs: 'debtors.pause' }")).toEqual([
    'debtors.get',
    'debtors.pause',
  ])
})

/** These codes have many causes: an error must also name its fault, so that the console can say which one it is. */
const wide: ReadonlySet<ErrorCode> = new Set([
  'BIZ_001',
  'BIZ_002',
  'BIZ_004',
  'RES_002',
  'RES_003',
  'VAL_003',
])
/** Their faults depend on the case; `details` has them. */
const withFaultsOfTheCase: ReadonlySet<unknown> = new Set([
  ...[stillHeld, courtNotPossible, collectorMayNot, invoiceIsClosed, latePaymentIsOver, answerNotPossible],
  ...[personMayNot, peopleDoNotFit, mainNeedsAddress],
])

it('every refusal of an operation of the console names a fault, for which the console has words', () => {
  const called = new Set(
    files.flatMap(({ text }) => [...text.matchAll(/\bapi\.(\w+\.\w+)\(/g)].map(match => match[1]!)),
  )
  const performed = [...changes.values()].filter(({ id }) => called.has(id))
  expect(performed.length).toBeGreaterThan(30)
  const isNamed = (error: Pick<DeclaredError, 'code' | 'fault'>) =>
    !wide.has(error.code) || error.fault !== undefined || withFaultsOfTheCase.has(error)
  const unnamed = performed.flatMap(({ id, errors }) =>
    errors.flatMap((error, at) => (isNamed(error) ? [] : [`${id}: error ${at + 1}, ${error.code}`])),
  )
  expect(unnamed).toEqual([])
})
