import { describe, expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()
/** What the list of replies shows of this one. */
const shownOf = async ({
  sandbox,
  debtorId,
  replyId,
}: {
  sandbox: Sandbox
  debtorId: string
  replyId: string
}) => {
  const replies = await sandbox.done<({ id: string } & Pick<Closed['reply'], 'outcome' | 'answer'>)[]>(
    'GET',
    `/api/v1/debtors/${debtorId}/replies`,
  )
  const { outcome, answer } = replies.find(({ id }) => id === replyId)!
  return { outcome, answer }
}

interface Closed {
  reply: {
    id: string
    outcome: string
    readAt: string
    answer: { text: string; communicationId: string | null; state: string } | null
  }
  answerAt: string | null
  inFlight: unknown[]
  dryRun?: boolean
  plan?: { before: { at: string; action: string }[]; after: { at: string; action: string }[] }
}

async function repliedDebtor(name: string, changes: Record<string, unknown> = {}) {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: { ...lyonDebtor(name), ...changes } })
  await sandbox.advanceToDay('2026-11-18')
  return { sandbox, id, debtorId: debtor.id, replyId: await replyOf(sandbox, id) }
}

const replyOf = async (sandbox: Sandbox, invoiceId: string): Promise<string> =>
  ((await sandbox.simulate('reply', { invoiceId })) as { replyId: string }).replyId

const pathOf = ({ debtorId, replyId }: { debtorId: string; replyId: string }) =>
  `/api/v1/debtors/${debtorId}/replies/${replyId}/close`
const close = (
  replied: { sandbox: Sandbox; debtorId: string; replyId: string },
  body: Record<string, unknown>,
) => replied.sandbox.done<Closed>('POST', pathOf(replied), body)

const typesOf = async (sandbox: Sandbox, id: string) => (await sandbox.events(id)).map(({ type }) => type)

describe('a reply is closed with what it means', () => {
  it('a promise: the reminders wait for its day', async () => {
    const replied = await repliedDebtor('Promet SARL')
    const { sandbox, id } = replied
    const second = await sandbox.invoice({ debtor: { id: replied.debtorId } })
    const closed = await close(replied, {
      outcome: 'promise',
      invoiceIds: [id, second.id],
      date: '2026-11-30',
    })
    expect(closed.reply).toMatchObject({ id: replied.replyId, outcome: 'promise', answer: null })
    expect(closed).toMatchObject({ answerAt: null, inFlight: [] })
    for (const invoice of [id, second.id])
      expect(await sandbox.nextAction(invoice)).toMatchObject({ blockedBy: ['promise'] })
    expect((await typesOf(sandbox, id)).filter(type => /^(reply|promise)/.test(type))).toEqual([
      'reply.received',
      'promise.recorded',
    ])
    expect(await typesOf(sandbox, second.id)).toContain('reply.closed')
  })

  it('says that it has paid: the reminders wait a week, and no payment is recorded', async () => {
    const replied = await repliedDebtor('Payeur SARL')
    const { sandbox, id } = replied
    await close(replied, { outcome: 'says_paid', reason: 'Transfer of Monday' })
    expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused' })
    expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['debtor'] })
    expect(await sandbox.status(id)).not.toBe('paid')
    await sandbox.advance('P8D')
    expect(await sandbox.workflow(id)).toMatchObject({ status: 'in_recovery' })
    expect(historyLines(await sandbox.history(id)).slice(-3)).toEqual([
      '2026-11-18 debtor done',
      '2026-11-18 resume done',
      '2026-11-25 resume done',
    ])
  })

  it('a pause that lasts longer keeps its end', async () => {
    const replied = await repliedDebtor('Longue SARL')
    await replied.sandbox.done('POST', `/api/v1/debtors/${replied.debtorId}/pause`, {})
    await close(replied, { outcome: 'says_paid' })
    await replied.sandbox.advance('P30D')
    expect(await replied.sandbox.workflow(replied.id)).toMatchObject({ status: 'paused' })
  })

  it('a dispute: the invoice waits for a decision', async () => {
    const replied = await repliedDebtor('Conteste SARL')
    const { sandbox, id } = replied
    await close(replied, { outcome: 'dispute', invoiceIds: [id], reason: 'Two chairs are missing' })
    expect(await sandbox.status(id)).toBe('disputed')
    expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['dispute'] })
  })

  it('the wrong person: the address is never used again', async () => {
    const replied = await repliedDebtor('Autre SARL')
    const { sandbox, id } = replied
    await close(replied, { outcome: 'wrong_person' })
    expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['wrong_person'] })
    expect(await sandbox.done('GET', `/api/v1/debtors/${replied.debtorId}`)).toMatchObject({
      contactable: false,
    })
  })

  it('nothing else: the reminders go on', async () => {
    const replied = await repliedDebtor('Merci SARL')
    await close(replied, { outcome: 'other' })
    expect(await replied.sandbox.workflow(replied.id)).toMatchObject({ status: 'in_recovery' })
  })
})

