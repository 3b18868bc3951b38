import { describe, expect, it } from 'vitest'
import type { Role } from '../../../src/features/access/roles.ts'
import type { ChatReply } from '../../harness/assistant-calls.ts'
import { type ConsolePerson, consoleCalls, refusal } from '../../harness/console-calls.ts'
import type { NewKey } from '../../harness/keys.ts'
import { operatorCalls, switchCompany } from '../../harness/operator.ts'
import { newPassword, peopleCalls } from '../../harness/people-calls.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { inSteps, useScriptedModel } from '../../harness/scripted-model.ts'
import { ownAddresses } from '../../harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const model = useScriptedModel()
const installation = useInstallation({
  redisUrl: undefined,
  hasWorker: true,
  env: Object.assign(model.env, ownAddresses),
})
const people = peopleCalls(installation)
const operator = operatorCalls(installation)
const atDoor = consoleCalls(installation)
const { call, member, me, send, headersOf } = atDoor

const cookieOf = ({ cookies }: { cookies: Map<string, string> }) =>
  `__Host-relance=${cookies.get('__Host-relance')}`

/** What the browser of somebody who signed in by our pages has. */
async function signedIn(visitor: { cookies: Map<string, string> }): Promise<ConsolePerson> {
  const cookie = cookieOf(visitor)
  const { person, csrf, companies } = (await me(cookie)).body.data
  return { id: person.id, cookie, csrf, companyId: companies[0]!.id, tokenHash: Buffer.alloc(0) }
}
const list = (person: ConsolePerson, options?: Parameters<typeof call>[4]) =>
  call(person, 'GET', '/api/v1/invoices', undefined, options)
const newInvoice = (person: ConsolePerson, options?: Parameters<typeof call>[4]) =>
  call<{ id: string }>(person, 'POST', '/api/v1/invoices', invoiceInput(), options)
const auditOf = (subject: string) =>
  installation.sql<{ type: string; actor: unknown; ip: string | null; user_agent: string | null }>(
    'select type, actor, ip, user_agent from audit_log where subject_id = $1 order by id',
    [subject],
  )

describe('who signed in on our pages', () => {
  it('reads who they are, and uses the sandbox; production once the operator has opened it', async () => {
    const owner = await people.newOwner({ company: 'Menuiserie Exemple' })
    const answer = await me(cookieOf(owner.visitor))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body.data).toEqual({
      person: { id: owner.personId, name: owner.name, email: owner.email, language: 'en' },
      csrf: expect.stringMatching(/^\S{20,}$/),
      since: expect.stringMatching(/Z$/),
      freshUntil: expect.stringMatching(/Z$/),
      roles: [{ role: 'owner', may: expect.arrayContaining(['company.update', 'apiKeys.create']) }],
      needFreshSignIn: expect.arrayContaining(['apiKeys.create']),
      companies: [
        {
          id: owner.companyId,
          name: 'Menuiserie Exemple',
          role: 'owner',
          environments: { production: { isOpen: false }, sandbox: { isOpen: true } },
        },
      ],
    })
    const person = await signedIn(owner.visitor)
    expect((await newInvoice(person, { environment: 'sandbox' })).status).toBe(201)
    expect(refusal(await list(person))).toEqual([403, 'AUTH_006'])
    expect(refusal(await newInvoice(person))).toEqual([403, 'AUTH_006'])
    await operator.open(owner.companyId)
    expect((await newInvoice(person)).status).toBe(201)
    const seen = (await list(person)).body.data as unknown as unknown[]
    const inSandbox = (await list(person, { environment: 'sandbox' })).body.data as unknown as unknown[]
    // Three invoices of the story are in the sandbox since the sign-up.
    expect([seen.length, inSandbox.length]).toEqual([1, 3 + 1])
    expect(seen).not.toEqual(inSandbox)
  })

  it('signs in again for what needs a fresh sign-in: a new session with a new token, and the old one is dead', async () => {
    const password = newPassword()
    const owner = await people.newOwner({ password })
    const before = await signedIn(owner.visitor)
    await installation.sql(
      'update sessions set created_at = created_at - interval $$11 minutes$$ where person_id = $1',
      [owner.personId],
    )
    const sandbox = { environment: 'sandbox' } as const
    const stale = await call(before, 'POST', '/api/v1/api-keys', { name: 'Mine' }, sandbox)
    expect(refusal(stale)).toEqual([403, 'AUTH_004', 'fresh_sign_in'])
    expect(stale.body.error.message).toContain('sign in again')
    expect((await people.signIn(owner.visitor, owner.email, password)).status).toBe(303)
    const after = await signedIn(owner.visitor)
    expect(after.csrf).not.toBe(before.csrf)
    expect((await call(after, 'POST', '/api/v1/api-keys', { name: 'Mine' }, sandbox)).status).toBe(201)
    expect(refusal(await list(before, sandbox))).toEqual([401, 'AUTH_002'])
    // The token of one session is nothing in another.
    const mixed = { ...after, csrf: before.csrf }
    expect(refusal(await newInvoice(mixed, sandbox))).toEqual([403, 'AUTH_004', 'csrf'])
  })

  it('is out at once when they sign out everywhere', async () => {
    const owner = await people.newOwner()
    const person = await signedIn(owner.visitor)
    await owner.visitor.submit(await owner.visitor.get('/account'), '/account/sessions/end-all')
    expect(refusal(await list(person, { environment: 'sandbox' }))).toEqual([401, 'AUTH_002'])
    expect(refusal(await me(person.cookie))).toEqual([401, 'AUTH_002'])
  })
})

