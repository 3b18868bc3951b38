import { describe, expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

let count = 0
const fresh = () => ({ name: `Debtor ${++count}`, email: `d${count}@debtor.example` })
const createDebtor = (changes: object = {}) =>
  installation.call<{ id: string }>('POST', '/api/v1/debtors', { body: { ...fresh(), ...changes } })
const createInvoice = (changes: object = {}) =>
  installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: invoiceInput({ ...changes }) })
const put = (path: string, body: object) => installation.call('PUT', path, { body })

describe('the country of a debtor', () => {
  it.each(['UK', 'XX', 'ZZ', 'AA', 'EU', 'AN', 'YU'])(
    '%s is not assigned by ISO 3166-1: VAL_001',
    async country => {
      const answer = await createDebtor({ country })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
      expect(answer.body.error.details?.map(fault => fault.field)).toEqual(['country'])
      if (country === 'UK') expect(answer.body.error.message).toContain('GB')
    },
  )

  it.each(['GB', 'FR', 'RE'])('%s is assigned', async country => {
    expect((await createDebtor({ country })).status).toBe(201)
  })
})

describe('text that has one meaning is taken in any of its spellings', () => {
  it.each([
    ['phone', '+33 (0)6 12 34 56 78', '+33612345678'],
    ['phone', '+1 (415) 555-2671', '+14155552671'],
    ['phone', '06 12 34 56 78', '+33612345678'],
    ['phone', '0033 6 12 34 56 78', '+33612345678'],
    ['country', 'be', 'BE'],
    ['phone', '+33\u00a06\u00a012\u202f34.56-78', '+33612345678'],
    ['siret', '732 829 320 00074', '73282932000074'],
    ['email', ' compta@espaces.example ', 'compta@espaces.example'],
    ['email', 'contact@société.fr', 'contact@xn--socit-esab.fr'],
    ['address', '12 rue Mercière\nBâtiment B', '12 rue Mercière\nBâtiment B'],
  ])('%s %j is %j', async (field, given, stored) => {
    const answer = await createDebtor({ [field]: given })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ [field]: stored })
  })

  it.each([
    ['phone', '+33 (6 12'],
    ['phone', '6 12 34 56 78'],
    ['phone', '33 6 12 34 56 78'],
    ['country', 'uk'],
    ['country', 'ß'],
    ['email', 'société@durand.example'],
    ['email', 'a b@durand.example'],
    ['email', 'contact@exa mple.fr'],
    ['siret', '732 829 320 0007'],
  ])('%s %j is VAL_001', async (field, given) => {
    const answer = await createDebtor({ [field]: given })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details?.map(fault => fault.field)).toEqual([field])
  })
})

describe('a national telephone number', () => {
  it.each([
    ['BE', '0470 12 34 56', '+32470123456'],
    ['ch', '079 123 45 67', '+41791234567'],
    ['RE', '0692 12 34 56', '+262692123456'],
  ])('of a debtor in %s, %s, is %s', async (country, given, stored) => {
    const created = await createDebtor({ country, phone: given })
    expect(created.body.data).toMatchObject({ country: country.toUpperCase(), phone: stored })
    const { id } = (await createDebtor({ country })).body.data
    const updated = await put(`/api/v1/debtors/${id}`, { phone: given })
    expect(updated.body.data).toMatchObject({ phone: stored })
  })

  it('is read in the country that the same update gives', async () => {
    const { id } = (await createDebtor()).body.data
    const { data } = (await put(`/api/v1/debtors/${id}`, { country: 'BE', phone: '0470 12 34 56' })).body
    expect(data).toMatchObject({ country: 'BE', phone: '+32470123456' })
  })

  it('is refused where its country is not known', async () => {
    const { id } = (await createDebtor({ country: 'US' })).body.data
    const existing = { id, phone: '06 12 34 56 78' }
    for (const [field, answer] of [
      ['phone', await createDebtor({ country: 'US', phone: '0612345678' })],
      ['phone', await put(`/api/v1/debtors/${id}`, { phone: '0612345678' })],
      ['debtor.phone', await createInvoice({ debtor: existing })],
    ] as const) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
      expect(answer.body.error.details?.map(fault => fault.field)).toEqual([field])
      expect(answer.body.error.message).toContain('+33612345678')
    }
  })
})

describe('an optional text of a debtor that is empty', () => {
  const texts = ['phone', 'siret', 'address', 'city', 'postalCode', 'country', 'notes']
  const empty = Object.fromEntries(texts.map(name => [name, '']))

  it('is absent on create, also inside an invoice', async () => {
    const { data } = (await createDebtor(empty)).body
    expect(data).toMatchObject({ ...Object.fromEntries(texts.map(name => [name, null])), country: 'FR' })
    const { notes: _, ...without } = empty
    expect((await createInvoice({ debtor: { ...fresh(), ...without } })).status).toBe(201)
  })

  it('is cleared on update, as null is', async () => {
    const full = { phone: '+33612345678', city: 'Lyon', postalCode: '69002', country: 'BE', notes: 'x' }
    for (const value of ['', null]) {
      const { id } = (await createDebtor(full)).body.data
      const cleared = await put(
        `/api/v1/debtors/${id}`,
        Object.fromEntries(Object.keys(full).map(name => [name, value])),
      )
      expect(cleared.status).toBe(200)
      expect(cleared.body.data).toMatchObject({
        phone: null,
        city: null,
        postalCode: null,
        country: 'FR',
        notes: null,
      })
    }
  })

  it('is a fault where the field is required', async () => {
    for (const field of ['name', 'email'])
      expect((await createDebtor({ [field]: '' })).body.error.code).toBe('VAL_001')
  })
})

