import type { Role } from '../../src/features/access/roles.ts'
import type { Environment, Scope } from '../../src/kit/actor.ts'

/**
 * Who may do what, written by hand: nothing in this file follows the declarations of the operations or the roles.
 *
 * The first column says which roles: O owner, M manager, A agent, V viewer, D developer. The second says which scopes: all of one
 * of the sets. Then what else applies:
 *   fresh   a person, or the person an application acts for, signed in within ten minutes
 *   payout  in production: an owner in their own session, signed in within ten minutes
 *   ask     the assistant and MCP have it as a tool that acts; read: as one that reads. Otherwise it is no tool
 */
const table = `
OMAVD invoices:read                 read  invoices.list invoices.get
OMAVD invoices:read                 -     invoices.anr
OMAVD workflow:read+payments:read   read  invoices.timeline debtors.timeline
OMA   invoices:write                ask   invoices.create invoices.import invoices.update invoices.credit invoices.waiveLatePayment
OMA   invoices:write                -     tasks.import tasks.map
OM    invoices:delete               ask   invoices.delete
OM    invoices:write+invoices:delete ask  tasks.undo
OMA   invoices:write+workflow:trigger ask invoices.dispute invoices.resolveDispute invoices.promise debtors.promise invoices.acknowledgePromise invoices.cancel invoices.writeOff
OMAVD reports:read                  read  invoices.summary payments.summary workflow.stats reports.today reports.agedBalance reports.sums
OMAVD debtors:read                  read  debtors.list debtors.get debtors.dataRequests debtors.people debtors.notes
OMAVD debtors:read                  -     debtors.replies
OMAVD debtors:read|scoring:read     read  debtors.score
OMAVD debtors:read+invoices:read    read  debtors.invoices search.find
OMAVD debtors:read+invoices:read    -     debtors.statement
OMAVD debtors:read+invoices:read+workflow:read read work.list work.summary
OMAVD debtors:read+workflow:read    read  debtors.calendar communications.get communications.list
OMAVD debtors:read+workflow:read    -     claimLists.pdf
OMA   debtors:write                 ask   debtors.create debtors.update debtors.readReply debtors.addPerson debtors.changePerson debtors.removePerson debtors.addNote debtors.endComeBack
OMA   debtors:write+invoices:write+workflow:trigger ask debtors.closeReply
OMA   debtors:write+workflow:trigger ask  debtors.optOut debtors.wrongPerson debtors.retryAddress debtors.pause debtors.resume debtors.recordDataRequest debtors.decideDataRequest debtors.reportSituation debtors.decideSituation communications.acknowledge
OM    debtors:write+invoices:delete -     tasks.erase
OM    debtors:write+invoices:delete fresh tasks.access
OMAVD payments:read                 read  payments.list payments.get payments.ofInvoice
OMA   payments:write                ask   payments.create payments.receive payments.settle payments.refund payments.reverse
OMAVD workflow:read                 read  workflow.get workflow.history workflow.nextAction workflow.plan workflow.preview debtors.contacts
OMAVD workflow:read                 read  cascades.list cascades.get claimLists.get templates.list templates.preview company.get team.list
OMA   workflow:trigger              ask   workflow.trigger workflow.recordFiling
OMA   notifications:send|lrar:send  ask   workflow.communicate workflow.takeBack
OMA   workflow:trigger|notifications:send|lrar:send ask tasks.bulk
OMAVD invoices:read|debtors:read|payments:read|workflow:read|webhooks:manage fresh,ask tasks.export
OMAVD workflow:trigger|notifications:send|lrar:send|invoices:write|invoices:delete|invoices:read|debtors:read|payments:read|workflow:read|webhooks:manage read tasks.list tasks.get tasks.items
OMAVD workflow:trigger|notifications:send|lrar:send|invoices:write|invoices:delete|invoices:read|debtors:read|payments:read|workflow:read|webhooks:manage ask tasks.start tasks.cancel
OMAVD workflow:read|invoices:read|payments:read|debtors:read read events.list
OMA   agent:chat                    -     agent.chat agent.conversations agent.conversation
OM    company:manage                -     claimLists.create
OM    company:manage                ask   cascades.create cascades.update company.stopSending
OM    company:manage                fresh,ask company.resumeSending
OM    company:manage                -     company.update
OM    company:manage                payout company.setLogo company.deleteLogo
OM    texts:manage                  -     templates.update templates.reset
OD    webhooks:manage               read  webhooks.list webhooks.get webhooks.deliveries webhooks.events apiKeys.list oauthClients.list oauthClients.get securityEvents.list
OD    webhooks:manage               ask   webhooks.retryDelivery webhooks.recover apiKeys.delete oauthClients.delete
OD    webhooks:manage               -     webhooks.delete webhooks.test
OD    webhooks:manage               fresh webhooks.create webhooks.update webhooks.rotateSecret apiKeys.create apiKeys.rotate oauthClients.create oauthClients.update oauthClients.rotateSecret
O     webhooks:manage               read  members.list
O     webhooks:manage               -     members.withdrawInvitation
O     webhooks:manage               fresh members.invite members.update members.remove
OMAVD workflow:read                 read  sandbox.clock sandbox.messages
OMA   workflow:trigger              ask   sandbox.advance sandbox.simulateReply sandbox.simulateDelivered sandbox.simulateBounced sandbox.simulateNoAnswer
OMA   workflow:trigger              ask   sandbox.simulateLrarPresented sandbox.simulateLrarSigned sandbox.simulateLrarRefused sandbox.simulateLrarUnclaimed
OMA   workflow:trigger              ask   sandbox.simulatePayment sandbox.simulatePromise sandbox.simulateDispute sandbox.simulateOptOut sandbox.simulateWrongPerson
OM    invoices:delete               -     sandbox.reset
`