describe('GET /console/me', () => {
  it('says what the role may change: a viewer nothing that is sent, an agent no settings', async () => {
    const mayOf = async (role: Role) => {
      const person = await member(role)
      const { roles: held, needFreshSignIn } = (await me(person.cookie)).body.data
      expect(held.map(one => one.role)).toEqual([role])
      expect(needFreshSignIn).toContain('company.resumeSending')
      expect(needFreshSignIn).not.toContain('company.stopSending')
      return held[0]!.may
    }
    const agent = await mayOf('agent')
    expect(agent).toEqual(expect.arrayContaining(['workflow.trigger', 'payments.create', 'debtors.pause']))
    for (const id of ['company.update', 'company.stopSending', 'apiKeys.create', 'invoices.list'])
      expect(agent).not.toContain(id)
    expect(await mayOf('manager')).toContain('company.stopSending')
    const viewer = await mayOf('viewer')
    for (const id of ['workflow.trigger', 'payments.create', 'debtors.pause', 'invoices.writeOff'])
      expect(viewer).not.toContain(id)
  })

  it('is told to our own pages only, by a session only', async () => {
    const { cookie } = await member('viewer')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://elsewhere.example' },
    ]) {
      const answer = await me(cookie, headers)
      expect(refusal(answer), JSON.stringify(headers)).toEqual([403, 'AUTH_004', 'foreign_page'])
      expect(answer.text).not.toContain('csrf')
    }
    const byKey = await send('GET', '/console/me', { 'x-api-key': installation.company.productionKey })
    expect(refusal(byKey)).toEqual([401, 'AUTH_001'])
    expect(byKey.headers.get('www-authenticate')).toBe('Session realm="relance"')
    expect((await send('POST', '/console/me', { cookie })).status).toBe(405)
  })
})

