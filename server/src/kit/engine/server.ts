import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { startChild } from '../child-process.ts'

export type EngineOptions = {
  baseDir: string
  /** Where its ingress and its admin API listen; loopback unless it is said. */
  host?: string
  ingressPort: number
  adminPort: number
  nodePort: number
  /** Fixed when the data directory is first used. */
  partitions?: number
  /** Per partition: a burst of due work must not starve the rest. */
  concurrentInvocations?: number
  memory?: string
  identityKeyFile: string
  logFile?: string
}

export type EngineProcess = {
  ingressUrl: string
  adminUrl: string
  pid: number
  exited: Promise<number | null>
  stop(): Promise<void>
  kill(): void
}

const startTimeoutMs = 120_000
const stopTimeoutMs = 10_000

/** Resolves once the engine accepts work; rejects with the end of its log if it exits before that. */
export async function startEngine(options: EngineOptions): Promise<EngineProcess> {
  const baseDir = resolve(options.baseDir)
  const { host = '127.0.0.1' } = options
  await Promise.all([
    refuseTakenPort(options.ingressPort, host),
    refuseTakenPort(options.adminPort, host),
    refuseTakenPort(options.nodePort, '127.0.0.1'),
  ])
  await mkdir(baseDir, { recursive: true })
  const configFile = join(baseDir, 'restate.toml')
  await writeFile(configFile, configText(baseDir, options))

  const log = options.logFile === undefined ? undefined : await open(options.logFile, 'a')
  const output = log?.fd ?? 'inherit'
  const child = startChild(engineBinary(), ['--config-file', configFile, '--no-logo'], {
    // RESTATE_* variables would override the file, and a proxy variable would redirect our loopback calls.
    env: {},
    // Its own session: Ctrl-C reaches us first, and we stop things in order.
    detached: true,
    stdio: ['ignore', output, output],
  })
  await once(child, 'spawn').finally(() => log?.close())
  const exited = new Promise<number | null>(ended => child.once('exit', code => ended(code)))
  const kill = (): void => {
    child.kill('SIGKILL')
  }

  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host
  const ingressUrl = `http://${reachable}:${options.ingressPort}`
  const adminUrl = `http://${reachable}:${options.adminPort}`
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const killTimer = setTimeout(kill, stopTimeoutMs)
    await exited
    clearTimeout(killTimer)
  }

  const startAborted = new AbortController()
  const exitedEarly = exited.then(async code => {
    throw new Error(`the engine exited with ${code} while starting${await logTail(options.logFile)}`)
  })
  try {
    const { partitions = 1 } = options
    const watch = { partitions, signal: startAborted.signal }
    await Promise.race([waitUntilReady(adminUrl, ingressUrl, startTimeoutMs, watch), exitedEarly])
  } catch (error) {
    startAborted.abort()
    kill()
    throw error
  }
  return { ingressUrl, adminUrl, pid: child.pid!, exited, stop, kill }
}

/**
 * `/health` answers before the engine accepts work. The ingress answers a query about an invocation only when the leader of its
 * partition is ready. So one query per partition, about an invocation that does not exist, shows that the engine is ready.
 */
