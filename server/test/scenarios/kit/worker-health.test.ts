import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { newKeyring } from '../../../dev/installation.ts'
import { freePort } from '../../../dev/ports.ts'
import { inheritedEnv } from '../../../dev/relance-args.ts'
import { startChild } from '../../../src/kit/child-process.ts'
import { createPool } from '../../../src/kit/db/pool.ts'
import { startHeartbeat } from '../../../src/kit/heartbeat.ts'
import { createLog } from '../../../src/kit/log.ts'
import { useClone } from '../../guards/clone.ts'
import { startDatabaseProxy } from '../../harness/database-proxy.ts'
import { eventually } from '../../harness/use-installation.ts'

const clone = useClone()
const main = join(import.meta.dirname, '../../../src/main.ts')

let child: ChildProcess
afterEach(() => void child?.kill('SIGKILL'))

interface Answer {
  status: number
  reason?: string
}

/** A worker as an operator starts it, and how a load balancer asks for its health. */
async function startWorkerProcess(role: string, mode: 'forward' | 'refuse') {
  const { env } = clone.database
  const proxy = await startDatabaseProxy(clone.database.adminUrl, mode)
  const port = await freePort()
  child = startChild(process.execPath, [main, role], {
    env: {
      ...inheritedEnv(),
      RELANCE_ENV: 'development',
      KEYRING: newKeyring(),
      PORT: String(await freePort()),
      METRICS_PORT: String(port),
      SMTP_URL: 'smtp://127.0.0.1:9',
      LOG_LEVEL: 'silent',
      API_DATABASE_URL: proxy.through(env.API_DATABASE_URL),
      WORKER_DATABASE_URL: proxy.through(env.WORKER_DATABASE_URL),
    },
    stdio: 'ignore',
  })
  const ask = async (path: string): Promise<Answer> => {
    const signal = AbortSignal.timeout(5_000)
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal }).catch(() => null)
    if (!response) return { status: 0 }
    const { reason } = (await response.json()) as { reason?: string }
    return { status: response.status, ...(reason !== undefined && { reason }) }
  }
  const becomes = (path: string, status: number) =>
    eventually(
      () => ask(path),
      answer => answer.status === status,
    )
  return { proxy, ask, becomes }
}

it.each(['worker', 'all'])(
  'the role %s says that it lives while it waits for its database, and that it is ready when it works',
  async role => {
    const { proxy, ask, becomes } = await startWorkerProcess(role, 'refuse')
    await becomes('/health', 200)
    expect(await ask('/health/ready')).toEqual({
      status: 503,
      reason: expect.stringMatching(/^(it|the worker|the api) is starting$/),
    })
    proxy.set('forward')
    await becomes('/health/ready', 200)
    await proxy.stop()
  },
)

it('a worker is not ready while its database is away, lives on, and is ready when it is back', async () => {
  const { proxy, ask, becomes } = await startWorkerProcess('worker', 'forward')
  await becomes('/health/ready', 200)
  proxy.set('refuse')
  proxy.cut()
  expect(await becomes('/health/ready', 503)).toEqual({ status: 503, reason: 'the database does not answer' })
  expect(await ask('/health')).toEqual({ status: 200 })
  proxy.set('forward')
  await becomes('/health/ready', 200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  await proxy.stop()
})

it('a worker that is frozen gives no answer, and is well again when it goes on', async () => {
  const { proxy, ask, becomes } = await startWorkerProcess('worker', 'forward')
  await becomes('/health', 200)
  child.kill('SIGSTOP')
  expect(await ask('/health')).toEqual({ status: 0 })
  child.kill('SIGCONT')
  await becomes('/health', 200)
  await becomes('/health/ready', 200)
  await proxy.stop()
})

it('a heartbeat that cannot be written is still tried; one that hangs is not', async () => {
  const proxy = await startDatabaseProxy(clone.database.adminUrl)
  const pool = createPool({
    url: proxy.through(clone.database.env.WORKER_DATABASE_URL),
    role: 'relance-worker',
    max: 1,
    statementTimeoutMs: 30_000,
  })
  const heartbeat = await startHeartbeat(pool, createLog('silent', 'worker'), randomUUID())
  proxy.set('refuse')
  proxy.cut()
  await pause(8_000)
  expect(heartbeat.silentMs().written).toBeGreaterThan(7_000)
  expect(heartbeat.silentMs().tried).toBeLessThan(5_000)
  proxy.set('forward')
  await eventually(
    () => heartbeat.silentMs().written,
    silent => silent < 3_000,
  )
  proxy.set('stall')
  await pause(8_000)
  expect(heartbeat.silentMs().tried).toBeGreaterThan(5_000)
  proxy.set('forward')
  proxy.cut()
  await heartbeat.stop()
  await pool.end()
  await proxy.stop()
})
