import { expect, it } from 'vitest'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })
const clock = '/api/v1/sandbox/clock'

/** A sandbox whose clock was advanced to a day, as hundreds of calls would. */
async function sandboxAt(moment: string): Promise<Sandbox> {
  const sandbox = await newSandbox(installation)
  const ms = Date.parse(moment) - (await sandbox.now())
  await installation.sql('update tenants set clock_offset_ms = clock_offset_ms + $2 where id = $1', [
    sandbox.tenantId,
    ms,
  ])
  return sandbox
}

it.each([{ advance: 'P40D' }, { to: '2100-01-01T00:00:00Z' }])(
  'the clock ends with 2099: %j is refused, and says how to start again',
  async body => {
    const sandbox = await sandboxAt('2099-12-01T09:00:00Z')
    const answer = await sandbox.call('POST', clock, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details?.[0]?.field).toBe(Object.keys(body)[0])
    expect(answer.body.error.message).toMatch(/2099.*\/api\/v1\/sandbox\/reset/)
    expect((await sandbox.call('POST', clock, { advance: 'P20D' })).status).toBe(200)
  },
)

it('a reset sets the clock back, so that a sandbox never wears out', async () => {
  const sandbox = await sandboxAt('2033-01-15T09:00:00Z')
  const wall = Date.parse((await (await newSandbox(installation)).done<{ now: string }>('GET', clock)).now)
  const { now } = await sandbox.done<{ now: string }>('POST', '/api/v1/sandbox/reset')
  expect(Math.abs(Date.parse(now) - wall)).toBeLessThan(60_000)
  expect(await sandbox.done('GET', clock)).toMatchObject({ offsetMs: 0, status: 'idle' })
  const created = await sandbox.call('POST', '/api/v1/invoices', invoiceInput())
  expect([created.status, created.body.warnings]).toEqual([201, undefined])
})

it('a plan that outlasts the calendar of holidays is told with a warning, by the invoice and by the clock', async () => {
  const sandbox = await sandboxAt('2031-12-01T09:00:00Z')
  const created = await sandbox.call(
    'POST',
    '/api/v1/invoices',
    invoiceInput({ issueDate: '2031-10-01', dueDate: '2031-11-01' }),
  )
  expect([created.status, created.body.warnings?.map(({ code }) => code)]).toEqual([
    201,
    ['calendar_horizon'],
  ])
  const moved = await (await sandboxAt('2031-12-01T09:00:00Z')).call('POST', clock, { advance: 'PT1H' })
  expect(moved.body.warnings?.map(({ code }) => code)).toEqual(['calendar_horizon'])
  const early = await newSandbox(installation)
  expect((await early.call('POST', clock, { advance: 'PT1H' })).body.warnings).toBeUndefined()
})
