import { expect, test } from 'vitest'
import { callInstructions, factsAfterIdentification, spokenParts } from './call-instructions.ts'
import { toolsFor, validateToolCall } from './call-tools.ts'
import type { LiveCall } from './read-call.ts'

const invoice = (i: number) => ({
  number: `F-2026-${1_000 + i}`,
  issueDate: '2026-03-31',
  dueDate: '2026-04-30',
  balanceCents: 100_000,
  accessoriesCents: 0,
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

test('a call with claimed accessories knows one sum per invoice: what the call says', () => {
  const call = callAbout(1)
  const claimed = { ...call.content.invoices[0]!, accessoriesCents: 5_798 }
  const facts = factsAfterIdentification({ ...call, content: { ...call.content, invoices: [claimed] } })
  const known = JSON.parse(facts.split('\n')[1]!)
  expect(known.invoices[0]).toMatchObject({ cents: 105_798, stillToPay: '1\u202f057,98\u00a0€' })
  expect(facts).not.toContain('1\u202f000,00')
})

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

test('the model knows one sum per invoice: the one that is said and asked for', () => {
  const call = callAbout(1)
  const content = { invoices: [{ ...invoice(1), accessoriesCents: 5_798 }] }
  const facts = factsAfterIdentification({ ...call, content } as unknown as LiveCall)
  const [known] = JSON.parse(facts.split('\n')[1]!).invoices
  expect(known).toMatchObject({ stillToPay: '1\u202f057,98\u00a0€', cents: 105_798 })
  expect(facts).not.toContain('1\u202f000,00')
})

test('a consumer is asked for no approval, and the creditor’s own voice says "we"', () => {
  const call = callAbout(1)
  const instructions = (type: string, collector: object | null) =>
    callInstructions(
      {
        ...call,
        message: { ...call.message, opening: 'Bonjour.' },
        file: {
          ...call.file,
          type,
          name: 'Durand',
          country: 'FR',
          postal_code: '69001',
          creditor: { name: 'A', collector },
        },
      } as unknown as LiveCall,
      Date.parse('2026-11-16T09:00:00+01:00'),
    )
  expect(instructions('business', null)).toMatch(/waits for approval/)
  expect(instructions('consumer', null)).not.toMatch(/approval|who takes care/)
  expect(instructions('business', null)).toContain('say "we" of it')
  expect(instructions('business', { name: 'C' })).not.toContain('say "we" of it')
  const names = (isConsumer: boolean) => toolsFor(true, isConsumer).map(({ name }) => name)
  expect(names(false)).toContain('waiting_approval')
  expect(names(true)).not.toContain('waiting_approval')
  const toolCall = { id: '1', name: 'waiting_approval', input: {} }
  expect(validateToolCall(toolCall as never, true, true)).toHaveProperty('refused')
  expect(validateToolCall(toolCall as never, true, false)).not.toHaveProperty('refused')
})

test('without a model only what needs no answer is read', () => {
  const text = [
    'Êtes-vous Durand ?',
    'Cet appel.',
    'Il reste 10 €.',
    'Quand ?',
    'Je note.',
    'Au revoir.',
  ].join('\n\n')
  const { matter, unanswered } = spokenParts({ ...callAbout(1), message: { text } } as unknown as LiveCall)
  expect(matter).toBe('Il reste 10 €. Quand ? Je note. Au revoir.')
  expect(unanswered).toBe('Il reste 10 €. Au revoir.')
})
