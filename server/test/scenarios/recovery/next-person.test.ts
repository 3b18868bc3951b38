import { describe, expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Person {
  id: string
  name: string
  role: string
  email: string | null
  emailState: { state: string } | null
  mainFor: string[]
}
const peopleOf = async (sandbox: Sandbox, debtorId: string) =>
  (await sandbox.done<{ people: Person[] }>('GET', `/api/v1/debtors/${debtorId}/people`)).people
const add = (sandbox: Sandbox, debtorId: string, body: object) =>
  sandbox.done<Person>('POST', `/api/v1/debtors/${debtorId}/people`, body)
const emailOf = async (sandbox: Sandbox, debtorId: string) =>
  (await sandbox.done<{ email: string }>('GET', `/api/v1/debtors/${debtorId}`)).email
const lines = async (sandbox: Sandbox, id: string) => historyLines(await sandbox.history(id))
const recipients = async (sandbox: Sandbox) => (await sandbox.messages()).map(({ recipient }) => recipient)
const queuesOf = async (sandbox: Sandbox) =>
  (await sandbox.done<{ queues: { kind: string }[] }>('GET', '/api/v1/reports/today')).queues
const settle = (sandbox: Sandbox) => sandbox.advance('PT1M')
const isHeld = { nextAction: null, scheduledAt: null, blockedBy: ['address_refused'] }

/** The first mail to this debtor is refused. */
const mute = (name: string, changes: object = {}) => {
  const { email: _, ...debtor } = lyonDebtor(name)
  return { ...debtor, email: `bounce+${name.toLowerCase().replaceAll(/\W/g, '')}@mute.example`, ...changes }
}

/** A debtor with people, and then an invoice. */
async function withPeople(debtor: object, people: readonly object[]) {
  const sandbox = await newSandbox(installation)
  const { id: debtorId } = await sandbox.done<{ id: string }>('POST', '/api/v1/debtors', debtor)
  for (const person of people) await add(sandbox, debtorId, person)
  const { id } = await sandbox.invoice({ debtor: { id: debtorId } })
  return { sandbox, debtorId, id }
}
const paul = { name: 'Paul Gérant', role: 'manager', email: 'paul@suivant.example', language: 'en' }
const anne = { name: 'Anne Compta', role: 'accounting', email: 'anne@suivant.example' }

describe('the main address refuses a message', () => {
  it.each(['business', 'public_body'])('%s: the step goes to the next person, once', async type => {
    const { sandbox, debtorId, id } = await withPeople(mute('Premier', { type }), [paul, anne])
    await sandbox.advance('P1D')
    expect(await recipients(sandbox)).toEqual([anne.email])
    expect(await emailOf(sandbox, debtorId)).toBe(anne.email)
    expect(await lines(sandbox, id)).toEqual([
      '2026-11-16 email_prise_en_charge failed',
      '2026-11-16 next_person done',
      '2026-11-16 email_prise_en_charge sent',
    ])
    const people = await peopleOf(sandbox, debtorId)
    expect(people.find(({ name }) => name === anne.name)).toMatchObject({ mainFor: ['email'] })
    expect(people.find(({ role }) => role === 'debtor')).toMatchObject({
      emailState: { state: 'refused' },
      mainFor: [],
    })
    expect(await queuesOf(sandbox)).toEqual([])
    const audit = await installation.sql<{ type: string; kind: string; data: { changed: string[] } }>(
      `select type, actor ->> 'kind' as kind, data from audit_log where subject_id = $1 and actor ->> 'kind' = 'worker' order by id`,
      [debtorId],
    )
    expect(audit.map(one => [one.type, one.data.changed])).toEqual([
      ['debtor.changed', ['email']],
      ['debtor.person_changed', ['language', 'mainFor']],
      ['debtor.person_changed', ['name', 'role', 'email']],
    ])
    expect((await sandbox.events(id)).map(event => event.type)).toContain('message.bounced')
  })

  it('a consumer: it waits, nobody else is written to', async () => {
    const { sandbox, debtorId, id } = await withPeople(mute('Particulier', { type: 'consumer' }), [
      { name: 'Marie', role: 'heir', ground: 'Acte de notoriété', email: 'marie@suivant.example' },
    ])
    await sandbox.advance('P10D')
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect(await sandbox.messages()).toEqual([])
    expect((await peopleOf(sandbox, debtorId)).map(({ mainFor }) => mainFor)).toEqual([[]])
  })

  it('one after the other, and then it waits', async () => {
    const { sandbox, debtorId, id } = await withPeople(mute('Tous Muets'), [
      { ...anne, email: 'bounce+anne@suivant.example' },
      { ...paul, email: 'bounce+paul@suivant.example' },
    ])
    await sandbox.advance('P1D')
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect(await emailOf(sandbox, debtorId)).toBe('bounce+paul@suivant.example')
    expect((await lines(sandbox, id)).filter(line => line.includes('next_person'))).toHaveLength(2)
    expect(await queuesOf(sandbox)).toMatchObject([{ kind: 'addressRefused', addresses: 1 }])
    expect(await sandbox.advance('P60D')).toEqual([])
    // Somebody who is added takes it up, within the limits.
    const sophie = await add(sandbox, debtorId, {
      name: 'Sophie',
      role: 'buyer',
      email: 'sophie@suivant.example',
    })
    expect(sophie.mainFor).toEqual(['email'])
    await sandbox.advance('P3D')
    expect(await recipients(sandbox)).toEqual(['sophie@suivant.example'])
  })

  it('not to somebody who was replaced, nor to an address that is closed', async () => {
    const debtor = lyonDebtor('Remplacés SARL')
    const { sandbox, debtorId, id } = await withPeople(debtor, [{ ...anne, mainFor: ['email'] }])
    await sandbox.advanceToDay('2026-11-17')
    expect(await recipients(sandbox)).toEqual([anne.email])
    // Anne left. Another debtor asked at the address of Paul not to be written to.
    await add(sandbox, debtorId, {
      name: 'Bruno',
      role: 'other',
      email: 'bounce+b@suivant.example',
      mainFor: ['email'],
    })
    const other = await sandbox.invoice({ debtor: { ...lyonDebtor('Autre SARL'), email: paul.email } })
    await sandbox.done('POST', `/api/v1/debtors/${other.debtor.id}/opt-out`, { channel: 'email' })
    await add(sandbox, debtorId, paul)
    await sandbox.advanceToDay('2026-11-23')
    expect((await lines(sandbox, id)).at(-1)).toBe('2026-11-21 address_refused done')
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
  })

  it('a message that comes back later: the next email goes to them, and no day has two', async () => {
    const { sandbox, debtorId, id } = await withPeople(lyonDebtor('Revenu SARL'), [anne, paul])
    await sandbox.advanceToDay('2026-11-17')
    await sandbox.simulate('bounced', { invoiceId: id })
    await settle(sandbox)
    expect(await emailOf(sandbox, debtorId)).toBe(anne.email)
    expect(await sandbox.nextAction(id)).toMatchObject({ nextAction: 'relance_email_1', blockedBy: [] })
    await sandbox.advanceToDay('2026-11-22')
    expect((await recipients(sandbox))[0]).toBe(anne.email)
    expect(await lines(sandbox, id)).toEqual([
      '2026-11-16 email_prise_en_charge bounced',
      '2026-11-17 next_person done',
      '2026-11-21 relance_email_1 sent',
    ])
  })

  it('every record that has the address goes to its own next person', async () => {
    const sandbox = await newSandbox(installation)
    const email = 'commun@partage.example'
    const invoices = []
    for (const name of ['Un SARL', 'Deux SARL']) {
      const made = await sandbox.invoice({ debtor: { ...lyonDebtor(name), email } })
      await add(sandbox, made.debtor.id, { ...anne, email: `anne.${invoices.length}@partage.example` })
      invoices.push(made)
    }
    await sandbox.advanceToDay('2026-11-17')
    // One message, to one of them: they share its limits.
    const [message] = await sandbox.messages()
    await sandbox.simulate('bounced', { invoiceId: message!.invoiceIds[0] })
    // A record whose lock was held is found by its next look.
    await sandbox.advance('P8D')
    for (const [place, { debtor }] of invoices.entries())
      expect(await emailOf(sandbox, debtor.id)).toBe(`anne.${place}@partage.example`)
  })

  it('a formal notice that came back by email is given to the next person', async () => {
    const { name, email, postalCode } = lyonDebtor('Sans Adresse SARL')
    const { sandbox, id } = await withPeople({ name, email, postalCode, type: 'public_body' }, [anne])
    await sandbox.advanceToDay('2027-01-05')
    expect((await lines(sandbox, id)).at(-1)).toMatch(/ lrar_mise_en_demeure sent$/)
    await sandbox.simulate('bounced', { invoiceId: id })
    await sandbox.advance('P7D')
    expect((await lines(sandbox, id)).at(-1)).toMatch(/ lrar_mise_en_demeure sent$/)
    expect((await sandbox.messages())[0]).toMatchObject({ channel: 'email', recipient: anne.email })
  })
})
