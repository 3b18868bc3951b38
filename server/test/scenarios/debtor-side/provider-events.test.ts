import { expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const token = 'a-long-secret-of-our-mail-server'
const installation = useInstallation({
  own: 'reads the whole installation',
  env: { MAIL_INBOUND_TOKEN: token, MAIL_INBOUND_DOMAIN: 'mail.relance.example' },
})

interface Sent {
  invoiceId: string
  debtorId: string
  communicationId: string
  code: string
  email: string
}

/** An invoice whose first email has left, and what its sender believes. */
async function sent(localPart: string): Promise<Sent> {
  const input = invoiceInput()
  const email = `${localPart}${input.invoiceNumber}@durand.example`
  const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    {
      body: { ...input, debtor: { ...input.debtor, email } },
    },
  )
  const invoiceId = body.data.id
  const [found] = await eventually(
    () =>
      installation.sql<{ id: string; code: string }>(
        `select c.id, m.code from communications c join message_codes m on m.communication_id = c.id
          where c.lead_invoice_id = $1 and c.state in ('sent', 'unknown')`,
        [invoiceId],
      ),
    rows => rows.length > 0,
  )
  return { invoiceId, debtorId: body.data.debtor.id, communicationId: found!.id, code: found!.code, email }
}

const stateOf = async (communicationId: string) =>
  (
    await installation.sql<{ state: string }>('select state from communications where id = $1', [
      communicationId,
    ])
  )[0]!.state
const history = async (invoiceId: string) =>
  (
    await installation.call<{ action: string; status: string; details: string }[]>(
      'GET',
      `/api/v1/workflow/invoice/${invoiceId}/history`,
    )
  ).body.data

let mails = 0
const notification = (code: string, action: string, id = `<n${++mails}@mx.example>`) =>
  [
    'From: <>',
    `To: bounce+${code}@mail.relance.example`,
    `Message-ID: ${id}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    `Original-Envelope-Id: ${code}`,
    '',
    `Action: ${action}`,
    '',
    '--b--',
    '',
  ].join('\r\n')
const reply = (code: string, text: string) =>
  [
    'From: <zoe@cliente.example>',
    `To: reply+${code}@mail.relance.example`,
    `Message-ID: <a${++mails}@cliente.example>`,
    '',
    text,
    '',
  ].join('\r\n')

const postMail = (mail: string, credential = token) =>
  installation.call('POST', '/callbacks/mail', {
    key: null,
    raw: mail,
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${credential}` },
  })

it('a message nobody was sure of is known to have arrived when its notification says so', async () => {
  const { communicationId, code, invoiceId } = await sent('unknown+')
  expect(await stateOf(communicationId)).toBe('unknown')
  expect(await history(invoiceId)).toMatchObject([{ status: 'unknown' }])
  expect((await postMail(notification(code, 'delivered'))).status).toBe(204)
  expect(await stateOf(communicationId)).toBe('delivered')
  expect(await history(invoiceId)).toMatchObject([{ status: 'delivered' }])
})

it('a message nobody was sure of has not arrived when it comes back, and the day is free again', async () => {
  const { communicationId, code } = await sent('unknown+')
  await postMail(notification(code, 'failed'))
  expect(await stateOf(communicationId)).toBe('bounced')
  expect(
    await installation.sql('select 1 from contact_slots where communication_id = $1 and counts', [
      communicationId,
    ]),
  ).toEqual([])
})

it('without any evidence it stays unknown, is counted and shown as such, and is never sent again', async () => {
  const { communicationId, invoiceId, email } = await sent('unknown+')
  await installation.sql('update pending_sends set reclaim_at = clock_timestamp()')
  await new Promise(resolve => setTimeout(resolve, 1_500))
  expect(await stateOf(communicationId)).toBe('unknown')
  expect(await history(invoiceId)).toMatchObject([{ status: 'unknown' }])
  expect(installation.server.mailbox.messages().filter(mail => mail.to === email)).toHaveLength(1)
  const metrics = await (await fetch(installation.server.metricsUrl)).text()
  expect(metrics).toMatch(/sends_total\{channel="email",outcome="unknown"\} [1-9]/)
})

