import { describe, expect, it } from 'vitest'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import { environmentOf, useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()

const takesDryRun = ({ body }: (typeof operations)[number]) =>
  body !== null && body !== undefined && 'shape' in body && 'dryRun' in (body.shape as object)
/** Tasks have a dry run of their own kind: it is judged by a worker, and waits in review. */
const isTask = ({ id }: (typeof operations)[number]) => id.startsWith('tasks.')

it('what takes dryRun is performed and undone, and nothing else is', () => {
  const named = operations.filter(operation => takesDryRun(operation) && !isTask(operation))
  const undone = operations.filter(({ rehearse }) => rehearse !== undefined)
  expect(named.map(({ id }) => id)).toEqual(undone.map(({ id }) => id))
})

const acts = operations.filter(({ rehearse }) => rehearse !== undefined)

describe('a dry run says that it is one, and has no id of something new', () => {
  it.each(acts)('$id', async operation => {
    const key = (await calls.makeKey(scopes, { environment: environmentOf(operation) })).text
    const body = { ...(await calls.bodyFor(operation)), dryRun: true }
    const answer = await calls.call(operation, { key, body })
    expect(answer.status, answer.text).toBe(operation.status)
    const data = answer.body.data as Record<string, unknown>
    expect(data.dryRun).toBe(true)
    if (operation.status !== 200 && 'id' in data) expect(data.id).toBeNull()
    expect(operation.reply.safeParse(data).error).toBeUndefined()
  })
})