describe('what is withdrawn in mid-session', () => {
  const setRole = ({ id }: ConsolePerson, role: string) =>
    installation.sql('update memberships set role = $2 where person_id = $1', [id, role])

  it('is refused at the next request: the role, the membership, the company', async () => {
    const company = await installation.server.createCompany({ name: 'Une', ownerEmail: 'une@example.org' })
    const person = await member('owner', company)
    const rename = () => call(person, 'PUT', '/api/v1/company', { city: 'Lyon' })
    expect((await rename()).status).toBe(200)
    await setRole(person, 'developer')
    expect(refusal(await rename())).toEqual([403, 'AUTH_004'])
    await setRole(person, 'viewer')
    expect(refusal(await newInvoice(person))).toEqual([403, 'AUTH_004'])
    expect((await list(person)).status).toBe(200)
    await switchCompany(installation, company.companyId, false)
    expect(refusal(await list(person))).toEqual([403, 'AUTH_006'])
    const { companies } = (await me(person.cookie)).body.data
    expect(companies[0]!.environments).toEqual({ production: { isOpen: false }, sandbox: { isOpen: false } })
    await switchCompany(installation, company.companyId, true)
    expect((await list(person)).status).toBe(200)
    await installation.sql('delete from memberships where person_id = $1', [person.id])
    expect(refusal(await list(person))).toEqual([403, 'AUTH_004', 'not_a_member'])
  })

  it('is refused by the transaction too: a session or a role that ends after the request was let in', async () => {
    const person = await member('owner')
    const enter = async (role = 'owner') => {
      const rows = installation.sql('select enter_console($1, $2, $3, $4, $5)', [
        person.tokenHash,
        person.id,
        role,
        installation.company.tenants.production,
        new Date(),
      ])
      return rows.then(
        () => 'entered',
        (error: { code: string }) => error.code,
      )
    }
    expect([await enter(), await enter('manager')]).toEqual(['entered', 'RL001'])
    await installation.sql(
      `insert into stops (id, scope, target, reason, since, stopped_by)
       values (gen_random_uuid(), 'tenant', $1, 'test', clock_timestamp(), 'test')`,
      [installation.company.tenants.production],
    )
    const whileStopped = await enter()
    await switchCompany(installation, installation.company.tenants.production, true)
    expect(whileStopped).toBe('RL003')
    await atDoor.endSession(person)
    expect(await enter()).toBe('RL001')
  })
})

describe('keys', () => {
  it('are made by a developer, with no more than the role has, and their maker is in the audit log', async () => {
    const developer = await member('developer')
    const answer = await call<NewKey>(
      developer,
      'POST',
      '/api/v1/api-keys',
      { name: 'From the console' },
      {
        headers: { 'user-agent': 'Console/1', 'x-forwarded-for': '192.0.2.55' },
      },
    )
    expect(answer.status, answer.text).toBe(201)
    const { id, apiKey, scopes } = answer.body.data
    expect(scopes).not.toContain('invoices:write')
    expect((await installation.call('GET', '/api/v1/invoices', { key: apiKey })).status).toBe(200)
    const wider = { name: 'Wider', scopes: ['invoices:write'] }
    expect(refusal(await call(developer, 'POST', '/api/v1/api-keys', wider))).toEqual([403, 'AUTH_004'])
    const other = { name: 'Other', environment: 'sandbox' }
    expect(refusal(await call(developer, 'POST', '/api/v1/api-keys', other))).toEqual([
      400,
      'VAL_001',
      'invalid',
    ])
    expect(await auditOf(id)).toEqual([
      {
        type: 'api_key.created',
        actor: { kind: 'person', id: developer.id },
        ip: '192.0.2.55',
        user_agent: 'Console/1',
      },
    ])
    expect(refusal(await call(await member('manager'), 'POST', '/api/v1/api-keys', { name: 'No' }))).toEqual([
      403,
      'AUTH_004',
    ])
  })
})

