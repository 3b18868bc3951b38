import { describe, expect, it } from 'vitest'
import { copyOf, runTask } from '../../harness/copy-of.ts'
import { readPdf } from '../../harness/pdf-text.ts'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

/** A sandbox begins on Monday 16 November 2026 at 09:00 in Paris, and its first email leaves at once. */
const installation = useInstallation()

interface Requested {
  id: string | null
  scheduledAt: string
  reasonCode: string
  shifts: { because: string }[]
  shown?: { to: string; subject: string | null; text: string; html: string | null; parts: number | null }
  findings?: { field: string; code: string; found: string | null }[]
  plan?: { after: { actions: { action: string; skipped: boolean }[] }[] }
}

interface Case {
  sandbox: Sandbox
  id: string
  debtorId: string
}

/** Past the quiet period after the first email, and before the next step. */
const words = {
  at: '2026-11-19T10:00:00+01:00',
  channel: 'email',
  subject: 'votre duplicata',
  text: 'Bonjour Madame,\nLa facture {{reference}} est à votre disposition.\n\nBien à vous, Camille Roy',
}

async function open(
  debtor: Record<string, unknown> = {},
  invoice: Record<string, unknown> = {},
): Promise<Case> {
  const sandbox = await newSandbox(installation)
  const { id, debtor: made } = await sandbox.invoice({
    debtor: { ...lyonDebtor('Écrit SARL'), ...debtor },
    ...invoice,
  })
  return { sandbox, id, debtorId: made.id }
}

const pathOf = (id: string) => `/api/v1/workflow/invoice/${id}/communications`
const write = ({ sandbox, id }: Case, body: Record<string, unknown> = {}) =>
  sandbox.done<Requested>('POST', pathOf(id), { ...words, ...body })
const refusal = async ({ sandbox, id }: Case, body: Record<string, unknown> = {}) => {
  const { status, body: answer } = await sandbox.call('POST', pathOf(id), { ...words, ...body })
  const details = answer.error?.details as { field: string; code: string }[] | undefined
  return [status, answer.error?.code, ...(details ?? []).map(({ field, code }) => `${field} ${code}`)]
}
const sent = async ({ sandbox }: Case, step: string) =>
  (
    (await sandbox.messages()) as unknown as ({ action: string } & Awaited<
      ReturnType<Sandbox['messages']>
    >[number])[]
  ).filter(({ action }) => action === step)
const stored = async ({ id }: Case) =>
  installation.sql<{ status: string; written_sealed: string | null }>(
    'select status, written_sealed from extra_messages where invoice_id = $1',
    [id],
  )

