import type { ErrorTexts } from '../../kit/errors.ts'

/** What each error code means and what to do next, in the order of the documentation made from it. */
export const errorTexts: ErrorTexts = {
  AUTH_001: {
    means: 'API key missing',
    next: 'Send your key in the `X-API-Key` header, or a token in `Authorization: Bearer`.',
  },
  AUTH_002: {
    means: 'Credential invalid',
    next: 'Check that the key was copied whole, belongs to this environment and has not been revoked or rotated; send only one credential.',
  },
  AUTH_003: { means: 'OAuth token expired', next: 'Ask for a new access token and repeat the request.' },
  AUTH_004: {
    means: 'Insufficient scope',
    next: 'Use a credential that has every scope listed in `error.requiredScopes`.',
  },
  AUTH_005: {
    means: 'IP not allowed',
    next: "Call from an address on the key's whitelist, or change the whitelist.",
  },
  AUTH_006: {
    means: 'API client disabled',
    next: 'Contact the operator: the company was closed, or it signed itself up and is not open for production yet. Its sandbox is open from the start.',
  },
  AUTH_007: { means: 'Action reserved to production', next: 'Use a production credential.' },
  RATE_001: {
    means: 'Per-minute limit exceeded',
    next: 'Wait `Retry-After` seconds, then go on more slowly.',
  },
  RATE_002: {
    means: 'Daily quota exhausted',
    next: 'Wait until the UTC day ends (`Retry-After`), or move to a larger tier.',
  },
  RATE_003: {
    means: 'Too many simultaneous requests',
    next: 'Wait for some of your requests to end, then repeat this one.',
  },
  VAL_001: { means: 'Data validation failed', next: 'Correct the fields named in `error.details`.' },
  VAL_002: {
    means: 'Invalid parameter value',
    next: 'Correct the query parameters named in `error.details`.',
  },
  VAL_003: { means: 'Required field missing', next: 'Add the fields named in `error.details`.' },
  VAL_004: {
    means: 'Invalid data format',
    next: 'Send well-formed JSON with `Content-Type: application/json`, and UUIDs in the path.',
  },
  VAL_005: {
    means: 'Payload too large',
    next: 'Send a smaller body: 10 MB for bulk import, 50 MB for a file, 1 MB elsewhere. If the message names the space of your company, make room as it says: `storage` of `GET /api/v1/company` shows it.',
  },
  RES_001: { means: 'Resource not found', next: 'Check the identifier and the environment of your key.' },
  RES_002: {
    means: 'Resource already exists',
    next: 'Read the existing resource, or choose another unique value.',
  },
  RES_003: { means: 'Resource conflict', next: 'Read the current state and decide again.' },
  RES_004: { means: 'Resource locked', next: 'Repeat the same request after `Retry-After` seconds.' },
  BIZ_001: { means: 'Invoice already paid', next: 'Nothing is owed on this invoice any more.' },
  BIZ_002: {
    means: 'Workflow already started',
    next: 'Use pause, resume, cancel or escalate instead of start or delete.',
  },
  BIZ_003: { means: 'Debtor not found', next: "Check `debtor.id`, or send the debtor's data without an id." },
  BIZ_004: {
    means: 'Invalid status transition',
    next: 'Read the workflow status: this action is not possible in it.',
  },
  WH_001: {
    means: 'Webhook delivery failed',
    next: 'Check that your endpoint answers below 400 within 10 seconds.',
  },
  WH_002: { means: 'Invalid webhook URL', next: 'Use a public https URL without user information.' },
  WH_003: { means: 'Invalid webhook signature', next: 'Sign the raw body with the shared secret.' },
  SVC_001: {
    means: 'Service temporarily unavailable',
    next: 'Repeat the request after `Retry-After` seconds, with the same Idempotency-Key.',
  },
  SVC_002: { means: 'Service timeout', next: 'Repeat the request, with the same Idempotency-Key.' },
  SVC_003: {
    means: 'Internal service error',
    next: 'Repeat the request later; if it persists, contact us with the `requestId`.',
  },
  SYS_001: { means: 'Internal error', next: 'Contact us with the `requestId`.' },
  SYS_002: { means: 'Maintenance mode', next: 'Repeat the request after `Retry-After` seconds.' },
  SYS_003: { means: 'Deprecated endpoint', next: 'Use the endpoint named in the `Link` header.' },
  FORBIDDEN_FIELD_MODIFICATION: {
    means: 'Update touches an immutable field',
    next: 'Of an invoice only `notes` and `metadata` may change after import; `collectorMode` is set by the operator.',
  },
}
