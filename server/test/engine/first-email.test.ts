import { request } from 'undici'
import { expect, it } from 'vitest'
import { examine } from '../../src/start/doctor.ts'
import { eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ dispatcher: 'engine', env: { LATE_MS: '2000', REDRIVE_MS: '2000' } })

const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

it('the engine carries a wake-up to the worker and the email leaves', async () => {
  const input = invoiceInput()
  expect((await installation.call('POST', '/api/v1/invoices', { body: input })).status).toBe(201)
  await eventually(
    () => mailsTo(input.debtor.email).length,
    n => n === 1,
  )
})

it('a hundred debtors due at once are each contacted exactly once', async () => {
  const inputs = Array.from({ length: 100 }, () => invoiceInput())
  await Promise.all(inputs.map(body => installation.call('POST', '/api/v1/invoices', { body })))
  await eventually(
    () => inputs.filter(input => mailsTo(input.debtor.email).length > 0).length,
    n => n === 100,
    20_000,
  )
  for (const input of inputs) expect(mailsTo(input.debtor.email)).toHaveLength(1)
})

it('the worker answers nobody but its engine', async () => {
  const response = await request(`http://127.0.0.1:${installation.server.config.WORKER_PORT}/discover`, {
    headers: { accept: 'application/vnd.restate.endpointmanifest.v3+json' },
  }).catch(() => null)
  // Plain HTTP/1.1 does not even get an answer; if it did, it would be a refusal.
  expect(response === null || response.statusCode === 401).toBe(true)
})

it('the doctor sees whether the engine takes work; creates are answered while it is dead', async () => {
  const findings = async () => (await examine(installation.server.config, Date.now())).map(({ text }) => text)
  expect(await findings()).toContain('the engine takes work')
  installation.server.engine!.kill()
  expect(await findings()).toContainEqual(expect.stringContaining('the engine is not ready'))
  const input = invoiceInput()
  expect((await installation.call('POST', '/api/v1/invoices', { body: input })).status).toBe(201)
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(mailsTo(input.debtor.email)).toHaveLength(0)
})
