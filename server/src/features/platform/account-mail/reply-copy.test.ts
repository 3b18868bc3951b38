import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const token = 'a-long-token-that-brevo-shows'
const installation = useInstallation({
  hasWorker: false,
  env: {
    EMAIL_PROVIDER: 'brevo',
    BREVO_API_KEY: 'xkeysib-test',
    BREVO_CALLBACK_TOKEN: token,
    MAIL_INBOUND_DOMAIN: 'reply.relance.example',
  },
})
const delivery = useManualDelivery(installation)

it('an answer that only we got is passed on to the creditor, sealed until then, and holds the debtor', async () => {
  const { body } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  const code = 'e1aB3_fG7-kL1mN5pQ9s'
  const communicationId = randomUUIDv7()
  await installation.sql(
    `with sent as (
       insert into communications (tenant_id, id, debtor_id, wake_generation, channel, step, state, not_after, verdict, reserved_at, sent_at,
         settled_at, lead_invoice_id)
       select tenant_id, $2, debtor_id, 0, 'email', 'relance_email_1', 'sent', created_at, '{}', created_at, created_at, created_at, id
         from invoices where id = $1 returning tenant_id, debtor_id)
     insert into message_codes (code, tenant_id, communication_id, debtor_id, expires_at)
     select $3, tenant_id, $2, debtor_id, '2100-01-01' from sent`,
    [body.data.id, communicationId, code],
  )
  const item = {
    MessageId: '<a1@cliente.example>',
    From: { Name: 'Zoé', Address: 'zoe@cliente.example' },
    To: [{ Name: null, Address: `reply+${code}@reply.relance.example` }],
    Subject: 'Re: facture',
    RawTextBody: 'Je conteste cette facture.',
  }
  const post = () =>
    installation.call('POST', '/callbacks/brevo', {
      key: null,
      body: { items: [item] },
      headers: { authorization: `Bearer ${token}` },
    })
  for (let i = 0; i < 2; i++) expect((await post()).status).toBe(204)
  const stored = await installation.sql('select * from account_mails')
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain('conteste')
  await delivery.sendMail()
  const [mail, ...more] = installation.server.mailbox
    .messages()
    .filter(({ subject }) => subject === 'Re: facture')
  expect(more).toEqual([])
  expect(mail!.to).toBe('comptabilite@atelier-martin.example')
  expect(mail!.text).toContain('> Je conteste cette facture.')
  expect(await installation.sql(`select 1 from account_mails where kind = 'reply_copy'`)).toEqual([])
  const workflow = await installation.call<{ status: string }>(
    'GET',
    `/api/v1/workflow/invoice/${body.data.id}`,
  )
  expect(workflow.body.data.status).toBe('paused')
})
