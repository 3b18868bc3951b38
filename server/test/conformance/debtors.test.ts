import { expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

let count = 0
const fresh = () => ({ name: `Debtor ${++count}`, email: `d${count}@debtor.example` })
const create = (changes: object = {}) =>
  installation.call<{ id: string }>('POST', '/api/v1/debtors', { body: { ...fresh(), ...changes } })
const list = (query: string) =>
  installation.call<{ id: string; name: string }[]>('GET', `/api/v1/debtors${query}`)

const everything = {
  phone: '+33612345678',
  siret: '73282932000074',
  address: '1 rue du Port',
  city: 'Lyon',
  postalCode: '69002',
  country: 'BE',
  notes: 'asks for Ms Petit',
}

it('a debtor is created and read with every field of the specification', async () => {
  const given = { ...fresh(), ...everything }
  const created = await installation.call<{ id: string }>('POST', '/api/v1/debtors', { body: given })
  expect(created.status).toBe(201)
  const { id } = created.body.data
  expect(created.body.data).toMatchObject({ ...given, id: expect.any(String), createdAt: expect.any(String) })
  expect((await installation.call('GET', `/api/v1/debtors/${id}`)).body.data).toEqual(created.body.data)
  expect((await list(`?search=${given.email}`)).body.data).toEqual([created.body.data])
})

it('only name and email are required, and the country is France unless another is given', async () => {
  for (const field of ['name', 'email']) {
    const answer = await create({ [field]: undefined })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_003'])
    expect(answer.body.error.details?.map(fault => fault.field)).toEqual([field])
  }
  const { data } = (await create()).body
  expect(data).toMatchObject({ country: 'FR', phone: null, siret: null, address: null, city: null })
  expect(data).toMatchObject({ postalCode: null, notes: null })
})

it.each([
  ['name', 'x'.repeat(201)],
  ['email', 'nobody'],
  ['email', `${'x'.repeat(65)}@long.example`],
  ['phone', '06 12 34 56'],
  ['siret', '7328293200007'],
  ['siret', '7328293200007A'],
  ['country', 'FRA'],
  ['country', 'xx'],
  ['notes', 'x'.repeat(2001)],
])('%s of %j is VAL_001', async (field, value) => {
  const answer = await create({ [field]: value })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details?.map(fault => fault.field)).toEqual([field])
})

it('a name of 200 characters fits', async () => {
  expect((await create({ name: 'é'.repeat(200) })).status).toBe(201)
})

it.each(
  Object.entries({ ...everything, siret: '35600000000048', name: 'Renamed', email: 'new@new.example' }),
)('an update may change %s alone, to %j', async (field, value) => {
  const before = (await create()).body.data
  const updated = await installation.call('PUT', `/api/v1/debtors/${before.id}`, { body: { [field]: value } })
  expect(updated.status).toBe(200)
  expect(updated.body.data).toMatchObject({ id: before.id, [field]: value })
  const { [field]: _, timeZone, holidayRegion, contactable, type, ...rest } = updated.body.data
  expect(before).toMatchObject(rest)
  expect((await installation.call('GET', `/api/v1/debtors/${before.id}`)).body.data).toEqual(
    updated.body.data,
  )
})

it('the list takes search, page and limit: 20 unless asked, at most 100', async () => {
  for (let i = 0; i < 22; i++) await create({ name: `Liste ${String(i).padStart(2, '0')}` })
  const first = (await list('?search=liste')).body
  expect([first.pagination.page, first.pagination.limit, first.data.length]).toEqual([1, 20, 20])
  expect(first.pagination.total).toBe(22)
  const second = (await list('?search=liste&page=2')).body.data
  expect(second.map(debtor => debtor.name)).toEqual(['Liste 01', 'Liste 00'])
  expect((await list('?search=liste&limit=100')).body.data).toHaveLength(22)
  const refused = await list('?limit=101')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_002'])
})

it('an invoice listed under its debtor has id, invoiceNumber, amountCents, status and dueDate', async () => {
  const { id } = (await create()).body.data
  const input = invoiceInput({ debtor: { id }, dueDate: '2026-12-01' })
  const invoice = (await installation.call('POST', '/api/v1/invoices', { body: input })).body.data
  const { data } = (await installation.call('GET', `/api/v1/debtors/${id}/invoices`)).body
  const { invoiceNumber, amountCents, dueDate } = input
  expect(data).toEqual([{ id: invoice.id, invoiceNumber, amountCents, status: 'imported', dueDate }])
})