export async function waitUntilReady(
  adminUrl: string,
  ingressUrl: string,
  timeoutMs: number,
  { partitions = 1, signal }: { partitions?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const probes = Array.from({ length: partitions }, (_, partition) => ({
    url: `${ingressUrl}/restate/invocation/${unknownInvocation(partition, partitions)}/output`,
    expected: 404,
  }))
  probes.push({ url: `${adminUrl}/deployments`, expected: 200 })
  for (const { url, expected } of probes) {
    let last = 'no answer'
    for (;;) {
      const left = deadline - performance.now()
      if (left <= 0) throw new Error(`the engine is not ready after ${timeoutMs} ms: ${url}: ${last}`)
      const status = await statusOf(url, Math.min(left, 5_000)).catch(error => {
        last = error instanceof Error ? error.message : String(error)
        return undefined
      })
      if (status === expected) break
      if (status !== undefined) last = `status ${status}`
      await pause(20, undefined, { signal })
    }
  }
}

async function statusOf(url: string, timeoutMs: number): Promise<number> {
  const response = await request(url, { signal: AbortSignal.timeout(Math.ceil(timeoutMs)) })
  await response.body.dump()
  return response.statusCode
}

/** A well-formed id (version, 64-bit partition key, 128-bit remainder, in base 62) in the middle of a partition. */
function unknownInvocation(partition: number, partitions: number): string {
  const key = ((2n * BigInt(partition) + 1n) << 63n) / BigInt(partitions)
  return `inv_1${base62(key, 11)}${base62(1n, 22)}`
}

function base62(value: bigint, width: number): string {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  let text = ''
  for (let rest = value; text.length < width; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text
}

/** The key that identifies the engine to the workers: created by the first process that needs it; workers need only the public key. */
export async function ensureIdentityKey(file: string): Promise<{ publicKey: string }> {
  const pem = await readFile(file, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await writeIdentityKey(file)
    return readFile(file, 'utf8')
  })
  const { x } = createPublicKey(pem).export({ format: 'jwk' })
  if (x === undefined) throw new Error(`${file} holds no ed25519 key`)
  return { publicKey: `publickeyv1_${base58(Buffer.from(x, 'base64url'))}` }
}

async function writeIdentityKey(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const { privateKey } = generateKeyPairSync('ed25519')
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  // A hard link is atomic and never replaces a file: if two processes start together, the key of the first one stays.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
}

function base58(bytes: Buffer): string {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let text = ''
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n) {
    text = digits[Number(rest % 58n)] + text
  }
  const leadingZeros = bytes.findIndex(byte => byte !== 0)
  return digits.charAt(0).repeat(leadingZeros) + text
}

/** Restate ignores keys it does not know: check a new one with `restate-server --config-file … --dump-config`. */
function configText(baseDir: string, options: EngineOptions): string {
  const text = JSON.stringify
  return `# Written at every start.
node-name = "relance-1"
cluster-name = "relance"
base-dir = ${text(baseDir)}
listen-mode = "tcp"
bind-ip = "127.0.0.1"
bind-port = ${options.nodePort}
advertised-host = "127.0.0.1"
auto-provision = true
default-num-partitions = ${options.partitions ?? 1}
rocksdb-total-memory-size = ${text(options.memory ?? '512 MiB')}
disable-telemetry = true
shutdown-timeout = "8s"
log-format = "json"
log-disable-ansi-codes = true
log-filter = "warn,restate=info,octocrab=off"

[ingress]
bind-ip = ${text(options.host ?? '127.0.0.1')}
bind-port = ${options.ingressPort}

[admin]
bind-ip = ${text(options.host ?? '127.0.0.1')}
bind-port = ${options.adminPort}
disable-web-ui = true

[worker.invoker]
concurrent-invocations-limit = ${options.concurrentInvocations ?? 100}
request-identity-private-key-pem-file = ${text(resolve(options.identityKeyFile))}
`
}

/** Without this check another engine on the port could answer in place of ours. */
async function refuseTakenPort(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening').catch(error => {
    throw new Error(`port ${port} of the engine is already in use`, { cause: error })
  })
  probe.close()
  await once(probe, 'close')
}

/** The real binary, not the npm wrapper: killing the wrapper would orphan the server. */
export function engineBinary(): string {
  const wrapper = createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json')
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  return createRequire(wrapper).resolve(`${name}/bin/restate-server`)
}

async function logTail(logFile: string | undefined): Promise<string> {
  if (logFile === undefined) return ''
  const log = await readFile(logFile, 'utf8')
  return `:\n${log.trimEnd().split('\n').slice(-5).join('\n')}`
}
