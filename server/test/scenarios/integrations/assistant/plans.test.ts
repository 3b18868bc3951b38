import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { assistantCalls, confirmWith, pausableInvoices } from '../../../harness/assistant-calls.ts'
import { inSteps, useScriptedModel } from '../../../harness/scripted-model.ts'
import { useInstallation } from '../../../harness/use-installation.ts'

const model = useScriptedModel()
const installation = useInstallation({ redisUrl: undefined, env: model.env, hasWorker: false })
const { sendMessage, chat, refused } = assistantCalls(installation)

const { invoice, statusOf, pausesOf, pause } = pausableInvoices(installation)

describe('a plan', () => {
  it('is carried out in order up to the first refusal, and says what was done and what was not', async () => {
    const [one, two, three] = [await invoice(), await invoice(), await invoice()]
    model.setScript(inSteps({ toolCalls: [pause(one!), pause(two!), pause(three!)] }, { text: 'All three.' }))
    const { conversationId, confirmation } = await sendMessage('Pause all of them')
    expect(confirmation!.summary.split('\n')).toHaveLength(3)
    await installation.call('POST', `/api/v1/workflow/invoice/${two}/trigger`, { body: { action: 'cancel' } })
    const answer = await sendMessage('yes', { conversationId })
    expect(answer.text.split('\n')).toEqual([
      expect.stringMatching(/^1\. \*\*Done\*\*/),
      expect.stringMatching(/^2\. \*\*Refused\*\*.*BIZ_004/),
      expect.stringMatching(/^3\. \*\*Not tried\*\*/),
    ])
    expect(answer.toolsCalled).toEqual(['workflow.trigger'])
    expect([await statusOf(one!), await statusOf(two!), await statusOf(three!)]).toEqual([
      'paused',
      'cancelled',
      'in_recovery',
    ])
  })

  it('whose process died halfway is carried out when it is confirmed again, and nothing of it twice', async () => {
    const [one, two] = [await invoice(), await invoice()]
    const credit = (id: string) => ({
      name: 'invoices_credit',
      args: { id, number: `A-${id}`, amountCents: 100, issuedOn: '2026-11-10' },
    })
    model.setScript(
      inSteps({ toolCalls: [credit(one!), pause(one!), pause(two!)] }, { text: 'Three things.' }),
    )
    const { conversationId, confirmation } = await sendMessage('Credit and pause')
    const [{ id } = { id: '' }] = await installation.sql<{ id: string }>(
      'select id from confirmations where conversation_id = $1',
      [conversationId],
    )
    // As the one who died left it: taken, the first two done under its keys, nothing written down.
    await installation.sql(`update confirmations set taken_until = $2 where id = $1`, [
      id,
      new Date(Date.now() + 60_000),
    ])
    await installation.call('POST', `/api/v1/invoices/${one}/credits`, {
      body: { number: `A-${one}`, amountCents: 100, issuedOn: '2026-11-10' },
      headers: { 'idempotency-key': `assistant-${id}-0` },
    })
    await installation.call('POST', `/api/v1/workflow/invoice/${one}/trigger`, {
      body: { action: 'pause' },
      headers: { 'idempotency-key': `assistant-${id}-1` },
    })
    const again = { ...confirmWith(confirmation!.token), conversationId }
    expect(await refused(again), 'while it may still be at it').toEqual([400, 'VAL_001'])
    await installation.sql(`update confirmations set taken_until = $2 where id = $1`, [
      id,
      new Date(Date.now() - 1_000),
    ])
    const answer = await sendMessage('go', { conversationId, context: again.context })
    expect(answer.toolsCalled).toEqual(['invoices.credit', 'workflow.trigger', 'workflow.trigger'])
    expect([await pausesOf(one!), await pausesOf(two!)]).toEqual([1, 1])
    const credits = await installation.sql('select from credits where invoice_id = $1', [one])
    expect(credits).toHaveLength(1)
    expect(await refused(again)).toEqual([400, 'VAL_001'])
  })

  it('that meets somebody at work stops there, and goes on when it is confirmed again, nothing twice', async () => {
    const [one, two] = [await invoice(), await invoice()]
    model.setScript(inSteps({ toolCalls: [pause(one!), pause(two!)] }, { text: 'Both.' }))
    const { conversationId, confirmation } = await sendMessage('Pause both of them, please')
    const again = { ...confirmWith(confirmation!.token), conversationId }
    const somebody = new pg.Client({ connectionString: installation.database.adminUrl })
    await somebody.connect()
    await somebody.query('begin')
    await somebody.query(
      'select from agendas where debtor_id = (select debtor_id from invoices where id = $1) for update',
      [two],
    )
    const stopped = await chat(again)
    await somebody.query('rollback')
    await somebody.end()
    expect([stopped.status, stopped.body.error.code]).toEqual([503, 'SVC_001'])
    expect(stopped.body.error.message).toMatch(/^1 of 2 were carried out/)
    expect([await statusOf(one!), await statusOf(two!)]).toEqual(['paused', 'in_recovery'])
    expect((await sendMessage('go', again)).text.match(/\*\*Done\*\*/g)).toHaveLength(2)
    expect([await pausesOf(one!), await pausesOf(two!)]).toEqual([1, 1])
    expect(await refused(again)).toEqual([400, 'VAL_001'])
  })

  it('is refused to the model before anybody is asked, where it cannot be', async () => {
    const id = await invoice()
    const answers: string[] = []
    model.setScript(
      inSteps(
        {
          toolCalls: [
            { name: 'workflow_trigger', args: { invoiceId: id, action: 'resume' } },
            { name: 'workflow_trigger', args: { invoiceId: id, action: 'explode' } },
            { name: 'invoices_cancel', args: { id } },
            { name: 'workflow_communicate', args: { invoiceId: id, channel: 'sms' } },
          ],
        },
        results => {
          answers.push(...results)
          return { text: 'It cannot be done.' }
        },
      ),
    )
    const answer = await sendMessage('Resume it')
    expect(answer.confirmation).toBeUndefined()
    expect(answers.map(text => /[A-Z]+_\d+/.exec(text)?.[0])).toEqual([
      'BIZ_004',
      'VAL_001',
      'VAL_003',
      'VAL_001',
    ])
  })

  it('in which the model prepares the same twice has it once', async () => {
    const id = await invoice()
    model.setScript(
      inSteps({ toolCalls: [pause(id), pause(id)] }, { toolCalls: [pause(id)] }, { text: 'Ready.' }),
    )
    expect((await sendMessage('Pause it')).confirmation!.summary.split('\n')).toHaveLength(1)
  })
})
