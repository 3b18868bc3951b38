import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { newKeyring } from '../../../dev/installation.ts'
import { freePort } from '../../../dev/ports.ts'
import { inheritedEnv } from '../../../dev/relance-args.ts'
import { startChild } from '../../../src/kit/child-process.ts'
import { publisherSettings } from '../../../src/start/publisher.ts'
import { useClone } from '../../guards/clone.ts'
import { startDatabaseProxy } from '../../harness/database-proxy.ts'
import { eventually } from '../../harness/use-installation.ts'

const clone = useClone()
const main = join(import.meta.dirname, '../../../src/main.ts')

const publisherEnv = Object.fromEntries(publisherSettings.map(name => [name, 'Exemple']))

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** A role as an operator starts it in production, while its database cannot be reached. */
async function startWithoutDatabase(role: string) {
  const { env } = clone.database
  const proxy = await startDatabaseProxy(clone.database.adminUrl, 'refuse')
  const child = startChild(process.execPath, [main, role], {
    env: {
      ...inheritedEnv(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      RELANCE_ENV: 'production',
      KEYRING: newKeyring(),
      PUBLIC_URL: 'https://relance.example',
      PORT: String(await freePort()),
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'relance@relance.example',
      ...publisherEnv,
      API_DATABASE_URL: proxy.through(env.API_DATABASE_URL),
      WORKER_DATABASE_URL: proxy.through(env.WORKER_DATABASE_URL),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  started.push(child)
  const lines: string[] = []
  child.stderr!.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)))
  return { child, lines, proxy }
}

it.each(['api', 'worker'])(
  'the role %s waits for its database, says so in one line, and starts when it is there',
  async role => {
    const { child, lines, proxy } = await startWithoutDatabase(role)
    await eventually(
      () => ({ connections: proxy.connections(), ended: child.exitCode, lines }),
      ({ connections, ended }) => connections >= 4 || ended !== null,
    )
    expect([child.exitCode, lines.map(line => JSON.parse(line).msg)]).toEqual([
      null,
      ['the database cannot be reached; the start waits for it'],
    ])
    proxy.set('forward')
    await eventually(
      () => lines,
      seen => seen.some(line => line.includes(`${role} ready`)),
    )
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    await proxy.stop()
  },
)

it.each(['api', 'worker', 'all'])(
  'SIGTERM ends the role %s at once while it waits for its database',
  async role => {
    const { child, proxy } = await startWithoutDatabase(role)
    await eventually(proxy.connections, count => count >= 2)
    const askedAt = performance.now()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(performance.now() - askedAt).toBeLessThan(2_000)
    await proxy.stop()
  },
)
