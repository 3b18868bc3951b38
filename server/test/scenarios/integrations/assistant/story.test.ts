import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../../../../sdk/src/index.ts'
import { assistantCalls } from '../../../harness/assistant-calls.ts'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../../harness/sandbox.ts'
import { inSteps, type Script, useScriptedModel } from '../../../harness/scripted-model.ts'
import { sdkOf } from '../../../harness/sdk.ts'
import { useInstallation } from '../../../harness/use-installation.ts'

const model = useScriptedModel()
const installation = useInstallation({ redisUrl: undefined, env: model.env })

const idIn = (answer: string) => /"id":"([0-9a-f-]{36})"/.exec(answer)![1]!

/** As a good model would do: find both by the names the person used, then prepare both actions. */
const pauseAndWrite = (number: string, name: string, until: string, at: string): Script =>
  inSteps(
    { toolCalls: [{ name: 'invoices_list', args: { search: number } }] },
    { toolCalls: [{ name: 'invoices_list', args: { search: name } }] },
    answers => ({
      toolCalls: [
        { name: 'workflow_trigger', args: { invoiceId: idIn(answers[0]!), action: 'pause', until } },
        { name: 'workflow_communicate', args: { invoiceId: idIn(answers[1]!), channel: 'sms', at } },
      ],
    }),
    { text: 'Both are ready.' },
  )

let sandbox: Sandbox
let durand: string
let martin: string
const { sendMessage, streamMessage } = assistantCalls(installation, () => sandbox.key)

/** Monday 16 November 2026, nine in the morning; both were written to by email at once. */
beforeAll(async () => {
  sandbox = await newSandbox(installation)
  durand = (await sandbox.invoice({ invoiceNumber: 'F-2026-014', debtor: lyonDebtor('Durand') })).id
  martin = (await sandbox.invoice({ invoiceNumber: 'F-2026-015', debtor: lyonDebtor('Martin') })).id
  await sandbox.advance('PT1H')
})

const request = 'Pause the recovery of F-2026-014 until the 1st and send Martin an SMS on Tuesday'

describe('“pause the recovery of F-2026-014 until the 1st and send Martin an SMS on Tuesday”', () => {
  let conversationId: string

  it('is shown as a plan, in the program’s words, and nothing is done', async () => {
    model.setScript(
      pauseAndWrite('F-2026-014', 'Martin', '2026-12-01T00:00:00+01:00', '2026-11-17T10:00:00+01:00'),
    )
    const answer = await sendMessage(request)
    conversationId = answer.conversationId
    expect(answer.toolsCalled).toEqual(['invoices.list', 'invoices.list'])
    expect(answer.confirmation!.summary.split('\n')).toEqual([
      '1. Pause the recovery of invoice F-2026-014 (Durand) until Tuesday 1 December 2026 at 00:00',
      '2. Send an SMS about invoice F-2026-015 (Martin) on Tuesday 17 November 2026 at 10:00',
    ])
    expect(answer.text).toContain(answer.confirmation!.summary)
    expect((await sandbox.workflow(durand)).status).toBe('in_recovery')
    expect((await sandbox.messages()).filter(({ channel }) => channel === 'sms')).toEqual([])
  })

  it('is done at a yes, and stands in the history like anything a person did', async () => {
    const answer = await sendMessage('Yes', { conversationId })
    expect(answer.toolsCalled).toEqual(['workflow.trigger', 'workflow.communicate'])
    expect(answer.text.match(/\*\*Done\*\*/g)).toHaveLength(2)
    const paused = await sandbox.workflow(durand)
    expect(paused.status).toBe('paused')
    expect((await sandbox.history(durand)).at(-1)).toMatchObject({
      action: 'pause',
      status: 'done',
      details: 'Paused until 30 November 2026 at 23:00 (universal time).',
    })
  })

  it('is told to webhooks with the action itself: cascade.action, with the conversation and what was done', async () => {
    const actionEvents = async (id: string) =>
      (await sandbox.events(id)).filter(({ type }) => type === 'cascade.action')
    expect(await actionEvents(durand)).toMatchObject([
      {
        data: {
          action: 'pause',
          effect: 'paused',
          conversationId,
          invoiceNumber: 'F-2026-014',
          summary: expect.stringContaining('Paused until'),
        },
      },
    ])
    expect(await actionEvents(martin)).toMatchObject([
      {
        data: {
          action: 'message',
          effect: 'message_planned',
          conversationId,
          invoiceNumber: 'F-2026-015',
        },
      },
    ])
    const [commit] = await installation.sql<{ same: boolean }>(
      `select count(distinct e.xmin::text) = 1 as same from events e join recoveries r on r.invoice_id = e.subject_id
        where e.subject_id = $1 and e.type = 'cascade.action' and r.xmin::text = e.xmin::text`,
      [durand],
    )
    expect(commit!.same).toBe(true)
  })

  it('then happens: the SMS on Tuesday at ten, and Durand hears nothing until the 1st', async () => {
    await sandbox.advanceToDay('2026-11-17')
    const sms = (await sandbox.messages()).filter(({ channel }) => channel === 'sms')
    expect(sms).toMatchObject([{ invoiceIds: [martin] }])
    expect(historyLines(await sandbox.history(martin))).toContain('2026-11-17 extra_message sent')
    await sandbox.advanceToDay('2026-11-30')
    expect(historyLines(await sandbox.history(durand)).filter(line => line > '2026-11-16 z')).toEqual([])
    await sandbox.advanceToDay('2026-12-02')
    expect((await sandbox.workflow(durand)).status).toBe('in_recovery')
  })
})

