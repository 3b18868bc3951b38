import { setTimeout as pause } from 'node:timers/promises'

export interface Line {
  at: string
  action: string
  channel: string | null
  status: string
  details: string
}

export interface PlannedAction {
  action: string
  channel: string | null
  scheduledAt: string | null
  day: number | null
  reason: string
  reasonCode: string
  shifts: { because: string; detail: string; from: string; until: string }[]
}

export interface Message {
  channel: string
  recipient: string
  subject: string | null
  body: string
  createdAt: string
}

export type Api = ReturnType<typeof apiOf>

/** Uses a tenant through its API only, as any customer would. */
export function apiOf(baseUrl: string, key: string) {
  async function call<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data> {
    for (;;) {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as { data: Data; error?: { code: string; message: string } }
      if (!answer.error) return answer.data
      if (response.status !== 423) throw new Error(`${method} ${path}: ${answer.error.message}`)
      await pause(Number(response.headers.get('retry-after')) * 1_000)
    }
  }
  const messages = (invoiceId: string, more = '') =>
    call<Message[]>('GET', `/sandbox/messages?limit=100&invoiceId=${invoiceId}${more}`)
  return {
    call,
    messages,
    lastMessage: async (invoiceId: string, channel: string) =>
      (await messages(invoiceId, `&channel=${channel}`))[0] ?? null,
    plan: (invoiceId: string) =>
      call<{ actions: PlannedAction[] }>('GET', `/workflow/invoice/${invoiceId}/plan`),
    next: (invoiceId: string) =>
      call<{ reason: string }>('GET', `/workflow/invoice/${invoiceId}/next-action`),
    history: async (invoiceId: string): Promise<Line[]> => {
      // Advances the clock by a second, so that everything due now is done.
      await call('POST', '/sandbox/clock', { advance: 'PT1S' })
      const lines = await call<(Line & { executedAt: string })[]>(
        'GET',
        `/workflow/invoice/${invoiceId}/history`,
      )
      return lines.map(line => ({ ...line, at: line.executedAt }))
    },
    /** Advances the clock to a second after the moment; returns what happened in between. */
    async advanceTo(moment: string): Promise<Line[]> {
      const to = new Date(Date.parse(moment) + 1_000).toISOString()
      const { now } = await call<{ now: string }>('GET', '/sandbox/clock')
      if (now >= to) return []
      return (await call<{ happened: Line[] }>('POST', '/sandbox/clock', { to })).happened
    },
  }
}
