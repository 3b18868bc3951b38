import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { brevoAccount } from '../../dev/stand-ins/brevo.ts'
import { headOf } from '../harness/raw-request.ts'
import { invoiceInput } from '../harness/use-installation.ts'
import { randomAddress } from '../harness/visitor.ts'
import { startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

const growthMaxMb = 200
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Requests that never end: the path, and as many bytes of the body as are sent at once. */
const attacks: readonly [
  method: string,
  path: string,
  headers: Record<string, string | number>,
  bytes: number,
][] = [
  ['POST', '/sign-in', { ...form, 'content-length': 16_384 }, 16_000],
  ['POST', '/api/oauth/token', { ...form, 'content-length': 16_384 }, 16_000],
  ['POST', '/api/oauth/authorize', { ...form, 'transfer-encoding': 'chunked' }, 0],
  ['POST', '/passkeys', { 'content-type': 'application/json', 'content-length': 65_000 }, 60_000],
  ['POST', '/callbacks/nobody', { 'content-length': 2_000_000 }, 500_000],
  ['POST', '/callbacks/brevo', { 'content-length': 1_000_000 }, 500_000],
  [
    'POST',
    '/api/v1/invoices/bulk',
    { 'content-type': 'application/json', 'content-length': 10_000_000 },
    500_000,
  ],
  ['POST', '/mcp', { 'content-type': 'application/json', 'content-length': 10_000_000 }, 500_000],
]

const filler = Buffer.alloc(500_000, 'a')

/** Keeps as many connections open, each with a request that does not end; those that are closed are opened again. */
function holdConnections(port: number, count: number, origin: string) {
  const sockets = new Set<Socket>()
  let opened = 0
  let isOver = false
  const open = () => {
    if (isOver) return
    const attack = attacks[opened++ % (attacks.length + 1)]
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      setTimeout(open, randomInt(50, 200))
    })
    socket.resume()
    // The last kind does not even end its headers.
    if (!attack) return socket.write('GET / HTTP/1.1\r\nhost: x\r\nx-slow: ')
    const [method, path, headers, bytes] = attack
    socket.write(headOf(method, path, { origin, 'x-forwarded-for': randomAddress(), ...headers }))
    if (bytes > 0) socket.write(filler.subarray(0, bytes))
  }
  for (let i = 0; i < count; i++) open()
  const trickle = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a')
  }, 1_000)
  const report = setInterval(() => parentPort!.postMessage({ held: sockets.size, opened }), 200)
  parentPort!.once('message', () => {
    isOver = true
    clearInterval(trickle)
    clearInterval(report)
    for (const socket of sockets) socket.destroy()
  })
}

interface Crowd {
  port: number
  count: number
  origin: string
}

// The strangers have a thread of their own, so that they do not slow down the customer they are measured against.
if (!isMainThread) {
  const { port, count, origin } = workerData as Crowd
  holdConnections(port, count, origin)
}

function startCrowd(crowd: Crowd) {
  const worker = new Worker(new URL(import.meta.url), { workerData: crowd })
  let seen = { held: 0, opened: 0 }
  worker.on('message', message => {
    seen = message
  })
  return {
    held: () => seen.held,
    opened: () => seen.opened,
    async close() {
      worker.postMessage('close')
      await pause(200)
      await worker.terminate()
    },
  }
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

const residentMb = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)

/** Strangers hold connections open with requests that do not end, while a customer works. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      connections: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '40' },
    },
  })
  const publicUrl = 'http://localhost:8080'
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 0,
    leaseMs: 4_000,
    env: {
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      EMAIL_PROVIDER: 'brevo',
      BREVO_API_KEY: brevoAccount.apiKey,
      BREVO_CALLBACK_TOKEN: brevoAccount.callbackToken,
    },
  })
  const before = findings.counts().failed
  try {
    const [url] = installation.apiUrls as [string]
    const pid = installation.apis[0]!.pid()
    const headers = { 'x-api-key': installation.company.productionKey, 'content-type': 'application/json' }
    const waits: number[] = []
    const failures: string[] = []
    const work = async () => {
      const startedAt = performance.now()
      try {
        const body = JSON.stringify(invoiceInput())
        const made = await fetch(`${url}/api/v1/invoices`, { method: 'POST', headers, body })
        const list = await fetch(`${url}/api/v1/invoices?limit=1`, { headers })
        if (made.status !== 201 || list.status !== 200) failures.push(`${made.status} ${list.status}`)
        await Promise.all([made.text(), list.text()])
      } catch (error) {
        failures.push(String(error))
      }
      waits.push(performance.now() - startedAt)
    }
    for (let i = 0; i < 50; i++) await work()
    const restingMb = residentMb(pid)
    findings.figure('a create and a list before, median, ms', Math.round(median(waits)))
    waits.length = 0
    const strangers = startCrowd({
      port: Number(new URL(url).port),
      count: Number(values.connections),
      origin: publicUrl,
    })
    let peakMb = restingMb
    const endsAt = performance.now() + Number(values.seconds) * 1_000
    const held: number[] = []
    while (performance.now() < endsAt) {
      await work()
      peakMb = Math.max(peakMb, residentMb(pid))
      held.push(strangers.held())
      await pause(100)
    }
    await strangers.close()
    waits.sort((a, b) => a - b)
    findings.figure(
      'connections held, half of the time at least',
      held.sort((a, b) => a - b)[held.length >> 1],
    )
    findings.figure('connections opened', strangers.opened())
    findings.figure('memory before and at its peak, MB', [restingMb, peakMb])
    findings.figure(
      'a create and a list, median and 99 %, ms',
      [0.5, 0.99].map(part => Math.round(waits[Math.floor(waits.length * part)]!)),
    )
    findings.check(
      `memory grew by less than ${growthMaxMb} MB`,
      peakMb - restingMb < growthMaxMb,
      peakMb - restingMb,
    )
    findings.check('every request of the customer was answered', failures.length === 0, failures.slice(0, 5))
    findings.check(
      'the customer was served all the time',
      waits.length > Number(values.seconds) / 2,
      waits.length,
    )
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    await installation.close(findings.counts().failed > before)
  }
}
