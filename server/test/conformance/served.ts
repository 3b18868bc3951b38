import { z } from 'zod'
import { newKeyring } from '../../dev/installation.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool, type Pool } from '../../src/kit/db/pool.ts'
import type { Statement } from '../../src/kit/db/statement.ts'
import type { Edge } from '../../src/kit/http/edge.ts'
import { type Allowance, memoryLimiter } from '../../src/kit/http/limits.ts'
import { createServer } from '../../src/kit/http/server.ts'
import { type Operation, operation } from '../../src/kit/operation.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'

/** An operation that does what a test needs done. */
export const doing = (run: Operation['run']): Operation =>
  operation({
    id: 'tests.do',
    method: 'GET',
    path: '/do',
    summary: 'Does what a test needs done',
    scopes: [],
    status: 200,
    reply: z.object({}),
    errors: [],
    assistant: 'never',
    run: run as never,
  })

/** A pool whose database is not there. */
export const nowhere = (): Pool =>
  createPool({ url: 'postgres://nobody@127.0.0.1:1/none', role: 'test', max: 1, statementTimeoutMs: 500 })

export const aQuestion: Statement<{ one: number }> = { name: 'test.one', text: 'select 1 as one' }
const enter: Statement<{ offset_ms: number }> = { name: 'test.enter', text: 'select 0 as offset_ms' }

/** The edge alone, around one operation and a caller whom everybody knows. */
export const serve = (only: Operation, changes: Partial<Edge> & { allowance?: Allowance } = {}) => {
  const { allowance = { perMinute: 60, perDay: null, inFlight: 10 }, ...edge } = changes
  return createServer({
    operations: [only],
    pool: null as never,
    clock: { wall: () => Date.parse('2026-11-16T09:00:00Z') },
    newId: uuidv7,
    keyring: keyring(newKeyring()),
    outside: null as never,
    limiter: memoryLimiter(),
    strangers: { perMinute: 60, perDay: null, inFlight: 10 },
    log: { info() {}, warn() {}, error() {} },
    metrics: createMetrics(),
    docsUrl: 'http://127.0.0.1/docs/errors',
    publicUrl: 'http://127.0.0.1',
    model: null,
    requireHttps: false,
    trustedProxies: [],
    maintenanceUntil: () => null,
    authenticate: async () => ({
      actor: { kind: 'api_key', id: 'k', tenantId: 't', companyId: 'c', environment: 'production', scopes },
      allowance,
      lane: 'k',
      entry: () => ({ statement: enter, values: [] }),
    }),
    forget() {},
    ...edge,
  })
}
