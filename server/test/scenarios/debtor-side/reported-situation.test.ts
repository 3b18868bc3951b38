import { describe, expect, it } from 'vitest'
import { type ContactedInvoice, useDebtors } from '../../harness/use-debtors.ts'
import { eventually, invoiceInput } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const {
  installation,
  contactedInvoice,
  visitor,
  mailsTo,
  workflowOf,
  statusOf,
  eventsOf,
  remindersTo,
  advanceDays,
} = await useDebtors({ own: 'moves the clock' })

const situations = ['insolvency', 'deceased', 'identity_theft', 'protected_person']

const debtorOf = async ({ id }: { id: string }) =>
  (await installation.sql<{ debtor_id: string }>('select debtor_id from invoices where id = $1', [id]))[0]!
    .debtor_id

/** What the debtor reports on the page of their first message. */
async function report(kind: string): Promise<ContactedInvoice & { debtorId: string; situationId: string }> {
  const invoice = await contactedInvoice()
  const page = `/d/${invoice.code}/situation`
  const who = visitor()
  const answer = await who.submit(await who.get(page), page, { kind })
  expect([answer.status, answer.location]).toEqual([303, page])
  const debtorId = await debtorOf(invoice)
  const [row] = await installation.sql<{ id: string }>('select id from replies where debtor_id = $1', [
    debtorId,
  ])
  return { ...invoice, debtorId, situationId: row!.id }
}

const decide = (
  { debtorId, situationId }: { debtorId: string; situationId: string },
  body: Record<string, unknown>,
) =>
  installation.call<{ decision: string }>(
    'POST',
    `/api/v1/debtors/${debtorId}/situations/${situationId}/decide`,
    {
      body,
    },
  )

