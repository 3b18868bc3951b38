import { request } from 'undici'
import { expect, it } from 'vitest'
import { examine } from '../../src/start/doctor.ts'
import { eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ own: 'stops or changes parts', hasEngine: true })

const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)
const figure = async (name: string): Promise<number | undefined> => {
  const text = await (await fetch(installation.server.metricsUrl)).text()
  const line = text.split('\n').find(candidate => candidate.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}
const findings = async (wall = Date.now()) =>
  (await examine(installation.server.config, wall)).map(({ text }) => text)

it('the worker answers nobody but its engine', async () => {
  const response = await request(`http://127.0.0.1:${installation.server.config.WORKER_PORT}/discover`, {
    headers: { accept: 'application/vnd.restate.endpointmanifest.v3+json' },
  }).catch(() => null)
  // Plain HTTP/1.1 does not even get an answer; if it did, it would be a refusal.
  expect(response === null || response.statusCode === 401).toBe(true)
})

it('doctor and metrics show the engine; while it is dead reminders leave and a task waits, and both say so', async () => {
  await eventually(
    () => figure('relance_engine_silent_seconds'),
    seconds => seconds !== undefined && seconds < 10,
  )
  expect(await findings()).toContainEqual(expect.stringContaining('the engine takes work; its invocations: '))

  installation.server.engine!.kill()
  await installation.server.engine!.exited
  expect(await findings()).toContainEqual(expect.stringContaining('the engine is not ready'))
  const input = invoiceInput()
  const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: input })
  expect(created.status).toBe(201)
  await eventually(
    () => mailsTo(input.debtor.email).length,
    n => n === 1,
  )
  const body = { action: 'pause', ids: [created.body.data.id] }
  const task = await installation.call<{ id: string; status: string }>('POST', '/api/v1/tasks/bulk', { body })
  expect([task.status, task.body.data.status]).toEqual([201, 'waiting'])
  expect(await figure('relance_tasks_pending')).toBe(1)
  expect(await figure('relance_tasks_waiting{age="under_1m"}')).toBe(1)
  expect(await figure('relance_tasks_waiting{age="over_15m"}')).toBe(0)
  expect(await figure('relance_engine_invocations{status="running"}')).toBeUndefined()
  await installation.sql(`update pending_tasks set since = clock_timestamp() - interval '16 minutes'`)
  expect(await figure('relance_tasks_waiting{age="over_15m"}')).toBe(1)
  expect(await findings()).toContain(
    '1 tasks wait or run; 1 of them have waited longer than 15 minutes for the engine',
  )
})
