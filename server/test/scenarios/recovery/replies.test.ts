import { describe, expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

it('a reply stops the formal notice until somebody has read it, and then it goes on', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Réponse SARL') })
  await sandbox.advanceToDay('2026-12-10')
  const { replyId } = (await sandbox.simulate('reply', { invoiceId: id })) as { replyId: string }
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused', nextActionAt: null })
  expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['reply'] })
  // The formal notice was planned for 14 December.
  expect(await sandbox.advance('P40D')).toEqual([])
  expect((await sandbox.events(id)).map(({ type }) => type)).not.toContain('lrar.sent')

  // No one resumes by hand what nobody has read.
  const resumed = await sandbox.trigger(id, { action: 'resume' })
  expect([resumed.status, resumed.body.error.code]).toEqual([400, 'BIZ_004'])
  const path = `/api/v1/debtors/${debtor.id}/replies/${replyId}/read`
  const read = await sandbox.done<{ id: string; readAt: string }>('POST', path)
  expect(read).toMatchObject({ id: replyId, debtorId: debtor.id, channel: 'email' })
  expect(await sandbox.done('POST', path)).toEqual(read)
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'in_recovery' })
  await sandbox.advance('P10D')
  expect(historyLines(await sandbox.history(id)).slice(-3)).toEqual([
    '2026-12-10 reply done',
    '2027-01-19 resume done',
    '2027-01-23 lrar_mise_en_demeure sent',
  ])
})

it('every invoice of the debtor waits, also one imported later, and until the last reply is read', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Deux SARL') })
  await sandbox.advance('P1D')
  const first = (await sandbox.simulate('reply', { invoiceId: id })) as { replyId: string }
  await sandbox.advance('PT1H')
  const second = (await sandbox.simulate('reply', { invoiceId: id })) as { replyId: string }
  const later = await sandbox.invoice({ debtor: { id: debtor.id } })
  await sandbox.advance('P10D')
  expect(await sandbox.workflow(later.id)).toMatchObject({ status: 'paused' })
  const read = (replyId: string) =>
    sandbox.done('POST', `/api/v1/debtors/${debtor.id}/replies/${replyId}/read`)
  await read(first.replyId)
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused' })
  await read(second.replyId)
  for (const invoice of [id, later.id])
    expect(await sandbox.workflow(invoice)).toMatchObject({ status: 'in_recovery' })
  expect((await sandbox.events(id)).filter(({ type }) => type === 'reply.received')).toHaveLength(2)
})

it('a reply is read by its own company and of its own debtor only', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Sienne SARL') })
  const other = await sandbox.invoice({ debtor: lyonDebtor('Autre SARL') })
  await sandbox.advance('P1D')
  const { replyId } = (await sandbox.simulate('reply', { invoiceId: id })) as { replyId: string }
  const stranger = await newSandbox(installation)
  for (const answer of [
    await stranger.call('POST', `/api/v1/debtors/${debtor.id}/replies/${replyId}/read`),
    await sandbox.call('POST', `/api/v1/debtors/${other.debtor.id}/replies/${replyId}/read`),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'RES_001'])
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused' })
})

describe('the end of a dispute', () => {
  it.each([
    ['rejected', 'Nous maintenons la facture'],
    ['partly', 'acceptée pour'],
    ['upheld', 'Les rappels de cette facture sont arrêtés'],
  ])('%s is told to the debtor, without the note of the creditor', async (outcome, sentence) => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ debtor: lyonDebtor('Litige SARL') })
    await sandbox.advance('P1D')
    await sandbox.simulate('dispute', { invoiceId: id })
    await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, {
      outcome,
      note: 'Signed slip',
      ...(outcome === 'partly' && { amountCents: 10_000 }),
    })
    await sandbox.advance('P1D')
    const told = (await sandbox.messages()).filter(({ subject }) =>
      subject?.includes('réponse à votre contestation'),
    )
    expect(told).toHaveLength(1)
    expect(told[0]!.body).toContain(sentence)
    expect(told[0]!.body).not.toContain('Signed slip')
  })
})

it('where replies are not heard, no message asks for one', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Sourde SARL') })
  await sandbox.advance('P60D')
  const messages = await sandbox.messages()
  expect(messages.length).toBeGreaterThan(6)
  for (const { body } of messages) {
    expect(body).not.toMatch(/répondez à ce message|en répondant|répondre par écrit/)
    expect(body).not.toMatch(/vous pouvez aussi écrire/i)
  }
})
