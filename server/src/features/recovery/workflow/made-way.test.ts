import { expect, it } from 'vitest'
import { useHandWorker } from '../../../../test/harness/hand-worker.ts'
import { eventually, invoiceInput, mondayMorning, useHouse } from '../../../../test/harness/house.ts'

const house = useHouse()
const hand = useHandWorker(house)
const week = 7 * 86_400_000

it('who made way for a message that is then called back keeps the later day: nobody is written to, and nothing is lost', async () => {
  const debtor = { name: 'Trois SARL', email: 'compta@trois.example', postalCode: '69002', city: 'Lyon' }
  const create = async () => {
    const created = await house.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ debtor }),
    })
    return created.body.data.id
  }
  const recovery = async (id: string) => {
    const [row] = await house.sql<{ step: number; status: string; due_at: Date | null; because: string }>(
      'select step, status, due_at, due_because as because from recoveries where invoice_id = $1',
      [id],
    )
    return row!
  }
  const first = await create()
  await eventually(
    () => recovery(first),
    ({ step }) => step === 1,
  )
  await house.setNow(mondayMorning + week)
  const reserved = await hand.reserve(first)
  const second = await create()
  const madeWay = await eventually(
    () => recovery(second),
    ({ because }) => because === 'channel_cooldown',
  )
  const paused = await house.call('POST', `/api/v1/workflow/invoice/${first}/trigger`, {
    body: { action: 'pause' },
  })
  expect(paused.status).toBe(200)
  expect(await house.sql('select state from communications where id = $1', [reserved])).toEqual([
    { state: 'cancelled' },
  ])
  const day = 86_400_000
  expect(madeWay.due_at!.getTime()).toBeGreaterThan(mondayMorning + week + 2 * day)
  expect(await recovery(second)).toEqual({ ...madeWay, status: 'in_recovery' })
  expect(house.installation.mailbox.messages()).toHaveLength(1)
})
