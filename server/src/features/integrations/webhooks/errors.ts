import type { Scope } from '../../../kit/actor.ts'
import type { RefusalCause } from '../../../kit/egress/url.ts'
import { defineError, type FaultCode } from '../../../kit/errors.ts'
import type { Attempt } from './post-delivery.ts'

export const webhookNotFound = defineError('RES_001', () => 'There is no such webhook.')

/** Lists all scopes that are needed, not only the missing ones. */
export const eventScopesMissing = defineError('AUTH_004', (requiredScopes: readonly Scope[]) => ({
  message: `To save a webhook, a credential needs the read scope of each of its events: these need ${requiredScopes.join(', ')}.`,
  extras: { requiredScopes },
}))

/** Lists all scopes that are needed, not only the missing ones. */
export const eventsNotReadable = defineError('AUTH_004', (requiredScopes: readonly Scope[]) => ({
  message: `These events need ${requiredScopes.join(', ')}; leave types out to get what you may read.`,
  extras: { requiredScopes },
}))

export const deliveryNotFound = defineError('RES_001', () => 'This webhook has no such delivery.')

export const tooManyWebhooks = defineError(
  'RES_003',
  (max: number) =>
    `There are ${max} webhooks already, which is the most; delete one, or let one of them have more events.`,
)

export const webhookIsDisabled = defineError(
  'RES_003',
  () => 'This webhook is disabled and is sent nothing; enable it first, with PUT and enabled: true.',
)

export const testIsNotRetried = defineError(
  'RES_003',
  () => 'This delivery was a test, and tests are not repeated; make a new one with POST …/test.',
)

const urlRefusalTexts: Record<RefusalCause, string> = {
  malformed_url: 'is not a whole URL; write it as https://example.com/relance',
  not_https: 'must begin with https://',
  userinfo: 'must not carry a user name or password; verify the signature of what arrives instead',
  forbidden_port: 'must use port 443 or one from 1024 up',
  local_name: 'names a host of a private network; use a name the whole internet knows',
  non_public_address:
    'leads to an address that is not public, such as a private or loopback one; use a public host',
  outside_base: 'is not a public https URL',
}

export const webhookUrlRefused = defineError('WH_002', (because: RefusalCause) => ({
  message: `url ${urlRefusalTexts[because]}.`,
  extras: { details: [{ field: 'url', code: because, message: urlRefusalTexts[because] }] },
}))

export const testNotDelivered = defineError(
  'WH_001',
  ({ responseStatus, error, durationMs }: Pick<Attempt, 'responseStatus' | 'error' | 'durationMs'>) => {
    const answered = responseStatus === null ? `gave no answer (${error})` : `answered ${responseStatus}`
    return {
      message: `The endpoint ${answered} after ${durationMs} ms; it has to answer below 400 within 10 seconds.`,
      extras: {
        details: [
          // The only codes of no closed list: what the endpoint did.
          { field: 'responseStatus', code: String(responseStatus ?? error) as FaultCode, message: answered },
          { field: 'durationMs', code: String(durationMs) as FaultCode, message: `took ${durationMs} ms` },
        ],
      },
    }
  },
)
