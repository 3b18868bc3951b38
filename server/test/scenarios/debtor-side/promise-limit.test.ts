import { expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, advanceDays, visitor } = await useDebtors({ own: 'moves the clock' })

const promisesOf = async (invoiceId: string) =>
  (
    await installation.sql<{ status: string; pay_on: string }>(
      'select status, pay_on::text from promises where invoice_id = $1 order by created_at, id',
      [invoiceId],
    )
  ).map(({ status, pay_on }) => `${pay_on} ${status}`)

it('a debtor moves a promise once; after that a person decides, and the creditor may note what it likes', async () => {
  const { code, id } = await contactedInvoice()
  const promise = (date: string) => visitor().post(`/d/${code}/promise`, { date })
  expect((await promise('2026-11-30')).status).toBe(303)
  expect((await promise('2026-11-30')).status).toBe(303)
  expect((await promise('2026-12-10')).status).toBe(303)
  const third = await promise('2026-12-20')
  expect(third.status).toBe(400)
  expect(visibleText(third.html)).toContain('vous avez déjà déplacé cette date une fois')
  // The same day again changes nothing and is no third promise.
  expect((await promise('2026-12-10')).status).toBe(303)
  expect(await promisesOf(id)).toEqual(['2026-11-30 replaced', '2026-12-10 open'])
  const page = await visitor().get(`/d/${code}/promise?lang=en`)
  expect(page.html).not.toContain('<form')
  expect(visibleText(page.html)).toContain('you have already moved this date once')
  const noted = await installation.call('POST', `/api/v1/invoices/${id}/promise`, {
    body: { date: '2026-12-20' },
  })
  expect(noted.status, noted.text).toBe(201)
})

it('promises at once are not more than two', async () => {
  const { code, id } = await contactedInvoice()
  const dates = ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05']
  await Promise.all(dates.map(date => visitor().post(`/d/${code}/promise`, { date })))
  expect((await promisesOf(id)).length).toBeLessThanOrEqual(2)
})

it('a promise replaced on its day, or after, is a broken one', async () => {
  const { code, id } = await contactedInvoice()
  await visitor().post(`/d/${code}/promise`, { date: '2026-11-16' })
  await visitor().post(`/d/${code}/promise`, { date: '2026-12-10' })
  expect(await promisesOf(id)).toEqual(['2026-11-16 broken', '2026-12-10 open'])
})

it('nobody waits longer than ninety days from the first promise', async () => {
  const { code } = await contactedInvoice()
  await visitor().post(`/d/${code}/promise`, { date: '2027-01-10' })
  await advanceDays(50)
  // The first promise was made on 16 November: ninety days end on 14 February.
  expect((await visitor().post(`/d/${code}/promise`, { date: '2027-02-15' })).status).toBe(400)
  expect((await visitor().post(`/d/${code}/promise`, { date: '2027-02-14' })).status).toBe(303)
})
