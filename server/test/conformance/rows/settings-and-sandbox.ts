import { proven, type Table } from '../row.ts'

const companies = 'src/features/access/companies/company.test.ts'
const payoutByCredential = 'src/features/access/companies/payout-by-credential.test.ts'
const payoutChanges = 'test/scenarios/access/payout-changes.test.ts'
const voices = 'test/scenarios/recovery/voices.test.ts'
const templates = 'src/features/recovery/templates/templates.test.ts'
const cascades = 'src/features/recovery/workflow/cascades/cascades.test.ts'
const claimLists = 'test/scenarios/recovery/collector-letter.test.ts'
const sandbox = (name: string) => `src/features/integrations/sandbox/${name}.test.ts`
const simulate = '/api/v1/sandbox/simulate'

const settings: Table = {
  title: 'Settings: beyond the specification',
  rows: [
    ...proven(
      companies,
      'a company that never set anything has what it was made with, and the default caps',
      {
        'endpoint.GET /api/v1/company': 'the company and its settings in this environment',
      },
    ),
    ...proven(
      companies,
      'only what is sent changes, null clears it, and the other environment knows nothing of it',
      { 'endpoint.PUT /api/v1/company': 'changes settings, each by itself' },
    ),
    ...proven(
      companies,
      'a logo is a PNG or a JPEG by its bytes, replaces the one before, and is gone when it is deleted',
      {
        'endpoint.PUT /api/v1/company/logo': 'sets the logo, judged by its bytes',
        'endpoint.DELETE /api/v1/company/logo': 'removes the logo; again 204',
      },
    ),
    ...proven(
      'test/scenarios/recovery/stop-own-sending.test.ts',
      'nothing is sent until the company resumes, and then what waited leaves, once',
      {
        'endpoint.POST /api/v1/company/stop-sending': 'stops everything that is sent for the company',
        'endpoint.POST /api/v1/company/resume-sending': 'ends the company’s own stop',
      },
    ),
    ...proven(
      voices,
      'a company that has set nothing sends nothing, is told why, and goes on when it has an address and an account',
      {
        'company.incomplete':
          'in production nothing is sent for a company without an address or a means of payment: reasonCode `company_incomplete`, and a warning at import',
      },
    ),
    ...proven(
      voices,
      'no key makes a collector: the operator does, with a mandate, and without one nothing leaves',
      { 'company.collector': '`collectorMode` is read only; the operator records the mandate' },
    ),
    ...proven(payoutByCredential, 'a key that may change settings does not change $field in production', {
      'company.payout-by-key': 'in production a key does not change where money goes: AUTH_004',
    }),
    ...proven(payoutByCredential, 'nor does an access token, not even one that acts for an owner: $field', {
      'company.payout-by-token': 'in production a token does not change where money goes: AUTH_004',
    }),
    ...proven(payoutByCredential, 'in the sandbox a key changes $field as before', {
      'company.payout-sandbox': 'in the sandbox a key changes it too',
    }),
    ...proven(
      payoutChanges,
      'a change waits a day: until then the debtor is asked for the old account, afterwards for the new one',
      { 'company.payout-waits': 'a change by an owner is pending for 24 hours, then it counts' },
    ),
    ...proven(payoutChanges, 'a second owner of more than a day confirms, and both are told', {
      'company.payout-confirmed': 'unless a second owner confirms it',
    }),
    ...proven(
      payoutChanges,
      'any owner withdraws, also long after signing in; nothing changes, and all are told',
      { 'company.payout-mailed': 'a change of where money goes is mailed to all owners' },
    ),
    ...proven(
      payoutChanges,
      'sets where money goes: a first value at once, a change after a day, and at once when asked to',
      { 'company.payout-operator': 'the operator changes where money goes' },
    ),
    ...proven(
      templates,
      'every message is listed with the words that may be replaced and what is always said',
      {
        'endpoint.GET /api/v1/templates': 'every step, channel and language',
      },
    ),
    ...proven(templates, 'a preview shows a message as it would arrive, and sends nothing', {
      'endpoint.POST /api/v1/templates/preview': 'a message about an invoice or a sample, with words to try',
    }),
    ...proven(templates, 'words of one’s own hold from the next message on, and ours come back', {
      'endpoint.PUT /api/v1/templates/:id': 'subject and opening in words of one’s own',
      'endpoint.DELETE /api/v1/templates/:id': 'our words again',
    }),
    ...proven(claimLists, 'nothing leaves for an invoice in no list, or in a list from before the mandate', {
      'endpoint.POST /api/v1/claim-lists': 'accepts a list of claims with the sums of its day',
      'endpoint.GET /api/v1/claim-lists/:id': 'a list of claims as it was accepted',
      'endpoint.GET /api/v1/claim-lists/:id/pdf': 'the same as a document to sign',
    }),
    ...proven(cascades, 'the list has one’s own first and then those built in, with their steps', {
      'endpoint.GET /api/v1/cascades': 'one’s own and those built in',
      'endpoint.GET /api/v1/cascades/:name': 'one with its versions',
    }),
    ...proven(
      cascades,
      'a new invoice takes one’s own cascade; a new version leaves the running recovery its own',
      {
        'endpoint.POST /api/v1/cascades': 'draws up one of one’s own',
        'endpoint.PUT /api/v1/cascades/:name': 'a new version, which running recoveries do not take',
      },
    ),
  ],
}

