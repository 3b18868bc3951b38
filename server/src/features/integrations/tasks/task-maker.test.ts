import { describe, expect, it } from 'vitest'
import { type ConsolePerson, consoleCalls } from '../../../../test/harness/console-calls.ts'
import { keyCalls } from '../../../../test/harness/keys.ts'
import { useManualTasks } from '../../../../test/harness/manual-tasks.ts'
import { ownAddresses, tokenCalls } from '../../../../test/harness/tokens.ts'
import { type ApiResponse, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import type { Role } from '../../access/roles.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const tasks = useManualTasks(installation)
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)
const people = consoleCalls(installation)

interface TaskReply {
  id: string
  status: string
  succeeded: number
  failure: string | null
  file: { url: string | null; expiresAt: string; rows: number | null } | null
}
type Asked = Promise<ApiResponse<TaskReply>>
/** Calls the API with the credential of one test. */
type Ask = (method: string, path: string, body?: unknown) => Asked

const withKey =
  (key: string): Ask =>
  (method, path, body) =>
    oauth.call<TaskReply>(method, path, body, { key })
const withToken =
  (token: string): Ask =>
  (method, path, body) =>
    oauth.call<TaskReply>(method, path, body, { token })
const asPerson =
  (person: ConsolePerson): Ask =>
  (method, path, body) =>
    people.call<TaskReply>(person, method, path, body)
const asOwnKey: Ask = (method, path, body) => oauth.call<TaskReply>(method, path, body)

const tenantId = () => installation.company.tenants.production
const runAll = () => tasks.runAll(tenantId())
async function done(asked: Asked): Promise<TaskReply> {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}
const read = (id: string, ask: Ask = asOwnKey) => done(ask('GET', `/api/v1/tasks/${id}`))

async function newInvoice(): Promise<string> {
  return (await done(asOwnKey('POST', '/api/v1/invoices', invoiceInput({ dueDate: '2027-02-01' })))).id
}
const pauseOf = (ids: string[]) => ({ action: 'pause', ids, reason: 'Closed' })
const isPaused = async (id: string) =>
  (await oauth.call<{ status: string }>('GET', `/api/v1/workflow/invoice/${id}`)).body.data.status ===
  'paused'
const expectOk = async (asked: Promise<{ status: number; text: string }>) => {
  const { status, text } = await asked
  expect(status, text).toBeLessThan(300)
}

async function newImport(key: string, rows: number): Promise<string> {
  const header = 'N° facture;Client;E-mail;Date facture;Échéance;Montant TTC'
  const mark = Math.random().toString(36).slice(2)
  const lines = Array.from(
    { length: rows },
    (_, at) => `${mark}-${at};Petit ${at};compta${at}@petit.example;01/09/2026;01/02/2027;12,00`,
  )
  const made = await installation.call<TaskReply>('POST', '/api/v1/tasks/import', {
    key,
    raw: [header, ...lines].join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
  expect(made.status, made.text).toBe(201)
  await runAll()
  return made.body.data.id
}
const importedBy = async (taskId: string) =>
  (
    await installation.sql<{ n: number }>(
      'select count(invoice_id)::integer as n from import_rows where task_id = $1',
      [taskId],
    )
  )[0]!.n

it('an import whose key is deleted stops within its chunk, and goes on for whoever starts the rest', async () => {
  const { apiKey, id: keyId } = await keys.newKey()
  const id = await newImport(apiKey, 1_200)
  await done(withKey(apiKey)('POST', `/api/v1/tasks/${id}/start`))
  const chunk = await tasks.run((await tasks.take(tenantId()))!)
  if (chunk.kind !== 'more') throw new Error('the import has ended already')
  expect(await importedBy(id)).toBe(500)
  // The key ends while the second chunk runs.
  const running = tasks.run(chunk.next)
  await expectOk(keys.remove(keyId))
  await running
  await runAll()
  const stopped = await importedBy(id)
  expect(stopped).toBeLessThan(1_000)
  expect(await read(id)).toMatchObject({ status: 'review', failure: expect.stringContaining('Start it') })
  expect(
    await installation.sql(`select actor from audit_log where subject_id = $1 and type = 'task.stopped'`, [
      id,
    ]),
  ).toEqual([{ actor: { kind: 'worker', id: 'tasks' } }])

  const remapped = await asOwnKey('PUT', `/api/v1/tasks/${id}/mapping`, {
    columns: [{ column: 0, field: 'invoiceNumber' }],
  })
  expect([remapped.status, remapped.body.error?.code]).toEqual([409, 'RES_003'])
  expect(await done(asOwnKey('POST', `/api/v1/tasks/${id}/start`))).toMatchObject({
    status: 'waiting',
    failure: null,
  })
  await runAll()
  expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 1_200, failure: null })
  expect(await importedBy(id)).toBe(1_200)
})

