import { afterEach, describe, expect, it } from 'vitest'
import { operations } from '../../../src/features/all.ts'
import { keyCalls, type NewKey, refusal } from '../../harness/keys.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { ownAddresses, tokenCalls } from '../../harness/tokens.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ env: ownAddresses })
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)
const path = '/api/v1/webhooks'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

type Credential = { key: string } | { token: string }

interface Subscribed {
  receiver: Receiver
  id: string
}

async function subscribe(credential: Credential, events = ['invoice.created']): Promise<Subscribed> {
  const receiver = await startReceiver(204)
  const answer = await oauth.call<{ id: string }>('POST', path, { url: receiver.url, events }, credential)
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.body.data
  stops.push(
    () => receiver.stop(),
    () => oauth.call('DELETE', `${path}/${id}`),
  )
  return { receiver, id }
}

const importOne = async () => {
  const answer = await oauth.call('POST', '/api/v1/invoices', invoiceInput())
  expect(answer.status, answer.text).toBe(201)
}

interface Shown {
  enabled: boolean
  disabled_because: string | null
  maker: { kind: string; id: string; onBehalfOf?: string } | null
}
const read = async (id: string) => (await oauth.call<Shown>('GET', `${path}/${id}`)).body.data

/** An event that a second webhook, of the company's first key, has received: by then the first one would have too. */
async function afterOneEvent(): Promise<void> {
  const witness = await subscribe({ key: installation.company.productionKey })
  await importOne()
  await eventually(
    () => witness.receiver.received.length,
    seen => seen > 0,
  )
}

async function expectEnded({ receiver, id }: Subscribed): Promise<void> {
  expect(await read(id)).toMatchObject({ enabled: false, disabled_because: 'maker_ended' })
  const before = receiver.received.length
  await afterOneEvent()
  expect(receiver.received.length).toBe(before)
}

const manager = (): Promise<NewKey> => keys.newKey({ scopes: ['webhooks:manage', 'invoices:read'] })

