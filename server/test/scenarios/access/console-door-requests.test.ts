import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ConsolePerson, consoleCalls, refusal } from '../../harness/console-calls.ts'
import type { NewKey } from '../../harness/keys.ts'
import { useScriptedModel } from '../../harness/scripted-model.ts'
import { ownAddresses } from '../../harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

/** What is counted, repeated and refused of a request at the door for people, whoever makes it. */
const model = useScriptedModel()
const installation = useInstallation({
  redisUrl: undefined,
  hasWorker: true,
  env: Object.assign(model.env, ownAddresses),
})
const atDoor = consoleCalls(installation)
const { call, member, me, send } = atDoor

const list = (person: ConsolePerson, options?: Parameters<typeof call>[4]) =>
  call(person, 'GET', '/api/v1/invoices', undefined, options)
const newInvoice = (person: ConsolePerson, options?: Parameters<typeof call>[4]) =>
  call<{ id: string }>(person, 'POST', '/api/v1/invoices', invoiceInput(), options)

describe('limits', () => {
  it('three people at full speed use up nothing of the integration’s, nor of each other’s', async () => {
    const company = await installation.server.createCompany({
      name: 'Trois',
      ownerEmail: 'trois@example.org',
      tier: 'starter',
    })
    const integration = () => installation.call('GET', '/api/v1/invoices', { key: company.productionKey })
    // Within one minute: the window begins with it.
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 30_000) await new Promise(resolve => setTimeout(resolve, left + 100))
    const three = [
      await member('owner', company),
      await member('agent', company),
      await member('viewer', company),
    ]
    const before = Number((await integration()).headers.get('x-ratelimit-remaining'))
    const outcomes = await Promise.all(
      three.map(async person => {
        const codes: number[] = []
        const next = async () => {
          while (codes.length < 310) codes.push((await list(person)).status)
        }
        await Promise.all(Array.from({ length: 4 }, next))
        return codes
      }),
    )
    for (const codes of outcomes) {
      // One of the three hundred read who they are.
      expect(codes.filter(code => code === 200)).toHaveLength(299)
      expect(codes.filter(code => code !== 200 && code !== 429)).toEqual([])
    }
    const refused = await list(three[0]!)
    expect([refused.status, refused.body.error.code, refused.headers.get('x-ratelimit-limit')]).toEqual([
      429,
      'RATE_001',
      '300',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const after = await integration()
    expect([after.status, Number(after.headers.get('x-ratelimit-remaining'))]).toEqual([200, before - 1])
    expect(after.headers.get('x-ratelimit-limit')).toBe('60')
  })

  it('the integration at its limit leaves people alone', async () => {
    const company = await installation.server.createCompany({
      name: 'Quatre',
      ownerEmail: 'quatre@example.org',
      tier: 'starter',
    })
    const person = await member('viewer', company)
    const calls = Array.from({ length: 9 }, async () => {
      for (let i = 0; i < 10; i++)
        await installation.call('GET', '/api/v1/company', { key: company.productionKey })
    })
    await Promise.all(calls)
    expect((await list(person)).status).toBe(200)
  })

  it('a person has twenty requests at the same time', async () => {
    const person = await member('viewer')
    model.setScript(() => ({ text: 'Slow.', waitMs: 1_500 }))
    const agent = await member('agent')
    const chats = await Promise.all(
      Array.from({ length: 22 }, () => call(agent, 'POST', '/api/v2/agent/chat', { message: 'Hello' })),
    )
    expect(chats.filter(({ status, body }) => status === 429 && body.error.code === 'RATE_003').length).toBe(
      2,
    )
    expect((await list(person)).status).toBe(200)
  })

  it('three hundred page loads from one address are not refused', async () => {
    const address = { 'x-forwarded-for': '198.51.100.7' }
    const office = await Promise.all(Array.from({ length: 3 }, () => member('agent')))
    for (let i = 0; i < 300; i++) {
      const { cookie } = office[i % 3]!
      const [page, file, who, nobody] = await Promise.all([
        send('GET', '/console', address),
        send('GET', '/console/assets/app.js', address),
        me(cookie, address),
        me('', address),
      ])
      expect(nobody.text).toContain('AUTH_001')
      expect([page, file, who, nobody].map(({ status }) => status)).toEqual([200, 404, 200, 401])
    }
    // Nothing of it was counted by address; everything else of a stranger is.
    const stranger = await send('GET', '/console/api/v1/invoices', address)
    expect([stranger.status, stranger.headers.get('x-ratelimit-remaining')]).toEqual([401, '59'])
  })

  it('what is refused to somebody who has signed in is counted as theirs, not by the address of their office', async () => {
    const address = { 'x-forwarded-for': '198.51.100.8' }
    const person = await member('viewer')
    for (const headers of [{ 'x-company-id': randomUUIDv7() }, { 'x-environment': 'none' }, {}]) {
      const answer = await newInvoice(person, { headers: { ...address, ...headers } })
      expect([answer.status >= 400, answer.headers.get('x-ratelimit-limit')]).toEqual([true, '300'])
    }
    const csrf = await newInvoice({ ...person, csrf: 'wrong' }, { headers: address })
    expect([...refusal(csrf), csrf.headers.get('x-ratelimit-limit')]).toEqual([
      403,
      'AUTH_004',
      'csrf',
      '300',
    ])
    const stranger = await send('GET', '/console/api/v1/invoices', address)
    expect([stranger.status, stranger.headers.get('x-ratelimit-remaining')]).toEqual([401, '59'])
  })

  it('a preflight gets no permission at this door, and none for the header of a key at the other', async () => {
    for (const path of ['/console/api/v1/invoices', '/console/me', '/api/v1/invoices']) {
      const answer = await send('OPTIONS', path, {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-csrf-token',
      })
      const granted = [...answer.headers.keys()].filter(name => name.startsWith('access-control'))
      if (path.startsWith('/console')) {
        expect(answer.status).toBe(405)
        expect(granted).toEqual([])
      } else {
        expect(answer.status).toBe(204)
        expect(granted).not.toContain('access-control-allow-credentials')
        expect(answer.headers.get('access-control-allow-headers')).not.toMatch(
          /csrf|api-key|environment|cookie/,
        )
      }
    }
  })
})

describe('an idempotency key', () => {
  it('means a request of one person at this door: not that of a key, nor of a colleague', async () => {
    const [owner, colleague] = [await member('owner'), await member('agent')]
    const sameKey = { 'idempotency-key': `door-${randomUUIDv7()}` }
    const body = invoiceInput()
    const post = (person: ConsolePerson) =>
      call<{ id: string }>(person, 'POST', '/api/v1/invoices', body, { headers: sameKey })
    const first = await post(owner)
    expect([first.status, first.headers.has('idempotent-replayed')]).toEqual([201, false])
    const otherSession = await atDoor.session(owner.id, owner.companyId)
    const again = await post(otherSession)
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ])
    const theirs = await post(colleague)
    expect([theirs.headers.has('idempotent-replayed'), theirs.text === first.text]).toEqual([false, false])
    const byKey = await installation.call('POST', '/api/v1/invoices', { body, headers: sameKey })
    expect(byKey.headers.has('idempotent-replayed')).toBe(false)
  })

  it('gives a secret again to the session that may make one, and to no older sign-in', async () => {
    const owner = await member('owner')
    const headers = { 'idempotency-key': `door-${randomUUIDv7()}` }
    const make = (person: ConsolePerson) =>
      call<NewKey>(person, 'POST', '/api/v1/api-keys', { name: 'Once' }, { headers })
    const first = await make(owner)
    expect((await make(owner)).text).toBe(first.text)
    const stale = await atDoor.session(owner.id, owner.companyId, { ageMs: 11 * 60_000 })
    const refused = await make(stale)
    expect(refusal(refused)).toEqual([403, 'AUTH_004', 'fresh_sign_in'])
    expect(refused.text).not.toContain(first.body.data.apiKey)
  })

  it('requests of two sessions and two people at the same time are each done by their own', async () => {
    const [owner, colleague] = [await member('owner'), await member('agent')]
    const ended = await member('agent')
    await atDoor.endSession(ended)
    const everybody = [owner, await atDoor.session(owner.id, owner.companyId), colleague, ended]
    const answers = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const person = everybody[i % 4]!
        return { person, answer: await newInvoice(person) }
      }),
    )
    for (const { person, answer } of answers) {
      expect(answer.status).toBe(person === ended ? 401 : 201)
      if (person === ended) continue
      const [event] = await installation.sql<{ actor: unknown }>(
        `select actor from events where subject_id = $1 and type = 'invoice.created'`,
        [answer.body.data.id],
      )
      expect(event!.actor).toEqual({ kind: 'person', id: person.id })
    }
  })
})

