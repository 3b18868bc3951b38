import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { createStartContext, type RunningService, startApi } from '../../src/start/api.ts'
import { startWorker } from '../../src/start/worker.ts'
import { useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })

const running: RunningService[] = []
let registry: Registry
beforeAll(async () => {
  const context = createStartContext({ ...installation.server.config, PORT: await freePort() })
  registry = context.metrics.registry
  running.push(await startApi(context), await startWorker(context))
})
afterAll(async () => {
  for (const service of running) await service.stop()
})

interface Alert {
  name: string
  text: string
  expr: string
}
const file = await readFile(join(import.meta.dirname, '../../../deploy/prometheus/alerts.yml'), 'utf8')
const alerts = file
  .split(/^ *- alert: /m)
  .slice(1)
  .map((text): Alert => ({ name: text.split('\n')[0]!, text, expr: /^ *expr: (.*)$/m.exec(text)![1]! }))

const folder = join(import.meta.dirname, '../../../deploy/grafana')
const panels = globSync('*.json', { cwd: folder }).flatMap(
  path =>
    (
      JSON.parse(readFileSync(join(folder, path), 'utf8')) as {
        panels: { title: string; targets?: { expr: string }[] }[]
      }
    ).panels,
)
const ofProcess = /\bprocess_\w+/

/** What a metric of the registry was declared with. */
interface Declared {
  labelNames: readonly string[]
  upperBounds?: readonly number[]
}
function declaredAs(name: string): (Declared & { isBucket: boolean }) | undefined {
  const base = name.replace(/_(bucket|count|sum)$/, '')
  const histogram = registry.getSingleMetric(base) as unknown as Declared | undefined
  if (base !== name && histogram?.upperBounds) return { ...histogram, isBucket: name.endsWith('_bucket') }
  const metric = registry.getSingleMetric(name) as unknown as Declared | undefined
  return metric && !metric.upperBounds ? { ...metric, isBucket: false } : undefined
}

/** What an expression names that does not exist. */
function unknownIn(expr: string): string[] {
  const found: string[] = []
  const metrics = [...expr.matchAll(/\b(relance_\w+)(?:\{([^}]*)\})?/g)].map(([, name, selector = '']) => ({
    name: name!,
    selector,
    metric: declaredAs(name!),
  }))
  if (metrics.length === 0) found.push('no metric of ours')
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '))
  for (const { name, selector, metric } of metrics) {
    if (!metric) {
      found.push(name)
      continue
    }
    const selected = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)]
    // Prometheus adds the instance to what it scrapes.
    const known = [...metric.labelNames, 'instance', ...(metric.isBucket ? ['le'] : [])]
    for (const label of [...selected.map(([, label]) => label!), ...grouped])
      if (!known.includes(label)) found.push(`${name}{${label}}`)
    for (const [, label, value] of selected)
      if (label === 'le' && !metric.upperBounds?.includes(Number(value))) found.push(`${name}{le="${value}"}`)
  }
  return found
}

it('the alert rules are found', () => {
  expect(alerts.length).toBeGreaterThan(10)
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
})

describe.each(alerts)('$name', ({ expr, text }) => {
  it('names metrics, labels and buckets that exist', () => {
    expect(unknownIn(expr)).toEqual([])
  })

  it('waits, is a page or a ticket, and says what is wrong and what to do', () => {
    expect(text).toMatch(/^ *for: \d+m$/m)
    expect(text).toMatch(/severity: (page|ticket)\b/)
    expect(text).toMatch(/^ *summary: .+\.$/m)
    expect(text).toMatch(/^ *action: .+\.$/m)
  })
})

it.each(panels.filter(({ targets }) => targets))(
  'the panel $title names metrics, labels and buckets that exist',
  ({ targets = [] }) => {
    const ours = targets.map(({ expr }) => expr).filter(expr => !ofProcess.test(expr))
    expect(ours.flatMap(unknownIn)).toEqual([])
  },
)

it('a metric, a label or a bucket that does not exist is seen', () => {
  expect(unknownIn('max(relance_misspelt) > 1')).toEqual(['relance_misspelt'])
  expect(unknownIn('sum by (tenant) (relance_sends_total{kind="sms"})')).toEqual([
    'relance_sends_total{kind}',
    'relance_sends_total{tenant}',
  ])
  expect(unknownIn('relance_send_lateness_seconds_bucket{le="301"}')).toEqual([
    'relance_send_lateness_seconds_bucket{le="301"}',
  ])
  // A histogram has no samples of its own name.
  expect(unknownIn('relance_send_lateness_seconds > 1')).toEqual(['relance_send_lateness_seconds'])
})