describe('where the rules move the moment', () => {
  it('the plan says so and why, in the person’s language, before anybody agrees', async () => {
    const other = await newSandbox(installation)
    const { sendMessage: confirmed } = assistantCalls(installation, () => other.key)
    const debtor = lyonDebtor('Petit')
    await other.invoice({ invoiceNumber: 'F-2026-020', debtor })
    await other.invoice({ invoiceNumber: 'F-2026-021', debtor: lyonDebtor('Grand') })
    await other.advance('PT1H')
    // Christmas 2026 is a Friday; the Saturday after it is a day like others, the Sunday is not.
    await other.advanceToDay('2026-12-22')
    model.setScript(
      pauseAndWrite('F-2026-021', 'Petit', '2027-01-04T09:00:00+01:00', '2026-12-25T10:00:00+01:00'),
    )
    const answer = await confirmed('Suspends F-2026-021 jusqu’au 4 janvier et envoie un SMS à Petit vendredi')
    const [, sms] = answer.confirmation!.summary.split('\n')
    expect(sms).toMatch(
      /^2\. Envoyer un SMS au sujet de la facture F-2026-020 \(Petit\) le (samedi 26|lundi 28) décembre 2026 à \d\d:\d\d\. Demandé pour vendredi 25 décembre 2026 à 10:00, déplacé par les règles: .*c’est un jour férié/,
    )
    expect(answer.text).toContain('Répondez **oui**')
    const moved = await confirmed('oui', { conversationId: answer.conversationId })
    expect(moved.text).toMatch(/2\. \*\*Fait\*\* – Envoyer un SMS/)
    await other.advanceToDay('2026-12-25')
    expect(
      (await other.messages()).filter(
        ({ channel, createdAt }) => channel === 'sms' && createdAt > '2026-12-22',
      ),
    ).toEqual([])
  })

  it('“today” is moved where somebody was already contacted today: one contact a day', async () => {
    const other = await newSandbox(installation)
    const { sendMessage: confirmed } = assistantCalls(installation, () => other.key)
    await other.invoice({ invoiceNumber: 'F-2026-030', debtor: lyonDebtor('Bernard') })
    await other.invoice({ invoiceNumber: 'F-2026-031', debtor: lyonDebtor('Blanc') })
    await other.advance('PT1H')
    model.setScript(
      pauseAndWrite('F-2026-031', 'Bernard', '2026-12-01T00:00:00+01:00', '2026-11-16T15:00:00+01:00'),
    )
    const { confirmation } = await confirmed(
      'Pause F-2026-031 until the 1st and send Bernard an SMS this afternoon',
    )
    expect(confirmation!.summary).toMatch(
      /2\. Send an SMS about invoice F-2026-030 \(Bernard\) on Tuesday 17 November 2026 at \d\d:\d\d\. Asked for Monday 16 November 2026 at 15:00, moved by the rules: this person is already contacted that day/,
    )
  })

  it('a message to somebody whose recovery the same plan pauses is refused in words: it would never leave', async () => {
    const other = await newSandbox(installation)
    const { sendMessage: confirmed } = assistantCalls(installation, () => other.key)
    await other.invoice({ invoiceNumber: 'F-2026-040', debtor: lyonDebtor('Roux') })
    model.setScript(
      pauseAndWrite('F-2026-040', 'F-2026-040', '2026-12-01T00:00:00+01:00', '2026-11-17T15:00:00+01:00'),
    )
    const { confirmation } = await confirmed('Pause F-2026-040 until the 1st and send them an SMS on Tuesday')
    expect(confirmation!.summary.split('\n')).toHaveLength(1)
    const { messages } = model.requests.at(-1)!
    expect(messages.at(-1)!.content).toMatch(/stops the recovery of this invoice first/)
  })
})

