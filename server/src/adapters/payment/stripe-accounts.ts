import { z } from 'zod'
import type { CreditorAccounts } from './payment.ts'
import type { StripeClient } from './stripe-client.ts'

const Account = z.object({
  id: z.string().regex(/^acct_[A-Za-z0-9]{8,64}$/),
  details_submitted: z.boolean(),
  charges_enabled: z.boolean(),
})
const Link = z.object({ url: z.url({ protocol: /^https?$/ }) })

/**
 * Accounts of Stripe Connect that the platform opens. The creditor has the whole dashboard, pays Stripe's fees and answers to
 * Stripe; Stripe asks for the proofs and bears losses.
 */
export const stripeAccounts = (client: StripeClient): CreditorAccounts => ({
  async create({ tenantId, country, email }) {
    const answer = await client.request(
      {
        method: 'POST',
        path: '/v1/accounts',
        // The same company gets the same account, also after a lost answer.
        idempotencyKey: `account-${tenantId}`,
        form: {
          country,
          email,
          'controller[fees][payer]': 'account',
          'controller[losses][payments]': 'stripe',
          'controller[requirement_collection]': 'stripe',
          'controller[stripe_dashboard][type]': 'full',
          'capabilities[card_payments][requested]': 'true',
          'metadata[tenant]': tenantId,
        },
      },
      Account,
    )
    return answer.outcome === 'failed' ? answer : { outcome: 'created', account: answer.reply.id }
  },

  async link({ account, returnUrl, refreshUrl }) {
    const answer = await client.request(
      {
        method: 'POST',
        path: '/v1/account_links',
        form: { account, type: 'account_onboarding', return_url: returnUrl, refresh_url: refreshUrl },
      },
      Link,
    )
    return answer.outcome === 'failed' ? answer : { outcome: 'opened', url: answer.reply.url }
  },

  async find(account) {
    const answer = await client.request(
      { method: 'GET', path: `/v1/accounts/${encodeURIComponent(account)}` },
      Account,
    )
    if (answer.outcome === 'failed') return answer
    const { details_submitted: isSubmitted, charges_enabled: isReady } = answer.reply
    return { outcome: 'found', isSubmitted, isReady }
  },
})
