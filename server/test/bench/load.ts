import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from '../../src/kit/child-process.ts'
import type { LoadedInvoices } from './data.ts'
import { invoiceBody, serialMark } from './http-tape.ts'
import { splitAtMarks } from './tape.ts'

export interface Load {
  port: number
  verb: 'GET' | 'POST'
  apiKey: string
  /** GET picks one of these at random. */
  loaded: LoadedInvoices | { ids: readonly string[] }
  connections: number
  seconds: number
}

export interface Measured {
  perSecond: number
  requests: number
  p50Ms: number
  p99Ms: number
}

/** What a generator reports; both kinds of it. */
interface Report {
  requests: number
  seconds: number
  failed: number
  p50Ms: number
  p99Ms: number
}

const hasWrk = !spawnSync('wrk', ['-v']).error

export const generatorName = hasWrk
  ? 'wrk'
  : 'its own generator (it costs more of the machine than wrk does; apt-get install wrk)'

let runs = 0

/** Keeps every connection busy with one request after another, each POST with a number of its own. */
export async function load(options: Load): Promise<Measured> {
  const series = `${process.pid}${Date.now() % 1_000_000}${++runs}0`
  const report = hasWrk ? await byWrk(options, series) : await byOwnGenerator(options, series)
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.requests} requests failed`)
  return {
    perSecond: report.requests / report.seconds,
    requests: report.requests,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
  }
}

async function byOwnGenerator(options: Load, series: string): Promise<Report> {
  const generator = fileURLToPath(import.meta.resolve('./generator.ts'))
  const { stdout } = await runChild(process.execPath, [generator, JSON.stringify({ ...options, series })])
  return JSON.parse(stdout)
}

async function byWrk(options: Load, series: string): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'relance-wrk-'))
  try {
    const script = join(dir, 'requests.lua')
    await writeFile(script, lua(options, series))
    const settings = ['-t1', `-c${options.connections}`, `-d${options.seconds}s`, '--timeout', '10s']
    const { stdout } = await runChild('wrk', [...settings, '-s', script, `http://127.0.0.1:${options.port}`])
    const found = /report: (.*)/.exec(stdout)
    if (!found) throw new Error(`wrk gave no report:\n${stdout}`)
    return JSON.parse(found[1]!)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function lua({ verb, apiKey, loaded }: Load, series: string): string {
  const body = splitAtMarks(invoiceBody(serialMark), [serialMark])
    .map((piece, i) => (i % 2 === 1 ? `"${series}" .. count` : `[[${piece}]]`))
    .join(' .. ')
  const randomId =
    'ids' in loaded
      ? 'ids[math.random(#ids)]'
      : `string.format("${loaded.invoiceIdPrefix}%012d", math.random(${loaded.first}, ${loaded.first + loaded.count - 1}))`
  const request =
    verb === 'GET'
      ? `wrk.format("GET", "/api/v1/invoices/" .. ${randomId})`
      : `wrk.format("POST", "/api/v1/invoices", nil, ${body})`
  return `
wrk.headers["x-api-key"] = "${apiKey}"
wrk.headers["content-type"] = ${verb === 'GET' ? 'nil' : '"application/json"'}
local count = 0
local ids = {${'ids' in loaded ? loaded.ids.map(id => `"${id}"`).join(',') : ''}}
function request()
  count = count + 1
  return ${request}
end
function done(summary, latency)
  local failures = summary.errors
  io.write(string.format('report: {"requests":%d,"seconds":%f,"failed":%d,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests, summary.duration / 1e6,
    failures.status + failures.connect + failures.read + failures.write + failures.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`
}
