import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Listed {
  id: string
  debtor: { id: string; name: string }
  channel: string
  step: string
  state: string
  at: string
  sentAt: string | null
  invoice: { id: string; number: string } | null
  invoiceCount: number
}
interface Answer {
  data: Listed[]
  pagination: { limit: number; hasNext: boolean; nextCursor: string }
}
interface Slot {
  at: string
  channel: string
  left: number
  failed: number
  unknown: number
}

async function list(sandbox: Sandbox, query: Record<string, string>) {
  const answer = await sandbox.call('GET', `/api/v1/communications?${new URLSearchParams(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as Answer
}

/** Six debtors and a week of reminders. */
async function aWeek() {
  const sandbox = await newSandbox(installation)
  for (const name of ['Un', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six'])
    await sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`) })
  await sandbox.advance('P7D')
  return sandbox
}

it('has exactly the messages of each quarter hour and channel of the day', async () => {
  const sandbox = await aWeek()
  const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21']
  let messages = 0
  for (const date of days) {
    const { slots } = await sandbox.done<{ slots: Slot[] }>('GET', `/api/v1/reports/today?date=${date}`)
    for (const { at, channel, left, failed, unknown } of slots.filter(slot => slot.left > 0)) {
      const sentTo = new Date(Date.parse(at) + 900_000).toISOString()
      const { data, pagination } = await list(sandbox, { sentFrom: at, sentTo, channel })
      expect(data.length, at).toBe(left + failed + unknown)
      expect(pagination.hasNext).toBe(false)
      messages += data.length
    }
  }
  const all = await sandbox.messages()
  expect(messages).toBe(all.length)
  expect(messages).toBeGreaterThanOrEqual(12)
})

it('goes on by cursor, each message once, and finds those of one state', async () => {
  const sandbox = await aWeek()
  const [first] = await sandbox.messages()
  const sentFrom = `${first!.createdAt.slice(0, 10)}T00:00:00Z`
  const whole = await list(sandbox, { sentFrom })
  expect(whole.data.length).toBeGreaterThan(4)
  expect(whole.data.map(({ at }) => at)).toEqual(
    whole.data
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
  const pages: Listed[] = []
  let next: Answer | undefined
  do {
    next = await list(sandbox, {
      sentFrom,
      limit: '2',
      ...(next && { cursor: next.pagination.nextCursor }),
    })
    pages.push(...next.data)
  } while (next.pagination.hasNext)
  expect(pages).toEqual(whole.data)
  const chosen = whole.data[1]!
  expect(chosen).toMatchObject({
    debtor: { name: expect.stringContaining('SARL') },
    channel: 'email',
    invoice: { number: expect.any(String) },
    invoiceCount: 1,
  })
  await sandbox.simulate('bounced', { communicationId: chosen.id })
  const bounced = await list(sandbox, { sentFrom, state: 'bounced' })
  expect(bounced.data).toEqual([{ ...chosen, state: 'bounced' }])
})

it('without a day has the last one, and all that wait for a person', async () => {
  const sandbox = await aWeek()
  const { data } = await list(sandbox, {})
  const now = Date.parse((await sandbox.done<{ now: string }>('GET', '/api/v1/sandbox/clock')).now)
  for (const { at } of data) expect(now - Date.parse(at)).toBeLessThan(24 * 3_600_000)
  expect((await list(sandbox, { state: 'unknown' })).data).toEqual([])
  const [old] = await installation.sql<{ id: string }>(
    `update communications set state = 'unknown' where tenant_id = $1
        and id = (select id from communications where tenant_id = $1 order by reserved_at limit 1) returning id`,
    [sandbox.tenantId],
  )
  await installation.sql(
    'insert into unknown_messages (tenant_id, communication_id, since) values ($1, $2, $3) on conflict do nothing',
    [sandbox.tenantId, old!.id, new Date(now).toISOString()],
  )
  const waiting = await list(sandbox, { state: 'unknown' })
  expect(waiting.data.map(({ id, state }) => [id, state])).toEqual([[old!.id, 'unknown']])
})

it.each([
  { sentFrom: '2026-11-16T00:00:00Z', sentTo: '2026-11-17T01:00:01Z' },
  { sentFrom: '2026-11-16T00:00:00Z', sentTo: '2026-11-16T00:00:00Z' },
])('refuses a time that is no day or part of one: %o', async query => {
  const sandbox = await newSandbox(installation)
  const answer = await sandbox.call('GET', `/api/v1/communications?${new URLSearchParams(query)}`)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toMatchObject({ code: 'VAL_002', details: [{ field: 'sentTo' }] })
})