const clock: Table = {
  title: 'Sandbox: beyond the specification',
  rows: [
    ...proven(
      sandbox('clock'),
      'sixty days pass in one request, each step at its own moment, and the answer tells them all',
      {
        'endpoint.GET /api/v1/sandbox/clock': 'the time in the sandbox',
        'endpoint.POST /api/v1/sandbox/clock': 'lets time pass and tells what happened',
      },
    ),
    ...proven(
      sandbox('messages'),
      'what would have been sent is read word for word, the newest first, by invoice and by channel',
      { 'endpoint.GET /api/v1/sandbox/messages': 'what would have been sent' },
    ),
    ...proven(
      sandbox('reset'),
      'a reset empties every table of the sandbox but the audit log, keeps its settings, sets its clock back, and production has all it had',
      { 'endpoint.POST /api/v1/sandbox/reset': 'empties the sandbox' },
    ),
    ...proven(
      sandbox('simulate'),
      'messages arrive, come back, or are not answered, and the history says so',
      {
        [`endpoint.POST ${simulate}/delivered`]: 'a message arrives',
        [`endpoint.POST ${simulate}/bounced`]: 'a message comes back',
        [`endpoint.POST ${simulate}/no-answer`]: 'nobody answers a call',
      },
    ),
    ...proven(
      sandbox('simulate'),
      '%s is recorded for the formal notice, and the next step waits for eight days from it',
      {
        [`endpoint.POST ${simulate}/lrar-presented`]: 'a letter is presented',
        [`endpoint.POST ${simulate}/lrar-signed`]: 'a letter is signed for',
        [`endpoint.POST ${simulate}/lrar-refused`]: 'a letter is refused',
        [`endpoint.POST ${simulate}/lrar-unclaimed`]: 'a letter is not collected',
      },
    ),
    ...proven(
      sandbox('simulate'),
      'the debtor pays a part and then the rest, promises and disputes, as by the real operations',
      {
        [`endpoint.POST ${simulate}/payment`]: 'the debtor pays',
        [`endpoint.POST ${simulate}/promise`]: 'the debtor promises',
        [`endpoint.POST ${simulate}/dispute`]: 'the debtor disputes',
      },
    ),
    ...proven(sandbox('simulate'), 'the debtor closes a channel, or turns out to be somebody else', {
      [`endpoint.POST ${simulate}/opt-out`]: 'the debtor closes a channel',
      [`endpoint.POST ${simulate}/wrong-person`]: 'somebody else answers',
    }),
    ...proven(
      'test/scenarios/recovery/replies.test.ts',
      'a reply stops the formal notice until somebody has read it, and then it goes on',
      { [`endpoint.POST ${simulate}/reply`]: 'the debtor answers a message' },
    ),
  ],
}

export const settingsAndSandbox: readonly Table[] = [settings, clock]
