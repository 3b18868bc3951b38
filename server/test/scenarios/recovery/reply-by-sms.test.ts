import { expect, it } from 'vitest'
import { ovhAccount } from '../../../dev/stand-ins/ovhcloud.ts'
import { privatePerson, useTextMessages } from '../../harness/use-text-messages.ts'

const { installation, contactedInvoice, textMessage } = await useTextMessages()

it('text messages of one second are replies of their own, and one that is reported twice is one', async () => {
  const debtor = privatePerson()
  const first = await contactedInvoice({ debtor })
  await textMessage(first)
  const [message] = await installation.sql<{ debtor_id: string }>(
    'select debtor_id from invoices where id = $1',
    [first.id],
  )
  const post = (id: string, text: string) =>
    installation.call('POST', `/callbacks/ovhcloud?key=${ovhAccount.callbackKey}`, {
      key: null,
      raw: new URLSearchParams({
        id,
        senderid: debtor.phone,
        message: text,
        date: '2026-11-16T09:00:00Z',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (const [id, text] of [
    ['1', 'Je paie'],
    ['2', 'vendredi'],
    ['2', 'vendredi'],
  ] as const)
    expect((await post(id, text)).status).toBe(204)
  const { body } = await installation.call<{ text: string; from: string; channel: string }[]>(
    'GET',
    `/api/v1/debtors/${message!.debtor_id}/replies`,
  )
  expect(body.data).toMatchObject([
    { channel: 'sms', from: debtor.phone, text: 'vendredi' },
    { channel: 'sms', from: debtor.phone, text: 'Je paie' },
  ])
})
