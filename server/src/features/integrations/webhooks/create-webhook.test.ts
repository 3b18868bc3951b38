import { expect, it } from 'vitest'
import { newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

// The egress guard allows no exceptions here, as in production.
const installation = useInstallation({ env: { EGRESS_TEST_ALLOW: '' } })
const path = '/api/v1/webhooks'
const url = 'https://hooks.nowhere.invalid/relance'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

interface Created {
  id: string
  secret: string
  createdAt: string
}

it('a webhook is created with its secret, which is returned this once and by no other response', async () => {
  const sandbox = await newSandbox(installation)
  const body = { url, events: ['invoice.created', 'debt.paid'], description: 'Accounting' }
  const answer = await sandbox.call<Created>('POST', path, body)
  expect(answer.status).toBe(201)
  expect(answer.body.data).toEqual({
    id: expect.stringMatching(uuid),
    ...body,
    enabled: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    createdAt: expect.stringMatching(moment),
  })
  expect(answer.body).toMatchObject({ message: expect.stringContaining('not shown again') })
  const { id, secret } = answer.body.data
  const listed = await sandbox.call<object[]>('GET', path)
  expect(listed.body.data).toEqual([
    {
      id,
      ...body,
      enabled: true,
      createdAt: answer.body.data.createdAt,
      lastTriggeredAt: null,
      disabledBecause: null,
      created_at: expect.stringMatching(moment),
      last_triggered_at: null,
      disabled_because: null,
      maker: { kind: 'api_key', id: expect.stringMatching(uuid) },
      failing: 0,
      recovering: null,
    },
  ])
  const read = await sandbox.call('GET', `${path}/${id}`)
  expect(read.body.data).toEqual(listed.body.data[0])
  for (const { text } of [listed, read]) expect(text).not.toContain(secret)
})

it('the list is paged, the newest first, and another tenant’s webhooks are not in it', async () => {
  const [sandbox, neighbour] = [await newSandbox(installation), await newSandbox(installation)]
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    ids.unshift((await sandbox.done<Created>('POST', path, { url, events: ['debt.paid'] })).id)
    await neighbour.done('POST', path, { url, events: ['debt.paid'] })
  }
  const first = await sandbox.call<Created[]>('GET', `${path}?limit=2`)
  expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.body.pagination).toEqual({
    page: 1,
    limit: 2,
    total: 3,
    totalPages: 2,
    hasNext: true,
    hasPrev: false,
  })
  const second = await sandbox.call<Created[]>('GET', `${path}?limit=2&page=2`)
  expect(second.body.data.map(({ id }) => id)).toEqual(ids.slice(2))
})

it('description and enabled may be left out or null; an event named twice is meant once', async () => {
  const sandbox = await newSandbox(installation)
  const events = ['debt.paid', 'invoice.created', 'debt.paid']
  for (const rest of [{}, { description: null, enabled: null }])
    expect(await sandbox.done('POST', path, { url, events, ...rest })).toMatchObject({
      events: ['debt.paid', 'invoice.created'],
      description: null,
      enabled: true,
    })
  const { id } = await sandbox.done<Created>('POST', path, { url, events, enabled: false })
  expect(await sandbox.done('GET', `${path}/${id}`)).toMatchObject({
    enabled: false,
    disabled_because: 'owner',
  })
})

it.each([
  ['http://hooks.example.com/relance', 'not_https'],
  ['https://me:secret@hooks.example.com/', 'userinfo'],
  ['https://hooks.example.com:80/', 'forbidden_port'],
  ['https://localhost/', 'local_name'],
  ['https://10.0.0.1/', 'non_public_address'],
  ['no url', 'malformed_url'],
])('a webhook to %s is refused: WH_002, %s', async (refused, because) => {
  const answer = await installation.call('POST', path, { body: { url: refused, events: ['debt.paid'] } })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'WH_002'])
  expect(answer.body.error.details).toMatchObject([{ field: 'url', code: because }])
})

it('a host without an address is taken with the warning url_not_resolving', async () => {
  const sandbox = await newSandbox(installation)
  const answer = await sandbox.call('POST', path, { url, events: ['debt.paid'] })
  expect([answer.status, answer.body.warnings?.map(({ code }) => code)]).toEqual([201, ['url_not_resolving']])
})

it.each([
  [{ events: ['debt.paid'] }, 'VAL_003', 'url', 'is required'],
  [{ url }, 'VAL_003', 'events', 'is required'],
  [{ url, events: [] }, 'VAL_001', 'events', 'at least one event'],
  [{ url, events: ['invoice.paid'] }, 'VAL_001', 'events[0]', 'one of invoice.created, invoice.updated,'],
  [{ url: `https://x.example/${'x'.repeat(2_048)}`, events: ['debt.paid'] }, 'VAL_001', 'url', '2048'],
  [{ url, events: ['debt.paid'], description: 'x'.repeat(501) }, 'VAL_001', 'description', '500'],
  [{ url, events: ['debt.paid'], description: 'two\nlines' }, 'VAL_004', 'description', 'forbidden'],
  // What is wrong with the form is told before the URL is judged.
  [{ url: 'http://127.0.0.1/', events: ['invoice.paid'] }, 'VAL_001', 'events[0]', 'one of'],
])('%j is %s: %s %s', async (body, code, field, words) => {
  const answer = await installation.call('POST', path, { body })
  expect([answer.status, answer.body.error.code]).toEqual([400, code])
  expect(answer.body.error.details).toMatchObject([{ field, message: expect.stringContaining(words) }])
})

it('the fifty-first webhook is refused, also when several ask at once', async () => {
  const sandbox = await newSandbox(installation)
  for (let i = 0; i < 48; i++) await sandbox.done('POST', path, { url, events: ['debt.paid'] })
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => sandbox.call('POST', path, { url, events: ['debt.paid'] })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)!.body.error).toMatchObject({
    code: 'RES_003',
    message: expect.stringContaining('50 webhooks already'),
  })
  expect((await sandbox.call('GET', path)).body.pagination.total).toBe(50)
})

it('no secret lies open in the database, not even in the answer kept for a repeated request', async () => {
  const sandbox = await newSandbox(installation)
  const createOnce = () =>
    installation.call<Created>('POST', path, {
      key: sandbox.key,
      body: { url, events: ['debt.paid'] },
      headers: { 'idempotency-key': 'once' },
    })
  const [first, again] = [await createOnce(), await createOnce()]
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const secret = first.body.data.secret.slice('whsec_'.length)
  const tables = await installation.sql<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  )
  for (const { name } of tables)
    expect(
      await installation.sql(`select 1 from ${name} t where strpos(t::text, $1) > 0`, [secret]),
      name,
    ).toEqual([])
})

it('its creation is recorded as an audit event, with only the host of its URL', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.done<Created>('POST', path, {
    url: 'https://hooks.nowhere.invalid:8443/relance?token=t0ken',
    events: ['debt.paid'],
  })
  const auditEvents = await installation.sql<{ type: string; data: object; actor: { kind: string } }>(
    'select type, data, actor from audit_log where subject_id = $1',
    [id],
  )
  expect(auditEvents).toEqual([
    {
      type: 'webhook.created',
      data: { webhookId: id, host: 'hooks.nowhere.invalid:8443', events: ['debt.paid'], enabled: true },
      actor: { kind: 'api_key', id: expect.any(String) },
    },
  ])
})
