import { beforeAll, expect, it } from 'vitest'
import { type ApiResponse, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

const invoices = '/api/v1/invoices'
const known = { invoiceId: '', debtorId: '', number: 'KNOWN-1', cursor: '', debtorCursor: '' }

/** What a request answers: its status, the code of its error or 'ok', and words that say what to do or what was taken. */
type Expected = [status: number, code: string, ...words: string[]]

interface Mistake {
  what: string
  send: () => Promise<ApiResponse>
  answers: Expected
}

type Options = Parameters<typeof installation.call>[2]
const ask = (method: string, path: string | (() => string), options?: Options | (() => Options)) => () =>
  installation.call(
    method,
    typeof path === 'string' ? path : path(),
    typeof options === 'function' ? options() : options,
  )
const create = (changes: Record<string, unknown>) => () =>
  installation.call('POST', invoices, { body: invoiceInput(changes) })
const createWithout =
  (names: string[], changes: Record<string, unknown> = {}) =>
  () => {
    const body: Record<string, unknown> = { ...invoiceInput(), ...changes }
    for (const name of names) delete body[name]
    return installation.call('POST', invoices, { body })
  }
const debtor = (changes: Record<string, unknown>) =>
  create({ debtor: { name: 'Durand', email: 'd@durand.example', ...changes } })
/** What was stored of the debtor, after an invoice with these fields. */
const storedDebtor = (changes: Record<string, unknown>) => () =>
  installation.call('POST', '/api/v1/debtors', {
    body: { name: 'Durand', email: 'stored@durand.example', ...changes },
  })
const raw = (text: string | Buffer, headers?: Record<string, string>) =>
  ask('POST', invoices, { raw: text, ...(headers && { headers }) })
const list = (query: string | (() => string)) =>
  ask('GET', () => `${invoices}?${typeof query === 'string' ? query : query()}`)
const pay = (changes: Record<string, unknown>) =>
  ask('POST', '/api/v1/payments', () => ({
    body: { invoiceId: known.invoiceId, amountCents: 100, method: 'bank_transfer', ...changes },
  }))
const webhook = (event: string) =>
  ask('POST', '/api/v1/webhooks', { body: { url: 'https://hooks.example/relance', events: [event] } })
const clock = (body: object) =>
  ask('POST', '/api/v1/sandbox/clock', () => ({ body, key: installation.company.sandboxKey }))
const key = () => installation.company.productionKey
const withHeader = (headers: () => Record<string, string>) =>
  ask('GET', invoices, () => ({ key: null, headers: headers() }))
const sentTwice = (second: (first: object) => object) => async () => {
  const body = invoiceInput()
  const headers = { 'idempotency-key': `mistake-${body.invoiceNumber}` }
  await installation.call('POST', invoices, { body, headers })
  return installation.call('POST', invoices, { body: second(body), headers })
}

const inCents = 'in cents'
const mistakes: Mistake[] = [
  // Sums
  {
    what: 'a sum as text',
    send: create({ amountCents: '120000' }),
    answers: [400, 'VAL_001', 'amountCents', inCents, '120050 for 1,200.50'],
  },
  {
    what: 'a sum as the French write it',
    send: create({ amountCents: '1 200,00' }),
    answers: [400, 'VAL_001', inCents],
  },
  { what: 'a sum in euros', send: create({ amountCents: 1200.5 }), answers: [400, 'VAL_001', inCents] },
  {
    what: 'amount instead of amountCents',
    send: createWithout(['amountCents'], { amount: 1200 }),
    answers: [400, 'VAL_001', 'send amountCents, in cents'],
  },
  // Days
  {
    what: 'a French date',
    send: create({ dueDate: '15/10/2026' }),
    answers: [400, 'VAL_001', 'dueDate', 'YYYY-MM-DD'],
  },
  {
    what: 'a date with a time',
    send: create({ dueDate: '2026-10-15T00:00:00Z' }),
    answers: [400, 'VAL_001', 'YYYY-MM-DD'],
  },
  {
    what: 'due before it was issued',
    send: create({ dueDate: '2026-09-01' }),
    answers: [400, 'VAL_001', 'dueDate is before issueDate'],
  },
  // Names of fields
  {
    what: 'names in snake case',
    send: createWithout(['invoiceNumber', 'amountCents'], { invoice_number: 'F-1', amount_cents: 120_000 }),
    answers: [400, 'VAL_001', 'did you mean invoiceNumber?', 'did you mean amountCents?'],
  },
  {
    what: 'debtorId instead of debtor',
    send: createWithout(['debtor'], { debtorId: '01a19b50-b868-7000-8000-93b1c70d52ea' }),
    answers: [400, 'VAL_001', 'debtorId', 'debtor: {"id": …}'],
  },
  {
    what: 'a misspelt field of the debtor',
    send: debtor({ postalcode: '69002' }),
    answers: [400, 'VAL_001', 'debtor.postalcode', 'did you mean postalCode?'],
  },
  // Bodies
  { what: 'no debtor', send: createWithout(['debtor']), answers: [400, 'VAL_003', 'debtor is required'] },
  {
    what: 'a number that exists',
    send: create({ invoiceNumber: known.number }),
    answers: [409, 'RES_002', known.number],
  },
  {
    what: 'an email address without @',
    send: debtor({ email: 'durand.example' }),
    answers: [400, 'VAL_001', 'debtor.email must be an email address'],
  },
  { what: 'a list as body', send: raw('[]'), answers: [400, 'VAL_001', 'The body must be a JSON object'] },
  {
    what: 'a form as body',
    send: raw('amountCents=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    answers: [400, 'VAL_004', 'application/json'],
  },
  {
    what: 'a body in Latin-1',
    send: raw(Buffer.from('{"invoiceNumber":"\xe9"}', 'latin1')),
    answers: [400, 'VAL_004', 'UTF-8'],
  },
  {
    what: 'a comma too many',
    send: raw('{\n  "invoiceNumber": "F-1",\n}'),
    answers: [400, 'VAL_004', 'line 3, column 1'],
  },
  // Values with one meaning, and one without
  {
    what: 'a country in small letters',
    send: storedDebtor({ country: 'fr' }),
    answers: [201, 'ok', '"country":"FR"'],
  },
  {
    what: 'a currency in small letters',
    send: create({ currency: 'eur' }),
    answers: [201, 'ok', '"currency":"EUR"'],
  },
  {
    what: 'a national telephone number',
    send: storedDebtor({ phone: '06 12 34 56 78' }),
    answers: [201, 'ok', '"phone":"+33612345678"'],
  },
  {
    what: 'UK as a country',
    send: storedDebtor({ country: 'UK' }),
    answers: [400, 'VAL_001', 'the United Kingdom is GB'],
  },
  {
    what: 'a SIRET with a wrong check digit',
    send: storedDebtor({ siret: '73282932000075' }),
    answers: [201, 'ok', 'siret_checksum'],
  },
  // Credentials
  { what: 'no key', send: withHeader(() => ({})), answers: [401, 'AUTH_001', 'X-API-Key'] },
  {
    what: 'a key that was not copied whole',
    send: withHeader(() => ({ 'x-api-key': key().slice(0, -4) })),
    answers: [401, 'AUTH_002', 'copied whole'],
  },
  {
    what: 'Basic, as at other providers',
    send: withHeader(() => ({ authorization: `Basic ${btoa(`${key()}:`)}` })),
    answers: [401, 'AUTH_00[12]', 'X-API-Key'],
  },
  {
    what: 'a key as bearer token',
    send: withHeader(() => ({ authorization: `Bearer ${key()}` })),
    answers: [200, 'ok'],
  },
  {
    what: 'a production key on a path of the sandbox',
    send: ask('GET', '/api/v1/sandbox/clock'),
    answers: [404, 'RES_001', 'sandbox key', 'fk_test_'],
  },
  // Ids
  {
    what: 'the id of an invoice where one of a debtor belongs',
    send: ask('GET', () => `/api/v1/debtors/${known.invoiceId}`),
    answers: [404, 'RES_001', 'the id of an invoice'],
  },
  {
    what: 'the number of an invoice instead of its id',
    send: ask('GET', `${invoices}/${known.number}`),
    answers: [400, 'VAL_004', 'id must be a UUID'],
  },
  // Lists
  { what: 'a page beyond the end', send: list('page=999'), answers: [200, 'ok', '"totalPages":'] },
  {
    what: 'a limit of 1,000',
    send: list('limit=1000'),
    answers: [400, 'VAL_002', 'limit must be between 1 and 100'],
  },
  {
    what: 'an unknown parameter',
    send: list('stat=paid'),
    answers: [400, 'VAL_002', 'stat is not a parameter', 'status', 'minAmount'],
  },
  {
    what: 'a misspelt parameter',
    send: list('sort_by=status'),
    answers: [400, 'VAL_002', 'did you mean sortBy?'],
  },
  {
    what: 'an unknown value',
    send: list('status=overdue'),
    answers: [400, 'VAL_002', 'status must be one of', 'in_recovery'],
  },
  { what: 'a value in capitals', send: list('status=PAID'), answers: [400, 'VAL_002', 'did you mean paid?'] },
  { what: 'an order in camel case', send: list('sortBy=amountCents'), answers: [200, 'ok'] },
  {
    what: 'a cursor and a page',
    send: list(() => `page=2&cursor=${known.cursor}`),
    answers: [400, 'VAL_002', 'cursor and page cannot be combined'],
  },
  {
    what: 'the cursor of another list',
    send: list(() => `cursor=${known.debtorCursor}`),
    answers: [400, 'VAL_002', 'start again without it'],
  },
  {
    what: 'a cursor in another order',
    send: list(() => `sortBy=status&cursor=${known.cursor}`),
    answers: [400, 'VAL_002', 'start again without it'],
  },
  {
    what: 'a cursor with another filter',
    send: list(() => `status=paid&cursor=${known.cursor}`),
    answers: [400, 'VAL_002', 'start again without it'],
  },
  // Paths
  {
    what: 'PATCH',
    send: ask('PATCH', () => `${invoices}/${known.invoiceId}`, { body: {} }),
    answers: [405, 'RES_001', 'PUT'],
  },
  {
    what: 'a slash at the end',
    send: ask('GET', `${invoices}/`),
    answers: [404, 'RES_001', 'leave out the slash'],
  },
  {
    what: 'the singular',
    send: ask('GET', '/api/v1/invoice'),
    answers: [404, 'RES_001', 'did you mean /api/v1/invoices?'],
  },
  {
    what: 'a path without /api',
    send: ask('GET', '/v1/invoices'),
    answers: [404, 'RES_001', 'did you mean /api/v1/invoices?'],
  },
  {
    what: 'another version',
    send: ask('GET', '/api/v2/invoices'),
    answers: [404, 'RES_001', 'did you mean /api/v1/invoices?'],
  },
  // Repeated requests
  {
    what: 'the same idempotency key with the same body',
    send: sentTwice(body => body),
    answers: [201, 'ok'],
  },
  {
    what: 'the same idempotency key with another body',
    send: sentTwice(body => ({ ...body, amountCents: 5 })),
    answers: [409, 'RES_003', 'already used'],
  },
  // Acts
  {
    what: 'a payment by "virement"',
    send: pay({ method: 'virement' }),
    answers: [400, 'VAL_001', 'method must be one of', 'bank_transfer'],
  },
  {
    what: 'a payment of a hundred times the debt',
    send: pay({ amountCents: 12_000_000 }),
    answers: [400, 'BIZ_001', 'allowOverpayment'],
  },
  {
    what: 'an invoice that is due in a year',
    send: create({ dueDate: '2027-11-15' }),
    answers: [201, 'ok', '"warnings":'],
  },
  { what: 'the clock forward by "30d"', send: clock({ advance: '30d' }), answers: [400, 'VAL_001', 'P3D'] },
  {
    what: 'the clock to a moment without its zone',
    send: clock({ to: '2026-12-15T09:00:00' }),
    answers: [400, 'VAL_001', 'zone'],
  },
  // Events
  {
    what: 'the event invoice.paid',
    send: webhook('invoice.paid'),
    answers: [400, 'VAL_001', 'must be one of', 'debt.paid'],
  },
  {
    what: 'the event payment.succeeded',
    send: webhook('payment.succeeded'),
    answers: [400, 'VAL_001', 'must be one of', 'debt.paid'],
  },
  { what: 'the event *', send: webhook('*'), answers: [400, 'VAL_001', 'must be one of', 'debt.paid'] },
]

const cursorOf = async (path: string) => {
  const { headers } = await installation.call('GET', path)
  return /cursor=([^&>]+)/.exec(headers.get('link') ?? '')![1]!
}

beforeAll(async () => {
  const first = await create({ invoiceNumber: known.number })()
  await create({})()
  const { id, debtor: its } = first.body.data as { id: string; debtor: { id: string } }
  Object.assign(known, {
    invoiceId: id,
    debtorId: its.id,
    cursor: await cursorOf(`${invoices}?limit=1`),
    debtorCursor: await cursorOf('/api/v1/debtors?limit=1&sortBy=name'),
  })
})

it('are 55', () => expect(mistakes).toHaveLength(55))

async function isAnswered({ send, answers: [status, code, ...words] }: Mistake) {
  const { status: answered, body, text } = await send()
  expect([answered, body.error?.code ?? 'ok'], text).toEqual([
    status,
    expect.stringMatching(new RegExp(`^${code}$`)),
  ])
  const said = body.error
    ? [body.error.message, ...(body.error.details ?? []).map(({ message }) => message)].join('\n')
    : text
  for (const word of words) expect(said).toContain(word)
}

it.each(mistakes)('$what is answered with what to do', isAnswered)

it('the first example of the page of errors is what the API answers', async () => {
  const { text } = await installation.call('GET', '/docs/errors.md')
  const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)![1]!)
  const { body } = await createWithout(['invoiceNumber'])()
  const { docUrl: _, ...error } = body.error as ApiResponse['body']['error'] & { docUrl: string }
  expect(shown.error).toMatchObject(error)
  expect(Object.keys(shown.error).sort()).toEqual(Object.keys(body.error).sort())
})
