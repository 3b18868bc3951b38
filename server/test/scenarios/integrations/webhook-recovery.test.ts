import { expect, it } from 'vitest'
import { insertEvents } from '../../harness/manual-delivery.ts'
import { newSandbox } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { useReceiver } from '../../harness/use-receiver.ts'

const installation = useInstallation()
const receiver = useReceiver()
const path = '/api/v1/webhooks'

it('five thousand events are walked through in several steps, what concerns the webhook is told once, and then it is over', async () => {
  const sandbox = await newSandbox(installation)
  const { tenantId } = sandbox
  const body = { url: receiver.url, events: ['invoice.created'] }
  const { id } = await sandbox.done<{ id: string }>('POST', path, body)
  const start = Date.now() - 3_600_000
  const ids: string[] = []
  for (let minute = 0; minute < 10; minute++) {
    const at = start + minute * 60_000
    ids.push(...(await insertEvents(installation, tenantId, { count: 80, at })))
    await insertEvents(installation, tenantId, { count: 420, type: 'debt.paid', at })
  }
  const since = new Date(start).toISOString()
  const recover = () => sandbox.done('POST', `${path}/${id}/recover`, { since })
  const recovering = async () =>
    (await sandbox.done<{ recovering: object | null }>('GET', `${path}/${id}`)).recovering
  await recover()
  await eventually(recovering, seen => seen === null)
  await eventually(
    () => receiver.received.length,
    received => received >= ids.length,
  )
  expect(
    receiver
      .events()
      .map(event => event.id)
      .sort(),
  ).toEqual(ids)
  // A second recovery delivers nothing.
  await eventually(
    () => installation.sql('select 1 from webhook_queue where tenant_id = $1', [tenantId]),
    queued => queued.length === 0,
  )
  await recover()
  await eventually(recovering, seen => seen === null)
  await new Promise(resolve => setTimeout(resolve, 500))
  expect(receiver.received).toHaveLength(ids.length)
})
