import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Relance } from '../../../../sdk/src/index.ts'
import { freePort } from '../../../dev/ports.ts'
import { hintKinds } from '../../../src/features/integrations/live/hints.ts'
import { lowestIdOf, uuidv7 } from '../../../src/kit/uuid.ts'
import { createStartContext, startApi } from '../../../src/start/api.ts'
import { type ConsolePerson, consoleCalls } from '../../harness/console-calls.ts'
import { idsOf, type OpenLine, openLine, untilHinted } from '../../harness/live-line.ts'
import { switchCompany } from '../../harness/operator.ts'
import { ownAddresses, tokenCalls } from '../../harness/tokens.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({
  own: 'reads the whole installation',
  redisUrl: undefined,
  hasWorker: false,
  env: ownAddresses,
})
const atDoor = consoleCalls(installation)
const oauth = tokenCalls(installation)
const { member, headersOf, call } = atDoor

const opened: OpenLine[] = []
afterEach(async () => {
  for (const line of opened.splice(0)) line.close()
  await eventually(lineCount, count => count === 0)
})

type Headers = Record<string, string>
async function lineOf(
  person: ConsolePerson,
  environment: 'production' | 'sandbox' = 'production',
  headers: Headers = {},
): Promise<OpenLine> {
  const line = await openLine(installation.server.baseUrl, { ...headersOf(person, environment), ...headers })
  opened.push(line)
  return line
}
const refusalOf = ({ status, text }: OpenLine) => {
  const { error } = JSON.parse(text)
  return [status, error.code, ...(error.details ?? []).map(({ code }: { code: string }) => code)]
}
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${new URL(installation.server.metricsUrl).origin}/metrics`)).text()
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}
const lineCount = () => metric('relance_live_connections')
const lookCount = () => metric('relance_live_polls_total{outcome="done"}')

const newInvoice = async (person: ConsolePerson, environment: 'production' | 'sandbox' = 'production') => {
  const answer = await call<{ id: string; debtor: { id: string } }>(
    person,
    'POST',
    '/api/v1/invoices',
    invoiceInput(),
    { environment },
  )
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const untilEnded = (line: OpenLine, withinMs = 3_000) =>
  eventually(
    () => line.endedAt,
    endedAt => endedAt !== null,
    withinMs,
  )
const newCompany = (name: string) =>
  installation.server.createCompany({ name, ownerEmail: `${name.toLowerCase()}@example.org` })

describe('a line', () => {
  it('tells within two seconds what a payment by the API changed, by ids only', async () => {
    const person = await member('viewer')
    const owner = await member('owner')
    const { id: invoiceId, debtor } = await newInvoice(owner)
    const line = await lineOf(person)
    expect(line.status).toBe(200)
    expect(line.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(line.headers.get('cache-control')).toBe('no-store')
    expect(line.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    await eventually(lookCount, count => count > 0)
    await untilHinted(line, 'invoice', invoiceId)
    const before = line.hints.length
    const paidAt = Date.now()
    const answer = await installation.call<{ id: string }>('POST', '/api/v1/payments', {
      body: { invoiceId, amountCents: 20_000, method: 'bank_transfer', status: 'completed' },
    })
    expect(answer.status, answer.text).toBe(201)
    await untilHinted(line, 'payment', answer.body.data.id)
    expect(Date.now() - paidAt).toBeLessThan(2_000)
    const told = line.hints.slice(before)
    expect(told).toContainEqual({ kind: 'invoice', ids: [invoiceId] })
    expect(told).toContainEqual({ kind: 'debtor', ids: [debtor.id] })
    for (const hint of told) {
      expect(Object.keys(hint)).toEqual(['kind', 'ids'])
      expect(hintKinds).toContain(hint.kind)
    }
    await pause(2_500)
    expect(idsOf(line, 'payment')).toEqual([answer.body.data.id])
  })

  it('tells of a note, of who is in charge, and of what somebody has seen, within five seconds', async () => {
    const [person, agent] = [await member('viewer'), await member('agent')]
    const { id: invoiceId, debtor } = await newInvoice(agent)
    const { id: promiseId } = await installation
      .sql<{ id: string }>(
        `with marked as (update recoveries set promise_broken_at = created_at where invoice_id = $1)
         insert into promises (tenant_id, id, invoice_id, debtor_id, pay_on, amount_cents, paid_before_cents, status, created_at, settled_at)
         select tenant_id, gen_random_uuid(), id, debtor_id, due_date, 100, 0, 'broken', created_at, created_at from invoices where id = $1
         returning id`,
        [invoiceId],
      )
      .then(([row]) => row!)
    const ofDebtor = `/api/v1/debtors/${debtor.id}`
    const noted = async () =>
      (await call<{ id: string }[]>(agent, 'GET', `${ofDebtor}/notes`)).body.data[0]!.id
    for (const act of [
      () => call(agent, 'POST', `${ofDebtor}/notes`, { text: 'Rappeler', comeBackOn: '2099-01-01' }),
      async () => call(agent, 'POST', `${ofDebtor}/notes/${await noted()}/done`),
      () => call(agent, 'PUT', ofDebtor, { inChargeId: agent.id }),
      () => call(agent, 'POST', `/api/v1/invoices/${invoiceId}/promises/${promiseId}/seen`),
    ]) {
      // A line is told of the last seconds when it is opened: so each act is told to its own.
      await pause(4_000)
      const line = await lineOf(person)
      const before = line.hints.length
      const answer = await act()
      expect(answer.status, answer.text).toBeLessThan(300)
      await eventually(
        () =>
          line.hints.slice(before).filter(({ kind, ids }) => kind === 'debtor' && ids.includes(debtor.id)),
        told => told.length > 0,
        5_000,
      )
      line.close()
    }
  }, 60_000)

  it('tells who comes later of the last seconds too', async () => {
    const person = await member('agent')
    const first = await lineOf(person)
    const { id } = await newInvoice(person)
    await untilHinted(first, 'invoice', id)
    await untilHinted(await lineOf(person), 'invoice', id)
    expect(idsOf(first, 'invoice').filter(told => told === id)).toHaveLength(1)
  })

  it('tells what was committed long after its id was made', async () => {
    const person = await member('agent')
    const { id: invoiceId } = await newInvoice(person)
    await pause(1_000)
    const line = await lineOf(person)
    await pause(8_000)
    await installation.sql(
      `insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
       values ($1, $2, 'payment.failed', 1, $3, 99, jsonb_build_object('paymentId', $4::text), '{}', now(), now())`,
      [installation.company.tenants.production, uuidv7(Date.now() - 7_000), invoiceId, invoiceId],
    )
    await untilHinted(line, 'payment', invoiceId, 15_000)
  }, 40_000)

  it('tells what is set up for the company, and a stop of sending', async () => {
    const owner = await member('owner')
    const line = await lineOf(await member('developer'))
    expect((await call(owner, 'PUT', '/api/v1/company', { city: 'Annecy' })).status).toBe(200)
    await untilHinted(line, 'company', owner.companyId)
    const before = line.hints.length
    const stop = await call(owner, 'POST', '/api/v1/company/stop-sending', { reason: 'Vacances' })
    expect(stop.status, stop.text).toBeLessThan(300)
    await eventually(
      () => line.hints.slice(before),
      hints => hints.some(({ kind }) => kind === 'company'),
    )
  })

  it('tells nothing to another company, nor to the other environment', async () => {
    const company = await newCompany('Ailleurs')
    const person = await member('owner')
    const lines = await Promise.all([
      lineOf(person),
      lineOf(person, 'sandbox'),
      lineOf(await member('owner', company)),
      lineOf(await member('owner', company), 'sandbox'),
    ])
    const inProduction = await newInvoice(person)
    const inSandbox = await newInvoice(person, 'sandbox')
    await untilHinted(lines[0]!, 'invoice', inProduction.id)
    await untilHinted(lines[1]!, 'invoice', inSandbox.id)
    await pause(2_000)
    expect(idsOf(lines[0]!, 'invoice')).not.toContain(inSandbox.id)
    expect(idsOf(lines[1]!, 'invoice')).not.toContain(inProduction.id)
    // That it was made, a moment ago, is all that happened there.
    const own = { kind: 'company', ids: [company.companyId] }
    for (const hint of [...lines[2]!.hints, ...lines[3]!.hints]) expect(hint).toEqual(own)
  })

  it('goes on in a sandbox whose clock was moved, and says all', async () => {
    const person = await member('owner', await newCompany('Bac'))
    const line = await lineOf(person, 'sandbox')
    const moved = await call(
      person,
      'POST',
      '/api/v1/sandbox/clock',
      { advance: 'P1D' },
      { environment: 'sandbox' },
    )
    expect(moved.status, moved.text).toBeLessThan(300)
    await eventually(
      () => line.hints,
      hints => hints.some(({ kind }) => kind === 'all'),
    )
    const { id } = await newInvoice(person, 'sandbox')
    await untilHinted(line, 'invoice', id)
    // The ids have the time of the wall, whatever the clock of the tenant says.
    expect(id > lowestIdOf(Date.now() - 60_000) && id < lowestIdOf(Date.now() + 60_000)).toBe(true)
  })

  it('stays open while nothing happens, longer than a request may take', async () => {
    const person = await member('viewer', await newCompany('Calme'))
    const line = await lineOf(person)
    await pause(24_000)
    expect(line.endedAt).toBeNull()
    expect(line.text.match(/^: still here$/gm)?.length).toBeGreaterThanOrEqual(2)
  }, 40_000)
})

describe('a line ends within three seconds', () => {
  it.each([
    ['the session ended', (person: ConsolePerson) => atDoor.endSession(person)],
    [
      'the session is past its time',
      ({ tokenHash }: ConsolePerson) =>
        installation.sql('update sessions set expires_at = $2 where token_hash = $1', [
          tokenHash,
          new Date(),
        ]),
    ],
    [
      'the role was changed',
      ({ id }: ConsolePerson) =>
        installation.sql(`update memberships set role = 'viewer' where person_id = $1`, [id]),
    ],
    [
      'the person was removed',
      ({ id }: ConsolePerson) => installation.sql('delete from memberships where person_id = $1', [id]),
    ],
  ])('when %s, and the lines of others stay', async (_, withdraw) => {
    const person = await member('owner')
    const [line, other] = [await lineOf(person), await lineOf(await member('viewer'))]
    await pause(1_500)
    expect(line.endedAt).toBeNull()
    await withdraw(person)
    await untilEnded(line)
    await pause(1_500)
    expect(other.endedAt).toBeNull()
  })

  it('when the company is closed, for everybody in it', async () => {
    const company = await newCompany('Fermee')
    const lines = [
      await lineOf(await member('owner', company)),
      await lineOf(await member('viewer', company), 'sandbox'),
      await lineOf(await member('viewer')),
    ]
    await pause(1_500)
    await switchCompany(installation, company.companyId, false)
    await untilEnded(lines[0]!)
    await untilEnded(lines[1]!)
    expect(lines[2]!.endedAt).toBeNull()
  })
})

it('the client of a session that ended opens its line once more, is refused, and throws', async () => {
  const person = await member('viewer')
  const client = new Relance({
    session: { csrf: person.csrf, environment: 'production', companyId: person.companyId },
    baseUrl: installation.server.baseUrl,
  })
  const listening = (async () => {
    for await (const hint of client.live({ headers: headersOf(person) }))
      expect(hintKinds).toContain(hint.kind)
  })()
  const refused = expect(listening).rejects.toMatchObject({ status: 401, code: 'AUTH_002' })
  await eventually(lineCount, count => count === 1)
  await atDoor.endSession(person)
  await refused
  expect(await lineCount()).toBe(0)
}, 15_000)

describe('a line is refused', () => {
  it('as an operation at this door is', async () => {
    const person = await member('viewer')
    const company = await newCompany('Autre')
    const ended = await member('owner')
    await atDoor.endSession(ended)
    const { cookie: _, ...withoutCookie } = headersOf(person)
    const attempt = async (headers: Headers) =>
      refusalOf(await openLine(installation.server.baseUrl, { 'x-forwarded-for': '192.0.2.7', ...headers }))
    const { productionKey } = installation.company
    const token = await oauth.tokenOf(await oauth.client({ name: 'Live' }), ['invoices:read'])
    expect(await attempt(withoutCookie)).toEqual([401, 'AUTH_001'])
    expect(await attempt({ ...withoutCookie, 'x-api-key': productionKey })).toEqual([401, 'AUTH_001'])
    expect(await attempt({ ...withoutCookie, authorization: `Bearer ${token}` })).toEqual([401, 'AUTH_001'])
    expect(await attempt(headersOf(ended))).toEqual([401, 'AUTH_002'])
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await attempt({ ...headersOf(person), 'sec-fetch-site': site })).toEqual([
        403,
        'AUTH_004',
        'foreign_page',
      ])
    expect(await attempt({ ...headersOf(person), origin: 'https://elsewhere.example' })).toEqual([
      403,
      'AUTH_004',
      'foreign_page',
    ])
    const { 'x-company-id': __, ...nowhere } = headersOf(person)
    expect(await attempt(nowhere)).toEqual([400, 'VAL_003', 'missing'])
    const { 'x-environment': ___, ...neither } = headersOf(person)
    expect(await attempt(neither)).toEqual([400, 'VAL_003', 'missing'])
    expect(await attempt({ ...headersOf(person), 'x-environment': 'both' })).toEqual([
      400,
      'VAL_004',
      'invalid',
    ])
    expect(await attempt({ ...headersOf(person), 'x-company-id': company.companyId })).toEqual([
      403,
      'AUTH_004',
      'not_a_member',
    ])
    await switchCompany(installation, company.companyId, false)
    expect(await attempt(headersOf(await member('owner', company)))).toEqual([403, 'AUTH_006'])
    expect(await lineCount()).toBe(0)
  })

  it('at the door of keys, by other methods, and with parameters', async () => {
    const byKey = await installation.call('GET', '/api/v1/live')
    expect([byKey.status, byKey.body.error.code]).toEqual([404, 'RES_001'])
    const person = await member('owner')
    for (const [method, query, status] of [
      ['POST', '', 405],
      ['HEAD', '', 405],
      ['GET', '?kind=invoice', 400],
    ] as const) {
      const answer = await fetch(`${installation.server.baseUrl}/console/api/v1/live${query}`, {
        method,
        headers: headersOf(person),
      })
      expect([method, answer.status]).toEqual([method, status])
    }
  })

  it('as the seventh of a person, and is open again when one is closed', async () => {
    const person = await member('viewer')
    const lines = await Promise.all(Array.from({ length: 6 }, () => lineOf(person)))
    expect(lines.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const seventh = await lineOf(person)
    expect(refusalOf(seventh)).toEqual([429, 'RATE_003'])
    expect(seventh.headers.get('retry-after')).toBe('10')
    expect((await lineOf(await member('viewer'))).status).toBe(200)
    lines[0]!.close()
    await eventually(lineCount, count => count === 6)
    expect((await lineOf(person)).status).toBe(200)
  })
})

it('an open line takes no place among the requests of its person', async () => {
  const person = await member('viewer')
  await Promise.all(Array.from({ length: 6 }, () => lineOf(person)))
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call(person, 'GET', '/api/v1/invoices?limit=1')),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

it('five hundred lines of a tenant are looked for once a second', async () => {
  const people = await Promise.all(Array.from({ length: 84 }, () => member('viewer')))
  const lines = await Promise.all(
    people
      .flatMap(person => Array.from({ length: 6 }, () => person))
      .slice(0, 500)
      .map(person => lineOf(person)),
  )
  expect(lines.every(({ status }) => status === 200)).toBe(true)
  expect(await lineCount()).toBe(500)
  const before = await lookCount()
  await pause(5_000)
  const looks = (await lookCount()) - before
  expect(looks).toBeGreaterThanOrEqual(2)
  expect(looks).toBeLessThanOrEqual(5)
  const { id } = await newInvoice(await member('agent'))
  for (const line of lines) await untilHinted(line, 'invoice', id)
}, 60_000)

describe('a server that stops', () => {
  it('ends its lines at once', async () => {
    const { config, baseUrl } = installation.server
    const api = await startApi(
      createStartContext({ ...config, PORT: await freePort(), PUBLIC_URL: baseUrl, METRICS_PORT: undefined }),
    )
    const person = await member('viewer')
    const lines = [await openLine(api.url, headersOf(person)), await openLine(api.url, headersOf(person))]
    await pause(1_500)
    const stoppedAt = Date.now()
    await api.stop()
    expect(Date.now() - stoppedAt).toBeLessThan(1_000)
    for (const line of lines) await untilEnded(line, 1_000)
  })
})
