import { expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()

type Debtor = {
  id: string
  name: string
  phone: string | null
  siret: string | null
  type: string
  timeZone: string | null
  contactable: boolean
  notes: string | null
}
let count = 0
const createDebtor = (changes: object = {}) =>
  installation.call<Debtor>('POST', '/api/v1/debtors', {
    body: { name: `Debtor ${++count}`, email: `d${count}@debtor.example`, ...changes },
  })

it('creates a debtor, normalises the phone and knows its zone', async () => {
  const answer = await createDebtor({
    phone: '+33 6.12-34 56 78',
    postalCode: '97400',
    notes: 'line one\nline two',
  })
  expect(answer.status).toBe(201)
  expect(answer.body.data).toMatchObject({
    phone: '+33612345678',
    timeZone: 'Indian/Reunion',
    contactable: true,
    notes: 'line one\nline two',
    country: 'FR',
  })
  expect((await installation.call('GET', `/api/v1/debtors/${answer.body.data.id}`)).body.data).toEqual(
    answer.body.data,
  )
})

it('a valid SIRET makes a business, and is unique', async () => {
  const first = await createDebtor({ siret: '73282932000074' })
  expect(first.body.data.type).toBe('business')
  const second = await createDebtor({ siret: '73282932000074' })
  expect([second.status, second.body.error.code]).toEqual([409, 'RES_002'])
})

it.each([
  [{ email: 'not-an-email' }, 'VAL_001'],
  [{ siret: '123' }, 'VAL_001'],
  [{ phone: '061234567' }, 'VAL_001'],
  [{ country: 'France' }, 'VAL_001'],
  [{ name: undefined }, 'VAL_003'],
  [{ name: 'x'.repeat(201) }, 'VAL_001'],
  [{ name: 'a\u0000b' }, 'VAL_004'],
  [{ name: 'a\u202eb' }, 'VAL_004'],
])('refuses %j with %s', async (changes, code) => {
  expect((await createDebtor(changes)).body.error.code).toBe(code)
})

it('a partial update changes only what it names; null clears, but not what is required', async () => {
  const { id } = (await createDebtor({ city: 'Lyon', phone: '+33612345678' })).body.data
  const updated = await installation.call<Debtor>('PUT', `/api/v1/debtors/${id}`, {
    body: { phone: null, name: 'New name' },
  })
  expect(updated.body.data).toMatchObject({ name: 'New name', phone: null, city: 'Lyon' })
  const refused = await installation.call('PUT', `/api/v1/debtors/${id}`, { body: { name: null } })
  expect(refused.status).toBe(400)
  expect((await installation.call('PUT', `/api/v1/debtors/${id}`, { body: {} })).body.error.code).toBe(
    'VAL_001',
  )
})

it('finds debtors by part of their name, email or SIRET, without case or accents', async () => {
  await createDebtor({ name: 'Crémerie du Port', email: 'hello@cremerie.example', siret: '35600000000048' })
  for (const search of ['cremerie', 'CRÉMERIE DU', 'hello@crem', '3560000000']) {
    const answer = await installation.call<Debtor[]>(
      'GET',
      `/api/v1/debtors?search=${encodeURIComponent(search)}`,
    )
    expect(answer.body.data.map(debtor => debtor.name)).toEqual(['Crémerie du Port'])
    expect(answer.body.pagination.total).toBe(1)
  }
  await installation.call(
    'PUT',
    `/api/v1/debtors/${(await installation.call<Debtor[]>('GET', '/api/v1/debtors?search=cremerie')).body.data[0]!.id}`,
    { body: { name: 'Fromagerie' } },
  )
  expect(
    (await installation.call<Debtor[]>('GET', '/api/v1/debtors?search=fromagerie')).body.data,
  ).toHaveLength(1)
})

it('lists debtors newest first with an exact total, and the invoices of one', async () => {
  const before = (await installation.call('GET', '/api/v1/debtors')).body.pagination.total
  const { id } = (await createDebtor()).body.data
  const after = await installation.call<Debtor[]>('GET', '/api/v1/debtors?limit=1')
  expect(after.body.data[0]!.id).toBe(id)
  expect(after.body.pagination.total).toBe(before + 1)
  expect((await installation.call('GET', `/api/v1/debtors/${id}/invoices`)).body).toMatchObject({
    data: [],
    pagination: { total: 0 },
  })
  const input = invoiceInput({ debtor: { id } })
  await installation.call('POST', '/api/v1/invoices', { body: input })
  const invoices = await installation.call<object[]>('GET', `/api/v1/debtors/${id}/invoices`)
  expect(invoices.body.data).toMatchObject([{ invoiceNumber: input.invoiceNumber, amountCents: 120_000 }])
  expect(Object.keys(invoices.body.data[0]!).sort()).toEqual([
    'amountCents',
    'dueDate',
    'id',
    'invoiceNumber',
    'status',
  ])
  expect(
    (await installation.call('GET', '/api/v1/debtors/00000000-0000-7000-8000-000000000000/invoices')).status,
  ).toBe(404)
})
