import { expect } from 'vitest'
import { eventually, invoiceInput, type TestInstallation } from './use-installation.ts'

export interface SandboxAction {
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
export const lyonDebtor = (name: string) => ({
  name,
  email: `compta@${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`,
  phone: `+336${String(10_000_000 + Math.floor(Math.random() * 80_000_000))}`,
  address: '12 rue Mercière',
  postalCode: '69002',
  city: 'Lyon',
  type: 'business',
})

export type Sandbox = Awaited<ReturnType<typeof newSandbox>>

/** The sandbox of a new company, with its own clock, used through the API only. */
export async function newSandbox(installation: TestInstallation) {
  const company = await installation.server.createCompany({
    name: 'Atelier Martin',
    ownerEmail: 'comptabilite@atelier-martin.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
    sellsTo: 'business',
  })
  const call = <Data = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    installation.call<Data>(method, path, {
      key: company.sandboxKey,
      ...(body !== undefined && { body }),
    })

  async function callOk<Data = Record<string, unknown>>(method: string, path: string, body?: unknown) {
    // Something else may change the same resource at this moment: the answer says to repeat.
    const answer = await eventually(
      () => call<Data>(method, path, body),
      ({ body: answered }) => answered?.error?.code !== 'RES_004',
    )
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body.data
  }

  const now = async () => Date.parse((await callOk<{ now: string }>('GET', '/api/v1/sandbox/clock')).now)

  /** Until nothing is under way. */
  const untilIdle = () =>
    eventually(
      () => callOk<{ status: string }>('GET', '/api/v1/sandbox/clock'),
      ({ status }) => status === 'idle',
    )

  /** Advances the clock; waits for everything that is due before and meanwhile. */
  async function advance(advanceBy: string | { to: string }): Promise<SandboxAction[]> {
    const body = typeof advanceBy === 'string' ? { advance: advanceBy } : advanceBy
    await untilIdle()
    const answer = await callOk<{ status: string; happened: SandboxAction[] }>(
      'POST',
      '/api/v1/sandbox/clock',
      body,
    )
    if (answer.status === 'running') await untilIdle()
    return answer.happened
  }

  return {
    companyId: company.companyId,
    tenantId: company.tenants.sandbox,
    key: company.sandboxKey,
    call,
    done: callOk,
    now,
    advance,
    /** To noon of a day in Paris. */
    advanceToDay: (day: string) => advance({ to: `${day}T12:00:00+01:00` }),
    invoice: (changes: Record<string, unknown>) =>
      callOk<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', invoiceInput(changes)),
    trigger: (id: string, body: Record<string, unknown>) =>
      call('POST', `/api/v1/workflow/invoice/${id}/trigger`, body),
    simulate: (event: string, body: Record<string, unknown>) =>
      callOk('POST', `/api/v1/sandbox/simulate/${event}`, body),
    workflow: (id: string) =>
      callOk<{ status: string; currentStep: string; nextActionAt: string | null; actionsCompleted: number }>(
        'GET',
        `/api/v1/workflow/invoice/${id}`,
      ),
    nextAction: (id: string) =>
      callOk<{
        nextAction: string | null
        scheduledAt: string | null
        reasonCode: string
        blockedBy: string[]
      }>('GET', `/api/v1/workflow/invoice/${id}/next-action`),
    status: async (id: string) => (await callOk<{ status: string }>('GET', `/api/v1/invoices/${id}`)).status,
    history: (id: string) =>
      callOk<(Omit<SandboxAction, 'at'> & { executedAt: string })[]>(
        'GET',
        `/api/v1/workflow/invoice/${id}/history`,
      ),
    messages: (query = '') => callOk<Message[]>('GET', `/api/v1/sandbox/messages?limit=100${query}`),
    events: (id: string): Promise<Event[]> =>
      installation.sql<Event>('select type, data from events where subject_id = $1 order by sequence', [id]),
  }
}

/** The history as lines such as `2026-11-16 email_prise_en_charge sent`, with days in the debtor's time zone. */
export const historyLines = (
  lines: readonly { executedAt: string; action: string; status: string }[],
  zone = 'Europe/Paris',
): string[] =>
  lines.map(({ executedAt, action, status }) => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(executedAt))
    return `${day} ${action} ${status}`
  })
