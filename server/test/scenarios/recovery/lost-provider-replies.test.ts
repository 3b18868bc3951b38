import { afterAll, beforeAll, expect, it } from 'vitest'
import { brevoAccount, startBrevo } from '../../../dev/stand-ins/brevo.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

/** The stand-in's URL is known once it runs; the installation starts after it. */
const env: Record<string, string> = {
  EMAIL_PROVIDER: 'brevo',
  BREVO_API_KEY: brevoAccount.apiKey,
  BREVO_CALLBACK_TOKEN: brevoAccount.callbackToken,
  LEASE_MS: '1000',
  RECLAIM_AFTER_MS: '1200',
  WAKE_TIMEOUT_MS: '1500',
  NEVER_SEEN_AFTER_MS: '3000',
}
let brevo: Awaited<ReturnType<typeof startBrevo>>
beforeAll(async () => {
  brevo = await startBrevo()
  env.BREVO_BASE_URL = brevo.url
})
afterAll(() => brevo.stop())
const installation = useInstallation({ env })

interface Message {
  state: string
  reason: string | null
  code: string
  looked_up: boolean
}

/** Creates an invoice whose debtor's address selects the provider's behaviour; returns its messages once `isDone`. */
async function messagesOf(localPart: string, isDone: (messages: Message[]) => boolean) {
  const input = invoiceInput()
  const email = `${localPart}+${input.invoiceNumber}@durand.example`
  const { body } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: { ...input, debtor: { ...input.debtor, email } },
  })
  const messages = await eventually(
    () =>
      installation.sql<Message>(
        `select c.state, c.reason, m.code, c.looked_up_at is not null as looked_up
           from communications c join message_codes m on m.communication_id = c.id
          where c.lead_invoice_id = $1 order by c.reserved_at`,
        [body.data.id],
      ),
    isDone,
  )
  const left = brevo.effects().filter(({ to }) => to === email)
  return { invoiceId: body.data.id, messages, left: left.map(({ reference }) => reference) }
}

const isSettled = ([first]: Message[]) =>
  first !== undefined && !['reserved', 'sending'].includes(first.state)

const history = async (invoiceId: string) =>
  (
    await installation.call<{ status: string; details: string }[]>(
      'GET',
      `/api/v1/workflow/invoice/${invoiceId}/history`,
    )
  ).body.data

it('a message whose provider answered is settled at once, and the provider is not asked', async () => {
  const { messages, left } = await messagesOf('well', isSettled)
  expect(messages).toMatchObject([{ state: 'sent', looked_up: false }])
  expect(left).toEqual([messages[0]!.code])
})

it('a message that was taken, and whose answer was lost, is repeated at once with its key, and left once', async () => {
  const { messages, left, invoiceId } = await messagesOf('lost', isSettled)
  expect(messages).toMatchObject([{ state: 'sent', looked_up: false }])
  expect(left).toEqual([messages[0]!.code])
  expect(await history(invoiceId)).toMatchObject([{ status: 'sent' }])
})

it('a message that was never taken is known not to have left, and its day is free for another attempt', async () => {
  const { messages, left, invoiceId } = await messagesOf('dropped', isSettled)
  expect(messages[0]).toMatchObject({ state: 'failed', reason: 'never seen', looked_up: true })
  expect(left).toEqual([])
  const [recovery] = await installation.sql<{ attempt: number; is_due: boolean }>(
    'select attempt, due_at is not null as is_due from recoveries where invoice_id = $1',
    [invoiceId],
  )
  expect(recovery).toEqual({ attempt: 1, is_due: true })
  expect(
    await installation.sql(
      `select 1 from contact_slots s join communications c on c.id = s.communication_id where c.lead_invoice_id = $1`,
      [invoiceId],
    ),
  ).toEqual([])
})

it('as long as the provider does not say, the message is neither sent again nor given up', async () => {
  brevo.setAway('after_next')
  const { invoiceId } = await messagesOf('lost', ([first]) => first?.state === 'sending')
  const asked = async () =>
    (
      await installation.sql<{ state: string; looked_up: boolean }>(
        'select state, looked_up_at is not null as looked_up from communications where lead_invoice_id = $1',
        [invoiceId],
      )
    )[0]!
  await eventually(asked, ({ looked_up }) => looked_up)
  brevo.setAway(false)
  expect(await eventually(asked, ({ state }) => state !== 'sending')).toMatchObject({ state: 'sent' })
})

it('what was given to one provider is not asked of another', async () => {
  brevo.setAway('after_next')
  const { invoiceId } = await messagesOf('lost', ([first]) => first?.state === 'sending')
  await installation.sql(`update communications set provider = 'smtp' where lead_invoice_id = $1`, [
    invoiceId,
  ])
  const [message] = await eventually(
    () =>
      installation.sql<{ state: string }>('select state from communications where lead_invoice_id = $1', [
        invoiceId,
      ]),
    ([found]) => found!.state !== 'sending',
  )
  expect(message).toEqual({ state: 'unknown' })
})
