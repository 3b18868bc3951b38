import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { auditEvents, operations } from '../../src/features/all.ts'
import type { AuditEventType } from '../../src/kit/events.ts'
import type { Operation } from '../../src/kit/operation.ts'
import { useClone } from './clone.ts'
import { environmentOf, keyOf, useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()
const clone = useClone()
const { installation } = calls

const writing = operations.filter(operation => operation.method !== 'GET')
const declared = new Map<string, AuditEventType>(auditEvents.map(event => [event.type, event]))
const typesOf = ({ audit }: Operation) =>
  audit === undefined || typeof audit === 'string' ? [] : audit.map(({ type }) => type)

const loggedBy = (requestId: string | null) =>
  installation.sql<{
    type: string
    schema_version: number
    data: unknown
    actor: object
    ip: string | null
    user_agent: string | null
  }>(
    'select type, schema_version, data, actor, ip, user_agent from audit_log where request_id = $1 order by id',
    [requestId],
  )

it.each(writing)('$id declares what it writes to the audit log, or why it writes nothing', ({ audit }) => {
  if (typeof audit === 'string') expect(audit).toMatch(/^none: \S.{20,}/)
  else expect(audit?.length).toBeGreaterThan(0)
})

it('an operation that only reads declares nothing, and every declared audit event is in the list of them', () => {
  for (const operation of operations) {
    if (operation.method === 'GET') expect(operation.audit, operation.id).toBeUndefined()
    for (const type of typesOf(operation)) expect([...declared.keys()], operation.id).toContain(type)
  }
  expect(declared.size).toBe(auditEvents.length)
})

describe('performed with its example, each operation leaves exactly the audit events it declares:', () => {
  it.each(writing)('$id', async operation => {
    const key = keyOf(installation.company, environmentOf(operation))
    const address = '192.0.2.44'
    const requestId = `audit-${randomUUIDv7()}`
    const answer = await calls.call(operation, {
      key,
      headers: { 'x-forwarded-for': address, 'user-agent': 'Guard/1.0', 'x-request-id': requestId },
    })
    expect(answer.status, answer.text).toBe(operation.status)
    const logged = await loggedBy(requestId)
    const types = typesOf(operation)
    if (types.length === 0) return expect(logged).toEqual([])
    expect(logged.length).toBeGreaterThan(0)
    for (const { type, schema_version, data, actor, ip, user_agent } of logged) {
      expect(types).toContain(type)
      expect(schema_version).toBe(declared.get(type)!.schemaVersion)
      expect(declared.get(type)!.data.parse(data), type).toStrictEqual(data)
      expect(Object.keys(actor).sort()).toEqual(['id', 'kind'])
      expect([ip, user_agent]).toEqual([address, 'Guard/1.0'])
    }
    expect(JSON.stringify(logged)).not.toContain('@')
  })
})

describe('what is in the audit log stays there:', () => {
  it.each(['relance_api', 'relance_worker', 'relance_operator'])(
    '%s may neither change nor delete a row',
    async role => {
      const [granted] = await clone.query<Record<string, boolean>>(
        `select has_table_privilege($1, 'audit_log', 'update') or has_any_column_privilege($1, 'audit_log', 'update') as updates,
                has_table_privilege($1, 'audit_log', 'delete') as deletes,
                has_table_privilege($1, 'audit_log', 'truncate') as truncates,
                has_function_privilege($1, 'purge_audit_log(timestamptz, integer)', 'execute') as purges`,
        [role],
      )
      expect(granted).toEqual({
        updates: false,
        deletes: false,
        truncates: false,
        purges: role === 'relance_operator',
      })
    },
  )

  it('a reset of the sandbox leaves it', async () => {
    const tenantId = installation.company.tenants.sandbox
    const count = async () =>
      (
        await installation.sql<{ n: number }>(
          'select count(*)::int as n from audit_log where tenant_id = $1',
          [tenantId],
        )
      )[0]!.n
    const before = await count()
    const answer = await installation.call('POST', '/api/v1/sandbox/reset', {
      key: installation.company.sandboxKey,
    })
    expect(answer.status).toBe(200)
    expect(await count()).toBeGreaterThan(before)
  })
})
