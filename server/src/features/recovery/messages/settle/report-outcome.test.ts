import { beforeEach, expect, it } from 'vitest'
import { type ManualWorker, useManualWorker } from '../../../../../test/harness/manual-worker.ts'
import { invoiceInput, useInstallation } from '../../../../../test/harness/use-installation.ts'
import { createMetrics } from '../../../platform/metrics.ts'

const installation = useInstallation({ hasWorker: false })

interface Line {
  level: string
  facts: Record<string, unknown>
  message: string
}
const lines: Line[] = []
beforeEach(() => void lines.splice(0))
const noteAs = (level: string) => (facts: Record<string, unknown>, message: string) =>
  void lines.push({ level, facts, message })
const metrics = createMetrics()
const log = { debug: noteAs('debug'), info: noteAs('info'), warn: noteAs('warn'), error: noteAs('error') }
const worker = useManualWorker(installation, { metrics, log })
const workerWithoutMail = useManualWorker(installation, { metrics, log, smtpPort: 9 })

/** A message to this address, whose step was due so many seconds before it is sent. */
async function send(
  email: string,
  { key, lateSeconds = 0, by = worker }: { key?: string; lateSeconds?: number; by?: ManualWorker } = {},
) {
  const debtor = { name: 'Paul Durand', email, postalCode: '69002', city: 'Lyon' }
  const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    { body: invoiceInput({ debtor }), ...(key && { key }) },
  )
  const { id, debtor: created } = body.data
  const communicationId = await by.claim(id)
  await installation.sql(
    `update recoveries set due_at = due_at - $2 * interval '1 second' where invoice_id = $1`,
    [id, lateSeconds],
  )
  await by.send(communicationId)
  return { communicationId, debtorId: created.id }
}
const figure = async (sample: string) => {
  const line = (await metrics.registry.metrics()).split('\n').find(text => text.startsWith(`${sample} `))
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}

it('an accepted message leaves one line with its ids and times, and nothing of the person', async () => {
  const { communicationId, debtorId } = await send('paul@durand.example')
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'message settled',
      facts: {
        tenantId: installation.company.tenants.production,
        debtorId,
        communicationId,
        channel: 'email',
        provider: 'smtp',
        step: 'email_prise_en_charge',
        outcome: 'accepted',
        providerMs: expect.any(Number),
        latenessMs: expect.any(Number),
      },
    },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/durand|paul|lyon/i)
})

it('a message whose outcome is unknown is a warning, with the code of the reason', async () => {
  const { communicationId } = await send('unknown+line@durand.example')
  expect(lines).toMatchObject([
    { level: 'warn', facts: { communicationId, outcome: 'unknown', reason: 'ECONNECTION' } },
  ])
  expect(await figure('relance_sends_total{channel="email",outcome="unknown"}')).toBe(1)
})

it('a message whose provider cannot be reached is a warning, and waits', async () => {
  const { communicationId } = await send('away@durand.example', { by: workerWithoutMail })
  expect(lines).toMatchObject([
    {
      level: 'warn',
      facts: {
        communicationId,
        provider: 'smtp',
        outcome: 'unavailable',
        reason: 'ECONNREFUSED',
        providerMs: expect.any(Number),
        latenessMs: null,
      },
    },
  ])
  expect(await figure('relance_sends_total{channel="email",outcome="unavailable"}')).toBe(1)
})

it('lateness is counted from the moment the step was due until the provider accepts the message', async () => {
  const lateness = (part: string) => figure(`relance_send_lateness_seconds_${part}`)
  const before = await lateness('count{channel="email"}')
  await send('late@durand.example', { lateSeconds: 400 })
  expect(await lateness('count{channel="email"}')).toBe(before + 1)
  expect(await lateness('bucket{le="300",channel="email"}')).toBe(before)
  expect(await lateness('bucket{le="600",channel="email"}')).toBe(before + 1)
})

it('a message that was not accepted has no lateness', async () => {
  const count = 'relance_send_lateness_seconds_count{channel="email"}'
  const before = await figure(count)
  await send('unknown+late@durand.example', { lateSeconds: 400 })
  expect(await figure(count)).toBe(before)
})

it('a sandbox is not counted, and its line is for debugging only', async () => {
  const samples = async () =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter(line => /^relance_(send|sends|provider_call)_/.test(line))
  const before = await samples()
  await send('sandbox@durand.example', { key: installation.company.sandboxKey, lateSeconds: 400 })
  expect(lines.map(({ level }) => level)).toEqual(['debug'])
  expect(await samples()).toEqual(before)
})

it('the time the provider took is counted by channel and provider', async () => {
  const count = 'relance_provider_call_seconds_count{channel="email",provider="smtp"}'
  const before = await figure(count)
  await send('quick@durand.example')
  expect(await figure(count)).toBe(before + 1)
})