describe('a debtor who reports a situation', () => {
  it.each(situations)('%s: nothing gets past it in sixty days, and nothing is sent', async kind => {
    const reported = await report(kind)
    const { id, code, email, debtorId, situationId } = reported
    expect(visibleText((await visitor().get(`/d/${code}/situation`)).html)).toContain(
      'doit vérifier ce que vous avez dit avant de vous écrire à nouveau',
    )
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toContain('situation.reported')
    expect(events.map(({ type }) => type)).not.toContain('reply.received')

    const read = await installation.call(
      'POST',
      `/api/v1/debtors/${debtorId}/replies/${situationId}/read`,
      {},
    )
    expect([read.status, read.body.error?.code]).toEqual([400, 'BIZ_004'])
    const resumed = await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, {
      body: { action: 'resume' },
    })
    expect(resumed.body.error).toMatchObject({ code: 'BIZ_004', details: [{ code: 'situation' }] })
    const later = await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [invoiceInput({ debtor: { id: debtorId } })], autoStartWorkflow: false },
    })
    const laterId = later.body.data.results[0]!.id
    const started = await installation.call('POST', `/api/v1/workflow/invoice/${laterId}/trigger`, {
      body: { action: 'start' },
    })
    expect(started.status, started.text).toBe(200)
    const another = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ debtor: { id: debtorId } }),
    })
    expect(another.status, another.text).toBe(201)

    const before = mailsTo(email).length
    await advanceDays(63)
    await eventually(
      () => Promise.all([id, laterId, another.body.data.id].map(workflowOf)),
      found => found.every(status => status === 'paused'),
    )
    expect(mailsTo(email)).toHaveLength(before)
    const sent = await installation.sql(
      `select c.id from communications c where c.debtor_id = $1 and c.state not in ('cancelled', 'lapsed')`,
      [debtorId],
    )
    expect(sent).toHaveLength(1)
  })

  it('is told when what was reported is not confirmed, and only then are the reminders sent again', async () => {
    const reported = await report('deceased')
    const { id, email } = reported
    const reminders = remindersTo(email)
    const decided = await decide(reported, {
      decision: 'not_confirmed',
      note: 'The town hall knows of no death',
    })
    expect(decided.status, decided.text).toBe(200)
    expect(await workflowOf(id)).toBe('in_recovery')
    expect((await eventsOf(id)).map(({ type }) => type)).toContain('situation.decided')
    const mails = await eventually(
      () => mailsTo(email).filter(({ subject }) => subject.includes('réponse à votre signalement')),
      found => found.length === 1,
    )
    expect(mails[0]!.text).toContain('Cela n’a pas pu être confirmé, et les rappels peuvent reprendre.')
    await advanceDays(14)
    await eventually(
      () => remindersTo(email),
      n => n > reminders + 1,
    )
    const again = await decide(reported, { decision: 'not_confirmed' })
    expect(again.status, again.text).toBe(200)
    expect((await decide(reported, { decision: 'representative' })).body.error?.code).toBe('BIZ_004')
  })

  it('whose identity was misused: the invoices of the message are disputed', async () => {
    const reported = await report('identity_theft')
    const decided = await decide(reported, { decision: 'identity_theft' })
    expect(decided.status, decided.text).toBe(200)
    expect(await statusOf(reported.id)).toBe('disputed')
    expect(await workflowOf(reported.id)).toBe('paused')
  })

  it('who died: the heir takes the place of every address, and without one the decision is refused', async () => {
    const reported = await report('deceased')
    expect((await decide(reported, { decision: 'identity_theft' })).body.error?.code).toBe('VAL_003')
    const missing = await decide(reported, { decision: 'representative' })
    expect(missing.body.error).toMatchObject({ code: 'VAL_001', details: [{ field: 'representative' }] })
    expect(await workflowOf(reported.id)).toBe('paused')
    const heir = { name: 'Maître Roy, notaire', email: `heir.${reported.email}` }
    const decided = await decide(reported, { decision: 'representative', representative: heir })
    expect(decided.status, decided.text).toBe(200)
    const debtor = await installation.call<Record<string, unknown>>(
      'GET',
      `/api/v1/debtors/${reported.debtorId}`,
    )
    expect(debtor.body.data).toMatchObject({ ...heir, phone: null, address: null })
    const before = mailsTo(reported.email).length
    await advanceDays(14)
    await eventually(
      () => mailsTo(heir.email).length,
      n => n > 0,
    )
    expect(mailsTo(reported.email)).toHaveLength(before)
  })

  it('whose proceedings are recorded: they hold the debtor in its place', async () => {
    const reported = await report('insolvency')
    expect((await decide(reported, { decision: 'representative' })).body.error?.code).toBe('VAL_003')
    const insolvency = { kind: 'over_indebtedness', openedOn: '2026-11-10' }
    const path = `/api/v1/debtors/${reported.debtorId}`
    const record = (body: object) => installation.call('PUT', path, { body })
    const holds = async () =>
      (
        await installation.sql<{ holds: string[] }>('select holds from recoveries where invoice_id = $1', [
          reported.id,
        ])
      )[0]!.holds
    const tried = await record({ insolvency, dryRun: true })
    expect(tried.body.data).toMatchObject({
      dryRun: true,
      reported: null,
      insolvency: { declareBy: '2026-12-10' },
      plan: { before: [], after: [] },
    })
    expect(await holds()).toEqual(['situation'])
    expect((await record({ dryRun: true })).body.error?.code).toBe('VAL_001')
    const recorded = await record({ insolvency })
    expect(recorded.status, recorded.text).toBe(200)
    expect(await holds()).toEqual(['insolvency'])
    await record({ insolvency: { ...insolvency, declaredOn: '2026-11-12' } })
    const read = await installation.call('GET', `${path}?include=account`)
    expect(read.body.data).toMatchObject({ declaration: 'declared', reported: null })
    expect((await eventsOf(reported.id)).map(({ type }) => type)).toContain('situation.decided')
  })
})

