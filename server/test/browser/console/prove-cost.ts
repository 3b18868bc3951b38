import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Browser, type CDPSession, chromium } from 'playwright-core'
import { buildConsole } from '../../../dev/build-console.ts'
import { startRedis } from '../../../dev/redis.ts'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { startEnvironment } from '../../bench/environment.ts'
import { median, ratios } from '../../bench/figures.ts'
import { countAll } from '../../bench/lists-fill.ts'
import { benchLive } from '../../bench/live.ts'
import { askedOf, fillPortfolio } from '../../bench/portfolio-fill.ts'
import type { Findings } from '../../chaos/findings.ts'
import { startDatabaseServer } from '../../harness/own-cluster.ts'
import { launchOptions } from '../chromium.ts'
import { serveBarePage } from './bare-page.ts'
import { painted } from './in-console.ts'
import { type Stage, startStage } from './stage.ts'

const bareRatioMax = 3
const sizeRatioMax = 1.15
const heapRatioMax = 1.2
const liveShareMax = 5
const smallSize = 1_000
/** After so many screens every part has been loaded; the heap is compared with what it is then. */
const warmScreens = 30

interface Portfolio {
  company: CreatedCompany
  asked: ReturnType<typeof askedOf>
}

interface Screen {
  path(asked: Portfolio['asked']): string
  /** Is there when the screen is full. */
  ready: string
}

const screens: Readonly<Record<string, Screen>> = {
  today: { path: () => '', ready: 'main figure svg' },
  debtors: { path: () => '/debtors', ready: 'main tbody tr' },
  debtor: { path: ({ debtor }) => `/debtors/${debtor}`, ready: 'main figure svg[role=img]' },
  invoice: { path: ({ running }) => `/invoices/${running}`, ready: 'main svg[role=group]' },
}

