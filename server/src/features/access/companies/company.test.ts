import { expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()
const path = '/api/v1/company'

interface Company {
  name: string
  environment: string
  legalName: string | null
  iban: string | null
  replyEmail: string | null
  contractRateBps: number | null
  courtConsent: boolean
  claimsLatePayment: boolean
  paymentAccount: string | null
  caps: { contactsPerWeek: number; contactsPerMonth: number }
  updatedAt: string | null
}
const get = async (key = installation.company.productionKey) =>
  (await installation.call<Company>('GET', path, { key })).body.data
const newCompany = () =>
  installation.server.createCompany(
    { name: 'Atelier Neuf', ownerEmail: 'compta@neuf.example', sellsTo: 'business' },
    { isIncomplete: true },
  )
const put = (body: unknown, key = installation.company.productionKey) =>
  installation.call<Company>('PUT', path, { body, key })

it('a company that never set anything has what it was made with, and the default caps', async () => {
  const { sandboxKey } = await newCompany()
  expect(await get(sandboxKey)).toEqual({
    name: 'Atelier Neuf',
    country: 'FR',
    timeZone: 'Europe/Paris',
    language: 'fr',
    currency: 'EUR',
    tier: 'starter',
    environment: 'sandbox',
    legalName: null,
    address: null,
    postalCode: null,
    city: null,
    siren: null,
    legalForm: null,
    rcs: null,
    mediator: null,
    iban: null,
    accountHolder: null,
    replyEmail: null,
    telephone: null,
    hasLogo: false,
    contractRateBps: null,
    collectorMode: false,
    missingToSend: ['address', 'means_of_payment', 'siren'],
    courtConsent: false,
    claimsLatePayment: true,
    keepMonths: 60,
    keepMonthsConsumers: 24,
    keepReplyDays: 30,
    paymentAccount: null,
    defaultDebtorType: 'business',
    caps: { contactsPerWeek: 2, contactsPerMonth: 8 },
    storage: { usedBytes: 0, quotaBytes: 200 * 1024 * 1024 },
    sendingStop: null,
    pendingChanges: [],
    updatedAt: null,
  })
})

it('only what is sent changes, null clears it, and the other environment knows nothing of it', async () => {
  const { sandboxKey, productionKey } = await newCompany()
  const set = await put(
    {
      legalName: 'Atelier Martin SAS',
      iban: 'fr14 2004 1010 0505 0001 3m02 606',
      contractRateBps: 1_200,
      courtConsent: true,
      caps: { contactsPerWeek: 1 },
    },
    sandboxKey,
  )
  expect([set.status, set.body.data]).toMatchObject([
    200,
    {
      legalName: 'Atelier Martin SAS',
      iban: 'FR1420041010050500013M02606',
      contractRateBps: 1_200,
      courtConsent: true,
      caps: { contactsPerWeek: 1, contactsPerMonth: 8 },
    },
  ])
  expect(await get(sandboxKey)).toEqual(set.body.data)
  await put({ contractRateBps: null, courtConsent: null, caps: { contactsPerMonth: 3 } }, sandboxKey)
  expect(await get(sandboxKey)).toMatchObject({
    legalName: 'Atelier Martin SAS',
    iban: 'FR1420041010050500013M02606',
    contractRateBps: null,
    courtConsent: false,
    caps: { contactsPerWeek: 1, contactsPerMonth: 3 },
  })
  await put({ caps: null, legalName: null }, sandboxKey)
  expect(await get(sandboxKey)).toMatchObject({
    legalName: null,
    caps: { contactsPerWeek: 2, contactsPerMonth: 8 },
  })
  expect(await get(productionKey)).toMatchObject({ iban: null, updatedAt: null })
})

it('two changes at once are both saved', async () => {
  const fields = ['legalName', 'address', 'postalCode', 'city'] as const
  const key = installation.company.sandboxKey
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(fields.map(field => put({ [field]: `${field} ${round}` }, key)))
    for (const answer of answers) expect(answer.status).toBe(200)
    expect(await get(key)).toMatchObject(
      Object.fromEntries(fields.map(field => [field, `${field} ${round}`])),
    )
  }
})

it.each([
  [{}, ''],
  [{ caps: {} }, 'caps'],
  [{ caps: { contactsPerWeek: 7 } }, 'caps.contactsPerWeek'],
  [{ caps: { contactsPerWeek: 0 } }, 'caps.contactsPerWeek'],
  [{ caps: { contactsPerMonth: 27 } }, 'caps.contactsPerMonth'],
  [{ contractRateBps: 10_001 }, 'contractRateBps'],
  [{ contractRateBps: -1 }, 'contractRateBps'],
  [{ iban: 'FR14 2004 1010 0505 0001 3M02 607' }, 'iban'],
  [{ replyEmail: 'nobody' }, 'replyEmail'],
  [{ legalName: 'x'.repeat(201) }, 'legalName'],
  [{ name: 'Another' }, 'name'],
])('%j is refused, with the field that is wrong', async (body, field) => {
  const before = await get()
  const answer = await put(body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details?.[0]?.field).toBe(field)
  expect(await get()).toEqual(before)
})

