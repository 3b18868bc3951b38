import { proven, type Table } from '../row.ts'

const mistakes = 'test/conformance/mistakes.test.ts'
const input = 'test/conformance/tolerant-input.test.ts'
const credentials = 'test/conformance/credentials.test.ts'
const document = 'test/conformance/document.pure.test.ts'
const answers = 'test/conformance/answers.test.ts'
const cancelling = 'src/features/receivables/invoices/cancel-invoice.test.ts'

const spellings: Table = {
  title: 'What a client may send',
  rows: [
    ...proven(input, '%s is not assigned by ISO 3166-1: VAL_001', {
      'debtor.country.assigned': 'only assigned codes; for UK the sentence names GB',
    }),
    ...proven(input, '%s %j is %j', {
      'debtor.phone.spelling': 'spaces, dots, dashes, brackets and (0) are removed',
      'debtor.country.spelling': 'capitals or small letters',
      'debtor.siret.spelling': 'spaces are removed',
      'debtor.email.spelling': 'spaces around it are removed; an international domain is stored as ASCII',
      'debtor.address.lines': 'an address may have lines',
    }),
    ...proven(input, 'of a debtor in %s, %s, is %s', {
      'debtor.phone.national': 'a number as it is dialled in the country of the debtor is stored as E.164',
    }),
    ...proven(input, 'is refused where its country is not known', {
      'debtor.phone.doubt': 'a national number that has not one meaning is VAL_001',
    }),
    ...proven(mistakes, '$what is answered with what to do', {
      'mistakes.sentence':
        'a wrong name, value, path, id or credential is refused with what to send instead, or taken where it has one meaning',
      'invoice.currency.spelling': 'capitals or small letters',
      'lists.sortBy.spelling': 'snake case or camel case',
    }),
    ...proven(input, 'is absent on create, also inside an invoice', {
      'debtor.empty.create': 'an optional text that is empty is absent',
    }),
    ...proven(input, 'is cleared on update, as null is', {
      'debtor.empty.update': 'an optional text that is empty or null is cleared',
    }),
    ...proven(input, '%s is required, so it cannot be cleared: VAL_001', {
      'debtor.update.null': 'null in a required field is VAL_001',
    }),
    ...proven(input, 'type and language fall back to what the company has', {
      'debtor.update.fallback': 'what has a default goes back to it',
    }),
    ...proven(input, 'takes any JSON to a depth of 3, and gives it back', {
      'invoice.metadata.depth': 'any JSON to a depth of 3',
    }),
    ...proven(input, '%s is VAL_001', {
      'invoice.metadata.limits': '50 keys of 40 characters, texts of 500, 16 KB in all',
    }),
    ...proven(input, '%s of %j on create: %s', {
      'invoice.notes.sentence': 'notes on create: update only',
      'invoice.autoStartWorkflow.sentence': 'autoStartWorkflow on a single invoice: only in bulk',
      'invoice.amount.sentence': 'an amount that is no whole number of cents: the sentence names the unit',
      'request.output-field.sentence': 'a field of the answer: leave it out',
    }),
    ...proven(input, 'a debtor that is read and sent back names the fields to leave out', {
      'debtor.read-modify-write': 'what was read and is sent back names what to leave out',
    }),
    ...proven(input, 'an issue date of another spelling is the only fault', {
      'invoice.dates.one-fault': 'a date that is none is not compared with another',
    }),
    ...proven(input, 'is made with %s: its name is "API key", its scopes are those of the caller', {
      'key.create.no-body': 'a key is made without any body',
    }),
  ],
}

const keys: Table = {
  title: 'How a client sends its key',
  rows: [
    ...proven(credentials, 'an API key may be sent as a bearer token', {
      'auth.key-as-bearer': 'Authorization: Bearer fk_…',
    }),
    ...proven(
      credentials,
      'the same key in both headers is one credential, two different ones are AUTH_002',
      { 'auth.key-twice': 'the same key in both headers is one credential' },
    ),
    ...proven(credentials, 'an empty %s is a missing credential: AUTH_001', {
      'auth.empty': 'an empty header is a missing credential',
    }),
    ...proven(credentials, 'AUTH_005 names the address the request came from', {
      'auth.whitelist.address': 'the refusal names the address that was seen',
    }),
  ],
}

const openApi: Table = {
  title: 'The OpenAPI document',
  rows: [
    ...proven(document, 'the five OAuth operations and the endpoint of MCP are described', {
      'document.oauth': 'every operation of the specification is described',
    }),
    ...proven(document, 'Retry-After is declared wherever it is sent: 423, 429 and 503', {
      'document.retry-after': 'Retry-After on 423, 429 and 503',
    }),
    ...proven(document, 'every operation takes X-Request-Id and answers it', {
      'document.request-id': 'X-Request-Id in requests and answers',
    }),
    ...proven(document, 'GET %s documents the defaults %j', {
      'document.defaults.query': 'defaults of parameters',
    }),
    ...proven(document, '%s documents the defaults %j', {
      'document.defaults.body': 'defaults of fields',
    }),
    ...proven(document, 'health promises no 503, readiness does', {
      'document.health': 'no answer that is never given',
    }),
    ...proven(document, 'a message is sent with notifications:send, or with lrar:send', {
      'document.security': 'the scopes that are really needed',
    }),
    ...proven(document, 'answers may grow: no schema of an answer forbids further properties', {
      'document.open-answers': 'answers may grow',
    }),
    ...proven(document, 'no schema has the name of a global type of JavaScript', {
      'document.names': 'no name of a schema hides a global type',
    }),
    ...proven(document, 'the statuses of the specification have a name of their own', {
      'document.enums': 'statuses, channels, scopes and codes have names',
    }),
  ],
}

const records: Table = {
  title: 'Answers, judged by the tables of the specification',
  rows: [
    ...proven(answers, 'every answer of invoices, debtors and payments has the fields of the specification', {
      'answers.receivables': 'invoices, debtors, payments',
    }),
    ...proven(answers, 'every answer of the workflow has the fields of the specification', {
      'answers.workflow': 'workflow, history, next action, cancel',
    }),
    ...proven(answers, 'every answer of webhooks and keys has the fields of the specification', {
      'answers.access': 'webhooks and keys',
    }),
    ...proven(answers, 'the cursor of a page leads to the next one, and the last page has none', {
      'pagination.nextCursor': 'the cursor of the next page is in the body',
    }),
    ...proven(cancelling, 'a debtor with %s: exactly the messages of the plan are counted', {
      'invoices.cancel.counts': 'cancel counts what was planned and nothing else',
    }),
    ...proven(
      'src/features/recovery/workflow/escalate.test.ts',
      'before the first contact was sent there is nothing to be more intrusive than: refused, and nothing changes',
      { 'workflow.escalate.first-contact': 'escalate before the first contact: BIZ_004' },
    ),
    ...proven(
      'test/scenarios/integrations/assistant/story.test.ts',
      'is told to webhooks with the action itself: cascade.action, with the conversation and what was done',
      {
        'event.cascade.action.effect': 'cascade.action carries its effect',
      },
    ),
    ...proven('src/features/integrations/webhooks/create-webhook.test.ts', '%j is %s: %s %s', {
      'webhook.url.length': 'a URL that is too long is VAL_001',
    }),
  ],
}

export const clients: readonly Table[] = [spellings, keys, openApi, records]
