import type { FastifyRequest } from 'fastify'
import type { Query } from '../../../kit/db/query.ts'
import { type ActorRef, type NewEvent, originOf } from '../../../kit/events.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { insertCompanyAudit } from './audit-store.ts'
import { auditRows } from './record-events.ts'

/** What the audit log stores about a request that is not an operation. */
export type AuditedRequest = Pick<FastifyRequest, 'id' | 'ip' | 'headers'>

/** Records an audit event for each of these companies, from a page or an OAuth endpoint. */
export async function recordCompanyAudit(
  { clock, newId }: Pick<PageContext, 'clock' | 'newId'>,
  query: Query,
  request: AuditedRequest,
  actor: ActorRef,
  event: NewEvent,
  companyIds: readonly string[],
): Promise<void> {
  if (companyIds.length === 0) return
  const wall = clock.wall()
  const rows = companyIds.map(companyId => {
    const context = {
      actor: { ...actor, origin: originOf(request) },
      requestId: request.id,
      now: wall,
      wall,
      newId: () => newId(wall),
    }
    return { company_id: companyId, act: auditRows([event], context)[0]! }
  })
  await query(insertCompanyAudit, [JSON.stringify(rows)])
}

/** Records what an operator did to a company with a command. */
export async function recordOperatorAudit(
  query: Query,
  { wall, newId }: { wall: number; newId: () => string },
  event: NewEvent,
  companyId: string,
): Promise<void> {
  const actor = { kind: 'operator', id: 'command' } as const
  const [act] = auditRows([event], { actor, requestId: null, now: wall, wall, newId })
  await query(insertCompanyAudit, [JSON.stringify([{ company_id: companyId, act }])])
}
