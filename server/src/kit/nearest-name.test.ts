import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['invoiceNumber', 'amountCents', 'dueDate', 'page', 'id', 'paid', 'bank_transfer']

it.each([
  ['invoice_number', 'invoiceNumber'],
  ['InvoiceNumber', 'invoiceNumber'],
  ['invoice-number', 'invoiceNumber'],
  ['invoiceNumbre', 'invoiceNumber'],
  ['amountCent', 'amountCents'],
  ['due date', 'dueDate'],
  ['pages', 'page'],
  ['PAID', 'paid'],
  ['bankTransfer', 'bank_transfer'],
])('%s means %s', (given, meant) => expect(nearestName(given, known)).toBe(meant))

it.each(['', 'if', 'pgse', 'amount', 'virement', 'p'.repeat(100_000)])('%s means none of them', given => {
  expect(nearestName(given, known)).toBeUndefined()
})

it('the nearest of several is meant, and the first of two that are as near', () => {
  expect(nearestName('stepps', ['steppe', 'steps'])).toBe('steppe')
  expect(nearestName('status', ['stats', 'status'])).toBe('status')
})
