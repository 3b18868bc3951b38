import { beforeEach, describe, expect, it } from 'vitest'
import { assistantCalls } from '../../../harness/assistant-calls.ts'
import { inSteps, useScriptedModel } from '../../../harness/scripted-model.ts'
import { eventually, useInstallation } from '../../../harness/use-installation.ts'

const model = useScriptedModel()
Object.assign(model.env, {
  MODEL_TIMEOUT_MS: '3000',
  MODEL_TOKENS_PER_TURN: '1000',
  MODEL_TOKENS_PER_DAY: '3000',
  MODEL_PRICE_IN: '3',
  MODEL_PRICE_OUT: '15',
})
const installation = useInstallation({
  own: 'reads the whole installation',
  redisUrl: undefined,
  env: model.env,
  hasWorker: false,
})

const metric = async (name: string) => {
  const text = await (await fetch(installation.server.metricsUrl)).text()
  return Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1] ?? 0)
}

/** A company of its own, whose day has just begun. */
async function newCompany() {
  const company = await installation.server.createCompany({
    name: 'Atelier Petit',
    ownerEmail: 'petit@atelier.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 1_000,
  })
  return {
    ...assistantCalls(installation, () => company.productionKey),
    tenantId: company.tenants.production,
    key: company.productionKey,
  }
}

const tokensOf = async (tenantId: string) =>
  (
    await installation.sql<{ tokens: number }>(
      'select tokens::integer from conversation_tokens where tenant_id = $1',
      [tenantId],
    )
  )[0]?.tokens

beforeEach(() => {
  model.requests.length = 0
})

describe('time', () => {
  it('is limited for the whole turn: SVC_002, and the line to the model is closed', async () => {
    const { refused } = await newCompany()
    model.setScript(() => ({ text: 'Too late.', waitMs: 9_000 }))
    const since = Date.now()
    expect(await refused({ message: 'Hello' })).toEqual([504, 'SVC_002'])
    expect(Date.now() - since).toBeLessThan(8_000)
  })

  it('is limited for a turn of many short steps too', async () => {
    const { refused } = await newCompany()
    model.setScript(() => ({
      toolCalls: [{ name: 'invoices_list' }],
      waitMs: 700,
      tokens: { in: 1, out: 1 },
    }))
    expect(await refused({ message: 'Hello' })).toEqual([504, 'SVC_002'])
    expect(model.requests.length).toBeLessThan(6)
  })

  it('passes without a connection to the database held', async () => {
    // More than there are connections.
    const companies = await Promise.all(Array.from({ length: 20 }, newCompany))
    const { promise: allThink, resolve: answerAll } = Promise.withResolvers<void>()
    model.setScript(async () => {
      await allThink
      return { text: 'Slow.' }
    })
    const before = model.requests.length
    let over = 0
    const turns = companies.map(({ chat }) => chat({ message: 'Hello' }).finally(() => over++))
    await eventually(
      () => model.requests.length - before,
      thinking => thinking === 20,
    )
    const held = await eventually(
      () =>
        installation.sql(
          `select state from pg_stat_activity
            where datname = current_database() and application_name = 'relance-api' and state <> 'idle'`,
        ),
      rows => rows.length === 0,
      1_000,
    )
    expect([held, over]).toEqual([[], 0])
    answerAll()
    await Promise.all(turns)
  })
})

