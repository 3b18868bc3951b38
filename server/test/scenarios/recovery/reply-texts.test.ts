import { expect, it } from 'vitest'
import { openContent } from '../../../src/features/recovery/holds/reply-content.ts'
import { keyring } from '../../../src/kit/crypto.ts'
import { copyOf, runTask } from '../../harness/copy-of.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { sendJob } from '../../harness/send-job.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

interface Reply {
  id: string
  communicationId: string | null
  said: string | null
  from: string | null
  subject: string | null
  text: string | null
  textState: string
  attachments: { name: string; type: string; bytes: number }[]
  readAt: string | null
}

const written = {
  text: 'Bonjour,\n\nla porte n’a jamais été livrée.',
  subject: 'Re : votre facture',
  from: 'zoe@cliente.example',
  attachments: [{ name: 'bon de livraison.pdf', type: 'application/pdf', bytes: 48_211 }],
}

async function contacted(name: string) {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor(name) })
  await sandbox.advance('P1D')
  const path = `/api/v1/debtors/${debtor.id}/replies`
  return {
    sandbox,
    invoiceId: id,
    debtorId: debtor.id,
    path,
    answer: async (body: object) =>
      (await sandbox.simulate('reply', { invoiceId: id, ...body })) as {
        replyId: string
        communicationId: string
      },
    replies: () => sandbox.done<Reply[]>('GET', path),
  }
}

/** The night of a tenant, as the worker runs it. */
async function night({ tenantId }: Sandbox) {
  const dueAt = new Date(0).toISOString()
  await installation.sql(
    'update tenant_nights set due_at = $2, taken_until = null, done_at = null where tenant_id = $1',
    [tenantId, dueAt],
  )
  await sendJob(installation, 'nights')
  await eventually(
    () =>
      installation.sql('select done_at from tenant_nights where tenant_id = $1 and done_at is not null', [
        tenantId,
      ]),
    rows => rows.length > 0,
  )
}

it('what a debtor wrote can be read, the newest first, beside what was only chosen', async () => {
  const { sandbox, path, answer, replies } = await contacted('Lue SARL')
  const first = await answer(written)
  expect(await replies()).toEqual([
    {
      id: first.replyId,
      channel: 'email',
      communicationId: first.communicationId,
      receivedAt: expect.any(String),
      said: null,
      ...written,
      textState: 'kept',
      readAt: null,
      outcome: null,
      answer: null,
    },
  ])
  await sandbox.advance('PT1H')
  const second = await answer({ said: 'payment_sent' })
  const none = { from: null, subject: null, text: null, attachments: [] }
  expect(await replies()).toMatchObject([
    { id: second.replyId, said: 'payment_sent', textState: 'none', ...none },
    { id: first.replyId, textState: 'kept' },
  ])
  const page = await sandbox.call<Reply[]>('GET', `${path}?limit=1`)
  expect(page.body.data.map(({ id }) => id)).toEqual([second.replyId])
  const { nextCursor } = (page.body as unknown as { pagination: { nextCursor: string } }).pagination
  const older = await sandbox.done<Reply[]>('GET', `${path}?limit=1&cursor=${nextCursor}`)
  expect(older.map(({ id }) => id)).toEqual([first.replyId])
  await sandbox.done('POST', `${path}/${first.replyId}/read`)
  expect(await replies()).toMatchObject([{}, { text: written.text, readAt: expect.any(String) }])
})

it('the codes of a quoted message and a quoted message itself are not kept', async () => {
  const { answer, replies } = await contacted('Citée SARL')
  const code = 'e1fG7-kL1mN5pQ9sT0_x'
  await answer({
    text: `Voir https://relance.example/d/${code} ou https://filter.example/?u=https%3A%2F%2Frelance.example%2Fd%2F${code}&x=1 ou reply+${code}@mail.relance.example`,
  })
  const [reply] = await replies()
  expect(reply!.text).not.toContain(code)
  expect(reply!.text).toContain('https://relance.example/d/…')
})

it('is stored sealed, and opens at its own reply of its own company only', async () => {
  const { sandbox, answer, path } = await contacted('Scellée SARL')
  const { replyId } = await answer(written)
  const [row] = await installation.sql<{ whole: string; content_sealed: string }>(
    'select r::text as whole, content_sealed from replies r where id = $1',
    [replyId],
  )
  for (const word of ['porte', 'zoe', 'livraison', 'votre facture']) expect(row!.whole).not.toContain(word)
  const ring = keyring(installation.server.config.KEYRING!)
  const { tenantId } = sandbox
  expect(openContent(ring, { tenantId, replyId }, row!.content_sealed)).toEqual(written)
  for (const moved of [
    { tenantId, replyId: tenantId },
    { tenantId: installation.company.tenants.sandbox, replyId },
  ])
    expect(() => openContent(ring, moved, row!.content_sealed)).toThrow()
  const stranger = await newSandbox(installation)
  const refused = await stranger.call('GET', path)
  expect([refused.status, refused.body.error.code]).toEqual([404, 'RES_001'])
})

