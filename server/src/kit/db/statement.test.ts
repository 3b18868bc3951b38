import { afterEach, beforeEach, expect, it } from 'vitest'
import { sql, statements } from './statement.ts'

// Other files of this process need the statements that the program declared.
const declared = [...statements]
beforeEach(() => statements.clear())
afterEach(() => {
  statements.clear()
  for (const [name, statement] of declared) statements.set(name, statement)
})

// Described to the compiler by the statement of that name; its text does not matter here.
const declare = () =>
  sql('payments.find-checkout', 'select invoice_id, amount_cents, currency, account from checkouts')

interface Row {
  invoice_id: string
  amount_cents: number
  currency: 'EUR' | 'USD'
  account: string
}

it('a Row narrows what the statement returns, and the compiler refuses any other', () => {
  const statement = declare()
  expect(statement.as<Row>()).toBe(statement)
  // @ts-expect-error: there is no such column.
  statement.as<Row & { amount: number }>()
  // @ts-expect-error: a column is missing.
  statement.as<Omit<Row, 'account'>>()
  // @ts-expect-error: the column is a number.
  statement.as<Omit<Row, 'amount_cents'> & { amount_cents: string }>()
  // @ts-expect-error: the column is never null.
  statement.as<Omit<Row, 'account'> & { account: string | null }>()
  // @ts-expect-error: no statement of the program has this name.
  sql('payments.find-nothing', 'select 1')
})

it('a name belongs to one statement', () => {
  declare()
  expect(() => sql('payments.find-checkout', 'select 1')).toThrow(
    'two statements are called payments.find-checkout',
  )
})

it.each(['checkout', 'payments.', 'Payments.find', 'payments.find checkout', `payments.${'a'.repeat(55)}`])(
  'a statement cannot be called %s',
  name => {
    expect(() => sql(name as 'payments.find-checkout', 'select 1')).toThrow('a statement cannot be called')
  },
)
