import { expect } from 'vitest'
import { eventually, type House, invoiceInput } from './house.ts'

export interface Happened {
  at: string
  invoiceId: string
  invoiceNumber: string
  action: string
  channel: string | null
  status: string
  details: string
}

export interface Message {
  communicationId: string
  channel: string
  recipient: string
  subject: string | null
  body: string
  createdAt: string
  invoiceIds: string[]
}

type Event = { type: string; data: Record<string, unknown> }

/** A business in Lyon that can be reached in every way. */
export const lyon = (name: string) => ({
  name,
  email: `compta@${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`,
  phone: `+336${String(10_000_000 + Math.floor(Math.random() * 80_000_000))}`,
  address: '12 rue Mercière',
  postalCode: '69002',
  city: 'Lyon',
  type: 'business',
})

export type Sandbox = Awaited<ReturnType<typeof newSandbox>>

/** The sandbox of a company of its own, with its own clock, in the words of the API alone. */
export async function newSandbox(house: House) {
  const company = await house.installation.createCompany({
    name: 'Atelier Martin',
    ownerEmail: 'comptabilite@atelier-martin.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
    sellsTo: 'business',
  })
  const call = <Data = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    house.call<Data>(method, path, {
      key: company.sandboxKey,
      ...(body !== undefined && { body }),
    })

  async function done<Data = Record<string, unknown>>(method: string, path: string, body?: unknown) {
    const answer = await call<Data>(method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body.data
  }

  const now = async () => Date.parse((await done<{ now: string }>('GET', '/api/v1/sandbox/clock')).now)

  /** Until nothing is under way. */
  const untilIdle = () =>
    eventually(
      () => done<{ status: string }>('GET', '/api/v1/sandbox/clock'),
      ({ status }) => status === 'idle',
    )

  /** Lets time pass; waits for all that was due before it, and on the way. */
  async function advance(advanceBy: string | { to: string }): Promise<Happened[]> {
    const body = typeof advanceBy === 'string' ? { advance: advanceBy } : advanceBy
    await untilIdle()
    const answer = await done<{ status: string; happened: Happened[] }>('POST', '/api/v1/sandbox/clock', body)
    if (answer.status === 'running') await untilIdle()
    return answer.happened
  }

  return {
    tenantId: company.tenants.sandbox,
    key: company.sandboxKey,
    call,
    done,
    now,
    advance,
    /** To noon of a day in Paris. */
    goTo: (day: string) => advance({ to: `${day}T12:00:00+01:00` }),
    invoice: (changes: Record<string, unknown>) =>
      done<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', invoiceInput(changes)),
    trigger: (id: string, body: Record<string, unknown>) =>
      call('POST', `/api/v1/workflow/invoice/${id}/trigger`, body),
    simulate: (event: string, body: Record<string, unknown>) =>
      done('POST', `/api/v1/sandbox/simulate/${event}`, body),
    workflow: (id: string) =>
      done<{ status: string; currentStep: string; nextActionAt: string | null; actionsCompleted: number }>(
        'GET',
        `/api/v1/workflow/invoice/${id}`,
      ),
    next: (id: string) =>
      done<{
        nextAction: string | null
        scheduledAt: string | null
        reasonCode: string
        blockedBy: string[]
      }>('GET', `/api/v1/workflow/invoice/${id}/next-action`),
    status: async (id: string) => (await done<{ status: string }>('GET', `/api/v1/invoices/${id}`)).status,
    history: (id: string) =>
      done<(Omit<Happened, 'at'> & { executedAt: string })[]>(
        'GET',
        `/api/v1/workflow/invoice/${id}/history`,
      ),
    messages: (query = '') => done<Message[]>('GET', `/api/v1/sandbox/messages?limit=100${query}`),
    events: (id: string): Promise<Event[]> =>
      house.sql<Event>('select type, data from events where subject_id = $1 order by sequence', [id]),
  }
}

/** `2026-11-16 email_prise_en_charge sent`, as a reader of the history would tell it, in the debtor's own days. */
export const told = (
  lines: readonly { executedAt: string; action: string; status: string }[],
  zone = 'Europe/Paris',
): string[] =>
  lines.map(({ executedAt, action, status }) => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(executedAt))
    return `${day} ${action} ${status}`
  })