it('is erased in the night, some days after it was read: 30, or as many as the company chose', async () => {
  const { sandbox, path, answer, replies } = await contacted('Effacée SARL')
  const { replyId } = await answer(written)
  await sandbox.advance('P40D')
  await night(sandbox)
  // Nobody has read it yet.
  expect(await replies()).toMatchObject([{ text: written.text }])
  await sandbox.done('POST', `${path}/${replyId}/read`)
  await sandbox.advance('P29D')
  await night(sandbox)
  expect(await replies()).toMatchObject([{ text: written.text, textState: 'kept' }])
  await sandbox.advance('P1D')
  await night(sandbox)
  const gone = { text: null, subject: null, from: null, attachments: [], textState: 'erased' }
  expect(await replies()).toMatchObject([{ id: replyId, readAt: expect.any(String), ...gone }])

  await sandbox.done('PUT', '/api/v1/company', { keepReplyDays: 0 })
  const next = await answer({ text: 'Encore moi.' })
  await night(sandbox)
  expect((await replies())[0]).toMatchObject({ text: 'Encore moi.', textState: 'kept' })
  await sandbox.done('POST', `${path}/${next.replyId}/read`)
  await night(sandbox)
  expect((await replies())[0]).toMatchObject({ text: null, textState: 'erased' })
  const refused = await sandbox.call('PUT', '/api/v1/company', { keepReplyDays: 91 })
  expect(refused.status).toBe(400)
})

it('of a reply that nobody reads the text is erased after 400 days, and the reply still holds', async () => {
  const { sandbox, invoiceId, answer, replies } = await contacted('Oubliée SARL')
  await answer(written)
  await sandbox.advance('P300D')
  await sandbox.advance('P99D')
  await night(sandbox)
  expect(await replies()).toMatchObject([{ textState: 'kept' }])
  await sandbox.advance('P1D')
  await night(sandbox)
  expect(await replies()).toMatchObject([{ textState: 'erased', text: null, readAt: null }])
  expect(await sandbox.workflow(invoiceId)).toMatchObject({ status: 'paused' })
})

it('is in the copy that a person may ask for, and goes at once when the person is erased', async () => {
  const { sandbox, invoiceId, debtorId, path, answer, replies } = await contacted('Copie SARL')
  const { replyId } = await answer(written)
  await sandbox.done('POST', `${path}/${replyId}/read`)
  await sandbox.done('POST', `/api/v1/invoices/${invoiceId}/cancel`, { reason: 'Closed' })
  const files = await copyOf(installation, sandbox, debtorId)
  const [copied] = JSON.parse(files.get('replies.json')!.toString())
  expect(copied).toMatchObject({ id: replyId, content: written })
  expect(copied).not.toHaveProperty('content_sealed')
  await runTask(sandbox, 'erase', debtorId)
  expect(await replies()).toMatchObject([{ id: replyId, textState: 'erased', text: null, from: null }])
  const rows = await installation.sql('select content_sealed from replies where id = $1', [replyId])
  expect(rows).toEqual([{ content_sealed: null }])
})

it('an answer that has not left is in the copy, readable, and goes when the person is erased', async () => {
  const { sandbox, invoiceId, debtorId, path, answer } = await contacted('Attend SARL')
  const { replyId } = await answer(written)
  // On a Sunday nothing leaves.
  await sandbox.advanceToDay('2026-11-22')
  const text = 'Je demande au transporteur et je vous rappelle.'
  await sandbox.done('POST', `${path}/${replyId}/close`, { outcome: 'other', answer: { text } })
  const [copied] = JSON.parse((await copyOf(installation, sandbox, debtorId)).get('replies.json')!.toString())
  expect(copied).toMatchObject({ id: replyId, answer: text })
  expect(copied).not.toHaveProperty('answer_sealed')
  await sandbox.done('POST', `/api/v1/invoices/${invoiceId}/cancel`, { reason: 'Closed' })
  await runTask(sandbox, 'erase', debtorId)
  expect(await installation.sql('select answer_sealed from replies where id = $1', [replyId])).toEqual([
    { answer_sealed: null },
  ])
})