/** By the debugger: whatever the test library adds to the page would be measured too. */
async function evaluate<Value>(cdp: CDPSession, expression: string): Promise<Value> {
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    returnByValue: true,
    awaitPromise: true,
  })
  if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`)
  return result.value as Value
}

/** A person who asks too often is made to wait: at most a minute. */
async function until(cdp: CDPSession, expression: string): Promise<void> {
  const giveUpAt = performance.now() + 90_000
  while (!(await evaluate<boolean>(cdp, expression))) {
    if (performance.now() > giveUpAt) {
      const shown = await evaluate<string>(cdp, 'document.body.innerText')
      throw new Error(`waited in vain for ${expression}; the page shows: ${shown}`)
    }
    await pause(25)
  }
}

async function readMetrics<Name extends string>(cdp: CDPSession, names: readonly Name[]) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const values = names.map(name => [name, metrics.find(one => one.name === name)?.value ?? Number.NaN])
  return Object.fromEntries(values) as Record<Name, number>
}

const cpuParts = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const
type Cpu = Record<(typeof cpuParts)[number], number>

/** CPU time of the main thread, in seconds, from an empty cache until the full screen is painted. */
async function cpuOf(stage: Stage, portfolio: Portfolio | null, url: string, ready: string): Promise<Cpu> {
  const person = portfolio && (await stage.newPerson({ [portfolio.company.companyId]: 'manager' }))
  const { page, faults, close } = await stage.visit(person ?? undefined)
  try {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(url, { waitUntil: 'commit' })
    await until(cdp, `document.querySelector(${JSON.stringify(ready)}) !== null`)
    await evaluate(cdp, painted)
    // The bare page is on a port of its own.
    const own = faults.filter(fault => portfolio || !fault.startsWith('asked for'))
    if (own.length > 0) throw new Error(own.join('\n'))
    return await readMetrics(cdp, cpuParts)
  } finally {
    await close()
  }
}

const milliseconds = (runs: readonly Cpu[], part: keyof Cpu = 'TaskDuration') =>
  runs.map(run => run[part] * 1_000)

/** `311 ms (script 180, style 20, layout 30)` */
const cpuText = (runs: readonly Cpu[]) => {
  const [task, script, style, layout] = cpuParts.map(part => median(milliseconds(runs, part)).toFixed(0))
  return `${task} ms (script ${script}, style ${style}, layout ${layout})`
}

const screenCpu = (stage: Stage, portfolio: Portfolio, { path, ready }: Screen) =>
  cpuOf(stage, portfolio, stage.urlOf(portfolio.company, 'production', path(portfolio.asked)), ready)

const range = (values: readonly number[]) =>
  `${Math.min(...values).toFixed(2)} … ${Math.max(...values).toFixed(2)}`

/** Every screen against the bare page, in turns. */
async function proveCpu(stage: Stage, portfolio: Portfolio, rounds: number, findings: Findings) {
  const { headers } = await fetch(`${stage.issuer}/console`)
  const bare = await serveBarePage(headers.get('content-security-policy')!)
  try {
    const ofBare: Cpu[] = []
    const ofScreens = Object.keys(screens).map(name => ({ name, runs: [] as Cpu[] }))
    // The first round starts what the browser keeps.
    for (let round = -1; round < rounds; round++) {
      const bareRun = await cpuOf(stage, null, bare.url, '#root p')
      if (round >= 0) ofBare.push(bareRun)
      for (const { name, runs } of ofScreens) {
        const run = await screenCpu(stage, portfolio, screens[name]!)
        if (round >= 0) runs.push(run)
      }
    }
    findings.figure('the main thread for the bare page', cpuText(ofBare))
    for (const { name, runs } of ofScreens) {
      const each = ratios(milliseconds(runs), milliseconds(ofBare))
      findings.check(
        `the main thread takes at most ${bareRatioMax} × a bare React page: ${name}`,
        median(each) <= bareRatioMax,
        `${median(each).toFixed(2)} × [${range(each)}], ${cpuText(runs)}`,
      )
    }
  } finally {
    await bare.stop()
  }
}

/** The same screens of a small company and of a large one, in turns. */
async function proveSize(
  stage: Stage,
  { small, large, size }: { small: Portfolio; large: Portfolio; size: number },
  rounds: number,
  findings: Findings,
) {
  for (const [name, screen] of Object.entries(screens)) {
    const [ofSmall, ofLarge]: [Cpu[], Cpu[]] = [[], []]
    for (let round = -1; round < rounds; round++) {
      const smallRun = await screenCpu(stage, small, screen)
      const largeRun = await screenCpu(stage, large, screen)
      if (round < 0) continue
      ofSmall.push(smallRun)
      ofLarge.push(largeRun)
    }
    const each = ratios(milliseconds(ofLarge), milliseconds(ofSmall))
    findings.check(
      `with ${size.toLocaleString('en')} invoices the main thread takes at most ${sizeRatioMax} × what it takes with ${smallSize.toLocaleString('en')}: ${name}`,
      median(each) <= sizeRatioMax,
      `${median(each).toFixed(2)} × [${range(each)}], ${cpuText(ofSmall)} and ${cpuText(ofLarge)}`,
    )
  }
}

/** Five screens in a circle, each time with another debtor and another invoice, by links within one page. */
async function proveHeap(stage: Stage, { company }: Portfolio, count: number, findings: Findings) {
  const person = await stage.newPerson({ [company.companyId]: 'manager' })
  const { page, faults, close } = await stage.visit(person)
  try {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const home = new URL(stage.urlOf(company, 'production')).pathname
    await page.goto(stage.urlOf(company, 'production'))
    await until(cdp, `document.querySelector('${screens.today!.ready}') !== null`)
    await evaluate(cdp, 'window.isSamePage = true')
    const rows = 50
    const inRail = (path: string) => `nav a[href="${home}${path}"]`
    // The address changes while the screen before is still shown: each waits for what that one does not have.
    const circle = [
      { link: () => inRail('/debtors'), ready: 'main header [role=status]' },
      { link: rowLink, ready: 'main figure svg[role=img]' },
      { link: () => inRail('/invoices'), ready: 'main header [role=status]' },
      { link: rowLink, ready: 'main figure' },
      { link: () => inRail(''), ready: 'main svg [data-from]' },
    ]
    function rowLink(turn: number): string {
      return `main tbody tr:nth-child(${1 + (turn % rows)}) a[href^="${home}/"]`
    }
    const weigh = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      const { JSHeapUsedSize, Nodes } = await readMetrics(cdp, ['JSHeapUsedSize', 'Nodes'])
      return { megabytes: JSHeapUsedSize / 1e6, nodes: Nodes }
    }
    let warm = await weigh()
    for (let seen = 1; seen <= count; seen++) {
      const turn = Math.floor((seen - 1) / circle.length)
      const { link, ready } = circle[(seen - 1) % circle.length]!
      await until(cdp, `document.querySelector('${link(turn)}') !== null`)
      await evaluate(cdp, `document.querySelector('${link(turn)}').click()`)
      await until(
        cdp,
        `document.querySelector('${ready}') !== null && !document.querySelector('main [aria-busy=true]')`,
      )
      if (seen === warmScreens) warm = await weigh()
      if (seen % 60 === 0) {
        const { megabytes, nodes } = await weigh()
        findings.figure(`after ${seen} screens`, `${megabytes.toFixed(2)} MB, ${nodes} nodes`)
      }
    }
    const last = await weigh()
    const isSamePage = await evaluate<boolean>(cdp, 'window.isSamePage === true')
    findings.check('all screens were shown by one page', isSamePage && faults.length === 0, faults)
    for (const [name, before, after] of [
      ['the heap, in MB', warm.megabytes, last.megabytes],
      ['the nodes', warm.nodes, last.nodes],
    ] as const)
      findings.check(
        `${name} after ${count} screens: at most ${heapRatioMax} × after ${warmScreens}`,
        after <= before * heapRatioMax,
        `${(after / before).toFixed(2)} ×, ${Number(before.toFixed(2))} and ${Number(after.toFixed(2))}`,
      )
  } finally {
    await close()
  }
}

/** Open consoles on an api process of its own. */
async function proveLive(consoles: number, seconds: number, findings: Findings) {
  const environment = await startEnvironment()
  try {
    const [without, ...held] = await benchLive(environment, {
      small: false,
      lineCount: consoles,
      holdSeconds: seconds,
    })
    const base = median(without!.values)
    findings.figure(without!.name, `${base.toFixed(2)} % of a core`)
    for (const { name, values } of held) {
      const share = median(values) - base
      findings.check(
        `${name}: at most ${liveShareMax} % of a core more`,
        share <= liveShareMax,
        `${share.toFixed(2)} %`,
      )
    }
  } finally {
    await environment.stop()
  }
}

interface Sizes {
  invoices: number
  rounds: number
  screens: number
}

async function proveInBrowser(
  browser: Browser,
  has: (part: string) => boolean,
  sizes: Sizes,
  findings: Findings,
) {
  const { database, stop } = await startDatabaseServer()
  const redis = await startRedis()
  try {
    const stage = await startStage({
      database,
      browser,
      redisUrl: redis?.url,
      hasWorker: false,
    })
    const admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
    try {
      const portfolios: Portfolio[] = []
      for (const [tag, size] of [smallSize, ...(has('size') ? [sizes.invoices] : [])].entries()) {
        const company = await stage.newCompany(`With ${size}`)
        await fillPortfolio(admin, company.tenants.production, tag, size)
        portfolios.push({ company, asked: askedOf(tag, size) })
      }
      await countAll(admin)
      await admin.query('vacuum analyze')
      const [small, large] = portfolios
      if (has('cpu')) await proveCpu(stage, small!, sizes.rounds, findings)
      if (large)
        await proveSize(stage, { small: small!, large, size: sizes.invoices }, sizes.rounds, findings)
      if (has('heap')) await proveHeap(stage, small!, sizes.screens, findings)
    } finally {
      await admin.end()
      await stage.stop()
    }
  } finally {
    await redis?.stop()
    await stop()
  }
}

const parts = ['cpu', 'size', 'heap', 'live']

/** What the console costs the browser and the api, in CPU time and memory, which other work on the machine changes little. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: parts.join() },
      invoices: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '9' },
      screens: { type: 'string', default: '300' },
      consoles: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '60' },
    },
  })
  const only = values.only.split(',')
  const unknown = only.filter(part => !parts.includes(part))
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join()}: there are ${parts.join()}`)
  const has = (part: string) => only.includes(part)
  if (['cpu', 'size', 'heap'].some(has)) {
    await buildConsole()
    const browser = await chromium.launch(launchOptions())
    try {
      await proveInBrowser(
        browser,
        has,
        {
          invoices: Number(values.invoices),
          rounds: Number(values.rounds),
          screens: Number(values.screens),
        },
        findings,
      )
    } finally {
      await browser.close()
    }
  }
  if (has('live')) await proveLive(Number(values.consoles), Number(values.seconds), findings)
}
