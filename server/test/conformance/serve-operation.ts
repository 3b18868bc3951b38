import { z } from 'zod'
import { newKeyring } from '../../dev/installation.ts'
import { scopes } from '../../src/features/access/scopes.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool, type Pool } from '../../src/kit/db/pool.ts'
import type { Statement } from '../../src/kit/db/statement.ts'
import { ApiError } from '../../src/kit/errors.ts'
import type { HttpContext } from '../../src/kit/http/http-context.ts'
import { type Allowance, memoryLimiter } from '../../src/kit/http/limits.ts'
import { createServer } from '../../src/kit/http/server.ts'
import { type Operation, operation } from '../../src/kit/operation.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'

/** An operation with the given run function. */
export const operationThat = (run: Operation['run']): Operation =>
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

/** A pool whose database cannot be reached. */
export const unreachablePool = (): Pool =>
  createPool({ url: 'postgres://nobody@127.0.0.1:1/none', role: 'test', max: 1, statementTimeoutMs: 500 })

export const selectOne: Statement<{ one: number }> = { name: 'test.one', text: 'select 1 as one' }
const enter: Statement<{ offset_ms: number }> = { name: 'test.enter', text: 'select 0 as offset_ms' }

/** Only the HTTP layer, around one operation and a caller that is always authenticated. */
export const serveOperation = (
  servedOperation: Operation,
  changes: Partial<HttpContext> & { allowance?: Allowance } = {},
) => {
  const { allowance = { perMinute: 60, perDay: null, inFlight: 10 }, ...contextChanges } = changes
  return createServer({
    operations: [servedOperation],
    pool: null as never,
    clock: { wall: () => Date.parse('2026-11-16T09:00:00Z') },
    newId: uuidv7,
    keyring: keyring(newKeyring()),
    external: null as never,
    limiter: memoryLimiter(),
    anonymousAllowance: { perMinute: 60, perDay: null, inFlight: 10 },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    metrics: createMetrics(),
    docsUrl: 'http://127.0.0.1/docs/errors',
    publicUrl: 'http://127.0.0.1',
    model: null,
    requireHttps: false,
    trustedProxies: [],
    maintenanceUntil: () => null,
    authenticate: async () => ({
      actor: { kind: 'api_key', id: 'k', tenantId: 't', companyId: 'c', environment: 'production', scopes },
      subject: 't',
      allowance,
      queueKey: 'k',
      entry: () => ({ statement: enter, values: [] }),
    }),
    authenticatePerson: async () => {
      throw new ApiError('AUTH_001', 'Nobody is signed in.')
    },
    forget() {},
    ...contextChanges,
  })
}
