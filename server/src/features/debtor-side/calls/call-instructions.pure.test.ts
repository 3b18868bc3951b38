import { expect, test } from 'vitest'
import { factsAfterIdentification } from './call-instructions.ts'
import type { LiveCall } from './read-call.ts'

const invoice = (i: number) => ({
  number: `F-2026-${1_000 + i}`,
  issueDate: '2026-03-31',
  dueDate: '2026-04-30',
  balanceCents: 100_000,
  currency: i < 450 ? 'EUR' : 'CHF',
})

const callAbout = (count: number) =>
  ({
    content: { invoices: Array.from({ length: count }, (_, i) => invoice(i)) },
    file: { language: 'fr', creditor: { collector: null, replyEmail: 'compta@atelier.example' } },
    message: {
      text: 'Êtes-vous Durand ?\n\nCet appel n’est pas enregistré.\n\nIl reste 500 000,00 € à payer.',
    },
  }) as unknown as LiveCall

test('a call about 500 invoices knows what to say, how many there are, and their sums', () => {
  const facts = factsAfterIdentification(callAbout(500))
  const known = JSON.parse(facts.replace(/^<data>\n/, '').replace(/\n<\/data>$/, ''))
  expect(known.whatToSay).toBe('Il reste 500 000,00 € à payer.')
  expect(known.invoiceCount).toBe(500)
  expect(known.invoices).toHaveLength(20)
  expect(known.furtherInvoices).toEqual([
    { count: 430, stillToPay: '430\u202f000,00\u00a0€' },
    { count: 50, stillToPay: '50\u202f000,00\u00a0CHF' },
  ])
  expect(JSON.parse(factsAfterIdentification(callAbout(2)).split('\n')[1]!).furtherInvoices).toEqual([])
})
