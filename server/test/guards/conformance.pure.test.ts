import { expect, it } from 'vitest'
import { z } from 'zod'
import { rowsWithoutTest } from '../../generate/conformance.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { operations } from '../../src/features/all.ts'
import type { Scope } from '../../src/kit/actor.ts'
import { errorStatuses } from '../../src/kit/errors.ts'
import type { Row } from '../conformance/row.ts'
import { tables } from '../conformance/rows.ts'

const rows: readonly Row[] = tables.flatMap(table => table.rows)
const byId = new Map(rows.map(row => [row.id, row]))
const isProven = (id: string) => byId.has(id)

/** The specification's endpoints and the scopes it asks for: nothing in here follows the code. */
const promised: Record<string, Scope[]> = {
  'GET /health': [],
  'GET /api/v1/invoices': ['invoices:read'],
  'GET /api/v1/invoices/:id': ['invoices:read'],
  'POST /api/v1/invoices': ['invoices:write'],
  'POST /api/v1/invoices/bulk': ['invoices:write'],
  'PUT /api/v1/invoices/:id': ['invoices:write'],
  'POST /api/v1/invoices/:id/cancel': ['invoices:write', 'workflow:trigger'],
  'DELETE /api/v1/invoices/:id': ['invoices:delete'],
  'GET /api/v1/invoices/stats/summary': ['reports:read'],
  'GET /api/v1/debtors': ['debtors:read'],
  'GET /api/v1/debtors/:id': ['debtors:read'],
  'POST /api/v1/debtors': ['debtors:write'],
  'PUT /api/v1/debtors/:id': ['debtors:write'],
  'GET /api/v1/debtors/:id/invoices': ['debtors:read', 'invoices:read'],
  'GET /api/v1/debtors/:id/score': ['debtors:read'],
  'GET /api/v1/payments': ['payments:read'],
  'GET /api/v1/payments/:id': ['payments:read'],
  'GET /api/v1/payments/invoice/:invoiceId': ['payments:read'],
  'GET /api/v1/payments/stats/summary': ['reports:read'],
  'GET /api/v1/workflow/invoice/:invoiceId': ['workflow:read'],
  'GET /api/v1/workflow/invoice/:invoiceId/history': ['workflow:read'],
  'POST /api/v1/workflow/invoice/:invoiceId/trigger': ['workflow:trigger'],
  'GET /api/v1/workflow/invoice/:invoiceId/next-action': ['workflow:read'],
  'GET /api/v1/workflow/stats': ['reports:read'],
  'POST /api/v2/agent/chat': ['agent:chat'],
  'GET /api/v2/agent/conversations': ['agent:chat'],
  'GET /api/v2/agent/conversations/:id': ['agent:chat'],
  'GET /api/v1/webhooks': ['webhooks:manage'],
  'POST /api/v1/webhooks': ['webhooks:manage'],
  'GET /api/v1/webhooks/:id': ['webhooks:manage'],
  'PUT /api/v1/webhooks/:id': ['webhooks:manage'],
  'DELETE /api/v1/webhooks/:id': ['webhooks:manage'],
  'POST /api/v1/webhooks/:id/rotate-secret': ['webhooks:manage'],
  'GET /api/v1/webhooks/:id/deliveries': ['webhooks:manage'],
  'POST /api/v1/webhooks/:id/test': ['webhooks:manage'],
  'POST /api/v1/api-keys': ['webhooks:manage'],
  'GET /api/v1/api-keys': ['webhooks:manage'],
  'POST /api/v1/api-keys/:id/rotate': ['webhooks:manage'],
  'DELETE /api/v1/api-keys/:id': ['webhooks:manage'],
  'POST /api/oauth/token': [],
  'GET /api/oauth/authorize': [],
  'POST /api/oauth/revoke': [],
  'POST /api/oauth/introspect': [],
  'GET /.well-known/oauth-authorization-server': [],
}

const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

it('every row has an id of its own and says something', () => {
  expect(byId.size).toBe(rows.length)
  for (const row of rows) expect(row.says, row.id).toMatch(/\S/)
})

it('every row names a test that exists', async () => {
  expect(await rowsWithoutTest()).toEqual([])
})

it('every endpoint of the specification has its row, and no row an endpoint that is neither promised nor served', () => {
  const served = operations.map(routeOf)
  const listed = rows.filter(row => row.id.startsWith('endpoint.')).map(row => row.id.slice(9))
  expect(listed.sort()).toEqual([...new Set([...Object.keys(promised), ...served])].sort())
})

it('every operation that is served is proven, with each parameter it takes', () => {
  for (const operation of operations) {
    expect(isProven(`endpoint.${routeOf(operation)}`), operation.id).toBe(true)
    if (!(operation.query instanceof z.ZodObject) || !(routeOf(operation) in promised)) continue
    const names = Object.keys(operation.query.shape).filter(name => name !== 'cursor')
    // Lists for which the specification names no parameter page like every other.
    if (names.join() === 'page,limit') continue
    for (const name of names)
      expect(isProven(`${operation.id}.query.${name}`), `${operation.id} ${name}`).toBe(true)
  }
})

it('every endpoint of the specification that is served asks for the scopes of the specification', () => {
  for (const operation of operations) {
    const requiredScopes = promised[routeOf(operation)]
    if (requiredScopes) expect([...operation.scopes].sort(), operation.id).toEqual([...requiredScopes].sort())
  }
})

it('every operation is under /api/v1, and the assistant alone under /api/v2/agent', () => {
  for (const { id, path } of operations)
    expect(path, id).toMatch(id.startsWith('agent.') ? /^\/api\/v2\/agent\// : /^\/api\/v1\//)
})

it('every error code and every scope has its row', () => {
  for (const code of Object.keys(errorStatuses)) expect(byId.has(`error.${code}`), code).toBe(true)
  for (const scope of scopes) expect(byId.has(`scope.${scope}`), scope).toBe(true)
})
