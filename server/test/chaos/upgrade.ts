import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../dev/ports.ts'
import { inheritedEnv, relanceArgs } from '../../dev/relance-args.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { baselineCommit, checkOut, hasBaseline, hasCommit } from '../bench/base-commit.ts'
import { type Balancer, startBalancer, type Target } from './balancer.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import { judgeCrash } from './crash-oracle.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import type { ManagedProcess } from './managed-process.ts'
import { randomFrom } from './random.ts'
import { postTask, untilStatus } from './task-client.ts'
import { type InvoiceRequest, runTraffic } from './traffic.ts'
import { until } from './until.ts'

const leaseMs = 10_000
const drainMs = 120_000
/** What the units of systemd and the manifests of Kubernetes give a process to end by itself. */
const stopMs = { apis: 30_000, workers: 60_000 }
/** Messages tell by their sender which release sent them. */
const senders = { old: 'old@relance.example', new: 'new@relance.example' }
type Release = keyof typeof senders

/** A rolling upgrade under load: old and new side by side, and back again. Nobody outside may notice. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      /** Without it, the newest commit that changed the baseline. */
      from: { type: 'string' },
      /** How long each mixture of releases works. */
      seconds: { type: 'string', default: '20' },
      /** Creates a second, of all companies together. */
      rate: { type: 'string', default: '4' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const from = values.from ?? (await baselineCommit().catch(() => null))
  if (from === null || !(await hasCommit(from)))
    return findings.check(
      `the commit ${from ?? 'that changed the baseline last'} is in this clone (if not, it has no history: git fetch --unshallow)`,
      false,
    )
  if (!(await hasBaseline(from)))
    return findings.check(`the commit ${from} has the baseline: older databases cannot be upgraded`, false)
  const cleanup = new AsyncDisposableStack()
  // The processes end with us by themselves; the worktree would stay.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)))
  try {
    const old = await checkOut(from, cleanup)
    console.log(`upgrade: from ${old.id}, ${values.seconds} s a step, seed ${values.seed}`)
    await upgrade(findings, old.root, {
      stepMs: Number(values.seconds) * 1_000,
      rate: Number(values.rate),
      seed: Number(values.seed),
    })
  } finally {
    await cleanup.disposeAsync()
  }
}

interface Size {
  stepMs: number
  rate: number
  seed: number
}

