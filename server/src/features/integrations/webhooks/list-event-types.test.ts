import { expect, it } from 'vitest'
import { z } from 'zod'
import { newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { events } from './event-catalogue.ts'

const installation = useInstallation()
const path = '/api/v1/webhooks/events'

interface Listed {
  event: string
  summary: string
  schemaVersion: number
  schema: { properties: Record<string, unknown>; required: string[] }
  example: { event: string; environment: string; data: Record<string, unknown> }
  subscribed: boolean
}

it('the catalogue has every event, each with the schema of its data and a whole body as example', async () => {
  const answer = await installation.call<Listed[]>('GET', path)
  expect(answer.status).toBe(200)
  expect(answer.body.pagination).toMatchObject({ total: 33, hasNext: false })
  expect(answer.body.data.map(({ event }) => event)).toEqual(events.map(({ type }) => type))
  for (const { event, schema, example, summary } of answer.body.data) {
    const declared = events.find(({ type }) => type === event)!
    expect(summary).toBe(declared.summary)
    expect(example).toEqual({
      id: expect.any(String),
      event,
      createdAt: expect.any(String),
      environment: 'production',
      sequence: 1,
      data: declared.example,
    })
    const subject = event.startsWith('task.') ? 'taskId' : 'invoiceId'
    expect(schema.required).toContain(subject)
    // A receiver that validates with the schema still accepts fields added later.
    const check = z.fromJSONSchema(schema as never)
    expect(check.safeParse(example.data).success, event).toBe(true)
    expect(check.safeParse({ ...example.data, later: 1 }).success, event).toBe(true)
    expect(check.safeParse({ ...example.data, [subject]: 1 }).success, event).toBe(false)
  }
})

it('no two examples have the same id, and none happened before what it tells of', async () => {
  const { data } = (
    await installation.call<{ example: { id: string; createdAt: string; data: object } }[]>('GET', path)
  ).body
  expect(new Set(data.map(({ example }) => example.id)).size).toBe(33)
  for (const { example } of data)
    for (const value of Object.values(example.data))
      if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
        expect(value <= example.createdAt, JSON.stringify(example)).toBe(true)
})

it('it says which events an enabled webhook of the tenant has, and in which environment one asks', async () => {
  const sandbox = await newSandbox(installation)
  const body = { url: 'http://127.0.0.1:1/', events: ['debt.paid', 'anr.created'] }
  const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/webhooks', body)
  const subscribed = async () => (await sandbox.done<Listed[]>('GET', path)).filter(one => one.subscribed)
  expect((await subscribed()).map(({ event }) => event)).toEqual(['debt.paid', 'anr.created'])
  expect((await subscribed())[0]!.example.environment).toBe('sandbox')
  await sandbox.done('PUT', `/api/v1/webhooks/${id}`, { enabled: false })
  expect(await subscribed()).toEqual([])
})