describe('a message that a person writes', () => {
  it('is shown as the debtor will see it, leaves at the moment that was said, and is as it was shown', async () => {
    const one = await open()
    await one.sandbox.advanceToDay('2026-11-17')
    const tried = await write(one, { dryRun: true })
    expect(tried).toMatchObject({ id: null, reasonCode: 'requested', findings: [] })
    expect(tried.shown).toMatchObject({ subject: 'Atelier Martin\u00a0: votre duplicata', parts: null })
    expect(tried.shown!.to).toBe('compta@critsarl.example')
    expect(await stored(one)).toEqual([])
    const asked = await write(one)
    expect(asked).not.toHaveProperty('shown')
    expect(asked.scheduledAt).toBe(tried.scheduledAt)
    const [waiting] = await stored(one)
    expect(waiting!.written_sealed).not.toContain('disposition')
    await one.sandbox.advance({ to: asked.scheduledAt })
    const [message] = await sent(one, 'written_message')
    expect(message).toMatchObject({ createdAt: asked.scheduledAt, subject: tried.shown!.subject })
    const withoutLink = (text: string) => text.replaceAll(/https?:\/\/\S+/g, 'link')
    expect(withoutLink(message!.body)).toBe(withoutLink(tried.shown!.text))
    expect(message!.body).toMatch(
      /^Bonjour Madame,\n\nLa facture F\S+ est à votre disposition\.\n\nBien à vous, Camille Roy\n/,
    )
    expect(message!.body).not.toContain('Cordialement')
    expect(message!.body).toContain('Vos données')
    expect(tried.shown!.html).toContain('est à votre disposition')
    expect(await stored(one)).toEqual([{ status: 'sent', written_sealed: null }])
    expect(historyLines(await one.sandbox.history(one.id))).toContain(
      `${asked.scheduledAt.slice(0, 10)} written_message sent`,
    )
  })

  it('moves nothing else, or takes the place of the next step', async () => {
    const beside = await open()
    await beside.sandbox.advanceToDay('2026-11-17')
    const next = await beside.sandbox.nextAction(beside.id)
    await write(beside, { at: '2026-12-28T10:00:00+01:00' })
    expect(await beside.sandbox.nextAction(beside.id)).toEqual(next)
    const instead = await open()
    await instead.sandbox.advanceToDay('2026-11-17')
    const tried = await write(instead, { replaceNextStep: true, dryRun: true })
    const actions = tried.plan!.after[0]!.actions.map(({ action }) => action)
    expect(actions).toContain('written_message')
    expect(actions).not.toContain('relance_email_1')
    await write(instead, { replaceNextStep: true })
    expect(historyLines(await instead.sandbox.history(instead.id))).toContain(
      '2026-11-17 relance_email_1 skipped',
    )
  })

  it('by text message is one or two SMS, with the sender and the link', async () => {
    const one = await open()
    const sms = {
      channel: 'sms',
      subject: undefined,
      text: 'merci de nous rappeler au sujet de {{reference}} :',
    }
    const tried = await write(one, { ...sms, dryRun: true })
    expect(tried.shown).toMatchObject({ subject: null, html: null, parts: expect.any(Number) })
    expect(tried.shown!.text).toMatch(/^Atelier Martin : merci de nous rappeler au sujet de F\S+ : http/)
    const asked = await write(one, sms)
    await one.sandbox.advance({ to: asked.scheduledAt })
    expect(await sent(one, 'written_message')).toMatchObject([{ channel: 'sms' }])
    expect(await refusal(one, { ...sms, at: undefined, text: 'a'.repeat(400) })).toEqual([
      400,
      'VAL_001',
      'text too_long',
    ])
  })

  it('is refused with what it may not say; a dry run lists it', async () => {
    const one = await open()
    const bad = {
      subject: 'dernier délai avant saisie',
      text: 'Payez sur https://banque.example.\nSinon nous enverrons un huissier. {{compte}}',
    }
    const { findings } = await write(one, { ...bad, dryRun: true })
    expect(findings!.map(({ field, code }) => `${field} ${code}`)).toEqual(
      expect.arrayContaining([
        'subject forbidden_word',
        'text forbidden_word',
        'text payment_details',
        'text unknown_placeholder',
      ]),
    )
    expect(findings!.find(({ code }) => code === 'payment_details')!.found).toContain('banque.example')
    const [status, code, ...details] = await refusal(one, bad)
    expect([status, code]).toEqual([400, 'VAL_001'])
    expect(details).toContain('text forbidden_word')
    expect(await stored(one)).toEqual([])
  })

  it('to a consumer names no sum where others may see it', async () => {
    const one = await open({ type: 'consumer' })
    expect(await refusal(one, { subject: 'il reste 120 € à payer' })).toEqual([
      400,
      'VAL_001',
      'subject sum_shown',
    ])
    expect(await refusal(one, { channel: 'sms', subject: undefined, text: 'il reste {{sum}} :' })).toEqual([
      400,
      'VAL_001',
      'text sum_shown',
    ])
    expect(await refusal(one, { subject: 'votre demande' })).toEqual([202, undefined])
  })

  it('asked for twice with one key is one message', async () => {
    const one = await open()
    const key = { 'idempotency-key': 'write-once-1' }
    const ask = () =>
      installation.call<Requested>('POST', pathOf(one.id), {
        key: one.sandbox.key,
        headers: key,
        body: words,
      })
    const [first, second] = [await ask(), await ask()]
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body.data.id).toBe(first.body.data.id)
    expect(await stored(one)).toHaveLength(1)
  })

  it('is in the copy of the data of the person while it waits, and goes with them', async () => {
    const one = await open()
    const { id } = await write(one)
    const files = await copyOf(installation, one.sandbox, one.debtorId)
    const copied = (JSON.parse(files.get('extra_messages.json')!.toString()) as { id: string }[]).find(
      row => row.id === id,
    )
    expect(copied).toMatchObject({ written: { subject: words.subject, text: words.text } })
    expect(copied).not.toHaveProperty('written_sealed')
    await one.sandbox.done('POST', `/api/v1/invoices/${one.id}/cancel`, { reason: 'Closed' })
    await runTask(one.sandbox, 'erase', one.debtorId)
    expect(await stored(one)).toEqual([{ status: 'cancelled', written_sealed: null }])
  })

  it('can be taken back; its text is gone then', async () => {
    const one = await open()
    const { id } = await write(one)
    await one.sandbox.done('DELETE', `${pathOf(one.id)}/${id}`)
    expect(await stored(one)).toEqual([{ status: 'cancelled', written_sealed: null }])
    expect(historyLines(await one.sandbox.history(one.id))).toContain('2026-11-16 written_message cancelled')
  })
})