describe('listened to while it is said', () => {
  it('comes as text, tools, the confirmation and at last the whole answer', async () => {
    const id = durand
    model.setScript(
      inSteps(
        { text: ['I ', 'look. '], toolCalls: [{ name: 'invoices_get', args: { id } }] },
        { toolCalls: [{ name: 'workflow_trigger', args: { invoiceId: id, action: 'pause' } }] },
        { text: ['Shall ', 'I ', 'pause ', 'it?'] },
      ),
    )
    const { type, events } = await streamMessage({ message: 'Pause it' })
    expect(type).toBe('text/event-stream; charset=utf-8')
    const names = events.map(({ event }) => event)
    expect(new Set(names)).toEqual(new Set(['text', 'tool', 'confirmation', 'done']))
    expect(names.indexOf('tool')).toBeGreaterThan(names.indexOf('text'))
    expect(names.slice(-2)).toEqual(['confirmation', 'done'])
    expect(events.find(({ event }) => event === 'tool')!.data).toEqual({ operation: 'invoices.get' })
    const { data } = events.at(-1)!.data as { data: { text: string; confirmation: object } }
    const spoken = events.filter(({ event }) => event === 'text').map(({ data: { text } }) => text)
    expect(data.text.startsWith(spoken.join('').trim())).toBe(true)
    expect(events.at(-2)!.data).toEqual(data.confirmation)
  })

  it('comes so to the SDK too, which throws what ends with a refusal', async () => {
    const relance = sdkOf(installation, sandbox.key)
    const listen = async (message: string) => {
      const events: ChatEvent[] = []
      for await (const event of relance.agent.chatStream({ message })) events.push(event)
      return events
    }
    model.setScript(
      inSteps(
        { text: ['I ', 'look. '], toolCalls: [{ name: 'invoices_get', args: { id: durand } }] },
        { text: ['It ', 'is ', 'open.'] },
      ),
    )
    const events = await listen('How is it?')
    expect(events.find(({ event }) => event === 'tool')!.data).toEqual({ operation: 'invoices.get' })
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { text: expect.stringContaining('open') } })
    const script = inSteps(
      { text: 'A word. And ', toolCalls: [{ name: 'invoices_list' }] },
      { raw: 'data: nonsense\n\n' },
    )
    model.setScript(script)
    await expect(listen('Hello')).rejects.toMatchObject({ code: 'SVC_003' })
    await expect(listen('')).rejects.toMatchObject({ code: 'VAL_001', status: 400 })
  })

  it('is refused like any request before its first word, and by an event after it', async () => {
    const before = await streamMessage({ message: '' })
    expect([before.status, before.type]).toEqual([400, 'application/json; charset=utf-8'])
    model.setScript(
      inSteps(
        { text: 'A word. And ', toolCalls: [{ name: 'invoices_list' }] },
        { raw: 'data: nonsense\n\n' },
      ),
    )
    const { status, events } = await streamMessage({ message: 'Hello' })
    expect(status).toBe(200)
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: { success: false, error: { code: 'SVC_003' } },
    })
  })

  it('ends quietly when nobody listens any more: nothing is kept of it, and the model is left alone', async () => {
    const count = async () =>
      (await installation.sql<{ n: number }>('select count(*)::integer as n from conversation_messages'))[0]!
        .n
    const before = await count()
    model.setScript(
      inSteps(
        { text: 'One moment. ', toolCalls: [{ name: 'invoices_list' }] },
        { text: 'Too late.', waitMs: 1_500 },
      ),
    )
    const abort = new AbortController()
    const response = await fetch(`${installation.server.baseUrl}/api/v2/agent/chat`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.key, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'Hello' }),
      signal: abort.signal,
    })
    await response.body!.getReader().read()
    abort.abort()
    await new Promise(resolve => setTimeout(resolve, 2_500))
    expect(await count()).toBe(before)
    const empty = await installation.sql('select from conversations where message_count = 0')
    expect(empty).toEqual([])
  })
})
