import { newStripeId } from './stripe-events.ts'

interface Account {
  id: string
  country: string
  email: string
  tenant: string
  isComplete: boolean
  /** The links to the onboarding page. */
  links: { token: string; returnUrl: string; refreshUrl: string; isUsed: boolean }[]
}

/** The answer to a request: a status and body, a redirect, or a page. */
type Answer = { status: number; body: object } | { location: string } | { page: string }

const accountFields =
  /^(country|email|metadata\[tenant\]|controller\[(fees\]\[payer|losses\]\[payments|requirement_collection|stripe_dashboard\]\[type)\]|capabilities\[card_payments\]\[requested\])$/

const refused = (status: number, error: object): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
})
const shown = ({ id, country, email, tenant, isComplete }: Account) => ({
  id,
  object: 'account',
  country,
  email,
  details_submitted: isComplete,
  charges_enabled: isComplete,
  metadata: { tenant },
})

/** Accounts and account links of Stripe Connect, with an onboarding page that asks for nothing. */
export function stripeAccounts(baseUrl: () => string) {
  const accounts = new Map<string, Account>()
  const byKey = new Map<string, Account>()
  return {
    all: () => [...accounts.values()],

    create(form: URLSearchParams, key: unknown): Answer {
      const unknownField = [...form.keys()].find(field => !accountFields.test(field))
      if (unknownField) return refused(400, { code: 'parameter_unknown', param: unknownField })
      if (!/^[A-Z]{2}$/.test(form.get('country') ?? '')) return refused(400, { code: 'country_unsupported' })
      if (typeof key !== 'string') return refused(400, { code: 'no_idempotency_key' })
      const account: Account = byKey.get(key) ?? {
        id: newStripeId('acct').replace('acct_', 'acct_1'),
        country: form.get('country')!,
        email: form.get('email') ?? '',
        tenant: form.get('metadata[tenant]') ?? '',
        isComplete: false,
        links: [],
      }
      byKey.set(key, account)
      accounts.set(account.id, account)
      return { status: 200, body: shown(account) }
    },

    find(id: string): Answer {
      const account = accounts.get(id)
      return account ? { status: 200, body: shown(account) } : refused(403, { code: 'account_invalid' })
    },

    link(form: URLSearchParams): Answer {
      const account = accounts.get(form.get('account') ?? '')
      if (!account) return refused(403, { code: 'account_invalid' })
      const [returnUrl, refreshUrl] = [form.get('return_url'), form.get('refresh_url')]
      if (form.get('type') !== 'account_onboarding' || !returnUrl || !refreshUrl)
        return refused(400, { code: 'parameter_missing' })
      const token = newStripeId('link')
      account.links.push({ token, returnUrl, refreshUrl, isUsed: false })
      return {
        status: 200,
        body: { object: 'account_link', url: `${baseUrl()}/setup/c/${account.id}/${token}` },
      }
    },

    /** The onboarding page: a link works once. */
    visit(id: string, token: string, isPost: boolean): Answer {
      const account = accounts.get(id)
      const link = account?.links.find(one => one.token === token)
      if (!account || !link) return refused(404, { code: 'resource_missing' })
      if (link.isUsed) return { location: link.refreshUrl }
      if (!isPost)
        return {
          page: '<!doctype html><html lang="en"><meta charset="utf-8"><title>Onboarding</title><form method="post"><button>Submit</button></form></html>',
        }
      link.isUsed = true
      account.isComplete = true
      return { location: link.returnUrl }
    },
  }
}