describe('the gate of every message', () => {
  it('a pause, a situation and proceedings refuse it, and stop one that waits', async () => {
    const paused = await open()
    await write(paused)
    await paused.sandbox.done('POST', `/api/v1/debtors/${paused.debtorId}/pause`, {})
    expect(await stored(paused)).toEqual([{ status: 'cancelled', written_sealed: null }])
    expect((await refusal(paused)).slice(0, 2)).toEqual([400, 'BIZ_004'])
    const reported = await open()
    await write(reported)
    await reported.sandbox.done('POST', `/api/v1/debtors/${reported.debtorId}/situations`, {
      situation: 'deceased',
      channel: 'voice',
    })
    expect((await refusal(reported)).slice(0, 2)).toEqual([400, 'BIZ_004'])
    const insolvent = await open()
    await write(insolvent)
    await insolvent.sandbox.done('PUT', `/api/v1/debtors/${insolvent.debtorId}`, {
      insolvency: { kind: 'safeguard', openedOn: '2026-11-10' },
    })
    for (const template of ['written_message', 'account_statement'])
      expect((await refusal(insolvent, { template })).slice(0, 2)).toEqual([400, 'BIZ_004'])
    for (const one of [paused, reported, insolvent]) {
      await one.sandbox.advance('P5D')
      expect(await sent(one, 'written_message')).toEqual([])
    }
  })

  it('an address that opted out or refuses messages', async () => {
    const out = await open()
    await out.sandbox.simulate('opt-out', { debtorId: out.debtorId, channel: 'email' })
    expect(await refusal(out)).toEqual([400, 'VAL_001', 'channel channel_closed'])
    const refused = await open()
    await refused.sandbox.advanceToDay('2026-11-17')
    await refused.sandbox.simulate('bounced', { invoiceId: refused.id })
    expect((await refusal(refused)).slice(0, 2)).not.toEqual([202, undefined])
  })

  it('the hours and the caps: it waits, and says why', async () => {
    const one = await open()
    const late = await write(one, { at: '2026-11-19T23:00:00+01:00', dryRun: true })
    expect(late.shifts.map(({ because }) => because)).toContain('outside_hours')
    await one.sandbox.advanceToDay('2026-11-17')
    const capped = await write(one, { at: '2026-11-17T15:00:00+01:00', dryRun: true })
    expect(capped.scheduledAt > '2026-11-18').toBe(true)
    expect(capped.shifts.length).toBeGreaterThan(0)
  })

  it('counts as a contact', async () => {
    const one = await open()
    const { scheduledAt } = await write(one)
    await one.sandbox.advance({ to: scheduledAt })
    const again = await write(one, { at: undefined, dryRun: true })
    expect(again.scheduledAt.slice(0, 10) > scheduledAt.slice(0, 10)).toBe(true)
  })

  it('with several people goes to the main one only', async () => {
    const one = await open()
    await one.sandbox.done('POST', `/api/v1/debtors/${one.debtorId}/people`, {
      name: 'Nadia Ferreira',
      role: 'accounting',
      email: 'n.ferreira@ecrit.example',
    })
    const { scheduledAt, shown } = await write(one, { dryRun: true })
    expect(shown!.to).toBe('compta@critsarl.example')
    await write(one)
    await one.sandbox.advance({ to: scheduledAt })
    expect((await sent(one, 'written_message')).map(({ recipient }) => recipient)).toEqual([
      'compta@critsarl.example',
    ])
  })
})