it('an event reported twice is handled once, and in any order the end is the same', async () => {
  const first = await sent('known')
  const second = await sent('known')
  const repeated = notification(first.code, 'delivered', '<same@mx.example>')
  for (let i = 0; i < 3; i++) expect((await postMail(repeated)).status).toBe(204)
  await postMail(notification(first.code, 'failed'))
  await postMail(notification(second.code, 'failed'))
  await postMail(notification(second.code, 'delivered'))
  for (const { communicationId, invoiceId, debtorId } of [first, second]) {
    expect(await stateOf(communicationId)).toBe('bounced')
    expect((await history(invoiceId))[0]).toMatchObject({ status: 'bounced' })
    const ledgerEntries = await installation.sql<{ n: number }>(
      `select count(*)::int as n from contact_ledger where debtor_id = $1 and entry like '%"outcome"%'`,
      [debtorId],
    )
    expect(ledgerEntries[0]!.n).toBe(debtorId === first.debtorId ? 2 : 1)
  }
})

it('an answer starts a quiet period of three days, and is a line of the history', async () => {
  const { code, debtorId, invoiceId } = await sent('known')
  await postMail(reply(code, 'Je regarde cela avec ma banque.'))
  const [agenda] = await installation.sql<{ quiet: boolean }>(
    `select quiet_until is not null as quiet from agendas where debtor_id = $1`,
    [debtorId],
  )
  expect(agenda).toEqual({ quiet: true })
  expect((await history(invoiceId)).map(line => line.action)).toContain('reply')
})

it('who answers STOP is not written to again', async () => {
  const { code, debtorId } = await sent('known')
  await postMail(reply(code, 'STOP'))
  const closed = await installation.sql<{ channel: string; because: string }>(
    `select distinct x.channel, x.because from debtors d
       join closed_points x on x.point = any (contact_points(d.tenant_id, d.id, d.email_key, d.phone)) where d.id = $1`,
    [debtorId],
  )
  expect(closed).toEqual([{ channel: 'email', because: 'opt_out' }])
})

it('an event that comes before its message was settled waits for it', async () => {
  const { communicationId, code } = await sent('known')
  await installation.sql(`update communications set state = 'sending' where id = $1`, [communicationId])
  expect((await postMail(notification(code, 'delivered'))).status).toBe(204)
  expect(await stateOf(communicationId)).toBe('sending')
  expect(
    await installation.sql('select 1 from early_receipts where communication_id = $1', [communicationId]),
  ).toHaveLength(1)
  await installation.sql(`update communications set state = 'sent' where id = $1`, [communicationId])
  await eventually(
    () => stateOf(communicationId),
    state => state === 'delivered',
  )
  expect(
    await installation.sql('select 1 from early_receipts where communication_id = $1', [communicationId]),
  ).toEqual([])
})

it('who is not our mail server is refused, and changes nothing', async () => {
  const { communicationId, code } = await sent('known')
  const refused = await postMail(notification(code, 'failed'), 'another')
  expect([refused.status, refused.body.error.code]).toEqual([401, 'WH_003'])
  expect(await stateOf(communicationId)).toBe('sent')
})

it('a mail cannot speak of a letter, whatever code it names', async () => {
  const { communicationId, code, debtorId } = await sent('known')
  await installation.sql(`update communications set channel = 'lrar', state = 'delivered' where id = $1`, [
    communicationId,
  ])
  await postMail(notification(code, 'failed'))
  await postMail(reply(code, 'STOP'))
  expect(await stateOf(communicationId)).toBe('delivered')
  const closed = await installation.sql(
    `select 1 from debtors d join closed_points x on x.point = any (contact_points(d.tenant_id, d.id, d.email_key, d.phone)) where d.id = $1`,
    [debtorId],
  )
  expect(closed).toEqual([])
})

it('whoever has the old address answers for nobody once it was corrected, and the link shows nothing', async () => {
  const { code, debtorId } = await sent('known')
  await installation.call('PUT', `/api/v1/debtors/${debtorId}`, { body: { email: 'right@durand.example' } })
  await postMail(reply(code, 'STOP'))
  const closed = await installation.sql(
    `select 1 from debtors d join closed_points x on x.point = any (contact_points(d.tenant_id, d.id, d.email_key, d.phone)) where d.id = $1`,
    [debtorId],
  )
  expect(closed).toEqual([])
  const page = await fetch(`${installation.server.baseUrl}/d/${code}`)
  expect(await page.text()).not.toContain('1\u202f200,00')
})

it('an event of no message of ours, or of an unknown provider, changes nothing', async () => {
  expect((await postMail(notification('e1aaaaaaaaaaaaaaaaaa', 'failed'))).status).toBe(204)
  const unknown = await installation.call('POST', '/callbacks/nobody', { key: null, raw: '{}' })
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'RES_001'])
  for (const name of ['constructor', '__proto__', 'toString'])
    expect((await installation.call('POST', `/callbacks/${name}`, { key: null, raw: '{}' })).status).toBe(404)
})