async function upgrade(findings: Findings, root: string, size: Size): Promise<void> {
  const before = findings.counts().failed
  const random = randomFrom(size.seed)
  const installation = await startChaosInstallation({
    root,
    apis: 2,
    workers: 2,
    leaseMs,
    smtpDelayMs: () => random.between(20, 100),
    env: { MAIL_FROM: senders.old },
  })
  const balancer = await startBalancer()
  try {
    const apis = await twoOfEach('api', installation)
    const workers = await twoOfEach('worker', installation)
    for (const { old } of apis) balancer.add(old)
    const load = await startLoad({ ...installation, apiUrls: [balancer.url] }, size)
    const walk = await walkThrough(findings, installation, balancer, { apis, workers, size })
    const { traffic, reads, tasks } = await load.end()
    const remaining = await drain(installation, performance.now() + drainMs)
    findings.check('everything due was done', remaining === null, remaining ?? undefined)

    const { faults, tookMs } = balancer
    findings.check('every request was answered, and none with 5xx', faults.length === 0, faults)
    findings.figure('answers by status', balancer.statuses())
    findings.figure('answers in ms', percentiles(tookMs))
    findings.check(
      `all ${reads.asked} reads and lists were answered 200`,
      reads.wrong.length === 0,
      reads.wrong,
    )
    findings.check(
      `every task changed each of its ${tasks.invoices} recoveries once, before, between and after`,
      tasks.wrong.length === 0 && tasks.finished >= 3,
      tasks,
    )
    judgeSideBySide(findings, walk.steps)
    findings.check('every process ended by itself after SIGTERM', walk.killed.length === 0, walk.killed)
    findings.check(
      'no process ended without being asked to',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
    await judgeLogs(findings, installation)
    for (const { company, domain, requests } of traffic)
      await judgeCompany(findings, installation, { company, domain, requests })
    await judgeDoctor(findings, installation)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await balancer.stop()
    await installation.close(isRed)
  }
}

interface Place {
  old: Target & { process: ManagedProcess }
  new: Target & { process: ManagedProcess }
}

/** Each process with the one of our release that takes its place. They are on ports of their own. */
async function twoOfEach(role: 'api' | 'worker', installation: ChaosInstallation): Promise<Place[]> {
  const places: Place[] = []
  for (const [i, process] of (role === 'api' ? installation.apis : installation.workers).entries()) {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const name = `${i + 1}-new`
    const newProcess = await installation.newProcess(role, name, {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      MAIL_FROM: senders.new,
    })
    const local = (at: number) => `http://127.0.0.1:${at}`
    places.push({
      // Of a worker, the address of its health is all there is.
      old: {
        name: `old ${role} ${i + 1}`,
        url: role === 'api' ? installation.apiUrls[i]! : new URL(installation.metricsUrls[i]!).origin,
        process,
      },
      new: {
        name: `new ${role} ${i + 1}`,
        url: local(role === 'api' ? port : metricsPort),
        process: newProcess,
      },
    })
  }
  return places
}

interface Step {
  name: string
  /** What both releases did in it, once everything that changes had changed. */
  requests: Record<Release, number>
  messages: Record<Release, number>
  serving: { apis: Release[]; workers: Release[] }
}

/** The steps of docs/upgrading.md, and back again. */
async function walkThrough(
  findings: Findings,
  installation: ChaosInstallation,
  balancer: Balancer,
  { apis, workers, size }: { apis: Place[]; workers: Place[]; size: Size },
): Promise<{ steps: Step[]; killed: string[] }> {
  const steps: Step[] = []
  const killed: string[] = []
  const running = { apis: apis.map((): Release => 'old'), workers: workers.map((): Release => 'old') }

  const countAll = () => {
    const mails = installation.mailbox.messages()
    const both = (countOf: (release: Release) => number) => ({ old: countOf('old'), new: countOf('new') })
    return {
      requests: both(release => sum(apis.map(place => balancer.answeredBy(place[release].name)))),
      messages: both(release => mails.filter(({ from }) => from === senders[release]).length),
    }
  }
  const work = async (name: string) => {
    const start = countAll()
    await pause(size.stepMs)
    const end = countAll()
    const since = (kind: 'requests' | 'messages') => ({
      old: end[kind].old - start[kind].old,
      new: end[kind].new - start[kind].new,
    })
    const step: Step = {
      name,
      requests: since('requests'),
      messages: since('messages'),
      serving: structuredClone(running),
    }
    steps.push(step)
    findings.figure(name, { requests: step.requests, messages: step.messages })
  }
  const replace = async (kind: 'apis' | 'workers', i: number, to: Release) => {
    const place = (kind === 'apis' ? apis : workers)[i]!
    const [ending, starting] = [place[running[kind][i]!], place[to]]
    // Old releases end only when the balancer closes its connections to them. Ours must not need that.
    balancer.remove(ending.name, { letsGo: to === 'new' })
    const askedAt = performance.now()
    await ending.process.stop(stopMs[kind])
    const stoppedAt = performance.now()
    if (stoppedAt - askedAt >= stopMs[kind]) killed.push(ending.name)
    await starting.process.start()
    const isReady = () =>
      fetch(`${starting.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    if ((await until(isReady, 60_000)) === null) throw new Error(`${starting.name} did not become ready`)
    findings.figure(`${ending.name} → ${starting.name}`, {
      ended: seconds(stoppedAt - askedAt),
      ready: seconds(performance.now() - stoppedAt),
    })
    running[kind][i] = to
    if (kind === 'apis') balancer.add(starting)
  }

  await work('old programs, old schema')
  const checked = await runOwn(installation, ['config', 'check'])
  findings.check('the new program accepts the settings', checked.isDone, checked.text)
  const migratedAt = performance.now()
  const migrated = await runOwn(installation, ['migrate'])
  findings.check(
    'the new program migrated while the old ones worked',
    /^(applied |nothing to apply$)/.test(migrated.text),
    { said: migrated.text, took: seconds(performance.now() - migratedAt) },
  )
  await work('old programs, new schema')
  for (const i of workers.keys()) {
    await replace('workers', i, 'new')
    await work(`worker ${i + 1} is new`)
  }
  for (const i of apis.keys()) {
    await replace('apis', i, 'new')
    await work(`api ${i + 1} is new`)
  }
  await replace('workers', 0, 'old')
  await replace('apis', 0, 'old')
  await work('worker 1 and api 1 are old again')
  await replace('workers', 0, 'new')
  await replace('apis', 0, 'new')
  await work('all are new')
  return { steps, killed }
}

function judgeSideBySide(findings: Findings, steps: readonly Step[]): void {
  const idle = steps.filter(({ requests, messages, serving }) =>
    (['old', 'new'] as const).some(
      release =>
        serving.apis.includes(release) !== requests[release] > 0 ||
        serving.workers.includes(release) !== messages[release] > 0,
    ),
  )
  findings.check(
    'in every step each release that ran answered and sent, and no other did',
    idle.length === 0,
    idle,
  )
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function percentiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  return { all: sorted.length, median: at(0.5), p99: at(0.99), slowest: at(1) }
}

/** A command of our release, with the settings of the processes. */
async function runOwn(
  { env }: ChaosInstallation,
  args: string[],
): Promise<{ isDone: boolean; text: string }> {
  const options = { env: { ...inheritedEnv(), ...env } }
  return runChild(process.execPath, [...relanceArgs(), ...args], options).then(
    ({ stdout, stderr }) => ({ isDone: true, text: (stdout + stderr).trim() }),
    (error: { stdout: string; stderr: string }) => ({ isDone: false, text: error.stdout + error.stderr }),
  )
}

interface CompanyTraffic {
  company: ChaosInstallation['company']
  domain: string
  requests: InvoiceRequest[]
}

/** Two companies create, pay, pause and cancel; both are read; a third has tasks run over its recoveries. */
async function startLoad(installation: ChaosInstallation, { rate, seed }: Size) {
  let isOver = false
  const customers = [
    { company: installation.company, domain: 'a.example' },
    { company: await installation.newCompany('Atelier Bernard'), domain: 'b.example' },
  ]
  const traffic = customers.map(
    async ({ company, domain }, i): Promise<CompanyTraffic> => ({
      company,
      domain,
      requests: await runTraffic({
        apiUrls: installation.apiUrls,
        apiKey: company.productionKey,
        domain,
        requests: Number.POSITIVE_INFINITY,
        everyMs: (customers.length * 1_000) / rate,
        lockRetryMs: 30_000,
        seed: seed + i,
        isTimeFor: () => true,
        isOver: () => isOver,
      }),
    }),
  )
  const reads = customers.map(({ company }) => readOn(installation, company.productionKey, () => isOver))
  const tasks = runTasks(installation, () => isOver)
  return {
    async end() {
      isOver = true
      const seen = await Promise.all(reads)
      return {
        traffic: await Promise.all(traffic),
        reads: { asked: sum(seen.map(({ asked }) => asked)), wrong: seen.flatMap(({ wrong }) => wrong) },
        tasks: await tasks,
      }
    },
  }
}

interface ReadInvoice {
  id: string
  invoiceNumber: string
  debtor: { id: string }
}

const readPaths = ({ id, invoiceNumber, debtor }: ReadInvoice) => [
  `/api/v1/invoices/${id}?include=recovery`,
  `/api/v1/invoices/${id}/timeline`,
  `/api/v1/invoices?search=${invoiceNumber}`,
  '/api/v1/invoices?search=durand&sortBy=due_date',
  '/api/v1/debtors?search=durand',
  '/api/v1/search?q=durand',
  `/api/v1/debtors/${debtor.id}?include=account`,
  `/api/v1/debtors/${debtor.id}/calendar`,
  `/api/v1/debtors/${debtor.id}/score`,
  `/api/v1/debtors/${debtor.id}/contacts`,
  `/api/v1/debtors/${debtor.id}/timeline`,
  `/api/v1/workflow/invoice/${id}/plan`,
  `/api/v1/workflow/invoice/${id}/history`,
  '/api/v1/payments',
  '/api/v1/invoices/stats/summary',
  '/api/v1/workflow/stats',
  '/api/v1/reports/today',
  '/api/v1/reports/aged-balance',
  '/api/v1/events',
  '/api/v1/company',
]

/** Reads and lists, one after the other, about ten a second. */
async function readOn({ apiUrls }: ChaosInstallation, apiKey: string, isOver: () => boolean) {
  const seen = { asked: 0, wrong: [] as string[] }
  const get = async (path: string): Promise<string> => {
    await pause(100)
    seen.asked++
    try {
      const response = await fetch(apiUrls[0] + path, { headers: { 'x-api-key': apiKey } })
      const text = await response.text()
      if (response.status === 200) return text
      seen.wrong.push(`${path}: ${response.status} ${text.slice(0, 200)}`)
    } catch (error) {
      seen.wrong.push(`${path}: ${String((error as Error).cause ?? error)}`)
    }
    return '{"data":[]}'
  }
  while (!isOver()) {
    const { data } = JSON.parse(await get('/api/v1/invoices?limit=20')) as {
      data: ReadInvoice[]
    }
    const [invoice] = data
    if (!invoice) continue
    for (const path of readPaths(invoice)) if (!isOver()) await get(path)
  }
  return seen
}

/** All recoveries of a company are paused and resumed in turns, so that a task is under way at every change of a process. */
async function runTasks(installation: ChaosInstallation, isOver: () => boolean) {
  const invoices = 200
  const { productionKey } = await installation.newCompany('Atelier Petit')
  const seen = { invoices, finished: 0, wrong: [] as unknown[] }
  for (let from = 0; from < invoices; from += 100)
    await postTask(
      installation,
      {
        key: `fill-${from}`,
        path: '/api/v1/invoices/bulk',
        body: {
          invoices: Array.from({ length: 100 }, (_, i) => ({
            invoiceNumber: `T-${from + i}`,
            amountCents: 120_000,
            issueDate: '2026-11-02',
            // Nobody has to be written to before the proof is over.
            dueDate: '2027-02-02',
            debtor: { name: `Petit ${from + i} SARL`, email: `compta${from + i}@petit.example` },
          })),
        },
      },
      productionKey,
    )
  for (let i = 0; !isOver(); i++) {
    const body = { action: i % 2 === 0 ? 'pause' : 'resume', filter: { minAmount: 1 } }
    const made = await postTask(
      installation,
      { key: `task-${i}`, path: '/api/v1/tasks/bulk', body },
      productionKey,
    )
    const { task } = await untilStatus(installation, made.id, 'finished', 120_000, productionKey)
    if (task?.status === 'finished' && task.succeeded === invoices) seen.finished++
    else seen.wrong.push(task)
  }
  return seen
}

/** What the crash proof asks of one company, and more: here nothing fails, so nothing may stay unknown or unanswered. */
async function judgeCompany(
  findings: Findings,
  installation: ChaosInstallation,
  { company, domain, requests }: CompanyTraffic,
): Promise<void> {
  const { mailbox } = installation
  const received = mailbox.messages().filter(({ to }) => to.endsWith(domain))
  const own = { ...installation, company, mailbox: { ...mailbox, messages: () => received } }
  await judgeCrash(findings, own, requests, leaseMs)
  const unanswered = requests.filter(
    ({ answeredId, actions }) => answeredId === null || actions.some(({ data }) => data === null),
  )
  findings.check(
    `${company.name}: every create and every action was answered`,
    unanswered.length === 0 && requests.length > 0,
    unanswered,
  )
  const unknown = await installation.query(
    `select id, state, reason from communications where tenant_id = $1 and state = 'unknown'`,
    [company.tenants.production],
  )
  findings.check(`${company.name}: no message stayed unknown`, unknown.length === 0, unknown)
}

async function judgeLogs(findings: Findings, { logDir }: ChaosInstallation): Promise<void> {
  const names = (await readdir(logDir)).filter(name => /^(api|worker)-/.test(name))
  const lines = await Promise.all(
    names.map(async name =>
      (await readFile(join(logDir, name), 'utf8'))
        .split('\n')
        .filter(line => line !== '')
        .map(line => `${name}: ${line}`),
    ),
  )
  const atLevel = (level: number) => lines.flat().filter(line => line.includes(`{"level":${level},`))
  const unreadable = lines.flat().filter(line => !line.includes('{"level":'))
  const errors = [...atLevel(50), ...atLevel(60), ...unreadable]
  findings.check(
    `no error in the logs of ${names.length} processes`,
    errors.length === 0 && names.length === 8,
    errors,
  )
  const messages = Map.groupBy(atLevel(40), line => /"msg":"([^"]*)"/.exec(line)?.[1] ?? line)
  findings.figure('warnings', Object.fromEntries([...messages].map(([text, all]) => [text, all.length])))
}

/** The clock of a proof is shifted to a working day, and the doctor is right to say so. */
async function judgeDoctor(findings: Findings, installation: ChaosInstallation): Promise<void> {
  const { text } = await runOwn(installation, ['doctor'])
  const lines = text.split('\n')
  const found = lines.filter(
    line => line.startsWith('LOOK') && !line.includes("installation's clock is shifted"),
  )
  findings.check(
    'the doctor finds nothing',
    found.length === 0 && lines.some(line => line.startsWith('fine')),
    found,
  )
}
