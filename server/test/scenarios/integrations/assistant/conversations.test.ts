import { describe, expect, it } from 'vitest'
import { assistantCalls, type ChatReply, type ConversationReply } from '../../../harness/assistant-calls.ts'
import { keyCalls } from '../../../harness/keys.ts'
import { newSandbox } from '../../../harness/sandbox.ts'
import { useScriptedModel } from '../../../harness/scripted-model.ts'
import { tokenCalls } from '../../../harness/tokens.ts'
import { eventually, useInstallation } from '../../../harness/use-installation.ts'

const model = useScriptedModel(() => ({ text: 'Yes.' }))
const installation = useInstallation({
  redisUrl: undefined,
  env: Object.assign(model.env, { TRUSTED_PROXIES: '127.0.0.1' }),
})
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)

const list = (key: string, query = '') =>
  installation.call<ConversationReply[]>('GET', `/api/v2/agent/conversations${query}`, { key })

const opener = async () => {
  const { apiKey } = await keys.newKey()
  return { key: apiKey, ...assistantCalls(installation, () => apiKey) }
}

describe('conversations', () => {
  it('are listed by limit and offset, the latest first, twenty unless asked otherwise', async () => {
    const { key, sendMessage } = await opener()
    for (let i = 0; i < 22; i++) await sendMessage(`Question ${i}`)
    const first = await list(key)
    expect(first.body.pagination).toEqual({ limit: 20, offset: 0, total: 22 })
    expect(first.body.data).toHaveLength(20)
    const rest = await list(key, '?limit=5&offset=20')
    expect(rest.body.pagination).toEqual({ limit: 5, offset: 20, total: 22 })
    expect(rest.body.data).toHaveLength(2)
    const oldest = rest.body.data.at(-1)!
    expect(oldest).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lastMessage: 'Yes.',
      messageCount: 2,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    await sendMessage('Once more', { conversationId: oldest.id })
    expect((await list(key, '?limit=1')).body.data[0]).toMatchObject({ id: oldest.id, messageCount: 4 })
    for (const query of ['?limit=101', '?limit=0', '?offset=-1'])
      expect((await list(key, query)).body.error.code).toBe('VAL_002')
  })

  it('are seen by whoever opened them, and by nobody else of the same company', async () => {
    const [one, other] = [await opener(), await opener()]
    const { conversationId } = await one.sendMessage('Mine')
    const path = `/api/v2/agent/conversations/${conversationId}`
    expect((await one.conversation(conversationId)).messages).toHaveLength(2)
    const refused = await installation.call('GET', path, { key: other.key })
    expect([refused.status, refused.body.error.code]).toEqual([404, 'RES_001'])
    expect((await list(other.key)).body.pagination.total).toBe(0)
    expect(await other.refused({ message: 'Yours?', conversationId })).toEqual([400, 'VAL_001'])
    expect((await one.conversation(conversationId)).messageCount).toBe(2)
  })

  it('are seen by a person through the application they were opened with, and through no other', async () => {
    const [app, otherApp] = [await oauth.client({ name: 'One' }), await oauth.client({ name: 'Other' })]
    const [ada, bob] = [
      await oauth.member('owner', { client: app }),
      await oauth.member('owner', { client: app }),
    ]
    const byToken = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } })
    const chat = await installation.call<ChatReply>('POST', '/api/v2/agent/chat', {
      ...byToken(ada.accessToken),
      body: { message: 'Mine' },
    })
    const path = `/api/v2/agent/conversations/${chat.body.data.conversationId}`
    const statusFor = async (token: string) => (await installation.call('GET', path, byToken(token))).status
    const app1 = await oauth.tokenOf(app, ['agent:chat'])
    const app2 = await oauth.tokenOf(otherApp, ['agent:chat'])
    expect([await statusFor(ada.accessToken), await statusFor(bob.accessToken)]).toEqual([200, 404])
    expect([await statusFor(app1), await statusFor(app2)]).toEqual([404, 404])
  })

  it('have an end: after 200 messages a new one is begun', async () => {
    const { sendMessage, refused } = await opener()
    const { conversationId } = await sendMessage('First')
    await installation.sql('update conversations set message_count = 200 where id = $1', [conversationId])
    expect(await refused({ message: 'One more', conversationId })).toEqual([400, 'VAL_001'])
  })

  it('are forgotten after ninety days in which nobody came back, with all that was said', async () => {
    const { sendMessage, conversation } = await opener()
    const [old, young] = [await sendMessage('Old'), await sendMessage('Young')]
    await installation.sql(`update conversations set used_at = used_at - interval '91 days' where id = $1`, [
      old.conversationId,
    ])
    const wall = new Date(Date.now() - 90 * 86_400_000).toISOString()
    await installation.sql('select purge_conversations($1, $2)', [
      installation.company.tenants.production,
      wall,
    ])
    const left = await installation.sql('select from conversation_messages where conversation_id = $1', [
      old.conversationId,
    ])
    expect(left).toEqual([])
    expect((await conversation(young.conversationId)).messages).toHaveLength(2)
  })

  it('of a sandbox go when it is emptied, and live in its time', async () => {
    const sandbox = await newSandbox(installation)
    const { sendMessage, refused } = assistantCalls(installation, () => sandbox.key)
    await sandbox.advance('P40D')
    const { conversationId } = await sendMessage('Hello')
    const [row] = (await list(sandbox.key)).body.data as unknown as { createdAt: string }[]
    expect(Math.abs(Date.parse(row!.createdAt) - (await sandbox.now()))).toBeLessThan(60_000)
    await sandbox.done('POST', '/api/v1/sandbox/reset')
    expect(await refused({ message: 'Hello', conversationId })).toEqual([400, 'VAL_001'])
  })

  it('that a reset deletes while the model is thinking answer that they are unknown', async () => {
    const sandbox = await newSandbox(installation)
    const { refused } = assistantCalls(installation, () => sandbox.key)
    const { promise: isReset, resolve } = Promise.withResolvers<void>()
    const before = model.requests.length
    model.setScript(async () => {
      await isReset
      return { text: 'Yes.' }
    })
    const answer = refused({ message: 'Hello' })
    await eventually(
      () => model.requests.length,
      asked => asked > before,
    )
    await sandbox.done('POST', '/api/v1/sandbox/reset')
    resolve()
    expect(await answer).toEqual([400, 'VAL_001'])
    model.setScript(() => ({ text: 'Yes.' }))
  })
})
