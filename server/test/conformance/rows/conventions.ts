import { proven, type Table } from '../row.ts'

const requests = 'test/conformance/requests.test.ts'
const contract = 'test/conformance/http-contract.test.ts'
const httpLayer = 'test/conformance/http-layer.test.ts'
const invoices = 'test/conformance/invoices.test.ts'
const guards = 'test/guards/operations.test.ts'

const envelope: Table = {
  title: 'Response envelope',
  rows: [
    ...proven(requests, 'a success carries success, data, requestId and timestamp, and nothing else', {
      'envelope.success': 'true on success, false on error',
      'envelope.data': 'present on success',
      'envelope.timestamp': 'ISO 8601 date-time',
    }),
    ...proven(
      requests,
      'a refusal carries success, error with code and message, requestId and timestamp, and no data',
      { 'envelope.error': 'code and message, present on failure' },
    ),
    ...proven(requests, 'every answer carries a request id of its own, or the one it was given', {
      'envelope.requestId': 'unique id of the request',
    }),
    ...proven(requests, 'a page of %s says page, limit, total, totalPages, hasNext and hasPrev', {
      'envelope.pagination': 'present on lists',
      'pagination.page': 'page style: which page',
      'pagination.limit': 'page style: how many on a page',
      'pagination.total': 'page style: how many in all',
      'pagination.totalPages': 'page style: how many pages',
      'pagination.hasNext': 'page style: whether a page follows',
      'pagination.hasPrev': 'page style: whether a page came before',
    }),
    ...proven(contract, '%s is answered in the envelope, with an id', {
      'envelope.malformed': 'also for what is not HTTP, and for headers that are too large',
    }),
    ...proven(contract, 'a wrong method on a known path is 405 with Allow, in the envelope of RES_001', {
      'envelope.method': 'also for a wrong method',
    }),
    ...proven(contract, 'a name that is given twice in one object is VAL_001', {
      'request.repeated': 'a body names each field once',
    }),
    ...proven(
      contract,
      'a field that is sent where no body is documented is refused, and an empty object is not',
      { 'request.unknown': 'unknown fields are refused, also without a documented body' },
    ),
    ...proven(requests, 'health says status, version and timestamp, outside the envelope and without a key', {
      'envelope.exceptions.health': 'health is not wrapped',
    }),
    ...proven(
      'src/features/integrations/webhooks/create-webhook.test.ts',
      'a webhook is created with its secret, which is returned this once and by no other response',
      { 'envelope.message': 'with an answer that shows a secret once' },
    ),
    ...proven(
      'src/features/integrations/webhooks/deliveries.test.ts',
      'deliveries are paged by limit and offset, the newest first, twenty unless asked otherwise',
      { 'pagination.offset.deliveries': 'offset style: limit, offset, total' },
    ),
    ...proven(
      'test/scenarios/integrations/assistant/conversations.test.ts',
      'are listed by limit and offset, the latest first, twenty unless asked otherwise',
      { 'pagination.offset.conversations': 'offset style: limit, offset, total' },
    ),
    ...proven(
      'test/scenarios/access/oauth/flows.test.ts',
      'OAuth is spoken under /api/oauth without a version, and never in the envelope',
      { 'envelope.exceptions.oauth': 'OAuth answers are not wrapped' },
    ),
  ],
}

const service: Table = {
  title: 'What the service does',
  rows: [
    ...proven(
      'test/scenarios/recovery/first-email.test.ts',
      'one POST becomes one real email, and everything that happened can be read back',
      {
        'service.cascade.email': 'reminders by email',
        'service.create.starts': 'creating an invoice starts its workflow',
        'environment.production': 'production keys perform real actions',
      },
    ),
    ...proven(invoices, 'bulk import starts every recovery unless autoStartWorkflow is false', {
      'service.bulk.starts': 'bulk import starts every workflow unless told otherwise',
    }),
    ...proven(
      'test/scenarios/integrations/sandbox.test.ts',
      'a sandbox invoice becomes a stored message, and not one byte goes to a mail server',
      { 'environment.sandbox': 'sandbox keys perform no real action' },
    ),
    ...proven(requests, 'identifiers are UUIDs and moments are ISO 8601 in UTC', {
      'convention.ids': 'identifiers are UUIDs',
      'convention.timestamps': 'timestamps are ISO 8601 date-times',
    }),
    ...proven(invoices, '%s of %j is VAL_001', {
      'convention.money': 'amounts are integers in cents',
      'convention.dates': 'issue and due dates are ISO 8601 dates',
    }),
    ...proven(
      'test/scenarios/recovery/provider-outcomes.test.ts',
      'events reported twice, %s and once forged, end in the state that outweighs the others',
      {
        'service.cascade.sms': 'reminders by SMS',
        'service.cascade.lrar': 'registered letter with acknowledgement of receipt',
      },
    ),
    ...proven(
      'test/scenarios/debtor-side/calls.test.ts',
      'begins with the disclosure, and the debt comes after identity and the notice of the call',
      { 'service.cascade.voice': 'AI voice call' },
    ),
    ...proven(
      'test/scenarios/integrations/assistant/story.test.ts',
      'the plan says so and why, in the person’s language, before anybody agrees',
      {
        'service.assistant.rules': 'the assistant obeys the contact rules when it acts',
      },
    ),
  ],
}

