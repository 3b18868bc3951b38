import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../../test/harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Sent {
  channel: string
  step: string
  state: string
  recipient: string | null
  invoices: { id: string; number: string }[]
  invoiceCount: number
  verdict: { channel: string } | null
  receipts: { outcome: string; at: string }[]
  subject: string | null
  text: string | null
  sha256: string | null
  proof: { position: number; hash: string; coversText: boolean } | null
}

async function firstMessage(name: string) {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor(name) })
  await sandbox.advanceToDay('2026-11-17')
  const [message] = await sandbox.messages()
  const read = () => sandbox.done<Sent>('GET', `/api/v1/communications/${message!.communicationId}`)
  return { sandbox, id, debtorId: debtor.id, message: message!, read }
}

it('shows what the person read, and its digest is in the proof', async () => {
  const { sandbox, id, debtorId, message, read } = await firstMessage('Lue SARL')
  await sandbox.simulate('delivered', { communicationId: message.communicationId })
  const sent = await read()
  expect(sent).toMatchObject({
    channel: 'email',
    step: 'email_prise_en_charge',
    state: 'delivered',
    recipient: message.recipient,
    invoices: [{ id }],
    invoiceCount: 1,
    verdict: { channel: 'email' },
    receipts: [{ outcome: 'delivered' }],
    subject: message.subject,
    text: message.body,
    proof: { position: 1, coversText: true },
  })
  const digest = createHash('sha256').update(`${sent.subject}\n\n${sent.text}`).digest('hex')
  expect(sent.sha256).toBe(digest)
  const [row] = await installation.sql<{ entry: string; salt: Buffer }>(
    `select l.entry, s.salt from contact_ledger l join contact_salts s on s.tenant_id = l.tenant_id and s.debtor_id = l.debtor_id
      where l.debtor_id = $1 order by l.position limit 1`,
    [debtorId],
  )
  expect(JSON.parse(row!.entry)).toMatchObject({
    v: 2,
    message: createHmac('sha256', row!.salt).update(digest).digest('hex'),
  })
})

it('names the address it went to as long as somebody at the debtor has it', async () => {
  const { sandbox, debtorId, message, read } = await firstMessage('Adressée SARL')
  const before = message.recipient
  const person = await sandbox.done<{ id: string }>('POST', `/api/v1/debtors/${debtorId}/people`, {
    name: 'Sylvie Roche',
    role: 'accounting',
    email: before,
  })
  await sandbox.done('PUT', `/api/v1/debtors/${debtorId}`, { email: 'nouvelle@adressee.example' })
  expect((await read()).recipient).toBe(before)
  await sandbox.done('DELETE', `/api/v1/debtors/${debtorId}/people/${person.id}`)
  expect((await read()).recipient).toBeNull()
})

it('a text that was changed afterwards is not covered by the proof', async () => {
  const { message, read } = await firstMessage('Autre SARL')
  await installation.sql(
    `update sent_messages set text = 'Pay twice.', sha256 = sha256('Pay twice.') where communication_id = $1`,
    [message.communicationId],
  )
  expect(await read()).toMatchObject({ text: 'Pay twice.', proof: { coversText: false } })
})

it('entries of version 1 still verify', async () => {
  const { sandbox, debtorId, read } = await firstMessage('Ancienne SARL')
  const [entry] = await installation.sql<{ entry: string }>(
    'select entry from contact_ledger where debtor_id = $1',
    [debtorId],
  )
  const { message: _, ...old } = JSON.parse(entry!.entry)
  const text = JSON.stringify({ ...old, v: 1 })
  const hash = createHash('sha256').update(text).digest()
  await installation.sql('update contact_ledger set entry = $2, hash = $3 where debtor_id = $1', [
    debtorId,
    text,
    hash,
  ])
  await installation.sql('update agendas set chain_head = $2 where debtor_id = $1', [debtorId, hash])
  await sandbox.advanceToDay('2026-11-22')
  const { chain } = await sandbox.done<{ chain: object }>('GET', `/api/v1/debtors/${debtorId}/contacts`)
  expect(chain).toMatchObject({ valid: true, length: 2 })
  expect(await read()).toMatchObject({ text: expect.any(String), proof: { position: 1, coversText: false } })
})

it('in production too a message is stored as it was sent', async () => {
  const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  const [sent] = await eventually(
    () =>
      installation.sql<{ id: string; text: string }>(
        `select c.id, m.text from communications c join sent_messages m on m.tenant_id = c.tenant_id and m.communication_id = c.id
          where c.lead_invoice_id = $1`,
        [created.body.data.id],
      ),
    rows => rows.length > 0,
  )
  const { body } = await installation.call<Sent>('GET', `/api/v1/communications/${sent!.id}`)
  const [code] = /(?<=\/d\/)[\w-]{20}/.exec(sent!.text)!
  const opened = await fetch(`${installation.server.baseUrl}/d/${code}`)
  expect(opened.status).toBe(200)
  // Whoever has the link is taken for the debtor, so nobody reads it here.
  expect(JSON.stringify(body)).not.toContain(code)
  const text = sent!.text.replaceAll(`/d/${code}`, '/d/…')
  expect(body.data).toMatchObject({ state: 'sent', text, proof: { coversText: true } })
})