const answer = { text: 'Bonjour,\nVotre virement est bien noté.\n\nBien à vous' }

/** A reply of a Sunday. */
async function sundayReply(name: string, changes: Record<string, unknown> = {}) {
  const replied = await repliedDebtor(name, changes)
  await replied.sandbox.done('POST', `/api/v1/debtors/${replied.debtorId}/replies/${replied.replyId}/read`)
  await replied.sandbox.advanceToDay('2026-11-22')
  return { ...replied, replyId: await replyOf(replied.sandbox, replied.id) }
}

const answersIn = async ({ sandbox }: { sandbox: Sandbox }) =>
  (await sandbox.messages()).filter(({ body }) => body.includes('Votre virement est bien noté.'))

describe('an answer', () => {
  it('leaves on Monday to what came on Sunday, as announced, and counts in no cap', async () => {
    const replied = await sundayReply('Dimanche SARL')
    const { sandbox, id, debtorId } = replied
    const without = await close(replied, { outcome: 'other', dryRun: true })
    const tried = await close(replied, { outcome: 'other', answer, dryRun: true })
    expect(tried.dryRun).toBe(true)
    const isAnswer = ({ action }: { action: string }) => action === 'reply_answered'
    expect(tried.plan!.after.filter(isAnswer)).toMatchObject([{ at: tried.answerAt }])
    expect(tried.plan!.after.filter(one => !isAnswer(one))).toEqual(without.plan!.after)
    expect(tried.plan!.before).toEqual([])

    const closed = await close(replied, { outcome: 'other', answer })
    expect(closed.answerAt).toBe(tried.answerAt)
    expect(closed.reply.answer).toEqual({ text: answer.text, communicationId: null, state: 'planned' })
    expect(Date.parse(closed.answerAt!)).toBeGreaterThanOrEqual(Date.parse('2026-11-23T08:00:00+01:00'))
    expect(Date.parse(closed.answerAt!)).toBeLessThan(Date.parse('2026-11-23T20:00:00+01:00'))
    const [sealed] = await installation.sql<{ answer_sealed: string }>(
      'select answer_sealed from replies where id = $1',
      [replied.replyId],
    )
    expect(sealed!.answer_sealed).not.toContain('virement')
    expect(await shownOf(replied)).toEqual({ outcome: 'other', answer: closed.reply.answer })
    const next = (await sandbox.nextAction(id)).scheduledAt
    await sandbox.advance({ to: closed.answerAt! })
    const [sent] = await answersIn(replied)
    expect(sent).toMatchObject({ createdAt: closed.answerAt, channel: 'email', invoiceIds: [id] })
    expect(sent!.recipient).toBe('compta@dimanchesarl.example')
    expect((await sandbox.nextAction(id)).scheduledAt).toBe(next)
    await sandbox.advance('P30D')
    expect(await answersIn(replied)).toHaveLength(1)
    expect(historyLines(await sandbox.history(id))).toContain('2026-11-23 reply_answered sent')
    expect(await shownOf(replied)).toEqual({
      outcome: 'other',
      answer: { text: sent!.body, communicationId: sent!.communicationId, state: 'sent' },
    })
    const [kept] = await installation.sql(
      `select y.answer_sealed, y.answer_communication_id = c.id as is_linked
         from replies y join communications c on c.step = 'reply_answered' and c.debtor_id = y.debtor_id where y.id = $1`,
      [replied.replyId],
    )
    expect(kept).toEqual({ answer_sealed: null, is_linked: true })
    expect(await sandbox.done<object>('GET', `/api/v1/debtors/${debtorId}`)).toMatchObject({
      contactable: true,
    })
  })

  it('answers the subject of the message, between what every message has', async () => {
    const replied = await sundayReply('Camille Petit', { type: 'consumer', email: 'camille@petit.example' })
    const { sandbox, id } = replied
    const [answered] = (await sandbox.messages()).filter(({ invoiceIds }) => invoiceIds.includes(id))
    await close(replied, { outcome: 'other', answer })
    await sandbox.advance('P2D')
    const [sent] = await answersIn(replied)
    expect(sent!.subject).toBe(`Re: ${answered!.subject}`)
    expect(sent!.body).toContain('Atelier Martin')
    expect(sent!.body).toContain('Votre virement est bien noté.\n\nBien à vous\n')
    expect(sent!.body).toMatch(/Vos données/)
  })

  it('to a text message goes by email', async () => {
    const replied = await sundayReply('Message SARL')
    await installation.sql(`update replies set channel = 'sms' where id = $1`, [replied.replyId])
    await close(replied, { outcome: 'other', answer })
    await replied.sandbox.advance('P2D')
    expect(await answersIn(replied)).toMatchObject([{ channel: 'email' }])
  })

  it('is not sent after a situation was reported', async () => {
    const replied = await sundayReply('Trop Tard SARL')
    const { sandbox, debtorId } = replied
    await close(replied, { outcome: 'other', answer })
    await sandbox.done('POST', `/api/v1/debtors/${debtorId}/situations`, {
      situation: 'deceased',
      channel: 'voice',
    })
    await sandbox.advance('P3D')
    expect(await answersIn(replied)).toEqual([])
    const [row] = await installation.sql('select status from extra_messages where debtor_id = $1', [debtorId])
    expect(row).toEqual({ status: 'cancelled' })
    expect((await shownOf(replied))!.answer).toEqual({
      text: answer.text,
      communicationId: null,
      state: 'cancelled',
    })
  })
})

