import type { ChaosInstallation } from './chaos-installation.ts'
import { call, type Endpoint } from './deliveries-receivers.ts'
import type { Findings } from './findings.ts'

interface EventRow {
  id: string
  type: string
  sequence: number
  data: unknown
}

interface ListedDelivery {
  id: string
  status: string
  attempts: number
  responseStatus: number | null
  nextRetryAt?: string
}

const pageSize = 100

async function listDeliveries(
  installation: ChaosInstallation,
  { webhookId }: Endpoint,
): Promise<ListedDelivery[]> {
  const all: ListedDelivery[] = []
  for (;;) {
    const path = `/api/v1/webhooks/${webhookId}/deliveries?limit=${pageSize}&offset=${all.length}`
    const page = await call<ListedDelivery[]>(installation, 'GET', path)
    all.push(...page)
    if (page.length < pageSize) return all
  }
}

export async function judgeDeliveries(
  findings: Findings,
  installation: ChaosInstallation,
  endpoints: readonly Endpoint[],
  wanted: number,
): Promise<void> {
  // As the administrator, who sees through every policy.
  const recorded = await installation.query<EventRow>(
    'select id, type, sequence, data from events where tenant_id = $1 and type = any ($2)',
    [installation.company.tenants.production, [...new Set(endpoints.flatMap(endpoint => endpoint.events))]],
  )
  const created = recorded.filter(event => event.type === 'invoice.created').length
  findings.check(`${wanted} invoices were recorded, each once`, created === wanted, created)
  const seen: EndpointRecord[] = []
  for (const endpoint of endpoints) {
    const expected = recorded.filter(event => endpoint.events.includes(event.type))
    seen.push({ endpoint, expected, rows: await listDeliveries(installation, endpoint) })
  }
  for (const [promise, faultsOf] of Object.entries(promises)) {
    const faults = seen.flatMap(one => faultsOf(one).map(fault => `${one.endpoint.name}: ${fault}`))
    findings.check(promise, faults.length === 0, faults.length > 0 ? [faults.length, ...faults] : undefined)
  }
  await judgeOwners(findings, installation)
  const known = endpoints.flatMap(endpoint => [...endpoint.known.values()])
  const requests = endpoints.reduce((sum, endpoint) => sum + endpoint.requests, 0)
  const refused = known.reduce((sum, one) => sum + one.failed, 0)
  const accepted = known.filter(one => one.isAccepted).length
  const repeated = requests - refused - accepted
  findings.figure('events', recorded.length)
  findings.figure('deliveries', accepted)
  findings.figure('requests refused by a flaky receiver', refused)
  findings.figure('deliveries of events that were already accepted', {
    count: repeated,
    share: `${((100 * repeated) / accepted).toFixed(2)} %`,
  })
}

/** What an endpoint received, the events it subscribes to, and its deliveries as the API lists them. */
interface EndpointRecord {
  endpoint: Endpoint
  expected: readonly EventRow[]
  rows: readonly ListedDelivery[]
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Each with the ids that break it. */
const promises: Record<string, (seen: EndpointRecord) => string[]> = {
  'every event arrived at every endpoint that asked for it': ({ endpoint, expected }) =>
    idsOf(expected.filter(event => !endpoint.known.get(event.id)?.isAccepted)),

  'by their ids nobody got anything else': ({ endpoint, expected }) => {
    const ids = new Set(idsOf(expected))
    return [...endpoint.known.keys()].filter(id => !ids.has(id))
  },

  'each says what was recorded': ({ endpoint, expected }) =>
    idsOf(
      expected.filter(({ id, type, sequence, data }) => {
        const received = endpoint.known.get(id)
        if (!received) return false
        return (
          received.type !== type || received.sequence !== sequence || received.data !== JSON.stringify(data)
        )
      }),
    ),

  'every request is signed, and a repeated one has the same id and the same bytes': ({ endpoint }) =>
    endpoint.faults,

  'each delivery is listed once, as delivered': ({ expected, rows }) => {
    const states = new Map(expected.map(({ id }) => [id, 'not listed']))
    for (const { id, status, responseStatus, nextRetryAt } of rows) {
      const isOver = status === 'delivered' && responseStatus === 200 && nextRetryAt === undefined
      if (isOver && states.get(id) === 'not listed') states.delete(id)
      else states.set(id, status)
    }
    return [...states].map(entry => entry.join(' '))
  },

  // An endpoint that never refused has one attempt, even if our processes were killed meanwhile.
  'no fault of ours was counted as an attempt': ({ endpoint, rows }) =>
    idsOf(rows.filter(({ id, attempts }) => attempts > 1 + (endpoint.known.get(id)?.failed ?? 0))),
}

async function judgeOwners(findings: Findings, installation: ChaosInstallation): Promise<void> {
  const endpoints = await installation.query<{ enabled: boolean; disabled_because: string | null }>(
    'select enabled, disabled_because from webhook_endpoints',
  )
  findings.check(
    'no webhook was switched off',
    endpoints.every(endpoint => endpoint.enabled),
    endpoints,
  )
  const mails = installation.mailbox.messages().map(mail => mail.subject)
  findings.check('no owner was alarmed by mail', mails.length === 0, mails)
}
