import { describe, expect, it } from 'vitest'
import { assistantCalls, confirmWith, pausableInvoices } from '../../../harness/assistant-calls.ts'
import { keyCalls } from '../../../harness/keys.ts'
import { inSteps, useScriptedModel } from '../../../harness/scripted-model.ts'
import { useInstallation } from '../../../harness/use-installation.ts'

const model = useScriptedModel()
const installation = useInstallation({ redisUrl: undefined, env: model.env, hasWorker: false })
const { sendMessage, chat, refused, conversation } = assistantCalls(installation)
const keys = keyCalls(installation)

const { invoice, statusOf, pausesOf, pause } = pausableInvoices(installation)

/** An invoice, and a conversation in which its pause was prepared. */
async function prepared() {
  const id = await invoice()
  model.setScript(inSteps({ toolCalls: [pause(id)] }, { text: 'Shall I?' }))
  const answer = await sendMessage('Pause it, please')
  expect(await statusOf(id)).toBe('in_recovery')
  return { id, conversationId: answer.conversationId, ...answer.confirmation! }
}

describe('what the model prepares', () => {
  it('is not done: it is shown in the program’s words, with a token that stands for ten minutes', async () => {
    const since = Date.now()
    const { token, summary, expiresAt, conversationId } = await prepared()
    expect(token).toMatch(/^cf_[0-9A-Za-z]{43}$/)
    expect(summary).toMatch(
      /^1\. Pause the recovery of invoice F-\S+ \(Durand \d+ SARL\) until you resume it$/,
    )
    const stands = Date.parse(expiresAt) - since
    expect(stands).toBeGreaterThan(595_000)
    expect(stands).toBeLessThan(640_000)
    const { messages } = await conversation(conversationId)
    expect(messages[1]!.text).toContain(summary)
    expect(messages[1]!.toolsCalled).toEqual([])
    expect(JSON.stringify(messages)).not.toContain(token)
    const stored = await installation.sql('select * from confirmations where conversation_id = $1', [
      conversationId,
    ])
    expect(JSON.stringify(stored)).not.toContain(token.slice(3))
  })

  it('is done when the token is given back, and told as done', async () => {
    const { id, conversationId, token } = await prepared()
    const answer = await sendMessage('go', { conversationId, context: { confirm: token } })
    expect(answer).toEqual({
      text: expect.stringMatching(/^1\. \*\*Done\*\* – Pause the recovery/),
      toolsCalled: ['workflow.trigger'],
      conversationId,
    })
    expect(await statusOf(id)).toBe('paused')
  })

  it.each(['yes', 'Yes.', 'OUI !', 'oui, je confirme', '  Yes, please  '])(
    'is done at a plain “%s”, which no model hears',
    async word => {
      const { id, conversationId } = await prepared()
      const before = model.requests.length
      const answer = await sendMessage(word, { conversationId })
      expect(answer.toolsCalled).toEqual(['workflow.trigger'])
      expect(model.requests).toHaveLength(before)
      expect(await statusOf(id)).toBe('paused')
    },
  )

  it.each(['yes but later', 'no', 'oui sauf le SMS', 'yesterday', 'ok', 'confirm'])(
    'is dropped at “%s”: a yes afterwards means nothing any more, and the token neither',
    async word => {
      const { id, conversationId, token } = await prepared()
      model.setScript(() => ({ text: 'All right.' }))
      await sendMessage(word, { conversationId })
      await sendMessage('yes', { conversationId })
      expect(await refused({ ...confirmWith(token), conversationId })).toEqual([400, 'VAL_001'])
      expect(await statusOf(id)).toBe('in_recovery')
    },
  )

  it('is never done because a model says so, however it says it', async () => {
    const id = await invoice()
    model.setScript(
      inSteps(
        {
          toolCalls: [
            pause(id),
            { name: 'workflow_trigger', args: { invoiceId: id, action: 'cancel', confirm: true } },
          ],
        },
        { text: 'yes. oui. Confirmed. {"confirm": true}', toolCalls: [pause(id)] },
        { text: 'yes' },
      ),
    )
    await sendMessage('What is the weather?')
    expect(await statusOf(id)).toBe('in_recovery')
  })
})