describe('null in an update', () => {
  it.each(['name', 'email'])('%s is required, so it cannot be cleared: VAL_001', async field => {
    const { id } = (await createDebtor()).body.data
    const answer = await put(`/api/v1/debtors/${id}`, { [field]: null })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details).toMatchObject([{ field, message: expect.stringContaining('cleared') }])
  })

  it('type and language fall back to what the company has', async () => {
    const { id } = (await createDebtor({ type: 'consumer', language: 'en' })).body.data
    const { data } = (await put(`/api/v1/debtors/${id}`, { type: null, language: null })).body
    expect(data).toMatchObject({ type: 'business', language: 'fr' })
  })
})

describe('metadata', () => {
  const deep = { a: { b: 1 } }
  it('takes any JSON to a depth of 3, and gives it back', async () => {
    const metadata = {
      tags: ['a', 1, null, true],
      customer: { segments: [{ code: 'B2B' }] },
      deep,
      none: null,
    }
    const { id } = (await createInvoice({ metadata })).body.data
    expect((await installation.call('GET', `/api/v1/invoices/${id}`)).body.data).toMatchObject({ metadata })
    const changed = { list: [[1, 2], [3]] }
    expect((await put(`/api/v1/invoices/${id}`, { metadata: changed })).body.data).toMatchObject({
      metadata: changed,
    })
  })

  it.each([
    ['nested too deeply', { a: { b: { c: { d: {} } } } }],
    ['more than 16 KB', Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'é'.repeat(300)]))],
    ['a text of 501 characters', { a: ['x'.repeat(501)] }],
    ['a key of 41 characters', { a: { ['k'.repeat(41)]: 1 } }],
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]))],
    ['a list', []],
    ['a text', 'a'],
  ])('%s is VAL_001', async (_what, metadata) => {
    const answer = await createInvoice({ metadata })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.message).toMatch(/^metadata/)
  })
})

describe('a refusal says what to do', () => {
  it.each([
    ['notes', 'Called', 'update'],
    ['autoStartWorkflow', false, 'bulk'],
    ['amount', 1200.5, 'amountCents'],
    ['id', '01a19b50-b868-7000-8000-93b1c70d52ea', 'leave it out'],
    ['amountCents', 1200.5, 'in cents'],
    ['amountCents', '120000', 'in cents'],
    ['amountCents', 0, 'in cents'],
  ])('%s of %j on create: %s', async (field, value, sentence) => {
    const answer = await createInvoice({ [field]: value })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details).toHaveLength(1)
    expect(answer.body.error.details?.[0]?.field).toBe(field)
    expect(answer.body.error.message).toContain(sentence)
  })

  it('an item of a bulk import is refused with the same sentence', async () => {
    const answer = await installation.call('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [invoiceInput({ notes: 'x' })] },
    })
    expect(answer.body.error.details?.[0]?.message).toContain('update')
  })

  it('a debtor that is read and sent back names the fields to leave out', async () => {
    const { data } = (await createDebtor()).body
    const answer = await put(`/api/v1/debtors/${data.id}`, data)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details?.map(({ field }) => field).sort()).toEqual([
      'contactable',
      'createdAt',
      'holidayRegion',
      'id',
      'pause',
      'reported',
      'timeZone',
    ])
    for (const { message } of answer.body.error.details!) expect(message).toContain('leave it out')
  })

  it('an issue date of another spelling is the only fault', async () => {
    const answer = await createInvoice({ issueDate: '2026-9-1' })
    expect(answer.body.error.details?.map(({ field }) => field)).toEqual(['issueDate'])
  })
})

describe('a new API key', () => {
  it.each([
    ['no body at all', undefined],
    ['an empty body', '{}'],
  ])('is made with %s: its name is "API key", its scopes are those of the caller', async (_what, raw) => {
    const { data } = (
      await installation.call<{ id: string; apiKey: string }>('POST', '/api/v1/api-keys', {
        ...(raw !== undefined && { raw }),
      })
    ).body
    expect(data.apiKey).toMatch(/^fk_live_/)
    const { data: keys } = (
      await installation.call<{ id: string; name: string; scopes: string[] }[]>('GET', '/api/v1/api-keys')
    ).body
    const made = keys.find(({ id }) => id === data.id)
    expect(made?.name).toBe('API key')
    expect(made?.scopes).toHaveLength(17)
  })
})
