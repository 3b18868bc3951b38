import { once } from 'node:events'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../dev/ports.ts'
import { startChild } from '../../src/kit/child-process.ts'
import { engineBinary, waitUntilReady } from '../../src/kit/engine/server.ts'
import { type ManagedProcess, retryWhilePortTaken } from './managed-process.ts'

const partitions = 4

interface NodePorts {
  node: number
  ingress: number
  admin: number
}

/** The configuration of docs/engine-cluster.md, with the ports of this machine. */
function nodeConfig(
  dir: string,
  index: number,
  ports: readonly NodePorts[],
  identityKeyFile: string,
): string {
  const text = JSON.stringify
  const { node, ingress, admin } = ports[index]!
  return `node-name = "relance-${index + 1}"
cluster-name = "relance"
base-dir = ${text(dir)}
roles = ["metadata-server", "admin", "worker", "log-server", "http-ingress"]
listen-mode = "tcp"
bind-ip = "127.0.0.1"
bind-port = ${node}
advertised-host = "127.0.0.1"
auto-provision = ${index === 0}
default-num-partitions = ${partitions}
default-replication = 2
disable-telemetry = true
rocksdb-total-memory-size = "64 MiB"
log-format = "json"
log-disable-ansi-codes = true
log-filter = "warn,restate=info,octocrab=off"

[metadata-client]
type = "replicated"
addresses = [${ports.map(({ node: port }) => text(`http://127.0.0.1:${port}`)).join(', ')}]

[bifrost]
default-provider = "replicated"

[ingress]
bind-ip = "127.0.0.1"
bind-port = ${ingress}

[admin]
bind-ip = "127.0.0.1"
bind-port = ${admin}
disable-web-ui = true

[worker.invoker]
concurrent-invocations-limit = 25
request-identity-private-key-pem-file = ${text(identityKeyFile)}
`
}

function nodeProcess(index: number, configFile: string, logFile: string): ManagedProcess {
  let child: ReturnType<typeof startChild> | null = null
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const ending = child
    child = null
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    ending.kill(signal)
    const killTimer = setTimeout(() => ending.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(killTimer)
  }
  return {
    kind: 'engine',
    name: `engine ${index + 1}`,
    isUp: () => child !== null && child.exitCode === null && child.signalCode === null,
    pid: () => child!.pid!,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start: () =>
      retryWhilePortTaken(async () => {
        const log = await open(logFile, 'a')
        child = startChild(engineBinary(), ['--config-file', configFile, '--no-logo'], {
          env: {},
          detached: true,
          stdio: ['ignore', log.fd, log.fd],
        })
        await once(child, 'spawn').finally(() => log.close())
      }),
  }
}

/** A balancer as an operator would put in front of the nodes: each connection goes to one that accepts it. */
async function startBalancer(targets: readonly number[]) {
  const sockets = new Set<Socket>()
  let next = 0
  const server = createServer(client => {
    const first = next++
    const tryAt = (attempt: number): void => {
      if (attempt === targets.length) return void client.destroy()
      const upstream = connect({ host: '127.0.0.1', port: targets[(first + attempt) % targets.length]! })
      let isConnected = false
      upstream.on('error', () => (isConnected ? client.destroy() : tryAt(attempt + 1)))
      upstream.once('connect', () => {
        isConnected = true
        sockets.add(upstream)
        upstream.once('close', () => {
          sockets.delete(upstream)
          client.destroy()
        })
        client.once('close', () => upstream.destroy())
        client.pipe(upstream).pipe(client)
      })
    }
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => sockets.delete(client))
    tryAt(0)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Three nodes of the engine on loopback, behind one address for calls and one for administration. */
export async function startEngineNodes(dir: string, identityKeyFile: string) {
  const ports: NodePorts[] = []
  for (let i = 0; i < 3; i++)
    ports.push({ node: await freePort(), ingress: await freePort(), admin: await freePort() })
  const nodes: ManagedProcess[] = []
  for (const index of ports.keys()) {
    const baseDir = join(dir, `engine-${index + 1}`)
    await mkdir(baseDir, { recursive: true })
    const configFile = join(dir, `engine-${index + 1}.toml`)
    await writeFile(configFile, nodeConfig(baseDir, index, ports, identityKeyFile))
    nodes.push(nodeProcess(index, configFile, join(dir, `engine-${index + 1}.log`)))
  }
  const ingress = await startBalancer(ports.map(port => port.ingress))
  const admin = await startBalancer(ports.map(port => port.admin))
  const stop = async () => {
    await Promise.all(nodes.map(node => node.stop()))
    await Promise.all([ingress.stop(), admin.stop()])
  }
  try {
    for (const node of nodes) await node.start()
    await waitUntilReady(admin.url, ingress.url, 120_000, { partitions })
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, ingressUrl: ingress.url, adminUrl: admin.url, stop }
}
