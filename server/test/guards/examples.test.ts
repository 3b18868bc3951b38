import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contract, operations } from '../../src/features/all.ts'
import { fileTypeOf, type Operation } from '../../src/kit/operation.ts'
import type { Json } from './make-helpers.ts'
import { environmentOf, keyOf, useOperationCalls } from './operation-calls.ts'
import { shortened } from './shortened-answer.ts'

const file = join(import.meta.dirname, '../../src/features/answer-examples.generated.json')
const examples = contract.answerExamples as Record<string, Json>

/** A file or an empty answer has no example. */
const hasBody = (operation: Operation) => operation.status !== 204 && !fileTypeOf(operation)
const answering = operations.filter(hasBody)

/** Shown of something that another operation has changed before: a new one would have nothing to show. */
const shownOf: Readonly<Record<string, string>> = {
  'workflow.history': 'workflow.trigger',
  'invoices.timeline': 'invoices.promise',
  'debtors.timeline': 'debtors.optOut',
  'debtors.dataRequests': 'debtors.recordDataRequest',
  'debtors.replies': 'debtors.readReply',
  'debtors.notes': 'debtors.addNote',
  'webhooks.deliveries': 'webhooks.retryDelivery',
}
/** What is asked for where an answer would show nothing without it. */
const queries: Readonly<Record<string, string>> = { 'search.find': '?q=durand' }

/** What changes comes first, so that the lists have something in them; what empties a sandbox comes last. */
const rankOf = ({ id, method }: Operation) => (id === 'sandbox.reset' ? 2 : method === 'GET' ? 1 : 0)

describe.runIf(process.env.RECORD_EXAMPLES)('recording', () => {
  const calls = useOperationCalls()
  it('writes one real answer of every operation', async () => {
    const [shift] = await calls.installation.sql<{ ms: number }>(
      'select clock_offset_ms::float8 as ms from installation',
    )
    const idsOf = new Map<string, Record<string, string>>()
    const recorded = new Map<string, unknown>()
    let paidInvoiceId = ''
    for (const operation of answering.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const ids =
        operation.id === 'payments.ofInvoice'
          ? { invoiceId: paidInvoiceId }
          : (idsOf.get(shownOf[operation.id] ?? '') ?? (await calls.idsFor(operation)))
      idsOf.set(operation.id, ids)
      await calls.assignConversation(operation, ids, {
        key: keyOf(calls.installation.company, environmentOf(operation)),
      })
      const answer = await calls.call(operation, { ids, query: queries[operation.id] ?? '' })
      expect(answer.status, operation.id).toBe(operation.status)
      if (operation.id === 'payments.create') paidInvoiceId = (answer.body.data as Json).invoiceId as string
      const wall = Date.now()
      const clocks = { wall, installation: wall + shift!.ms }
      recorded.set(operation.id, shortened(answer.body as unknown as Json, operation, clocks))
    }
    const inOrder = Object.fromEntries(answering.map(({ id }) => [id, recorded.get(id)]))
    await writeFile(file, `${JSON.stringify(inOrder, null, 2)}\n`)
  }, 600_000)
})

describe.skipIf(process.env.RECORD_EXAMPLES)('the examples of the contract', () => {
  it('are there for every operation that answers with a body, and for no other: npm run examples', () => {
    expect(Object.keys(examples)).toEqual(answering.map(({ id }) => id))
  })

  it.each(answering)('$id: is what its declaration says, and not a field more', operation => {
    const { success, data, pagination, warnings, message, requestId, timestamp, ...rest } =
      examples[operation.id]!
    expect([success, rest, message]).toEqual([true, {}, operation.secret?.shownOnce])
    expect([typeof requestId, typeof timestamp]).toEqual(['string', 'string'])
    expect(pagination !== undefined).toBe(operation.list === true)
    if (operation.method === 'GET') expect(warnings).toBeUndefined()
    // The guards play on a Sunday, on which no sandbox sends anything.
    if (operation.list) expect(data).toHaveLength(operation.id === 'sandbox.messages' ? 0 : 1)
    for (const record of operation.list ? (data as Json[]) : [data])
      expect(operation.reply.parse(record)).toStrictEqual(record)
  })

  it('are short, and hold no credential', () => {
    const text = JSON.stringify(examples)
    expect(text.length).toBeLessThan(120_000)
    for (const [, secret] of text.matchAll(/"((?:fk_live|fk_test|whsec|ocs|ort)_[^"…]*)"/g))
      expect(secret).toMatch(/^\w+?_(?:live_|test_)?0+$/)
  })
})
