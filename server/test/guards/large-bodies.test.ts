import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/features/all.ts'
import { bodyRulesOf } from '../../src/kit/http/body-rules.ts'
import { parseJson } from '../../src/kit/http/json.ts'
import { validateBody } from '../../src/kit/http/validate.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { longestStretchMs } from '../harness/longest-stretch.ts'
import { useInstallation } from '../harness/use-installation.ts'
import { cpuMsOf } from './hostile-texts.ts'
import { exampleOf, type Json } from './make-helpers.ts'
import { objectsIn, type Shape } from './objects-in-body.ts'

const stretchMaxMs = 50
/** A bulk body of up to 10 MB is parsed in one go: no other stretch of its request is much longer. */
const parsesMax = 3
const megabyte = 1_000_000

const listOf = (item: string, bytes: number) =>
  `[${`${item},`.repeat(bytes / (item.length + 1)).slice(0, -1)}]`
const objectOf = (names: number, value: string) =>
  `{${Array.from({ length: names }, (_, i) => `"k${i}":${value}`).join(',')}}`

/** Values of up to a megabyte that are cheap to send. Those with too many items are refused before they are validated. */
const largeValues: Record<string, string> = {
  'numbers without end': listOf('1', 99_000),
  'nulls without end': listOf('null', 245_000),
  'the most ids': listOf('"e1abcdefghijklmnopqr"', 114_900),
  'long texts': listOf(`"${'ab '.repeat(66)}"`, megabyte),
  'lists of numbers': listOf(listOf('1', 9_000), 36_000),
  'objects of many names': listOf(objectOf(450, '1'), 170_000),
  'an object of long texts': objectOf(499, `"${'y'.repeat(1_900)}"`),
}

const isList = (shape: Shape): boolean => shape.type === 'array' || (shape.anyOf ?? []).some(isList)
const isObject = (shape: Shape): boolean => shape.type === 'object' || (shape.anyOf ?? []).some(isObject)

/** Every list and object in the body of an operation, its first text, and a name that it does not have. */
function placesIn(operation: Operation): string[][] {
  const fields = objectsIn(operation).flatMap(({ path, shape }) =>
    Object.entries(shape.properties ?? {}).map(([name, inner]) => ({ path: [...path, name], inner })),
  )
  const large = fields.filter(({ inner }) => isList(inner) || isObject(inner))
  const text = fields.find(({ inner }) => inner.type === 'string')
  return [...large, ...(text ? [text] : [])].map(({ path }) => path).concat([['unknownName']])
}

const placeholder = '@@value@@'
function withPlaceholder(body: unknown, [name, ...rest]: string[]): Json {
  const node = (typeof body === 'object' && body !== null ? body : {}) as Json
  return { ...node, [name!]: rest.length > 0 ? withPlaceholder(node[name!], rest) : placeholder }
}

it('no body of a megabyte holds up the process, wherever its bytes are', async () => {
  const faults: string[] = []
  let tried = 0
  for (const operation of operations.filter(({ body }) => body))
    for (const path of placesIn(operation)) {
      const body = JSON.stringify(withPlaceholder(exampleOf(operation), path))
      for (const [what, value] of Object.entries(largeValues)) {
        tried++
        const text = body.replace(`"${placeholder}"`, () => value)
        const cpuMs = await cpuMsOf(() => {
          try {
            validateBody(operation.body!, parseJson(text), bodyRulesOf(operation))
          } catch {
            // Refused, as it should be.
          }
        }, stretchMaxMs)
        if (cpuMs > stretchMaxMs)
          faults.push(`${operation.id} ${path.join('.')}, ${what}: ${Math.round(cpuMs)} ms`)
      }
    }
  expect(tried).toBeGreaterThan(800)
  expect(faults).toEqual([])
}, 600_000)

describe('a bulk import of 10 MB', () => {
  const installation = useInstallation({ hasWorker: false })

  const send = (body: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        'x-api-key': installation.company.productionKey,
        'content-type': 'application/json',
        'content-length': body.length,
      }
      const path = `${installation.server.baseUrl}/api/v1/invoices/bulk`
      const sent = request(path, { method: 'POST', headers }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode!))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  let bodies = 0
  /** A hundred invoices with fifty metadata each. */
  function bulkBody(valueLength: number): Buffer {
    const n = ++bodies
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`name${i}`, 'v'.repeat(valueLength)]),
    )
    const invoices = Array.from({ length: 100 }, (_, i) => ({
      invoiceNumber: `L-${n}-${i}`,
      amountCents: 100_000 + i,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: { name: `Durand ${i}`, email: `a${i}@durand.example`, postalCode: '69002', city: 'Lyon' },
      metadata,
    }))
    return Buffer.from(JSON.stringify({ invoices }))
  }

  it.each([
    { what: 'many short values', valueLength: 100, status: 201 },
    { what: 'values that are too long', valueLength: 1_900, status: 400 },
  ])('never computes for long without a pause: $what', async ({ valueLength, status }) => {
    let [best, parseMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // Other processes only add to both times, so the best of several rounds counts.
    for (let i = 0; i < 10 && best > Math.min(stretchMaxMs, parsesMax * parseMs); i++) {
      const body = bulkBody(valueLength)
      const text = body.toString()
      const startedAt = performance.now()
      JSON.parse(text)
      parseMs = Math.min(parseMs, performance.now() - startedAt)
      await pause(20)
      best = Math.min(best, await longestStretchMs(async () => expect(await send(body)).toBe(status)))
    }
    expect(best).toBeLessThanOrEqual(stretchMaxMs)
    if (bulkBody(valueLength).length > megabyte) expect(best / parseMs).toBeLessThanOrEqual(parsesMax)
  })
})
