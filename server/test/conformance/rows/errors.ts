import { proven, type Table } from '../row.ts'

const matrix = 'test/guards/operations.test.ts'
const httpLayer = 'test/scenarios/kit/http-layer.test.ts'
const requests = 'test/conformance/requests.test.ts'
const invoices = 'src/features/receivables/invoices/invoices.test.ts'
const httpLayerAlone = 'test/conformance/http-layer.test.ts'

export const errors: readonly Table[] = [
  {
    title: 'Errors',
    rows: [
      ...proven(
        requests,
        'a refusal carries success, error with code and message, requestId and timestamp, and no data',
        {
          'error.shape': 'success false, error, requestId, timestamp',
        },
      ),
      ...proven(
        'test/guards/errors.test.ts',
        'the server knows the 33 codes of the specification, each with its status, and no other',
        {
          'error.codes': 'these 33 and no other',
        },
      ),
      ...proven(matrix, 'asks for a key before it looks at anything else', {
        'error.AUTH_001': 'key missing',
      }),
      ...proven(
        matrix,
        'refuses a key nobody made, a guessed one, a bearer token that is none, and two credentials at once',
        {
          'error.AUTH_002': 'key invalid',
        },
      ),
      ...proven(matrix, 'needs each of its scopes, names them all, and needs no other', {
        'error.AUTH_004': 'insufficient scope',
      }),
      ...proven(
        httpLayer,
        'a key with a whitelist is accepted only from its addresses, as the trusted proxy reports them',
        {
          'error.AUTH_005': 'address not allowed',
        },
      ),
      ...proven(
        httpLayer,
        'an expired key, a disabled key and a disabled company are refused at once, cached or not',
        {
          'error.AUTH_006': 'client disabled',
        },
      ),
      ...proven(
        httpLayerAlone,
        'the minute’s limit is RATE_001, the day’s quota RATE_002, both 429 with the time to wait',
        {
          'error.RATE_001': 'limit of the minute exceeded',
          'error.RATE_002': 'quota of the day exhausted',
        },
      ),
      ...proven(
        httpLayerAlone,
        'too many requests at the same time are RATE_003, and one that ends makes room',
        {
          'error.RATE_003': 'too many at the same time',
        },
      ),
      ...proven('test/conformance/invoices.test.ts', '%s of %j is VAL_001', {
        'error.VAL_001': 'validation failed',
      }),
      ...proven(invoices, '%s is VAL_002', { 'error.VAL_002': 'invalid parameter value' }),
      ...proven('test/conformance/invoices.test.ts', '%s is required on create: VAL_003', {
        'error.VAL_003': 'required field missing',
      }),
      ...proven(
        'test/guards/bodies.test.ts',
        'refuses what is not JSON, is not said to be JSON, or is not UTF-8',
        {
          'error.VAL_004': 'invalid format',
        },
      ),
      ...proven(httpLayer, 'a body of more than 1 MB is VAL_005; bulk import takes up to 10 MB', {
        'error.VAL_005': 'payload too large',
      }),
      ...proven(matrix, 'answers for what belongs to somebody else exactly as for what never was', {
        'error.RES_001': 'not found',
      }),
      ...proven(
        'test/conformance/invoices.test.ts',
        'an invoice number is unique in its environment and free in the other',
        {
          'error.RES_002': 'already exists',
        },
      ),
      ...proven('test/guards/idempotency.test.ts', 'refuses the same key with another body', {
        'error.RES_003': 'conflict',
      }),
      ...proven(
        'test/scenarios/kit/idempotency.test.ts',
        'duplicates that wait hold no connection; after two seconds they are told to come back',
        {
          'error.RES_004': 'locked',
        },
      ),
      ...proven(
        'src/features/receivables/payments/payments.test.ts',
        'money on a paid invoice is refused unless the caller insists; then it is overpaid',
        {
          'error.BIZ_001': 'invoice already paid',
        },
      ),
      ...proven(invoices, 'a running recovery cannot be deleted', {
        'error.BIZ_002': 'workflow already started',
      }),
      ...proven(invoices, 'a known id needs nothing else; an unknown one is BIZ_003', {
        'error.BIZ_003': 'debtor not found',
      }),
      ...proven(
        'src/features/receivables/payments/payments.test.ts',
        'a pending payment counts for nothing until it arrives; a failed one never moves again',
        {
          'error.BIZ_004': 'invalid status transition',
        },
      ),
      ...proven(httpLayerAlone, 'a database that is away is SVC_001, 503, with the time to wait', {
        'error.SVC_001': 'temporarily unavailable',
      }),
      ...proven(httpLayerAlone, 'a statement that took too long is SVC_002, 504', {
        'error.SVC_002': 'timeout',
      }),
      ...proven(httpLayerAlone, 'a defect of ours is SYS_001, 500, and shows nothing of what happened', {
        'error.SYS_001': 'internal error',
      }),
      ...proven(httpLayer, 'in maintenance everything answers SYS_002 with Retry-After, but health', {
        'error.SYS_002': 'maintenance',
      }),
      ...proven(httpLayer, 'an operation on its way out says so, and after its sunset answers SYS_003', {
        'error.SYS_003': 'deprecated endpoint',
      }),
      ...proven(invoices, '%s is immutable, and that outranks every other fault', {
        'error.FORBIDDEN_FIELD_MODIFICATION': 'update of an immutable field',
      }),
      ...proven(
        'test/scenarios/access/oauth/access-tokens.test.ts',
        'RFC 9068 §4: an expired token is AUTH_003, to the second',
        { 'error.AUTH_003': 'token expired' },
      ),
      ...proven(
        'test/scenarios/access/key-privilege.test.ts',
        'a sandbox key makes none for production: AUTH_007; a production key none for the sandbox: VAL_001',
        { 'error.AUTH_007': 'reserved to production' },
      ),
      ...proven(
        'src/features/integrations/webhooks/test-webhook.test.ts',
        'an endpoint that answers %i is WH_001, with status and duration',
        { 'error.WH_001': 'delivery failed' },
      ),
      ...proven(
        'src/features/integrations/webhooks/create-webhook.test.ts',
        'a webhook to %s is refused: WH_002, %s',
        {
          'error.WH_002': 'invalid URL',
        },
      ),
      ...proven(
        'test/scenarios/debtor-side/provider-events.test.ts',
        'who is not our mail server is refused, and changes nothing',
        { 'error.WH_003': 'invalid signature' },
      ),
      ...proven(
        'test/scenarios/integrations/assistant/turns.test.ts',
        'one that %s is answered with its code, and nothing is kept',
        { 'error.SVC_003': 'internal service error' },
      ),
    ],
  },
]