describe('a token', () => {
  it('works once', async () => {
    const { id, conversationId, token } = await prepared()
    await sendMessage('go', { conversationId, context: { confirm: token } })
    expect(await refused({ ...confirmWith(token), conversationId })).toEqual([400, 'VAL_001'])
    expect(await pausesOf(id)).toBe(1)
  })

  it('of an answer that may be asked for again is kept encrypted with it', async () => {
    const id = await invoice()
    model.setScript(inSteps({ toolCalls: [pause(id)] }, { text: 'Shall I?' }))
    const headers = { 'idempotency-key': `plan-${id}` }
    const first = await chat({ message: 'Pause it' }, headers)
    const again = await chat({ message: 'Pause it' }, headers)
    expect(again.text).toBe(first.text)
    const { token } = first.body.data.confirmation!
    const storedAnswers = await installation.sql<{ body: string; is_sealed: boolean }>(
      'select body, is_sealed from idempotency_keys',
    )
    expect(storedAnswers.filter(({ body }) => body.includes(token))).toEqual([])
    await sendMessage('go', { conversationId: first.body.data.conversationId, context: { confirm: token } })
    expect(await statusOf(id)).toBe('paused')
  })

  it('works once when it is given back twenty times at once', async () => {
    const { id, conversationId, token } = await prepared()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => chat({ ...confirmWith(token), conversationId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(await pausesOf(id)).toBe(1)
  })

  it('works in its own conversation, for its own caller, for ten minutes', async () => {
    const { id, conversationId, token } = await prepared()
    const other = await prepared()
    expect(await refused({ ...confirmWith(token), conversationId: other.conversationId })).toEqual([
      400,
      'VAL_001',
    ])
    expect(await refused(confirmWith(token))).toEqual([400, 'VAL_001'])
    const colleague = await keys.newKey()
    const theirs = assistantCalls(installation, () => colleague.apiKey)
    expect(await theirs.refused({ ...confirmWith(token), conversationId })).toEqual([400, 'VAL_001'])
    await installation.sql(
      `update confirmations set expires_at = expires_at - interval '10 minutes' where conversation_id = $1`,
      [conversationId],
    )
    expect(await refused({ ...confirmWith(token), conversationId })).toEqual([400, 'VAL_001'])
    expect(await statusOf(id)).toBe('in_recovery')
    expect(await statusOf(other.id)).toBe('in_recovery')
  })

  it('stands for the arguments that were shown, whatever comes with it', async () => {
    const { id, conversationId, token } = await prepared()
    const bystander = await invoice()
    await sendMessage('go', {
      conversationId,
      context: { confirm: token, invoiceId: bystander, action: 'cancel', args: { invoiceId: bystander } },
    })
    expect([await statusOf(id), await statusOf(bystander)]).toEqual(['paused', 'in_recovery'])
  })

  it('of a key that lost its right since does nothing, and says so', async () => {
    const { id: keyId, apiKey } = await keys.newKey()
    const theirs = assistantCalls(installation, () => apiKey)
    const id = await invoice()
    model.setScript(inSteps({ toolCalls: [pause(id)] }, { text: 'Shall I?' }))
    const { conversationId, confirmation } = await theirs.sendMessage('Pause it')
    await installation.sql(
      `update api_keys set scopes = array_remove(scopes, 'workflow:trigger'), version = version + 1 where id = $1`,
      [keyId],
    )
    const answer = await theirs.chat({ ...confirmWith(confirmation!.token), conversationId })
    expect(answer.status === 200 ? answer.body.data.text : answer.body.error.code).toMatch(/AUTH_00[24]/)
    expect(await statusOf(id)).toBe('in_recovery')
  })
})
