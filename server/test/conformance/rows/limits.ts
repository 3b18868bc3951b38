import { proven, type Table } from '../row.ts'

const requests = 'test/conformance/requests.test.ts'
const contract = 'test/conformance/http-contract.test.ts'
const httpLayer = 'test/conformance/http-layer.test.ts'
const invoices = 'test/conformance/invoices.test.ts'
const debtors = 'test/conformance/debtors.test.ts'
const bulk = 'src/features/receivables/invoices/invoices.test.ts'
const rules = 'src/domain/contact/contact-rules.test.ts'
const oneContact = 'test/scenarios/recovery/one-contact-a-day.test.ts'

export const limits: readonly Table[] = [
  {
    title: 'Limits',
    rows: [
      ...proven(requests, 'a %s company has %s requests a minute, and after the first %s of the day', {
        'limit.starter.minute': '60 a minute',
        'limit.starter.day': '10000 a day',
        'limit.pro.minute': '300 a minute',
        'limit.pro.day': '100000 a day',
        'limit.enterprise.minute': '1000 a minute or more',
        'limit.enterprise.day': 'unlimited',
      }),
      ...proven(bulk, 'a hundred invoices enter in one request, each with its recovery', {
        'limit.bulk.100': 'bulk import takes 100 invoices in a request',
      }),
      ...proven(bulk, 'refuses %j with %s', {
        'limit.bulk.101': 'and not one more',
      }),
      ...proven(
        'test/scenarios/kit/http-layer.test.ts',
        'a body of more than 1 MB is VAL_005; bulk import takes up to 10 MB',
        {
          'limit.body.bulk': '10 MB for bulk import',
          'limit.body.other': '1 MB elsewhere',
        },
      ),
      ...proven(contract, 'is VAL_005, names the limit, and is received by fetch', {
        'limit.body.named': 'a body over the limit is VAL_005, with the limit',
      }),
      ...proven(contract, 'is received by Python, which writes the whole body before it reads', {
        'limit.body.received': 'and the client receives the answer',
      }),
      ...proven(contract, 'has the headers of the limits, and forbids to guess its type', {
        'limit.headers.everywhere': 'on every response: health, discovery and callbacks too',
      }),
      ...proven(invoices, 'takes a limit of 100 and refuses 101 rather than cutting it', {
        'limit.page.invoices': 'at most 100 on a page',
      }),
      ...proven(debtors, 'the list takes search, page and limit: 20 unless asked, at most 100', {
        'limit.page.debtors': 'at most 100 on a page',
      }),
      ...proven(
        'test/conformance/payments.test.ts',
        'invoiceId filters, page and limit page: 20 unless asked, at most 100',
        {
          'limit.page.payments': 'at most 100 on a page',
        },
      ),
      ...proven(invoices, '%s of %j is VAL_001', { 'limit.text.description': '500 characters' }),
      ...proven(invoices, 'notes take 2000 characters and not one more', {
        'limit.text.notes': '2000 characters',
      }),
      ...proven(debtors, '%s of %j is VAL_001', {
        'limit.text.debtor.name': '200 characters',
      }),
      ...proven(rules, '08:00:00.000 is allowed and 07:59:59.999 is not', {
        'limit.contact.from': 'nobody is contacted before 08:00',
      }),
      ...proven(rules, '19:59:59.999 is allowed and 20:00:00.000 is not', {
        'limit.contact.until': 'nobody is contacted from 20:00 on',
      }),
      ...proven(rules, 'nobody is contacted on a Sunday, at any hour', {
        'limit.contact.sunday': 'never on Sundays',
      }),
      ...proven(
        oneContact,
        'an invoice posted %s sends nothing and is planned for the next legal day, with the reason',
        { 'limit.contact.holiday': 'never on public holidays' },
      ),
      ...proven(
        oneContact,
        'the schema itself refuses a second contact of one person on one day, whatever the program believes',
        { 'limit.contact.day': 'one communication a day' },
      ),
      ...proven(
        rules,
        'the cooldown of a channel ends exactly 72 hours and a quarter after the last message on it',
        {
          'limit.contact.cooldown': 'three days on one channel',
        },
      ),
      ...proven(httpLayer, 'too many requests at the same time are RATE_003, and one that ends makes room', {
        'limit.in-flight': 'requests in flight are counted',
      }),
      ...proven(
        'test/scenarios/integrations/assistant/conversations.test.ts',
        'are listed by limit and offset, the latest first, twenty unless asked otherwise',
        { 'limit.page.conversations': 'at most 100 on a page' },
      ),
      ...proven(
        'src/features/receivables/invoices/cancel-invoice.test.ts',
        'reason is required and has at most 500 characters; notifyDebtor is false unless given',
        { 'limit.text.cancel.reason': '500 characters' },
      ),
      ...proven(
        'test/scenarios/access/oauth/flows.test.ts',
        'client_credentials as JSON, credentials in the body or by HTTP Basic: a token for an hour, and none to refresh it',
        { 'limit.token.lifetime': 'an access token lives 3600 seconds' },
      ),
      ...proven(
        'test/scenarios/integrations/webhook-retries.test.ts',
        'a receiver that fails four times gets the event five times, each after the planned wait, and then once and for all',
        { 'limit.webhook.attempts': 'five attempts' },
      ),
      ...proven(
        'src/features/access/api-keys/documented-key.pure.test.ts',
        'rotation every 90 days is recommended, in the documentation and in the contract',
        { 'limit.key.rotation': 'rotation every 90 days is recommended' },
      ),
    ],
  },
]