describe('where money goes', () => {
  const change = (person: ConsolePerson, iban = 'DE89370400440532013000') =>
    call<{ iban: string | null }>(person, 'PUT', '/api/v1/company', { iban })

  it('is changed by an owner who signed in a moment ago, by nobody else, and it waits as on the page', async () => {
    const company = await installation.server.createCompany({ name: 'Deux', ownerEmail: 'deux@example.org' })
    const owner = await member('owner', company)
    expect(refusal(await change(await member('manager', company)))).toEqual([403, 'AUTH_004', 'owner_only'])
    for (const role of ['developer', 'agent', 'viewer'] as const)
      expect(refusal(await change(await member(role, company)))).toEqual([403, 'AUTH_004'])
    const stale = await atDoor.session(owner.id, company.companyId, { ageMs: 11 * 60_000 })
    expect(refusal(await change(stale))).toEqual([403, 'AUTH_004', 'fresh_sign_in'])
    expect((await call(stale, 'PUT', '/api/v1/company', { city: 'Lyon' })).status).toBe(200)
    const { iban } = (await call<{ iban: string }>(owner, 'GET', '/api/v1/company')).body.data
    const wanted = await change(owner)
    expect([wanted.status, wanted.body.data.iban]).toEqual([200, iban])
    expect(
      await installation.sql('select field, value, requested_by from payout_changes where tenant_id = $1', [
        company.tenants.production,
      ]),
    ).toEqual([
      { field: 'iban', value: 'DE89370400440532013000', requested_by: { kind: 'person', id: owner.id } },
    ])
  })
})