it('the next message is already written in the name and asks for money on the account just set', async () => {
  await installation.server.setPayout(installation.company.companyId, {
    legalName: 'Martin et Fils SARL',
    iban: 'BE68 5390 0754 7034',
    accountHolder: 'Martin Holding',
  })
  const input = invoiceInput()
  await installation.call('POST', '/api/v1/invoices', { body: input })
  const mail = await eventually(
    () => installation.server.mailbox.messages().find(sent => sent.to === input.debtor.email),
    sent => sent !== undefined,
  )
  expect(mail!.text).toContain('Martin et Fils SARL')
  expect(mail!.text.replaceAll(/\s/g, '')).toContain('BE68539007547034')
  expect(mail!.text).toMatch(/Titulaire du compte\s*:?\s*Martin Holding/)
})

it('late payment is claimed unless the company says no, and cards need an account that looks like one', async () => {
  const key = installation.company.sandboxKey
  const set = await put({ claimsLatePayment: false, paymentAccount: 'acct_1QyExample0000' }, key)
  expect(set.body.data).toMatchObject({ claimsLatePayment: false, paymentAccount: 'acct_1QyExample0000' })
  expect(await get(key)).toEqual(set.body.data)
  for (const paymentAccount of ['acct_', 'cus_1QyExample0000', 'acct_1QyExample0000\n', 'acct_1Qy Example'])
    expect((await put({ paymentAccount }, key)).status, paymentAccount).toBe(400)
  await put({ claimsLatePayment: null, paymentAccount: null }, key)
  expect(await get(key)).toMatchObject({ claimsLatePayment: true, paymentAccount: null })
})

it('a logo is a PNG or a JPEG by its bytes, replaces the one before, and is gone when it is deleted', async () => {
  const { sandboxKey: key } = await newCompany()
  const set = (image: string) => installation.call('PUT', `${path}/logo`, { key, body: { image } })
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
  const taken = await set(png)
  expect([taken.status, taken.body.data]).toEqual([200, { mediaType: 'image/png', width: 1, height: 1 }])
  expect((await set(png)).status).toBe(200)
  expect(await get(key)).toMatchObject({ hasLogo: true })
  for (const [image, because] of [
    [btoa('<svg onload=alert(1)>'), 'neither PNG nor JPEG'],
    ['not base64!', 'not base64'],
    // The pixels do not unpack: a letter with it could not be drawn.
    [png.replace('AAAACklEQVR4nGNgAAAAAgAB', 'AAAACklEQVR4nGNgAAAAAgAC'), 'cannot be drawn'],
    ['A'.repeat(280_000), 'longer than 273068 characters'],
  ] as const) {
    const refused = await set(image)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_001'])
    expect(refused.body.error.message).toContain(because)
  }
  for (let i = 0; i < 2; i++)
    expect((await installation.call('DELETE', `${path}/logo`, { key })).status).toBe(204)
  expect(await get(key)).toMatchObject({ hasLogo: false })
})

it('the mediator, the legal form and the register are set and cleared, and hold no link', async () => {
  const { sandboxKey: key } = await newCompany()
  const mediator = {
    name: 'Médiation Exemple',
    address: '1 rue du Lac, 75001 Paris',
    website: 'www.mediation.example',
  }
  const legalForm = 'SARL au capital de 10 000 €'
  const set = await put({ mediator, legalForm, rcs: 'Lyon' }, key)
  expect([set.status, set.body.data]).toMatchObject([200, { mediator, legalForm, rcs: 'Lyon' }])
  // Of another mediator nothing of the old one stays.
  const website = 'www.mediation.example/consommateurs'
  expect((await put({ mediator: { name: 'M', website } }, key)).body.data).toMatchObject({
    mediator: { name: 'M', address: null, website },
  })
  for (const wrong of [
    { mediator: { name: 'M' } },
    // R616-1 C. conso.: an address alone is not enough.
    { mediator: { name: 'M', address: '1 rue du Lac' } },
    { mediator: { name: 'M', address: '1 rue du Lac', website: null } },
    { mediator: { address: '1 rue du Lac', website } },
    { mediator: { name: 'M', website: 'javascript:alert(1)' } },
    { mediator: { name: 'M', website: 'https://evil.example' } },
    { mediator: { name: 'M', address: 'payez sur https://evil.example', website } },
    { mediator: { name: 'https://evil.example', website } },
    { rcs: 'https://evil.example' },
    // R123-238 C. com.: a company with share capital names it.
    { legalForm: 'SARL' },
    { legalForm: 'FR14 2004 1010 0505 0001 3M02 606' },
  ])
    expect((await put(wrong, key)).status, JSON.stringify(wrong)).toBe(400)
  await put({ mediator: null, rcs: null }, key)
  expect(await get(key)).toMatchObject({ mediator: null, legalForm, rcs: null })
})

it('who imports an invoice of a consumer without a mediator is warned, and nobody else', async () => {
  const { sandboxKey: key } = await newCompany()
  const warned = async (type: string) =>
    (
      await installation.call('POST', '/api/v1/invoices', {
        key,
        body: invoiceInput({ debtor: { ...invoiceInput().debtor, type } }),
      })
    ).body.warnings?.map(({ code }) => code)
  expect(await warned('consumer')).toEqual(['company_incomplete', 'mediator_missing'])
  expect(await warned('business')).toEqual(['company_incomplete'])
  await put({ mediator: { name: 'Médiation Exemple', website: 'www.mediation.example' } }, key)
  expect(await warned('consumer')).toEqual(['company_incomplete'])
})