describe('a task that waits does nothing any more once', () => {
  const remove = (personId: string) => expectOk(oauth.call('DELETE', `/api/v1/members/${personId}`))
  it.each<[string, () => Promise<{ ask: Ask; end: () => Promise<unknown> }>]>([
    [
      'its key is deleted',
      async () => {
        const { apiKey, id } = await keys.newKey()
        return { ask: withKey(apiKey), end: () => expectOk(keys.remove(id)) }
      },
    ],
    [
      'its key has expired',
      async () => {
        const { apiKey, id } = await keys.newKey()
        const expire = () =>
          installation.sql('update api_keys set expires_at = $2 where id = $1', [
            id,
            new Date(Date.now() - 1),
          ])
        return { ask: withKey(apiKey), end: expire }
      },
    ],
    [
      'its application is deleted',
      async () => {
        const client = await oauth.client()
        return {
          ask: withToken(await oauth.tokenOf(client)),
          end: () => expectOk(oauth.remove(client.clientId)),
        }
      },
    ],
    [
      'its application has fewer scopes',
      async () => {
        const client = await oauth.client()
        const end = () => expectOk(oauth.update(client.clientId, { scopes: ['invoices:read'] }))
        return { ask: withToken(await oauth.tokenOf(client)), end }
      },
    ],
    [
      'the consent of its person is withdrawn',
      async () => {
        const member = await oauth.member('agent', { client: await oauth.client() })
        const revoke = () =>
          fetch(`${installation.server.baseUrl}/api/oauth/revoke`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token: member.refreshToken }),
          })
        return { ask: withToken(member.accessToken), end: revoke }
      },
    ],
    [
      'the person of its application leaves the company',
      async () => {
        const member = await oauth.member('agent', { client: await oauth.client() })
        return { ask: withToken(member.accessToken), end: () => remove(member.personId) }
      },
    ],
    [
      'the person leaves the company',
      async () => {
        const person = await people.member('agent')
        return { ask: asPerson(person), end: () => remove(person.id) }
      },
    ],
    [
      'the person has a role without its scopes',
      async () => {
        const person = await people.member('agent')
        const end = () => expectOk(oauth.call('PUT', `/api/v1/members/${person.id}`, { role: 'viewer' }))
        return { ask: asPerson(person), end }
      },
    ],
  ])('%s', async (_, make) => {
    const { ask, end } = await make()
    const invoiceId = await newInvoice()
    const { id } = await done(ask('POST', '/api/v1/tasks/bulk', pauseOf([invoiceId])))
    await end()
    await runAll()
    expect(await read(id)).toMatchObject({ status: 'review', succeeded: 0 })
    expect(await isPaused(invoiceId)).toBe(false)
  })
})

it('a rotated key hands its tasks over to the new one', async () => {
  const { apiKey, id: keyId } = await keys.newKey()
  const invoiceId = await newInvoice()
  const { id } = await done(withKey(apiKey)('POST', '/api/v1/tasks/bulk', pauseOf([invoiceId])))
  await expectOk(keys.rotate(keyId))
  await runAll()
  expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 1 })
})

it('who starts a task in review becomes its maker', async () => {
  const [first, second] = [await keys.newKey(), await keys.newKey()]
  const invoiceIds = [await newInvoice()]
  const { id } = await done(
    withKey(first.apiKey)('POST', '/api/v1/tasks/bulk', { ...pauseOf(invoiceIds), dryRun: true }),
  )
  await runAll()
  await expectOk(keys.remove(first.id))
  await done(withKey(second.apiKey)('POST', `/api/v1/tasks/${id}/start`))
  await runAll()
  expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 1 })
})

it('a key that an owner made does not cancel what a person makes', async () => {
  const [owner, agent] = [await people.member('owner'), await people.member('agent')]
  const made = await people.call<{ apiKey: string }>(owner, 'POST', '/api/v1/api-keys', {
    name: 'Of an owner',
    scopes: ['workflow:trigger', 'invoices:read'],
  })
  const ids = [await newInvoice()]
  const { id } = await done(asPerson(agent)('POST', '/api/v1/tasks/bulk', { ...pauseOf(ids), dryRun: true }))
  await runAll()
  const refused = await withKey(made.body.data.apiKey)('POST', `/api/v1/tasks/${id}/cancel`)
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'AUTH_004'])
  expect(await done(asPerson(owner)('POST', `/api/v1/tasks/${id}/cancel`))).toMatchObject({
    status: 'cancelled',
  })
})