describe('the assistant', () => {
  const chat = (person: ConsolePerson, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    call<ChatReply>(person, 'POST', '/api/v2/agent/chat', body, { headers })

  it('acts as the person who asks, after they agreed, and the audit log says so', async () => {
    const agent = await member('agent')
    const invoice = await call<{ id: string }>(
      agent,
      'POST',
      '/api/v1/invoices',
      invoiceInput({ dueDate: '2027-02-01' }),
    )
    const { id } = invoice.body.data
    const pause = { name: 'workflow_trigger', args: { invoiceId: id, action: 'pause' } }
    model.requests.length = 0
    model.setScript(
      inSteps(
        { toolCalls: [{ name: 'invoices_get', args: { id } }] },
        { toolCalls: [pause] },
        { text: 'Shall I?' },
      ),
    )
    const first = await chat(agent, { message: 'Pause it, please' })
    expect(first.status, first.text).toBe(200)
    const { conversationId, confirmation } = first.body.data
    expect(JSON.stringify(model.requests)).toContain(id)
    const done = await chat(agent, {
      message: 'go',
      conversationId,
      context: { confirm: confirmation!.token },
    })
    expect(done.body.data.toolsCalled).toEqual(['workflow.trigger'])
    const status = await call<{ status: string }>(agent, 'GET', `/api/v1/workflow/invoice/${id}`)
    expect(status.body.data.status).toBe('paused')
    const acts = await auditOf(id)
    expect(acts.map(({ actor }) => actor)).toEqual(acts.map(() => ({ kind: 'person', id: agent.id })))
    expect(acts.length).toBeGreaterThan(0)
    // A conversation belongs to whoever opened it.
    const path = `/api/v2/agent/conversations/${conversationId}`
    expect((await call(agent, 'GET', path)).status).toBe(200)
    expect((await call(await member('owner'), 'GET', path)).status).toBe(404)
    expect((await installation.call('GET', path)).status).toBe(404)
  })

  it('is offered what the role may, and is sent nothing of the session', async () => {
    model.requests.length = 0
    model.setScript(() => ({ text: 'Hello.' }))
    const toolsOf = async (person: ConsolePerson) => {
      expect((await chat(person, { message: 'Hello' })).status).toBe(200)
      return JSON.stringify(model.requests.at(-1))
    }
    const [manager, agent] = [await member('manager'), await member('agent')]
    expect(await toolsOf(manager)).toContain('"cascades_update"')
    const asked = await toolsOf(agent)
    expect(asked).not.toContain('"cascades_update"')
    for (const secret of [agent.cookie.split('=')[1]!, agent.csrf]) expect(asked).not.toContain(secret)
    expect(refusal(await chat(await member('viewer'), { message: 'Hello' }))).toEqual([403, 'AUTH_004'])
  })

  it('streams, and not to a page of others', async () => {
    model.setScript(() => ({ text: 'Hello.' }))
    const agent = await member('agent')
    const headers = { accept: 'text/event-stream' }
    const answer = await chat(agent, { message: 'Hello' }, headers)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(answer.text).toContain('event: done')
    const foreign = await chat(
      agent,
      { message: 'Hello' },
      { ...headers, origin: 'https://elsewhere.example' },
    )
    expect(refusal(foreign)).toEqual([403, 'AUTH_004', 'foreign_page'])
  })

  it('cannot say where money goes, although its person could', async () => {
    const owner = await member('owner')
    const asked = model.requests.length
    model.setScript(
      inSteps(
        { toolCalls: [{ name: 'company_update', args: { iban: 'DE89370400440532013000' } }] },
        { text: 'No.' },
      ),
    )
    const answer = await chat(owner, { message: 'Change our account' })
    expect(answer.body.data.confirmation).toBeUndefined()
    expect(model.requests.length).toBeGreaterThan(asked)
  })
})

it('a webhook that a person saved ends with their membership, and what was queued for it', async () => {
  const receiver = await startReceiver(204)
  try {
    const [developer, owner] = [await member('developer'), await member('owner')]
    const made = await call<{ id: string }>(developer, 'POST', '/api/v1/webhooks', {
      url: receiver.url,
      events: ['invoice.created'],
    })
    expect(made.status, made.text).toBe(201)
    const path = `/api/v1/webhooks/${made.body.data.id}`
    const shown = () => call(owner, 'GET', path)
    expect((await shown()).body.data).toMatchObject({
      enabled: true,
      maker: { kind: 'person', id: developer.id },
    })
    expect((await call(owner, 'DELETE', `/api/v1/members/${developer.id}`)).status).toBe(204)
    expect((await shown()).body.data).toMatchObject({ enabled: false, disabled_because: 'maker_ended' })
    // Whoever saves it takes it over.
    expect((await call(owner, 'PUT', path, { enabled: true })).status).toBe(200)
    expect((await shown()).body.data).toMatchObject({
      enabled: true,
      maker: { kind: 'person', id: owner.id },
    })
  } finally {
    await receiver.stop()
  }
})

it('a webhook that a person saved ends when they get a role that may have none', async () => {
  const receiver = await startReceiver(204)
  try {
    const [maker, owner] = [await member('owner'), await member('owner')]
    const made = await call<{ id: string }>(maker, 'POST', '/api/v1/webhooks', {
      url: receiver.url,
      events: ['invoice.created'],
    })
    expect(made.status, made.text).toBe(201)
    const shown = () => call(owner, 'GET', `/api/v1/webhooks/${made.body.data.id}`)
    const become = async (role: string) =>
      expect((await call(owner, 'PUT', `/api/v1/members/${maker.id}`, { role })).status).toBe(200)
    await become('developer')
    expect((await shown()).body.data).toMatchObject({ enabled: true })
    await become('viewer')
    expect((await shown()).body.data).toMatchObject({ enabled: false, disabled_because: 'maker_ended' })
  } finally {
    await receiver.stop()
  }
})

it('the team is everybody of the company by name and role, without an address, to every role', async () => {
  const company = await installation.server.createCompany({ name: 'Six', ownerEmail: 'six@example.org' })
  const [owner, viewer] = [await member('owner', company), await member('viewer', company)]
  for (const person of [owner, viewer])
    for (const environment of ['production', 'sandbox'] as const) {
      const answer = await call(person, 'GET', '/api/v1/team', undefined, { environment })
      expect(answer.body.data).toEqual({
        people: [
          { id: owner.id, name: 'Camille Exemple', role: 'owner' },
          { id: viewer.id, name: 'Camille Exemple', role: 'viewer' },
        ],
      })
    }
  expect(headersOf(owner)['x-company-id']).toBe(company.companyId)
})