describe('a situation that somebody else told', () => {
  interface Told {
    id: string | null
    dryRun?: true
    plan?: { before: unknown[]; after: unknown[] }
  }
  const tell = (debtorId: string, body: Record<string, unknown>) =>
    installation.call<Told>('POST', `/api/v1/debtors/${debtorId}/situations`, {
      body: { channel: 'voice', ...body },
    })

  it('a person records what they were told: nothing is sent until it is decided, and a dry run changes nothing', async () => {
    const invoice = await contactedInvoice()
    const debtorId = await debtorOf(invoice)
    const tried = await tell(debtorId, { situation: 'deceased', dryRun: true })
    expect(tried.status, tried.text).toBe(201)
    expect(tried.body.data).toMatchObject({ id: null, dryRun: true, plan: { after: [] } })
    expect(tried.body.data.plan!.before.length).toBeGreaterThan(0)
    expect(await workflowOf(invoice.id)).toBe('in_recovery')

    const told = await tell(debtorId, { situation: 'deceased', note: 'His daughter called' })
    expect(told.status, told.text).toBe(201)
    expect(await workflowOf(invoice.id)).toBe('paused')
    const situationId = told.body.data.id!
    expect((await tell(debtorId, { situation: 'deceased' })).body.data.id).toBe(situationId)
    const debtor = await installation.call<{ acts: { act: string; allowed: boolean }[] }>(
      'GET',
      `/api/v1/debtors/${debtorId}?include=account`,
    )
    expect(debtor.body.data).toMatchObject({
      reported: { situationId, situation: 'deceased', decisions: ['representative', 'not_confirmed'] },
    })
    expect(debtor.body.data.acts.find(({ act }) => act === 'decide_situation')?.allowed).toBe(true)
    const lines = await installation.call<{ sentence: string }[]>(
      'GET',
      `/api/v1/debtors/${debtorId}/timeline?lang=en`,
    )
    expect(lines.text).toContain('A report was recorded: ')
    expect(lines.text).toContain('His daughter called')

    const reported = { ...invoice, debtorId, situationId }
    const rehearsed = await decide(reported, { decision: 'not_confirmed', dryRun: true })
    expect(rehearsed.body.data).toMatchObject({ dryRun: true, plan: { before: [] } })
    expect(await workflowOf(invoice.id)).toBe('paused')
    const decided = await decide(reported, { decision: 'not_confirmed' })
    expect(decided.status, decided.text).toBe(200)
    expect(await workflowOf(invoice.id)).toBe('in_recovery')
    await advanceDays(3)
    // Who did not report it is not answered.
    expect(mailsTo(invoice.email).filter(({ subject }) => subject.includes('signalement'))).toEqual([])
  })

  it('an identity that was misused: every open invoice is disputed', async () => {
    const invoice = await contactedInvoice()
    const debtorId = await debtorOf(invoice)
    const other = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ debtor: { id: debtorId } }),
    })
    const told = await tell(debtorId, { situation: 'identity_theft' })
    const situationId = told.body.data.id!
    const decided = await decide({ debtorId, situationId }, { decision: 'identity_theft' })
    expect(decided.status, decided.text).toBe(200)
    expect(await statusOf(invoice.id)).toBe('disputed')
    expect(await statusOf(other.body.data.id)).toBe('disputed')
  })

  it('of somebody unknown is refused', async () => {
    const unknown = await tell('01a1b6c8-77e0-7e21-b5a4-0d9f3c718e66', { situation: 'deceased' })
    expect([unknown.status, unknown.body.error?.code]).toEqual([404, 'RES_001'])
  })
})

describe('a debtor who says with one button', () => {
  it.each([
    ['payment_sent', '/already-paid', 'J’ai déjà payé'],
    ['invoice_not_received', '/not-received', 'Je n’ai pas reçu la facture'],
  ])('%s is heard: every reminder waits until somebody has read it', async (said, path, words) => {
    const { id, code, email } = await contactedInvoice()
    const who = visitor()
    expect(visibleText((await who.get(`/d/${code}`)).html)).toContain(words)
    const page = `/d/${code}${path}`
    const answer = await who.submit(await who.get(page), page, {})
    expect([answer.status, answer.location]).toEqual([303, page])
    // Pressed again, it is the same reply.
    await who.post(page, {})
    expect(visibleText((await who.get(page)).html)).toContain('D’ici à ce qu’elle soit lue')
    expect(await statusOf(id)).toBe('in_recovery')
    expect(await workflowOf(id)).toBe('paused')
    const heard = await installation.sql<{ data: { said: string; replyId: string; debtorId: string } }>(
      `select data from events where subject_id = $1 and type = 'reply.received'`,
      [id],
    )
    expect(heard.map(({ data }) => data.said)).toEqual([said])
    const before = mailsTo(email).length
    await advanceDays(28)
    expect(mailsTo(email)).toHaveLength(before)
    expect(await workflowOf(id)).toBe('paused')
    const { debtorId, replyId } = heard[0]!.data
    const read = await installation.call('POST', `/api/v1/debtors/${debtorId}/replies/${replyId}/read`, {})
    expect(read.status, read.text).toBe(200)
    expect(await workflowOf(id)).toBe('in_recovery')
  })
})