describe('is refused', () => {
  const refused = async (
    replied: { sandbox: Sandbox; debtorId: string; replyId: string },
    body: Record<string, unknown>,
  ) => {
    const { status, body: answered } = await replied.sandbox.call('POST', pathOf(replied), body)
    return [
      status,
      answered.error?.code,
      answered.error?.details?.map(({ field, code }) => `${field} ${code}`),
    ]
  }

  it('what has no field of its outcome, or one of another', async () => {
    const replied = await repliedDebtor('Champs SARL')
    const { id } = replied
    const stranger = await repliedDebtor('Voisin SARL')
    for (const body of [
      { outcome: 'promise', invoiceIds: [id] },
      { outcome: 'dispute', invoiceIds: [id] },
      { outcome: 'other', until: '2026-11-25T09:00:00Z' },
      { outcome: 'wrong_person', answer },
      { outcome: 'says_paid', until: '2027-01-25T09:00:00Z' },
    ])
      expect((await refused(replied, body)).slice(0, 2), JSON.stringify(body)).toEqual([
        400,
        expect.stringMatching(/^VAL_00[13]$/),
      ])
    const elsewhere = { outcome: 'dispute', invoiceIds: [stranger.id], reason: 'Broken' }
    expect((await refused(replied, elsewhere)).slice(0, 2)).toEqual([404, 'RES_001'])
    expect(await replied.sandbox.nextAction(id)).toMatchObject({ blockedBy: ['reply'] })
  })

  it.each([
    ['Nous saisirons un huissier.', 'forbidden_word'],
    ['Les frais sont à votre charge.', 'forbidden_word'],
    ['Payez\nsur evil.example', 'payment_details'],
    ['Payez sur https://evil.example/pay', 'payment_details'],
    ['Payez sur evil.example', 'payment_details'],
    ['Notre compte : FR76 3000 6000 0112 3456 7890 189', 'payment_details'],
  ])('words that no message has: “%s”', async (text, code) => {
    const replied = await repliedDebtor('Mots SARL')
    expect(await refused(replied, { outcome: 'other', answer: { text } })).toEqual([
      400,
      'VAL_001',
      expect.arrayContaining([expect.stringMatching(`^answer.text ${code}`)]),
    ])
  })

  it('an answer to a closed address, while nothing is sent or in a situation, but not the closing without it', async () => {
    const closed = await repliedDebtor('Fermé SARL')
    await closed.sandbox.done('POST', `/api/v1/debtors/${closed.debtorId}/opt-out`, { channel: 'email' })
    expect(await refused(closed, { outcome: 'other', answer })).toEqual([
      400,
      'BIZ_004',
      ['answer channel_closed'],
    ])
    await close(closed, { outcome: 'other' })
    const stopped = await repliedDebtor('Arrêt SARL')
    await stopped.sandbox.done('POST', '/api/v1/company/stop-sending', { reason: 'Wrong prices' })
    expect(await refused(stopped, { outcome: 'other', answer })).toEqual([
      400,
      'BIZ_004',
      ['answer sending_stopped'],
    ])
    const held = await repliedDebtor('Situation SARL')
    const told = await held.sandbox.done<{ id: string }>(
      'POST',
      `/api/v1/debtors/${held.debtorId}/situations`,
      {
        situation: 'insolvency',
        channel: 'voice',
      },
    )
    expect(await refused(held, { outcome: 'other', answer })).toEqual([400, 'BIZ_004', ['answer situation']])
    expect((await refused({ ...held, replyId: told.id }, { outcome: 'other' })).slice(0, 2)).toEqual([
      400,
      'BIZ_004',
    ])
  })

  it('the second of two, also at the same moment', async () => {
    const replied = await repliedDebtor('Deux SARL')
    const { sandbox, id } = replied
    const both = await Promise.all(
      ['promise', 'dispute'].map(outcome =>
        sandbox.call('POST', pathOf(replied), {
          outcome,
          invoiceIds: [id],
          ...(outcome === 'promise' ? { date: '2026-11-30' } : { reason: 'Broken' }),
          answer,
        }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await refused(replied, { outcome: 'other' })).slice(0, 2)).toEqual([400, 'BIZ_004'])
    expect((await typesOf(sandbox, id)).filter(type => type === 'reply.closed')).toHaveLength(1)
    const made = (await typesOf(sandbox, id)).filter(type => /^(promise.recorded|dispute.opened)$/.test(type))
    expect(made).toHaveLength(1)
    await sandbox.advance('P2D')
    expect(await answersIn(replied)).toHaveLength(1)
  })

  it('the close of a reply that was only read', async () => {
    const replied = await repliedDebtor('Lue SARL')
    await replied.sandbox.done('POST', pathOf(replied).replace(/close$/, 'read'))
    expect((await refused(replied, { outcome: 'other' })).slice(0, 2)).toEqual([400, 'BIZ_004'])
  })
})

it('the same request again, with its key, gets the same answer', async () => {
  const replied = await repliedDebtor('Encore SARL')
  const again = () =>
    installation.call<Closed>('POST', pathOf(replied), {
      key: replied.sandbox.key,
      headers: { 'idempotency-key': 'close-once' },
      body: { outcome: 'says_paid' },
    })
  const [first, second] = [await again(), await again()]
  expect(first.status, first.text).toBe(200)
  expect(second.body.data).toEqual(first.body.data)
})
