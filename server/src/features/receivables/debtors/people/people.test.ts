import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../../test/harness/use-installation.ts'
import { corpus } from '../../../../../test/injection/corpus.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Known {
  state: string
  since: string | null
  because: string | null
}
interface Person {
  id: string
  name: string
  role: string
  ground: string | null
  email: string | null
  emailState: Known | null
  phone: string | null
  phoneState: Known | null
  language: string | null
  mainFor: string[]
}
interface People {
  emailState: Known
  phoneState: Known | null
  people: Person[]
}
interface Debtor {
  id: string
  name: string
  email: string
  phone: string | null
  language: string
}

let count = 0
async function newDebtor(changes: object = {}): Promise<Debtor> {
  const body = {
    name: `Debtor ${++count}`,
    email: `office${count}@debtor.example`,
    type: 'business',
    ...changes,
  }
  const answer = await installation.call<Debtor>('POST', '/api/v1/debtors', { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const pathOf = (debtorId: string, personId = '') =>
  `/api/v1/debtors/${debtorId}/people${personId && `/${personId}`}`
const add = (debtorId: string, body: object) =>
  installation.call<Person>('POST', pathOf(debtorId), { body: { role: 'other', ...body } })
async function added(debtorId: string, body: object): Promise<Person> {
  const answer = await add(debtorId, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const change = (debtorId: string, personId: string, body: object) =>
  installation.call<Person>('PUT', pathOf(debtorId, personId), { body })
const remove = (debtorId: string, personId: string) => installation.call('DELETE', pathOf(debtorId, personId))
const people = async (debtorId: string) =>
  (await installation.call<People>('GET', pathOf(debtorId))).body.data
const debtorOf = async (id: string) =>
  (await installation.call<Debtor>('GET', `/api/v1/debtors/${id}`)).body.data
const audited = (debtorId: string) =>
  installation.sql<{ type: string; data: Record<string, unknown> }>(
    'select type, data from audit_log where subject_id = $1 order by id',
    [debtorId],
  )

describe('the people of a company', () => {
  it('are added, listed, changed and removed', async () => {
    const { id } = await newDebtor()
    const paul = await added(id, {
      name: 'Paul Bonnet',
      role: 'manager',
      email: 'p.bonnet@debtor.example',
      phone: '06 12 34 56 78',
      language: 'en',
    })
    const unused = { state: 'never_used', since: null, because: null }
    expect(paul).toMatchObject({
      debtorId: id,
      role: 'manager',
      ground: null,
      phone: '+33612345678',
      emailState: unused,
      phoneState: unused,
      language: 'en',
      mainFor: [],
    })
    const changed = await change(id, paul.id, { phone: '', name: 'Paule Bonnet' })
    expect(changed.body.data).toMatchObject({ phone: null, phoneState: null, name: 'Paule Bonnet' })
    const listed = await people(id)
    expect(listed.people).toEqual([changed.body.data])
    const read = await installation.call<{ people: People }>('GET', `/api/v1/debtors/${id}?include=people`)
    expect(read.body.data.people).toEqual(listed)
    expect((await remove(id, paul.id)).status).toBe(204)
    expect((await people(id)).people).toEqual([])
    expect((await remove(id, paul.id)).status).toBe(404)
    expect((await audited(id)).slice(1).map(({ data }) => [data.act, data.changed])).toEqual([
      ['added', ['name', 'role', 'email', 'phone', 'language']],
      ['changed', ['name', 'phone']],
      ['removed', []],
    ])
  })

  it('are twenty at most', async () => {
    const { id } = await newDebtor()
    for (let i = 0; i < 20; i++) await added(id, { name: `Person ${i}` })
    const refused = await add(id, { name: 'One more' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_004'])
  })

  it.each([
    [{ name: 'X', role: 'guardian', ground: 'Judgment' }, 'role', 'BIZ_004'],
    [{ name: 'X', ground: 'Judgment' }, 'ground', 'BIZ_004'],
    [{ name: 'X', role: 'debtor' }, 'role', 'VAL_001'],
    [{ name: 'X', email: 'nobody' }, 'email', 'VAL_001'],
    [{ name: 'X', phone: '12' }, 'phone', 'VAL_001'],
    [{ name: 'X', mainFor: ['email'] }, 'email', 'BIZ_004'],
    [{ name: 'a\u202eb' }, 'name', 'VAL_004'],
  ])('%j is refused at %s with %s', async (body, field, code) => {
    const { id } = await newDebtor()
    const refused = await add(id, body)
    expect([refused.body.error.code, refused.body.error.details?.[0]?.field]).toEqual([code, field])
    expect((await people(id)).people).toEqual([])
  })
})

describe('at a consumer', () => {
  it('only a guardian, an heir or a lawyer is recorded, and why', async () => {
    const { id } = await newDebtor({ type: 'consumer' })
    for (const role of ['accounting', 'buyer', 'manager', 'other']) {
      const refused = await add(id, { name: 'A neighbour', role })
      expect([refused.status, refused.body.error.details?.[0]?.code]).toEqual([400, 'role_of_company'])
    }
    const refused = await add(id, { name: 'A neighbour', role: 'guardian' })
    expect(refused.body.error.details?.[0]?.code).toBe('ground_missing')
    const ground = 'Juge des tutelles, 3 mars 2026'
    const guardian = await added(id, { name: 'Jeanne Roy', role: 'guardian', ground })
    expect((await change(id, guardian.id, { ground: null })).body.error.details?.[0]?.code).toBe(
      'ground_missing',
    )
    expect((await change(id, guardian.id, { role: 'manager' })).status).toBe(400)
    expect((await people(id)).people).toMatchObject([{ role: 'guardian', ground }])
  })

  it('the type does not change while somebody is recorded who does not fit', async () => {
    const { id } = await newDebtor()
    const buyer = await added(id, { name: 'Marc Petit', role: 'buyer' })
    const toConsumer = () => installation.call('PUT', `/api/v1/debtors/${id}`, { body: { type: 'consumer' } })
    const refused = await toConsumer()
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_004'])
    expect(refused.body.error.message).toContain('Marc Petit')
    await remove(id, buyer.id)
    expect((await toConsumer()).status).toBe(200)
  })

  it('a guardian who becomes the main person leaves the address of the debtor on record', async () => {
    const { id, email } = await newDebtor({ type: 'consumer', name: 'Luc Vidal' })
    const guardian = {
      name: 'Jeanne Roy',
      role: 'guardian',
      ground: 'Jugement',
      email: 'roy@guardian.example',
    }
    await added(id, { ...guardian, mainFor: ['email'] })
    expect((await debtorOf(id)).email).toBe('roy@guardian.example')
    expect((await people(id)).people).toMatchObject([
      { name: 'Jeanne Roy', mainFor: ['email'] },
      { name: 'Luc Vidal', role: 'debtor', ground: null, email, mainFor: [] },
    ])
  })
})

describe('the main person', () => {
  it('is reached at the address of the debtor: one of them changes with the other', async () => {
    const { id, email } = await newDebtor({ phone: '+33612345678' })
    const sylvie = await added(id, { name: 'Sylvie Roche', email, mainFor: ['email'] })
    expect(sylvie).toMatchObject({ email, language: 'fr', mainFor: ['email'] })
    // Her address was there already: nobody else is needed to keep it.
    expect((await people(id)).people).toHaveLength(1)
    await change(id, sylvie.id, { name: 'Paul Bonnet', email: 'p.bonnet@debtor.example' })
    expect((await debtorOf(id)).email).toBe('p.bonnet@debtor.example')
    await installation.call('PUT', `/api/v1/debtors/${id}`, { body: { email: 'office@debtor.example' } })
    expect((await people(id)).people).toMatchObject([{ name: 'Paul Bonnet', email: 'office@debtor.example' }])
    const types = (await audited(id)).map(({ type, data }) => [type, data.changed])
    expect(types.slice(1)).toEqual([
      ['debtor.person_changed', ['name', 'role', 'email', 'language', 'mainFor']],
      ['debtor.changed', ['email']],
      ['debtor.person_changed', ['name', 'email']],
      ['debtor.changed', ['email']],
    ])
    expect(JSON.stringify(await audited(id))).not.toContain('@')
  })

  it('changes: the other keeps the old address, and messages are written in the language of the new one', async () => {
    const { id, email } = await newDebtor({ phone: '+33612345678' })
    const first = await added(id, {
      name: 'First',
      email,
      phone: '+33612345678',
      mainFor: ['email', 'phone'],
    })
    const second = await added(id, { name: 'Second', email: 'second@debtor.example', language: 'en' })
    const dry = await change(id, second.id, { mainFor: ['email'], dryRun: true })
    expect(dry.body.data).toMatchObject({ dryRun: true, mainFor: ['email'] })
    expect((await debtorOf(id)).email).toBe(email)
    const made = await change(id, second.id, { mainFor: ['email'] })
    expect(made.body.data).toMatchObject({
      mainFor: ['email'],
      email: 'second@debtor.example',
      language: 'en',
    })
    expect(await debtorOf(id)).toMatchObject({
      email: 'second@debtor.example',
      phone: '+33612345678',
      language: 'en',
    })
    expect((await people(id)).people).toMatchObject([
      { id: first.id, email, language: 'fr', phone: '+33612345678', mainFor: ['phone'] },
      { id: second.id, mainFor: ['email'] },
    ])
  })

  it('for both channels leaves one person for the addresses that had none', async () => {
    const { id, name, email } = await newDebtor({ phone: '+33612345678' })
    const paul = { name: 'Paul Bonnet', email: 'paul@debtor.example', phone: '+33612345679' }
    await added(id, { ...paul, mainFor: ['email', 'phone'] })
    expect((await people(id)).people).toMatchObject([
      { ...paul, mainFor: ['email', 'phone'] },
      { name, role: 'debtor', email, phone: '+33612345678', mainFor: [] },
    ])
  })

  it('keeps an email, and is not removed; a telephone may go', async () => {
    const { id, email } = await newDebtor({ phone: '+33612345678' })
    const main = await added(id, { name: 'Main', email, phone: '+33612345678', mainFor: ['email', 'phone'] })
    expect((await change(id, main.id, { email: null })).body.error.details?.[0]?.code).toBe('main')
    const refused = await remove(id, main.id)
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('email and phone'),
    ])
    expect((await change(id, main.id, { phone: null })).body.data).toMatchObject({ mainFor: ['email'] })
    expect((await debtorOf(id)).phone).toBeNull()
  })

  it('of both channels gives up one of them, to whoever was added before', async () => {
    const { id } = await newDebtor()
    const first = await added(id, {
      name: 'First',
      email: `f${count}@debtor.example`,
      phone: '06 12 34 56 71',
    })
    const both = { name: 'Both', email: `b${count}@debtor.example`, phone: '06 12 34 56 72' }
    await added(id, { ...both, mainFor: ['email', 'phone'] })
    expect((await change(id, first.id, { mainFor: ['phone'] })).status).toBe(200)
    expect((await people(id)).people.map(({ name, mainFor }) => [name, mainFor])).toContainEqual([
      'Both',
      ['email'],
    ])
  })

  it('is nobody any more when a representative takes the place of the debtor', async () => {
    const { id, email } = await newDebtor({ type: 'consumer', name: 'Luc Vidal', postalCode: '69002' })
    const heir = {
      name: 'Anne Vidal',
      role: 'heir',
      ground: 'Acte de notoriété',
      email: 'anne@vidal.example',
    }
    await added(id, { ...heir, mainFor: ['email'] })
    const path = `/api/v1/debtors/${id}/situations`
    const situation = await installation.call<{ id: string }>('POST', path, {
      body: { situation: 'deceased', channel: 'lrar' },
    })
    const decided = await installation.call('POST', `${path}/${situation.body.data.id}/decide`, {
      body: {
        decision: 'representative',
        representative: { name: 'Étude Roy', email: 'succession@roy.example' },
      },
    })
    expect(decided.status, decided.text).toBe(200)
    expect((await debtorOf(id)).email).toBe('succession@roy.example')
    expect((await people(id)).people).toMatchObject([
      { name: 'Anne Vidal', email: 'anne@vidal.example', mainFor: [] },
      { name: 'Luc Vidal', email, mainFor: [] },
    ])
  })

  it('is who an invoice finds, also by an address that was the main one', async () => {
    const { id, email } = await newDebtor({ name: 'Fleurs de Provence' })
    await added(id, { name: 'Second', email: 'second@fleurs.example', mainFor: ['email'] })
    for (const address of [email.toUpperCase(), 'second@fleurs.example']) {
      const debtor = { name: 'Fleurs de  provence', email: address }
      const body = invoiceInput({ debtor, dueDate: '2027-02-01' })
      const made = await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', { body })
      expect(made.body.data.debtor.id).toBe(id)
    }
  })
})

describe('the state of an address', () => {
  it('stays with the address: used, refused, reached again, closed', async () => {
    const sandbox = await newSandbox(installation)
    const debtor = lyonDebtor('Adresses SARL')
    const invoice = await sandbox.invoice({ debtor })
    const path = pathOf(invoice.debtor.id)
    const read = () => sandbox.done<People>('GET', path)
    await sandbox.advanceToDay('2026-11-17')
    expect(await read()).toMatchObject({
      emailState: { state: 'reached' },
      phoneState: { state: 'never_used' },
    })
    await sandbox.simulate('bounced', { invoiceId: invoice.id })
    const refused = await read()
    expect(refused.emailState.state).toBe('refused')
    const body = { name: 'Paul Bonnet', role: 'manager', email: 'paul@adresses.example', mainFor: ['email'] }
    await sandbox.done('POST', path, body)
    expect(await read()).toMatchObject({
      emailState: { state: 'never_used' },
      people: [
        { name: 'Paul Bonnet', emailState: { state: 'never_used' } },
        { name: 'Adresses SARL', role: 'debtor', email: debtor.email, emailState: refused.emailState },
      ],
    })
    await sandbox.advanceToDay('2026-11-28')
    const [paul] = (await read()).people
    expect(paul).toMatchObject({ emailState: { state: 'reached' } })
    await sandbox.done('POST', `/api/v1/debtors/${invoice.debtor.id}/wrong-person`, { point: 'email' })
    expect(await read()).toMatchObject({
      emailState: { state: 'closed', because: 'wrong_person' },
      people: [{ emailState: { state: 'closed' } }, { emailState: refused.emailState }],
    })
    // Somebody else as the main person: what waited for a right address goes on, and the closed one stays closed.
    const second = {
      name: 'Anne Roy',
      role: 'accounting',
      email: 'anne@adresses.example',
      mainFor: ['email'],
    }
    await sandbox.done('POST', path, second)
    expect(await sandbox.done('GET', `/api/v1/debtors/${invoice.debtor.id}`)).toMatchObject({
      contactable: true,
    })
    const back = await sandbox.call('PUT', `${path}/${paul!.id}`, { mainFor: ['email'] })
    expect(back.status).toBe(200)
    expect(await sandbox.done('GET', `/api/v1/debtors/${invoice.debtor.id}`)).toMatchObject({
      contactable: false,
    })
  })
})

it('hostile texts are refused, or kept and shown as they were written', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = { name: 'Luc Vidal', email: 'luc@vidal.example', type: 'consumer' }
  const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/debtors', debtor)
  const guardian = { name: 'Jeanne Roy', role: 'guardian', ground: 'Jugement' }
  const person = await sandbox.done<Person>('POST', pathOf(id), guardian)
  let kept = 0
  const judge = async (field: 'name' | 'ground' | 'email' | 'phone', text: string) => {
    const answer = await sandbox.call<Person>('PUT', pathOf(id, person.id), { [field]: text })
    if (answer.status === 400) return expect(answer.body.error.code).toMatch(/^(VAL_00[14]|BIZ_004)$/)
    expect(answer.status, answer.text).toBe(200)
    expect([text.normalize('NFC'), text.trim()]).toContain(answer.body.data[field])
    kept++
  }
  for (const text of corpus) for (const field of ['name', 'ground'] as const) await judge(field, text)
  expect(kept).toBeGreaterThan(corpus.length / 2)
  const addresses = ['email', 'phone'] as const
  for (const text of corpus.filter((_, i) => i % 5 === 0))
    for (const field of addresses) await judge(field, text)
}, 120_000)

it('another company does not see them, and nobody is found where nobody is', async () => {
  const { id } = await newDebtor()
  const person = await added(id, { name: 'Paul Bonnet' })
  const other = await newSandbox(installation)
  for (const [method, path] of [
    ['GET', pathOf(id)],
    ['POST', pathOf(id)],
    ['PUT', pathOf(id, person.id)],
    ['DELETE', pathOf(id, person.id)],
  ] as const) {
    const body =
      method === 'POST' ? { name: 'X', role: 'other' } : method === 'PUT' ? { name: 'X' } : undefined
    expect((await other.call(method, path, body)).status).toBe(404)
  }
  expect((await change(id, randomUUIDv7(), { name: 'X' })).status).toBe(404)
})
