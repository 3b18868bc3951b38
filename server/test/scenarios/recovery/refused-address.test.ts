import { describe, expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Queue {
  kind: string
  unit: string
  addresses: number | null
  debtors: number
  invoices: number
  standing: string | null
}
const queuesOf = async (sandbox: Sandbox) =>
  (await sandbox.done<{ queues: Queue[] }>('GET', '/api/v1/reports/today')).queues
const kindsOf = async (sandbox: Sandbox) => (await queuesOf(sandbox)).map(({ kind }) => kind)
const closedOf = async (sandbox: Sandbox, debtorId: string) =>
  (
    await sandbox.done<{ closedChannels: { channel: string; because: string }[] }>(
      'GET',
      `/api/v1/debtors/${debtorId}?include=account`,
    )
  ).closedChannels
const lines = async (sandbox: Sandbox, id: string) => historyLines(await sandbox.history(id))
const change = (sandbox: Sandbox, debtorId: string, body: Record<string, unknown>) =>
  sandbox.done('PUT', `/api/v1/debtors/${debtorId}`, body)
/** Until the debtor was looked at after what happened. */
const settle = (sandbox: Sandbox) => sandbox.advance('PT1M')

const isHeld = { nextAction: null, scheduledAt: null, blockedBy: ['address_refused'] }

describe('every mail is refused', () => {
  const mute = (name: string) => ({
    name,
    email: `bounce+${name.toLowerCase().replaceAll(/\W/g, '')}@mute.example`,
    postalCode: '69002',
    city: 'Lyon',
  })

  it.each(['business', 'consumer', 'public_body'])(
    '%s: the first refusal is a task, and no formal notice and no decision come of it',
    async type => {
      const sandbox = await newSandbox(installation)
      const { id, debtor } = await sandbox.invoice({ debtor: { ...mute('Muet'), type } })
      const second = await sandbox.invoice({ debtor: { id: debtor.id } })
      await sandbox.advance('PT3H')
      for (const one of [id, second.id]) expect(await sandbox.nextAction(one)).toMatchObject(isHeld)
      const [queue, ...others] = await queuesOf(sandbox)
      expect(others).toEqual([])
      expect(queue).toMatchObject({
        kind: 'addressRefused',
        unit: 'addresses',
        addresses: 1,
        debtors: 1,
        invoices: 2,
        standing: 'held:address_refused',
      })
      const listed = await sandbox.done<{ id: string }[]>(
        'GET',
        '/api/v1/invoices?standing=held:address_refused',
      )
      expect(listed.map(invoice => invoice.id).sort()).toEqual([id, second.id].sort())
      expect(await closedOf(sandbox, debtor.id)).toEqual([{ channel: 'email', because: 'refused' }])
      expect((await sandbox.events(id)).map(event => event.type)).toContain('message.bounced')
      // To the end of the cascade, and beyond.
      expect(await sandbox.advance('P80D')).toEqual([])
      expect(await kindsOf(sandbox)).toEqual(['addressRefused'])
      expect(await sandbox.messages()).toEqual([])
      expect((await sandbox.trigger(id, { action: 'resume' })).body.error.code).toBe('BIZ_004')
    },
  )

  it('the address is corrected: the message that never left goes to the new one, within the rules', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: { ...mute('Corrigé'), type: 'business' } })
    await sandbox.advanceToDay('2026-11-20')
    // A Sunday evening.
    await sandbox.advance({ to: '2026-11-22T21:00:00+01:00' })
    await change(sandbox, debtor.id, { email: 'bon@corrige.example' })
    expect(await closedOf(sandbox, debtor.id)).toEqual([])
    expect(await sandbox.nextAction(id)).toMatchObject({ nextAction: 'email_prise_en_charge' })
    await settle(sandbox)
    expect(await sandbox.messages()).toEqual([])
    await sandbox.advance({ to: '2026-11-23T20:00:00+01:00' })
    const sent = await sandbox.messages()
    expect(sent.map(({ recipient }) => recipient)).toEqual(['bon@corrige.example'])
    expect(sent[0]!.createdAt.slice(0, 10)).toBe('2026-11-23')
    expect(await lines(sandbox, id)).toEqual([
      '2026-11-16 email_prise_en_charge failed',
      '2026-11-16 address_refused done',
      '2026-11-22 resume done',
      '2026-11-23 email_prise_en_charge sent',
    ])
    expect(await kindsOf(sandbox)).toEqual([])
  })

  it('let it be tried again: it is, and refused again it is a task again', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: mute('Réessai') })
    await sandbox.advance('PT3H')
    const path = `/api/v1/debtors/${debtor.id}/retry-address`
    expect(await sandbox.done('POST', path, { channel: 'sms' })).toMatchObject({
      closedChannels: [{ channel: 'email', because: 'refused' }],
      recoveriesReleased: 0,
    })
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect(await sandbox.done('POST', path, { channel: 'email', reason: 'Boîte pleine' })).toMatchObject({
      channel: 'email',
      closedChannels: [],
      recoveriesReleased: 1,
    })
    await sandbox.advance('P1D')
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect((await lines(sandbox, id)).filter(line => line.endsWith('failed'))).toHaveLength(2)
  })
})