describe('headers', () => {
  it('that name two companies or none are refused, and one company is meant whatever its letters', async () => {
    const person = await member('viewer')
    const named = (companyId: string) => list(person, { headers: { 'x-company-id': companyId } })
    expect(refusal(await named(`${person.companyId}, ${randomUUIDv7()}`))).toEqual([
      400,
      'VAL_004',
      'invalid',
    ])
    expect((await named(person.companyId.toUpperCase())).status).toBe(200)
  })

  it('a person of two companies reads each by its name, and never the one from the other', async () => {
    const company = await installation.server.createCompany({ name: 'Cinq', ownerEmail: 'cinq@example.org' })
    const person = await member('owner')
    await installation.sql(
      `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'viewer', $3)`,
      [person.id, company.companyId, new Date()],
    )
    const there = { ...person, companyId: company.companyId }
    const { id } = (await newInvoice(person)).body.data
    expect((await call(person, 'GET', `/api/v1/invoices/${id}`)).status).toBe(200)
    expect((await call(there, 'GET', `/api/v1/invoices/${id}`)).status).toBe(404)
    expect(
      (await call(person, 'GET', `/api/v1/invoices/${id}`, undefined, { environment: 'sandbox' })).status,
    ).toBe(404)
    // An owner here is a viewer there.
    expect(refusal(await newInvoice(there))).toEqual([403, 'AUTH_004'])
    const seen = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const answer = await list(i % 2 ? person : there)
        return (answer.body.data as unknown as unknown[]).length > 0
      }),
    )
    expect(seen).toEqual(Array.from({ length: 16 }, (_, i) => i % 2 === 1))
  })

  it('a form or a text is no JSON, and is refused', async () => {
    const person = await member('owner')
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await newInvoice(person, { headers: { 'content-type': type } })
      expect(refusal(answer), type).toEqual([400, 'VAL_004'])
    }
  })
})