describe('a statement of account', () => {
  const list = { template: 'account_statement', channel: 'email', subject: undefined, text: undefined }

  async function account(debtor: Record<string, unknown> = {}) {
    const one = await open(debtor, { invoiceNumber: 'REL-1', amountCents: 120_000 })
    const more = async (invoiceNumber: string, changes: Record<string, unknown>) =>
      (await one.sandbox.invoice({ debtor: { id: one.debtorId }, invoiceNumber, ...changes })).id
    const disputed = await more('REL-2', { amountCents: 50_000 })
    await more('REL-3', { amountCents: 30_000, dueDate: '2027-01-15' })
    await one.sandbox.done('POST', `/api/v1/invoices/${disputed}/dispute`, { reason: 'Two chairs broken' })
    return one
  }
  const pdfOf = async ({ sandbox, debtorId }: Case, query = '') => {
    const printed = await fetch(
      `${installation.server.baseUrl}/api/v1/debtors/${debtorId}/statement${query}`,
      { headers: { 'x-api-key': sandbox.key } },
    )
    return readPdf(Buffer.from(await printed.arrayBuffer()))
  }

  it('as a PDF lists what is open, and sums what is due', async () => {
    const one = await account()
    const { text: plain, unmarked } = await pdfOf(one)
    expect(unmarked).toEqual([])
    for (const part of ['Relevé de compte', 'Atelier Martin', 'Écrit SARL', 'REL-1', 'REL-2', 'REL-3'])
      expect(plain).toContain(part)
    expect(plain).toContain('Contestée, non réclamée')
    expect(plain).toContain('Non échue')
    expect(plain).toMatch(/Total échu : 1 200,00 €/)
    expect(plain).toMatch(/Total non échu : 300,00 €/)
    expect(plain).toMatch(/Contesté, non réclamé : 500,00 €/)
    expect((await pdfOf(one, '?language=en')).text).toContain('Statement of account')
  })

  it('goes by email through the same gate, and asks for nothing that is disputed', async () => {
    const one = await account()
    const { scheduledAt, shown } = await write(one, { ...list, dryRun: true })
    expect(shown!.subject).toContain('relevé de compte, facture REL-1')
    await write(one, list)
    await one.sandbox.advance({ to: scheduledAt })
    const [message] = await sent(one, 'account_statement')
    expect(message!.invoiceIds).toEqual([one.id])
    expect(message!.body).toMatch(/REL-2.*Contestée, non réclamée/)
    expect(message!.body).toMatch(/Total échu\u00a0: 1\s200,00\s€/u)
  })

  it('to a consumer leaves out what is time-barred', async () => {
    const one = await account({ type: 'consumer' })
    await installation.sql(
      `update recoveries set limitation_ends_on = '2026-01-01' where invoice_id in (select id from invoices where number = 'REL-1' and debtor_id = $1)`,
      [one.debtorId],
    )
    const { text } = await pdfOf(one)
    expect(text).not.toContain('REL-1')
    expect(text).toContain('REL-3')
    expect((await refusal(one, list)).slice(0, 2)).toEqual([400, 'BIZ_004'])
  })
})