/** A recovery in its sandbox on that day, whose last message came back. */
async function bouncedOn(day: string, changes: Record<string, unknown> = {}) {
  const sandbox = await newSandbox(installation)
  const debtor = { ...lyonDebtor('Revenu SARL'), ...changes }
  const invoice = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay(day)
  await sandbox.simulate('bounced', { invoiceId: invoice.id })
  await settle(sandbox)
  return { sandbox, id: invoice.id, debtorId: invoice.debtor.id }
}

describe('a message comes back', () => {
  it('the next email waits at once, before its day, and nothing behind it overtakes', async () => {
    const { sandbox, id, debtorId } = await bouncedOn('2026-11-17')
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect(await closedOf(sandbox, debtorId)).toEqual([{ channel: 'email', because: 'refused' }])
    expect(await sandbox.advance('P60D')).toEqual([])
    // What its step can do without is another matter: a text message that is next leaves.
    const later = await bouncedOn('2026-11-22')
    expect(await later.sandbox.nextAction(later.id)).toMatchObject({
      nextAction: 'sms_reminder',
      blockedBy: [],
    })
    await later.sandbox.advanceToDay('2026-11-26')
    expect(await lines(later.sandbox, later.id)).toEqual([
      '2026-11-16 email_prise_en_charge sent',
      '2026-11-21 relance_email_1 bounced',
      '2026-11-25 sms_reminder sent',
      '2026-11-25 address_refused done',
    ])
    expect(await kindsOf(later.sandbox)).toEqual(['addressRefused'])
  })

  it('the formal notice goes on paper where the email is dead, and waits where both are', async () => {
    const alive = await bouncedOn('2026-12-10')
    await alive.sandbox.advanceToDay('2026-12-15')
    expect((await lines(alive.sandbox, alive.id)).at(-1)).toBe('2026-12-14 lrar_mise_en_demeure sent')
    const dead = await bouncedOn('2026-12-10', { address: 'bounce 12 rue Mercière' })
    await dead.sandbox.advanceToDay('2026-12-15')
    expect((await lines(dead.sandbox, dead.id)).slice(-2)).toEqual([
      '2026-12-14 lrar_mise_en_demeure failed',
      '2026-12-14 address_refused done',
    ])
    expect(await dead.sandbox.advance('P60D')).toEqual([])
    expect(await dead.sandbox.nextAction(dead.id)).toMatchObject(isHeld)
    expect(await queuesOf(dead.sandbox)).toMatchObject([{ kind: 'addressRefused', addresses: 2 }])
    // One living address is enough.
    await change(dead.sandbox, dead.debtorId, { address: '14 rue Mercière' })
    await dead.sandbox.advance('P7D')
    expect((await lines(dead.sandbox, dead.id)).at(-1)).toContain('lrar_mise_en_demeure sent')
    expect(await closedOf(dead.sandbox, dead.debtorId)).toEqual([{ channel: 'email', because: 'refused' }])
  })

  it('a formal notice that comes back by email was not given: it waits, and goes on paper once there is an address', async () => {
    const { name, email, postalCode } = lyonDebtor('Sans Adresse SARL')
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: { name, email, postalCode, type: 'public_body' } })
    await sandbox.advanceToDay('2027-01-05')
    expect((await lines(sandbox, id)).at(-1)).toMatch(/ lrar_mise_en_demeure sent$/)
    await sandbox.simulate('bounced', { invoiceId: id })
    await settle(sandbox)
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect(await sandbox.advance('P40D')).toEqual([])
    expect(await kindsOf(sandbox)).toEqual(['addressRefused'])
    await change(sandbox, debtor.id, { address: '1 place de la Mairie', city: 'Lyon' })
    await sandbox.advance('P7D')
    expect((await lines(sandbox, id)).at(-1)).toMatch(/ lrar_mise_en_demeure sent$/)
    const [last] = await sandbox.messages()
    expect(last).toMatchObject({ channel: 'lrar' })
  })

  it('the formal notice whose letter is refused goes by email, if that one lives', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({
      debtor: { ...lyonDebtor('Papier Mort SARL'), address: 'bounce 3 quai' },
    })
    await sandbox.advanceToDay('2026-12-15')
    expect((await lines(sandbox, id)).slice(-2)).toEqual([
      '2026-12-14 lrar_mise_en_demeure failed',
      '2026-12-14 lrar_mise_en_demeure sent',
    ])
    expect((await sandbox.messages()).at(0)).toMatchObject({ channel: 'email' })
  })

  it('a receipt of the old address holds nothing that goes to the new one', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Déjà Changé SARL') })
    await sandbox.advanceToDay('2026-11-17')
    const [{ recipient: old } = { recipient: '' }] = await sandbox.messages()
    await change(sandbox, debtor.id, { email: 'neuf@change.example' })
    await sandbox.simulate('bounced', { invoiceId: id })
    await settle(sandbox)
    expect(await closedOf(sandbox, debtor.id)).toEqual([])
    await sandbox.advanceToDay('2026-11-22')
    expect((await lines(sandbox, id)).at(-1)).toBe('2026-11-21 relance_email_1 sent')
    const timeline = await sandbox.done<{ code: string }[]>('GET', `/api/v1/debtors/${debtor.id}/timeline`)
    expect(timeline.map(({ code }) => code)).not.toContain('address_refused')
    // The old one is known to be dead: whoever gets it waits.
    const heir = await sandbox.invoice({ debtor: { ...lyonDebtor('Héritier SARL'), email: old } })
    await sandbox.advance('P3D')
    expect(await sandbox.nextAction(heir.id)).toMatchObject(isHeld)
  })

  it('two debtors with the same address both wait, and one correction releases one', async () => {
    const sandbox = await newSandbox(installation)
    const shared = 'commun@deux.example'
    const one = await sandbox.invoice({ debtor: { ...lyonDebtor('Un SARL'), email: shared } })
    const two = await sandbox.invoice({ debtor: { ...lyonDebtor('Deux SARL'), email: shared } })
    await sandbox.advanceToDay('2026-11-17')
    // One of them was written to: they share its limits. The other is looked at by its own day at the latest.
    const [message] = await sandbox.messages()
    await sandbox.simulate('bounced', { invoiceId: message!.invoiceIds[0] })
    await sandbox.advance('P4D')
    for (const { id } of [one, two]) expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    expect(await queuesOf(sandbox)).toMatchObject([{ kind: 'addressRefused', addresses: 1, debtors: 2 }])
    await change(sandbox, two.debtor.id, { email: 'bon@deux.example' })
    expect((await sandbox.nextAction(two.id)).blockedBy).toEqual([])
    expect(await sandbox.nextAction(one.id)).toMatchObject(isHeld)
    const retried = await sandbox.done('POST', `/api/v1/debtors/${one.debtor.id}/retry-address`, {
      channel: 'email',
    })
    expect(retried).toMatchObject({ recoveriesReleased: 1 })
  })

  it('a later receipt of the same address opens nothing, and a wish of the debtor is stronger', async () => {
    const { sandbox, id, debtorId } = await bouncedOn('2026-11-17')
    const late = await sandbox.call('POST', '/api/v1/sandbox/simulate/delivered', { invoiceId: id })
    expect(late.status).toBe(400)
    await sandbox.done('POST', `/api/v1/debtors/${debtorId}/opt-out`, { channel: 'email' })
    expect(await closedOf(sandbox, debtorId)).toEqual([{ channel: 'email', because: 'opt_out' }])
    await sandbox.done('POST', `/api/v1/debtors/${debtorId}/retry-address`, { channel: 'email' })
    expect(await closedOf(sandbox, debtorId)).toEqual([{ channel: 'email', because: 'opt_out' }])
  })

  it('a pause that ends leaves it waiting, and a payment ends the task', async () => {
    const { sandbox, id, debtorId } = await bouncedOn('2026-11-17')
    await sandbox.done('POST', `/api/v1/debtors/${debtorId}/pause`, {})
    await sandbox.done('POST', `/api/v1/debtors/${debtorId}/resume`, {})
    expect(await sandbox.nextAction(id)).toMatchObject(isHeld)
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: id,
      amountCents: 120_000,
      method: 'bank_transfer',
    })
    expect((await sandbox.workflow(id)).status).toBe('completed')
    expect(await kindsOf(sandbox)).toEqual([])
  })
})
