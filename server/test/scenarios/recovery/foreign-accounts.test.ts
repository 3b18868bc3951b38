import { expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })

const account = 'NOUVEAU RIB DE89 3704 0044 0532 0130 00'
const link = 'voir https://evil.example/pay'
const debtor = (changes: Record<string, unknown>) => ({ ...invoiceInput().debtor, ...changes })

/** Whatever a key may write that a debtor is shown. */
const requests: [method: string, path: string, field: string, body: (text: string) => unknown][] = [
  ['POST', '/api/v1/invoices', 'invoiceNumber', text => invoiceInput({ invoiceNumber: text })],
  ['POST', '/api/v1/invoices', 'description', text => invoiceInput({ description: text })],
  ['POST', '/api/v1/invoices', 'debtor.name', text => invoiceInput({ debtor: debtor({ name: text }) })],
  ['POST', '/api/v1/invoices', 'debtor.address', text => invoiceInput({ debtor: debtor({ address: text }) })],
  ['POST', '/api/v1/invoices', 'debtor.city', text => invoiceInput({ debtor: debtor({ city: text }) })],
  ['POST', '/api/v1/debtors', 'name', text => debtor({ name: text })],
  ['PUT', '/api/v1/company', 'address', text => ({ address: `4 rue des Tanneurs\n${text}` })],
  ['PUT', '/api/v1/company', 'city', text => ({ city: text })],
]

it.each(requests)('%s %s refuses an account or a link in %s', async (method, path, field, body) => {
  for (const text of [account, link]) {
    const answer = await installation.call(method, path, { body: body(text) })
    expect([
      answer.status,
      answer.body.error?.code,
      answer.body.error?.details?.map(one => one.field),
    ]).toEqual([400, 'VAL_001', [field]])
  }
})

it('an import refuses the one invoice that holds an account', async () => {
  const invoices = [invoiceInput(), invoiceInput({ invoiceNumber: account })]
  const answer = await installation.call('POST', '/api/v1/invoices/bulk', { body: { invoices } })
  expect(answer.text).toContain('bank account')
})

it('an update of a debtor refuses it too', async () => {
  const created = await installation.call<{ id: string }>('POST', '/api/v1/debtors', { body: debtor({}) })
  const path = `/api/v1/debtors/${created.body.data.id}`
  const answer = await installation.call('PUT', path, { body: { name: account } })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
})
