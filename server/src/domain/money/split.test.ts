import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type OpenInvoice, proposeSplit } from './split.ts'

const invoice = (id: string, balance: number, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id,
  balance,
  accessories: 0,
  isDisputed: false,
  ...more,
})

it('the oldest invoice is paid first, and the last one in part', () => {
  const split = proposeSplit(1_200, [invoice('a', 700), invoice('b', 600), invoice('c', 50)])
  expect(split).toEqual({
    parts: [
      { id: 'a', cents: 700 },
      { id: 'b', cents: 500 },
    ],
    leftOver: 0,
  })
})

it('the principal of every invoice comes before what was claimed for late payment, and what is disputed comes last', () => {
  const open = [
    invoice('disputed', 100, { isDisputed: true }),
    invoice('a', 700, { accessories: 40 }),
    invoice('b', 600, { accessories: 40 }),
  ]
  expect(proposeSplit(1_350, open).parts).toEqual([
    { id: 'a', cents: 740 },
    { id: 'b', cents: 610 },
  ])
  expect(proposeSplit(1_400, open).parts).toEqual([
    { id: 'disputed', cents: 20 },
    { id: 'a', cents: 740 },
    { id: 'b', cents: 640 },
  ])
})

it('what no invoice owes is left over', () => {
  expect(proposeSplit(1_000, [invoice('a', 700)])).toEqual({
    parts: [{ id: 'a', cents: 700 }],
    leftOver: 300,
  })
  expect(proposeSplit(1_000, [])).toEqual({ parts: [], leftOver: 1_000 })
})

it('no part is empty or above what is owed, and the parts and what is left over are the sum', () => {
  const sums = fc.integer({ min: 0, max: 1_000 })
  const invoices = fc.array(fc.record({ balance: sums, accessories: sums, isDisputed: fc.boolean() }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), invoices, (sum, list) => {
      const open = list.map((one, i) => ({ ...one, id: `${i}` }))
      const { parts, leftOver } = proposeSplit(sum, open)
      expect(parts.reduce((total, part) => total + part.cents, 0) + leftOver).toBe(sum)
      for (const { id, cents } of parts) {
        const { balance, accessories } = open[Number(id)]!
        expect(cents).toBeGreaterThan(0)
        expect(cents).toBeLessThanOrEqual(balance + accessories)
      }
    }),
  )
})