describe('the file of an export', () => {
  const request = { what: 'invoices', format: 'csv' }
  const newExport = async (ask: Ask) => {
    const { id } = await done(ask('POST', '/api/v1/tasks/export', request))
    await runAll()
    return id
  }
  const download = async (url: string) => (await fetch(url)).status
  /** When the link ends, by what it says itself. */
  const endOf = (url: string) =>
    Buffer.from(new URL(url).pathname.split('/').at(-1)!.split('.')[0]!, 'base64url').readUIntBE(32, 6)

  it('is not made when the key is deleted before', async () => {
    const { apiKey, id: keyId } = await keys.newKey()
    const { id } = await done(withKey(apiKey)('POST', '/api/v1/tasks/export', request))
    await expectOk(keys.remove(keyId))
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'failed',
      file: null,
      failure: expect.stringContaining('Make a new task'),
    })
  })

  it('has a link for the key that made it and for no other, which ends with the key', async () => {
    const [maker, other] = [await keys.newKey(), await keys.newKey()]
    const id = await newExport(withKey(maker.apiKey))
    const { url } = (await read(id, withKey(maker.apiKey))).file!
    expect(await download(url!)).toBe(200)
    const shown = await read(id, withKey(other.apiKey))
    expect(shown.file).toEqual({ url: null, expiresAt: expect.any(String), rows: expect.any(Number) })
    const [listed] = (await oauth.call<TaskReply[]>('GET', '/api/v1/tasks', undefined, { key: other.apiKey }))
      .body.data
    expect(listed).toMatchObject({ id, file: { url: null } })
    await expectOk(keys.remove(maker.id))
    expect(await download(url!)).toBe(404)
  })

  it('has a link for the person who made it, with a fresh sign-in and for as long as that is fresh', async () => {
    const maker = await people.member('manager')
    const id = await newExport(asPerson(maker))
    const { url } = (await read(id, asPerson(maker))).file!
    expect(endOf(url!)).toBeLessThanOrEqual(Date.now() + 10 * 60_000)
    expect(await download(url!)).toBe(200)
    const old = await people.session(maker.id, maker.companyId, { ageMs: 3 * 3_600_000 })
    for (const ask of [asPerson(old), asPerson(await people.member('owner')), asOwnKey])
      expect((await read(id, ask)).file).toMatchObject({ url: null })
    const viewer = await people.member('viewer', { ageMs: 3 * 3_600_000 })
    expect((await read(id, asPerson(viewer))).file).toMatchObject({ url: null })
    await expectOk(oauth.call('DELETE', `/api/v1/members/${maker.id}`))
    expect(await download(url!)).toBe(404)
  })

  it('has a link for the person for whom an application made it', async () => {
    const person = await people.member('owner')
    const client = await oauth.client()
    const { accessToken } = await oauth.consent({ client, personId: person.id })
    const id = await newExport(withToken(accessToken))
    expect((await read(id, asPerson(person))).file!.url).toMatch(/\/files\//)
  })
})

describe('a task is cancelled', () => {
  const cancel = async (ask: Ask, id: string) => {
    const { status, body } = await ask('POST', `/api/v1/tasks/${id}/cancel`)
    return status === 200 ? body.data.status : [status, body.error.code]
  }
  const member = async (role: Role) => asPerson(await people.member(role))
  const newTask = async (ask: Ask) =>
    (await done(ask('POST', '/api/v1/tasks/bulk', { ...pauseOf([await newInvoice()]), dryRun: true }))).id
  const newExport = async (ask: Ask) =>
    (await done(ask('POST', '/api/v1/tasks/export', { what: 'invoices', format: 'csv' }))).id

  it('by who made it, and by owners and managers, and by nobody else', async () => {
    const maker = await member('agent')
    const makers: Ask[] = [maker, await member('owner'), await member('manager')]
    for (const ask of makers) {
      const id = await newTask(maker)
      for (const other of [await member('agent'), asOwnKey])
        expect(await cancel(other, id)).toEqual([403, 'AUTH_004'])
      expect(await cancel(ask, id)).toBe('cancelled')
    }
    const exported = await newExport(await member('owner'))
    expect(await cancel(await member('viewer'), exported)).toEqual([403, 'AUTH_004'])
    expect((await read(exported)).status).toBe('waiting')
    await runAll()
  })

  it('by any key with its scopes, if a key made it, and by no person who only has the scopes', async () => {
    const { apiKey } = await keys.newKey()
    const id = await newTask(withKey(apiKey))
    expect(await cancel(await member('agent'), id)).toEqual([403, 'AUTH_004'])
    expect(await cancel(asOwnKey, id)).toBe('cancelled')
  })
})
