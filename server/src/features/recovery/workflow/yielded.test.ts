import { expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import {
  eventually,
  invoiceInput,
  mondayMorning,
  useInstallation,
} from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()
const worker = useManualWorker(installation)
const week = 7 * 86_400_000

it('a recovery that yielded to a message which is then cancelled keeps its later day: nothing is sent, and nothing is lost', async () => {
  const debtor = { name: 'Trois SARL', email: 'compta@trois.example', postalCode: '69002', city: 'Lyon' }
  const create = async () => {
    const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ debtor }),
    })
    return created.body.data.id
  }
  const recovery = async (id: string) => {
    const [row] = await installation.sql<{
      step: number
      status: string
      due_at: Date | null
      because: string
    }>('select step, status, due_at, due_because as because from recoveries where invoice_id = $1', [id])
    return row!
  }
  const first = await create()
  await eventually(
    () => recovery(first),
    ({ step }) => step === 1,
  )
  await installation.setNow(mondayMorning + week)
  const reserved = await worker.reserve(first)
  const second = await create()
  const yielded = await eventually(
    () => recovery(second),
    ({ because }) => because === 'channel_cooldown',
  )
  const paused = await installation.call('POST', `/api/v1/workflow/invoice/${first}/trigger`, {
    body: { action: 'pause' },
  })
  expect(paused.status).toBe(200)
  expect(await installation.sql('select state from communications where id = $1', [reserved])).toEqual([
    { state: 'cancelled' },
  ])
  const day = 86_400_000
  expect(yielded.due_at!.getTime()).toBeGreaterThan(mondayMorning + week + 2 * day)
  expect(await recovery(second)).toEqual({ ...yielded, status: 'in_recovery' })
  expect(installation.server.mailbox.messages()).toHaveLength(1)
})