describe('tokens', () => {
  it('are counted a day; when they are used up the answer is RATE_002 until midnight UTC', async () => {
    const { sendMessage, chat, tenantId } = await newCompany()
    const before = model.requests.length
    model.setScript(() => ({ text: 'Yes.', tokens: { in: 900, out: 100 } }))
    for (let i = 1; i <= 3; i++) {
      await sendMessage('Hello')
      expect(await tokensOf(tenantId)).toBe(i * 1_000)
    }
    const answer = await chat({ message: 'Hello' })
    expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_002'])
    expect(answer.body.error.message).toContain('tokens of today')
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    expect(model.requests.length - before).toBe(3)
    await installation.sql(`update conversation_tokens set day = day - 1 where tenant_id = $1`, [tenantId])
    await sendMessage('Hello')
  })

  it('are counted also for a turn that failed', async () => {
    const { refused, tenantId } = await newCompany()
    model.setScript(
      inSteps(
        { toolCalls: [{ name: 'invoices_list' }], tokens: { in: 50, out: 10 } },
        { raw: 'data: nonsense\n\n' },
      ),
    )
    expect(await refused({ message: 'Hello' })).toEqual([502, 'SVC_003'])
    expect(await tokensOf(tenantId)).toBeGreaterThanOrEqual(60)
  })

  it('are counted for a caller who hangs up, and for a turn that takes too long', async () => {
    const gone = await newCompany()
    model.setScript(() => ({ text: Array.from({ length: 3_000 }, () => 'word ') }))
    const hangUp = new AbortController()
    const response = await fetch(`${installation.server.baseUrl}/api/v2/agent/chat`, {
      method: 'POST',
      headers: {
        'x-api-key': gone.key,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ message: 'Hello' }),
      signal: hangUp.signal,
    })
    await response.body!.getReader().read()
    hangUp.abort()
    await eventually(
      () => tokensOf(gone.tenantId),
      tokens => (tokens ?? 0) > 0,
      5_000,
    )
    const slow = await newCompany()
    model.setScript(() => ({ text: 'Too late.', waitMs: 9_000 }))
    expect(await slow.refused({ message: 'Hello' })).toEqual([504, 'SVC_002'])
    expect(await tokensOf(slow.tenantId)).toBeGreaterThan(0)
    const held = await installation.sql('select from conversation_tokens where reserved <> 0')
    expect(held).toEqual([])
  })

  it('are reserved before a turn: turns at the same time do not exceed the day together', async () => {
    const { chat, tenantId } = await newCompany()
    model.setScript(() => ({ text: 'Yes.', waitMs: 1_000, tokens: { in: 900, out: 100 } }))
    const before = model.requests.length
    const answers = await Promise.all(Array.from({ length: 8 }, () => chat({ message: 'Hello' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
    const refusal = answers.find(({ status }) => status === 429)!
    expect(refusal.body.error.message).toContain('turns under way')
    expect(Number(refusal.headers.get('retry-after'))).toBe(5)
    expect(model.requests.length - before).toBe(3)
    expect(await tokensOf(tenantId)).toBe(3_000)
  })

  it('of one turn are limited: it is cut in words', async () => {
    const { sendMessage } = await newCompany()
    model.setScript(() => ({ toolCalls: [{ name: 'invoices_list' }], tokens: { in: 600, out: 0 } }))
    const { toolsCalled, text } = await sendMessage('Hello')
    expect(toolsCalled).toHaveLength(2)
    expect(text).toMatch(/I stopped here/)
  })

  it('are seen in the figures, with what they cost, the turns and the tools', async () => {
    const names = [
      'relance_assistant_tokens_total{direction="in"}',
      'relance_assistant_tokens_total{direction="out"}',
      'relance_assistant_cost_total',
      'relance_assistant_turn_seconds_count{outcome="answered"}',
      'relance_assistant_tools_total{operation="invoices.list"}',
    ]
    const before = await Promise.all(names.map(metric))
    const { sendMessage } = await newCompany()
    model.setScript(
      inSteps(
        { toolCalls: [{ name: 'invoices_list' }], tokens: { in: 100, out: 20 } },
        { text: 'Done.', tokens: { in: 200, out: 30 } },
      ),
    )
    await sendMessage('Hello')
    const after = await Promise.all(names.map(metric))
    const grown = after.map((value, at) => Math.round((value - before[at]!) * 1e9) / 1e9)
    expect(grown).toEqual([300, 50, (300 * 3 + 50 * 15) / 1e6, 1, 1])
  })
})

describe('requests', () => {
  it('of a minute are limited as everywhere: RATE_001', async () => {
    const { productionKey } = await installation.server.createCompany({
      name: 'Petite maison',
      ownerEmail: 'petite@maison.example',
      tier: 'starter',
    })
    const { refused } = assistantCalls(installation, () => productionKey)
    // The window is the minute of the wall: it may end while we fill it, once.
    let [answer, requests] = [await refused({}), 1]
    for (; answer[0] !== 429 && requests < 125; requests++) answer = await refused({})
    expect(answer).toEqual([429, 'RATE_001'])
    expect(requests).toBeGreaterThan(60)
  })
})
