import { beforeAll, expect } from 'vitest'
import { type StripeStandIn, startStripe } from '../../dev/stand-ins/stripe.ts'
import { codeInMail } from './debtor-links.ts'
import {
  eventually,
  invoiceInput,
  mondayMorning,
  type TestInstallation,
  type TestOptions,
  useInstallation,
} from './use-installation.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export interface ContactedInvoice {
  id: string
  number: string
  email: string
  /** The code of its first email, which has arrived. */
  code: string
}

export const iban = 'FR1420041010050500013M02606'

/** The settings of an installation whose payment provider is a stand-in. */
export const stripeEnv = (stripe: StripeStandIn) => ({
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_BASE_URL: stripe.baseUrl,
  STRIPE_SECRET_KEY: stripeKeys.secretKey,
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
})

export const stripeKeys = { secretKey: 'sk_test_page', webhookSecret: 'whsec_page' }

/** One for all files of a process: an installation is started with its address. */
let sharedStripe: Promise<StripeStandIn> | undefined

/** An installation with a Stripe stand-in, whose company accepts every payment method. */
export async function useDebtors(options: TestOptions = {}) {
  sharedStripe ??= startStripe(stripeKeys)
  const stripe = await sharedStripe
  const installation: TestInstallation = useInstallation({
    publicHost: 'localhost',
    ...options,
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      ...stripeEnv(stripe),
      ...options.env,
    },
  })
  beforeAll(async () => {
    stripe.setWebhookUrl(`${installation.server.baseUrl}/callbacks/stripe`)
    const address = { address: '4 rue du Port', postalCode: '44000', city: 'Nantes', siren: '732829320' }
    const saved = await installation.call('PUT', '/api/v1/company', { body: address })
    expect(saved.status, saved.text).toBe(200)
    await installation.server.setPayout(installation.company.companyId, {
      legalName: 'Atelier Martin SAS',
      iban,
      paymentAccount: 'acct_1AtelierMartin',
    })
  })

  const pagesUrl = () => installation.server.baseUrl.replace('127.0.0.1', 'localhost')
  const stateOf = async (code: string) =>
    (
      await installation.sql<{ state: string }>(
        'select c.state from communications c join message_codes m on m.communication_id = c.id where m.code = $1',
        [code],
      )
    )[0]?.state

  const mailsTo = (address: string) =>
    installation.server.mailbox.messages().filter(mail => mail.to === address)
  const isAnswer = (subject: string) => /est bien reçue?,|paiement prévu,/.test(subject)
  let now = mondayMorning
  async function advanceDays(days: number): Promise<void> {
    now += days * 86_400_000
    await installation.setNow(now)
    await installation.sql(`update agendas set wake_at = wake_at - $1::integer * interval '1 day'`, [days])
  }
  return {
    installation,
    /** Advances the clock by days: what was planned within them becomes due. */
    advanceDays,
    /** Advances it to the morning after this moment, but not to a Sunday, on which nothing is sent. */
    advanceTo(moment: string): Promise<void> {
      const days = Math.ceil((Date.parse(moment) - now) / 86_400_000)
      const isSunday = new Date(now + days * 86_400_000).getUTCDay() === 0
      return advanceDays(isSunday ? days + 1 : days)
    },
    mailsTo,
    /** Without confirmations of what the debtor did. */
    remindersTo: (address: string) => mailsTo(address).filter(({ subject }) => !isAnswer(subject)).length,
    stripe,
    pagesUrl,
    stateOf,
    /** An invoice whose first email has arrived, and the code of that email. */
    async contactedInvoice(
      changes: Record<string, unknown> = {},
      key = installation.company.productionKey,
    ): Promise<ContactedInvoice> {
      const input = invoiceInput(changes)
      const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
        body: input,
        key,
      })
      expect(created.status, created.text).toBe(201)
      const { email } = input.debtor as { email: string }
      const code = await codeInMail(installation, email)
      await eventually(
        () => stateOf(code),
        state => state === 'sent',
      )
      return { id: created.body.data.id, number: input.invoiceNumber, email, code }
    },
    visitor: (): Visitor => newVisitor(pagesUrl(), { acceptLanguage: 'fr' }),
    workflowOf: async (id: string) =>
      (await installation.call<{ status: string }>('GET', `/api/v1/workflow/invoice/${id}`)).body.data.status,
    statusOf: async (id: string) =>
      (await installation.call<{ status: string }>('GET', `/api/v1/invoices/${id}`)).body.data.status,
    eventsOf: (id: string) =>
      installation.sql<{ type: string; actor: { kind: string; id: string } }>(
        'select type, actor from events where subject_id = $1 order by sequence',
        [id],
      ),
    paymentsOf: (id: string) =>
      installation.sql<{
        status: string
        amount_cents: string
        external_reference: string | null
        method: string
      }>('select status, amount_cents, external_reference, method from payments where invoice_id = $1', [id]),
  }
}