describe('a webhook is told no more than its maker may read:', () => {
  it('every event needs its read scope, to make a webhook, to change it and to recover', async () => {
    const narrow = await keys.newKey({ scopes: ['webhooks:manage'] })
    const url = 'https://hooks.nowhere.invalid/relance'
    const events = ['invoice.created', 'debt.paid']
    const required = ['invoices:read', 'payments:read', 'webhooks:manage']
    const refused = await oauth.call('POST', path, { url, events }, { key: narrow.apiKey })
    expect(refusal(refused)).toEqual([403, 'AUTH_004'])
    expect([...refused.body.error.requiredScopes!].sort()).toEqual(required)
    const { id } = await subscribe({ key: installation.company.productionKey }, events)
    for (const [method, where, body] of [
      ['PUT', `${path}/${id}`, { description: 'mine' }],
      ['PUT', `${path}/${id}`, { url }],
      ['PUT', `${path}/${id}`, { events: ['invoice.created'] }],
      ['POST', `${path}/${id}/recover`, { since: new Date(Date.now() - 1_000).toISOString() }],
    ] as const)
      expect(refusal(await oauth.call(method, where, body, { key: narrow.apiKey }))).toEqual([
        403,
        'AUTH_004',
      ])
  })

  it('every operation on a webhook, and the list, asks for the read scopes of its events', async () => {
    const narrow = await keys.newKey({ scopes: ['webhooks:manage', 'payments:read'] })
    const { id } = await subscribe({ key: installation.company.productionKey }, ['invoice.created'])
    const mine = await subscribe({ key: narrow.apiKey }, ['debt.paid'])
    const bodies: Record<string, object> = {
      'webhooks.update': { enabled: false },
      'webhooks.recover': { since: new Date(Date.now() - 1_000).toISOString() },
      'webhooks.test': {},
    }
    const onOne = operations.filter(({ path: where }) => where.startsWith(`${path}/:id`))
    expect(onOne.length).toBeGreaterThanOrEqual(8)
    for (const { id: name, method, path: where } of onOne) {
      const target = where.replace(':id', id).replace(':deliveryId', id)
      const answer = await oauth.call(method, target, bodies[name], { key: narrow.apiKey })
      expect([name, ...refusal(answer)]).toEqual([name, 403, 'AUTH_004'])
      expect(answer.body.error.requiredScopes).toEqual(['invoices:read', 'webhooks:manage'])
    }
    const listed = await oauth.call<{ id: string }[]>('GET', path, undefined, { key: narrow.apiKey })
    expect(listed.body.data.map(webhook => webhook.id)).toEqual([mine.id])
    expect(await read(id)).toMatchObject({ enabled: true })
  })

  it('a key that expires or is bound to addresses makes and changes none, and may still switch one off', async () => {
    const { id } = await subscribe({ key: installation.company.productionKey })
    const url = 'https://hooks.nowhere.invalid/relance'
    for (const limit of [
      { expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
      { ipWhitelist: ['10.0.0.0/8'] },
    ]) {
      const { apiKey: key } = await keys.newKey(limit)
      const create = await oauth.call('POST', path, { url, events: ['debt.paid'] }, { key })
      expect(refusal(create)).toEqual([403, 'AUTH_004'])
      expect(refusal(await oauth.call('PUT', `${path}/${id}`, { url }, { key }))).toEqual([403, 'AUTH_004'])
      expect((await oauth.call('PUT', `${path}/${id}`, { enabled: false }, { key })).status).toBe(200)
    }
    expect(await read(id)).toMatchObject({ enabled: false, disabled_because: 'owner' })
  })
})

describe('a webhook ends with what made it:', () => {
  it('a key that is deleted takes its webhooks along at once, and the owner is told by mail', async () => {
    const key = await manager()
    const hook = await subscribe({ key: key.apiKey })
    expect((await read(hook.id)).maker).toEqual({ kind: 'api_key', id: key.id })
    await importOne()
    await eventually(
      () => hook.receiver.received.length,
      seen => seen > 0,
    )
    expect((await keys.remove(key.id)).status).toBe(204)
    await expectEnded(hook)
    const mailsAbout = () =>
      installation.server.mailbox.messages().filter(mail => mail.text.includes(hook.id))
    await eventually(mailsAbout, mails => mails.length === 1)
    expect(mailsAbout()[0]!.text).toMatch(/enabled/)
    const logged = await installation.sql(
      `select data from audit_log where subject_id = $1 and type = 'webhook.disabled'`,
      [hook.id],
    )
    expect(logged).toEqual([{ data: { webhookId: hook.id, because: 'maker_ended' } }])
  })

  it('an application that is deleted, or loses a scope, takes along what it made', async () => {
    for (const end of ['delete', 'narrow'] as const) {
      const client = await oauth.client()
      const hook = await subscribe({ token: await oauth.tokenOf(client) })
      expect((await read(hook.id)).maker).toEqual({ kind: 'oauth_client', id: client.clientId })
      const ended =
        end === 'delete'
          ? await oauth.remove(client.clientId)
          : await oauth.update(client.clientId, { scopes: ['webhooks:manage'] })
      expect(ended.status, ended.text).toBeLessThan(300)
      await expectEnded(hook)
    }
  })

  it('a consent that is withdrawn takes along what was made for that person, and nobody else’s', async () => {
    const client = await oauth.client()
    const [one, other] = [await oauth.member('owner', { client }), await oauth.member('owner', { client })]
    const hook = await subscribe({ token: one.accessToken })
    const theirs = await subscribe({ token: other.accessToken })
    expect((await read(hook.id)).maker).toEqual({
      kind: 'oauth_client',
      id: client.clientId,
      onBehalfOf: one.personId,
    })
    const response = await fetch(`${installation.server.baseUrl}/api/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: one.refreshToken }),
    })
    expect(response.status).toBe(200)
    await expectEnded(hook)
    expect(await read(theirs.id)).toMatchObject({ enabled: true })
  })

  it('a member who is removed takes along what applications made for them', async () => {
    const client = await oauth.client()
    const member = await oauth.member('developer', { client })
    const hook = await subscribe({ token: member.accessToken })
    expect((await oauth.call('DELETE', `/api/v1/members/${member.personId}`)).status).toBe(204)
    await expectEnded(hook)
  })
})

describe('a webhook goes on', () => {
  it('when its key is rotated: it then belongs to the new key, and ends with that one', async () => {
    const key = await manager()
    const hook = await subscribe({ key: key.apiKey })
    const rotated = (await keys.rotate(key.id)).body.data
    expect(await read(hook.id)).toMatchObject({ enabled: true, maker: { kind: 'api_key', id: rotated.id } })
    await keys.remove(rotated.id)
    await expectEnded(hook)
  })

  it('when another key with its scopes has saved it since: that one has taken it over', async () => {
    const [key, next] = [await manager(), await manager()]
    const hook = await subscribe({ key: key.apiKey })
    const saved = await oauth.call('PUT', `${path}/${hook.id}`, { enabled: true }, { key: next.apiKey })
    expect(saved.body.data).toMatchObject({ maker: { kind: 'api_key', id: next.id } })
    await keys.remove(key.id)
    expect(await read(hook.id)).toMatchObject({ enabled: true })
    await keys.remove(next.id)
    await expectEnded(hook)
  })

  it('when it is switched on again by another key after its maker ended', async () => {
    const key = await manager()
    const hook = await subscribe({ key: key.apiKey })
    await keys.remove(key.id)
    expect((await oauth.call('PUT', `${path}/${hook.id}`, { enabled: true })).status).toBe(200)
    await importOne()
    await eventually(
      () => hook.receiver.received.length,
      seen => seen > 0,
    )
  })

  it('when a person agrees to the application once more', async () => {
    const client = await oauth.client()
    const member = await oauth.member('owner', { client })
    const hook = await subscribe({ token: member.accessToken })
    await oauth.consent({ client, personId: member.personId })
    await installation.sql(
      `update oauth_grants set revoked_at = created_at, revoked_because = 'replaced' where id = $1`,
      [member.grantId],
    )
    expect(await read(hook.id)).toMatchObject({ enabled: true })
  })
})
