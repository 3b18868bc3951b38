import { call, type Endpoint } from './deliveries-receivers.ts'
import type { Findings } from './findings.ts'
import type { Stage } from './stage.ts'

interface EventRow {
  id: string
  type: string
  sequence: number
  data: unknown
}

interface Listed {
  id: string
  status: string
  attempts: number
  responseStatus: number | null
  nextRetryAt?: string
}

const pageSize = 100

async function listed(stage: Stage, { webhookId }: Endpoint): Promise<Listed[]> {
  const all: Listed[] = []
  for (;;) {
    const path = `/api/v1/webhooks/${webhookId}/deliveries?limit=${pageSize}&offset=${all.length}`
    const page = await call<Listed[]>(stage, 'GET', path)
    all.push(...page)
    if (page.length < pageSize) return all
  }
}

export async function judgeDeliveries(
  findings: Findings,
  stage: Stage,
  endpoints: readonly Endpoint[],
  wanted: number,
): Promise<void> {
  // As the administrator, who sees through every policy.
  const recorded = await stage.ask<EventRow>(
    'select id, type, sequence, data from events where tenant_id = $1 and type = any ($2)',
    [stage.company.tenants.production, [...new Set(endpoints.flatMap(endpoint => endpoint.events))]],
  )
  const created = recorded.filter(event => event.type === 'invoice.created').length
  findings.check(`${wanted} invoices were recorded, each once`, created === wanted, created)
  const seen: Seen[] = []
  for (const endpoint of endpoints) {
    const mine = recorded.filter(event => endpoint.events.includes(event.type))
    seen.push({ endpoint, mine, rows: await listed(stage, endpoint) })
  }
  for (const [promise, faultsOf] of Object.entries(promises)) {
    const faults = seen.flatMap(one => faultsOf(one).map(fault => `${one.endpoint.name}: ${fault}`))
    findings.check(promise, faults.length === 0, faults.length > 0 ? [faults.length, ...faults] : undefined)
  }
  await judgeOwners(findings, stage)
  const known = endpoints.flatMap(endpoint => [...endpoint.known.values()])
  const requests = endpoints.reduce((sum, endpoint) => sum + endpoint.requests, 0)
  const refused = known.reduce((sum, one) => sum + one.failed, 0)
  const taken = known.filter(one => one.isTaken).length
  const twice = requests - refused - taken
  findings.figure('events', recorded.length)
  findings.figure('deliveries', taken)
  findings.figure('requests refused by a flaky receiver', refused)
  findings.figure('requests that told again what had been taken', {
    count: twice,
    share: `${((100 * twice) / taken).toFixed(2)} %`,
  })
}

/** What an endpoint was told, what happened that concerns it, and what its owner is shown of it. */
interface Seen {
  endpoint: Endpoint
  mine: readonly EventRow[]
  rows: readonly Listed[]
}

const idsOf = (of: readonly { id: string }[]): string[] => of.map(({ id }) => id)

/** Each with the ids that break it. */
const promises: Record<string, (seen: Seen) => string[]> = {
  'every event arrived at every endpoint that asked for it': ({ endpoint, mine }) =>
    idsOf(mine.filter(event => !endpoint.known.get(event.id)?.isTaken)),

  'by their ids nobody got anything else': ({ endpoint, mine }) => {
    const ids = new Set(idsOf(mine))
    return [...endpoint.known.keys()].filter(id => !ids.has(id))
  },

  'each says what was recorded': ({ endpoint, mine }) =>
    idsOf(
      mine.filter(({ id, type, sequence, data }) => {
        const told = endpoint.known.get(id)
        if (!told) return false
        return told.type !== type || told.sequence !== sequence || told.data !== JSON.stringify(data)
      }),
    ),

  'every request is signed, and a repeated one has the same id and the same bytes': ({ endpoint }) =>
    endpoint.faults,

  'each delivery is listed once, as delivered': ({ mine, rows }) => {
    const states = new Map(mine.map(({ id }) => [id, 'not listed']))
    for (const { id, status, responseStatus, nextRetryAt } of rows) {
      const isOver = status === 'delivered' && responseStatus === 200 && nextRetryAt === undefined
      if (isOver && states.get(id) === 'not listed') states.delete(id)
      else states.set(id, status)
    }
    return [...states].map(entry => entry.join(' '))
  },

  // Who never refused was tried once, whoever died meanwhile.
  'no fault of ours was counted as an attempt': ({ endpoint, rows }) =>
    idsOf(rows.filter(({ id, attempts }) => attempts > 1 + (endpoint.known.get(id)?.failed ?? 0))),
}

async function judgeOwners(findings: Findings, stage: Stage): Promise<void> {
  const pumps = await stage.ask<{ enabled: boolean; disabled_because: string | null }>(
    'select enabled, disabled_because from webhook_pumps',
  )
  findings.check(
    'no webhook was switched off',
    pumps.every(pump => pump.enabled),
    pumps,
  )
  const mails = stage.mailbox.messages().map(mail => mail.subject)
  findings.check('no owner was alarmed by mail', mails.length === 0, mails)
}