const health: Table = {
  title: 'Health',
  rows: proven(
    requests,
    'health says status, version and timestamp, outside the envelope and without a key',
    {
      'endpoint.GET /health': 'the service is alive',
      'health.status': 'string',
      'health.version': 'string',
      'health.timestamp': 'date-time',
    },
  ),
}

const headers: Table = {
  title: 'Request and response headers',
  rows: [
    ...proven(guards, 'asks for a key before it looks at anything else', {
      'header.X-API-Key': 'the API key',
      'auth.one-credential': 'every request carries a key or a token',
    }),
    ...proven(requests, 'a body is taken as application/json and as nothing else', {
      'header.Content-Type': 'application/json on POST and PUT',
    }),
    ...proven(requests, 'a replayed POST answers what the first answered and does nothing again', {
      'header.Idempotency-Key': 'a replay gives the original answer, unprocessed',
    }),
    ...proven('test/guards/idempotency.test.ts', 'has nothing to remember, and ignores the header', {
      'header.Idempotency-Key.POST': 'on POST only',
    }),
    ...proven(requests, 'every answer carries a request id of its own, or the one it was given', {
      'header.X-Request-Id.request': 'an id of the caller’s own',
      'header.X-Request-Id.response': 'on every answer',
    }),
    ...proven(
      requests,
      'the limits are told on every answer: a success, each kind of refusal, an unknown path',
      {
        'header.X-RateLimit.every-answer': 'the limits are on every answer',
      },
    ),
    ...proven(requests, 'a %s company has %s requests a minute, and after the first %s of the day', {
      'header.X-RateLimit-Limit': 'the limit of the minute',
      'header.X-RateLimit-Remaining': 'left in the minute',
      'header.X-RateLimit-Reset': 'UNIX time of the reset',
      'header.X-RateLimit-Daily-Remaining': 'left in the day',
    }),
    ...proven(
      httpLayer,
      'the minute’s limit is RATE_001, the day’s quota RATE_002, both 429 with the time to wait',
      {
        'header.Retry-After': 'seconds, on 429',
      },
    ),
    ...proven('test/scenarios/access/oauth/flows.test.ts', 'the three grants, introspection and revocation', {
      'header.Authorization': 'a bearer token',
    }),
  ],
}

const versions: Table = {
  title: 'Versioning',
  rows: [
    ...proven(
      'test/guards/conformance.pure.test.ts',
      'every operation is under /api/v1, and the assistant alone under /api/v2/agent',
      {
        'version.v1': 'endpoints are under /api/v1/',
      },
    ),
    ...proven(requests, 'health says status, version and timestamp, outside the envelope and without a key', {
      'version.health': 'health carries the version',
    }),
    ...proven(
      'test/scenarios/kit/http-layer.test.ts',
      'an operation on its way out says so, and after its sunset answers SYS_003',
      {
        'version.deprecated': 'SYS_003 signals a deprecated endpoint',
      },
    ),
    ...proven(
      'test/guards/conformance.pure.test.ts',
      'every operation is under /api/v1, and the assistant alone under /api/v2/agent',
      { 'version.v2': 'the assistant is under /api/v2/agent/' },
    ),
    ...proven(
      'test/scenarios/access/oauth/flows.test.ts',
      'OAuth is spoken under /api/oauth without a version, and never in the envelope',
      { 'version.oauth': 'OAuth is under /api/oauth, without a version' },
    ),
  ],
}

export const conventions: readonly Table[] = [service, envelope, health, headers, versions]