const letters: Readonly<Record<string, Role>> = {
  O: 'owner',
  M: 'manager',
  A: 'agent',
  V: 'viewer',
  D: 'developer',
}

interface Row {
  readonly roles: readonly Role[]
  readonly scopeSets: readonly (readonly string[])[]
  readonly rules: ReadonlySet<string>
}

export const rows: ReadonlyMap<string, Row> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap(line => {
      const [who, scopes, rules, ...ids] = line.split(/\s+/)
      const row: Row = {
        roles: [...who!].map(letter => letters[letter]!),
        scopeSets: scopes!.split('|').map(set => set.split('+')),
        rules: new Set(rules!.split(',')),
      }
      return ids.map(id => [id, row] as const)
    }),
)

/** Who asks, as a person would describe them. */
export interface Asks {
  readonly as: 'person' | 'assistant of a person' | 'application for a person' | 'application' | 'key'
  /** The role of the person; of a key or an application for itself, that of its maker. Null: the operator made it. */
  readonly role: Role | null
  readonly isFresh: boolean
  readonly environment: Environment
  /** All that the role has, or everything there is, unless fewer were granted. */
  readonly granted?: readonly Scope[]
}

export type Expected = 'yes' | 'right' | 'own session' | 'fresh sign-in'

/** What the table says. */
export function expected(id: string, { as, role, isFresh, environment, granted }: Asks): Expected {
  const row = rows.get(id)
  if (!row) throw new Error(`${id} is not in the table of who may do what`)
  const { roles, scopeSets, rules } = row
  const isForPerson = as !== 'application' && as !== 'key'
  const hasScopes =
    granted === undefined || scopeSets.some(set => set.every(scope => granted.includes(scope as Scope)))
  const isPayout = rules.has('payout') && environment === 'production'
  if (!hasScopes) return 'right'
  if (role !== null && !roles.includes(role)) return 'right'
  if (isPayout && as !== 'person') return 'own session'
  if (isPayout && role !== 'owner') return 'right'
  if (isForPerson && !isFresh && (isPayout || rules.has('fresh'))) return 'fresh sign-in'
  return 'yes'
}

/** Whether the assistant and MCP have it as a tool at all. */
export const isTool = (id: string): boolean => {
  const { rules } = rows.get(id)!
  return rules.has('ask') || rules.has('read')
}
