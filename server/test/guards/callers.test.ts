import { describe, expect, it } from 'vitest'
import { operations } from '../../src/features/all.ts'
import { bodyRulesOf } from '../../src/kit/http/body-rules.ts'
import { validateBody } from '../../src/kit/http/validate.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { cpuMsOf, hostileTexts } from './hostile-texts.ts'
import { exampleOf, type Json } from './make-helpers.ts'
import { objectsIn, type Shape } from './objects-in-body.ts'
import { useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()

const isText = (shape: Shape): boolean => shape.type === 'string' || (shape.anyOf ?? []).some(isText)
const longestOf = (shape: Shape): number =>
  Math.max(shape.maxLength ?? 0, ...(shape.anyOf ?? []).map(longestOf))

/** Every text in the body of an operation, as the path of names that leads there. */
const textFields = (operation: Operation): { path: string[]; longest: number }[] =>
  objectsIn(operation).flatMap(({ path, shape }) =>
    Object.entries(shape.properties ?? {})
      .filter(([, inner]) => isText(inner))
      .map(([name, inner]) => ({ path: [...path, name], longest: longestOf(inner) })),
  )

function withText(body: unknown, [name, ...rest]: string[], text: string): Json {
  const node = (typeof body === 'object' && body !== null ? body : {}) as Json
  return { ...node, [name!]: rest.length > 0 ? withText(node[name!], rest, text) : text }
}

const withBody = operations.filter(operation => operation.body)

describe('what a caller sends', () => {
  it('is validated in linear time, in every field and for every operation', async () => {
    const faults: string[] = []
    let tried = 0
    for (const operation of withBody)
      for (const { path } of textFields(operation))
        for (const [what, text] of Object.entries(hostileTexts(30_000))) {
          tried++
          const body = withText(exampleOf(operation), path, text)
          const cpuMs = await cpuMsOf(() => {
            try {
              validateBody(operation.body!, body, bodyRulesOf(operation))
            } catch {
              // Refused, as it should be.
            }
          }, 50)
          if (cpuMs > 50) faults.push(`${operation.id} ${path.join('.')}, ${what}: ${Math.round(cpuMs)} ms`)
        }
    expect(tried).toBeGreaterThan(500)
    expect(faults).toEqual([])
  }, 600_000)

  it('is judged in little time where a field takes a long text', async () => {
    const faults: string[] = []
    let tried = 0
    for (const operation of withBody)
      for (const { path, longest } of textFields(operation).filter(field => field.longest >= 300)) {
        const ids = await calls.idsFor(operation)
        for (const [what, text] of Object.entries(hostileTexts(Math.min(longest, 4_000)))) {
          tried++
          const body = withText(await calls.bodyFor(operation), path, text)
          const cpuMs = await cpuMsOf(() => calls.call(operation, { body, ids }), 150)
          if (cpuMs > 150) faults.push(`${operation.id} ${path.join('.')}, ${what}: ${Math.round(cpuMs)} ms`)
        }
      }
    expect(tried).toBeGreaterThan(50)
    expect(faults).toEqual([])
  }, 600_000)
})
