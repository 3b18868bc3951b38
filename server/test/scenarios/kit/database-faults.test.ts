import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { createPool, type Pool } from '../../../src/kit/db/pool.ts'
import { pipelineResults, query, withConnection } from '../../../src/kit/db/transaction.ts'
import { asApiError } from '../../../src/kit/http/envelope.ts'
import { createStartContext, startApi } from '../../../src/start/api.ts'
import { startDatabaseProxy } from '../../harness/database-proxy.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    error => error,
  )

describe('a connection of the pool', () => {
  let pool: Pool
  beforeAll(() => {
    pool = createPool({
      url: installation.database.env.API_DATABASE_URL,
      role: 'relance-api',
      max: 1,
      statementTimeoutMs: 2_000,
    })
  })
  afterAll(() => pool.end())
  const backend = () =>
    withConnection(pool, async client => (await client.query('select pg_backend_pid() as pid')).rows[0].pid)
  const raise = (state: string) => `do $$ begin raise exception 'a fault' using errcode = '${state}'; end $$`

  it.each(['25006', '25P03', '53100', '53200', '53400', '57P01', '57P05', '58030'])(
    'is closed after SQLSTATE %s, and the request is answered SVC_001 with Retry-After',
    async state => {
      const before = await backend()
      const error = await faultOf(withConnection(pool, client => client.query(raise(state))))
      expect(error).toMatchObject({ code: state })
      expect(asApiError(error)).toMatchObject({
        code: 'SVC_001',
        status: 503,
        extras: { retryAfterSeconds: 2 },
      })
      expect(await backend()).not.toBe(before)
    },
  )

  it('is closed after such a fault even if its user has caught the error', async () => {
    const before = await backend()
    await withConnection(pool, client => client.query(raise('25006')).catch(() => null))
    expect(await backend()).not.toBe(before)
  })

  it('is kept after an error of a statement', async () => {
    const before = await backend()
    expect(await faultOf(withConnection(pool, client => client.query('select 1/0')))).toMatchObject({
      code: '22012',
    })
    expect(await backend()).toBe(before)
  })

  it('is not cut while each statement of a pipeline stays within its time, however long all of them take', async () => {
    const results = await withConnection(pool, client =>
      pipelineResults(Array.from({ length: 6 }, () => query(client, 'select pg_sleep(1)'))),
    )
    expect(results).toHaveLength(6)
  })

  it('notices within half a minute that the other host has vanished, on both sides', async () => {
    const setting = async (name: string) =>
      (await pool.query<{ value: string }>('select current_setting($1) as value', [name])).rows[0]!.value
    expect(await setting('tcp_keepalives_idle')).toBe('10')
    expect(await setting('tcp_keepalives_interval')).toBe('5')
    expect(await setting('tcp_keepalives_count')).toBe('3')
    expect(await setting('tcp_user_timeout')).toBe('25000')
    if (process.platform !== 'linux') return
    const client = await pool.connect()
    const { localPort } = client.connection.stream as unknown as { localPort: number }
    client.release()
    const timers = await eventually(
      () => keepAliveTimers(localPort),
      found => found.length === 2,
      5_000,
    )
    // The first probe is sent at most ten seconds after the last byte.
    for (const seconds of timers) expect(seconds).toBeLessThanOrEqual(10.1)
  })
})

/** Seconds until the next keepalive probe, of each end of a connection on this machine. */
async function keepAliveTimers(port: number): Promise<number[]> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const table = `${await readFile('/proc/net/tcp', 'utf8')}${await readFile('/proc/net/tcp6', 'utf8')}`
  return table.split('\n').flatMap(line => {
    const [, local, remote, , , timer] = line.trim().split(/\s+/)
    if (!local?.endsWith(`:${hex}`) && !remote?.endsWith(`:${hex}`)) return []
    const [kind, when] = timer!.split(':')
    return kind === '02' ? [Number.parseInt(when!, 16) / 100] : []
  })
}

describe('the API', () => {
  const create = () => installation.call('POST', '/api/v1/invoices', { body: invoiceInput() })
  const endConnections = () =>
    installation.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'relance-api'`,
    )
  const setReadOnly = async (value: 'on' | 'off') => {
    await installation.sql(
      `alter database ${installation.database.name} set default_transaction_read_only = ${value}`,
    )
  }

  it('answers SVC_001 while its database is read-only, and is well as soon as it is not', async () => {
    await setReadOnly('on')
    try {
      await endConnections()
      // More often than there are connections: each of them is refused once.
      for (let i = 0; i < 5; i++) {
        const refused = await create()
        expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([
          503,
          'SVC_001',
          '2',
        ])
      }
    } finally {
      await setReadOnly('off')
    }
    // A connection made meanwhile would stay read-only for ever: each was closed by its refusal.
    expect((await create()).status).toBe(201)
  })

  it('answers SVC_001 when its database falls silent, closes the connection, and goes on when it answers again', async () => {
    const proxy = await startDatabaseProxy(installation.database.env.API_DATABASE_URL)
    const { config, baseUrl } = installation.server
    const api = await startApi(
      createStartContext({
        ...config,
        PORT: await freePort(),
        PUBLIC_URL: baseUrl,
        API_DATABASE_URL: proxy.through(installation.database.env.API_DATABASE_URL),
      }),
    )
    const post = () =>
      fetch(`${api.url}/api/v1/invoices`, {
        method: 'POST',
        headers: {
          'x-api-key': installation.company.productionKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify(invoiceInput()),
      })
    try {
      expect((await post()).status).toBe(201)
      proxy.set('stall')
      const silent = await post()
      expect([silent.status, ((await silent.json()) as { error: { code: string } }).error.code]).toEqual([
        503,
        'SVC_001',
      ])
      expect(silent.headers.get('retry-after')).toBe('2')
      proxy.set('forward')
      await eventually(
        async () => (await post()).status,
        status => status === 201,
        10_000,
      )
    } finally {
      await api.stop()
      await proxy.stop()
    }
  })
})
