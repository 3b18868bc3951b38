import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Alert {
  alert: string
  expr: string
  annotations: { runbook: string }
}
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)
const runbooks = read('docs/runbooks.md')
const headings = [...runbooks.matchAll(/^### (\w+)$/gm)].map(([, name]) => name!)

interface Panel {
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
const dashboards = globSync('deploy/grafana/*.json', { cwd: root }).map(path => ({
  path,
  panels: (JSON.parse(read(path)) as { panels: Panel[] }).panels,
}))

/** The names that stand as texts in the program. That they are registered with these labels is checked in alerts.test.ts. */
const declared = new Set(
  globSync('server/src/**/*.ts', { cwd: root, exclude: path => path.includes('.test.') }).flatMap(path =>
    [...read(path).matchAll(/['`](relance_\w+)['`]/g)].map(([, name]) => name!),
  ),
)
/** Pools name their gauges after themselves. */
const ofPools = /^relance_(api|worker|delivery)_pool_(size|idle|waiting)$/
const unknownIn = (expr: string) =>
  [...expr.matchAll(/\brelance_\w+/g)]
    .map(([name]) => name)
    .filter(
      name =>
        !ofPools.test(name) && !declared.has(name.replace(/_(bucket|count|sum)$/, '')) && !declared.has(name),
    )

it('every alert has its runbook, and every runbook its alert', () => {
  expect(alerts.length).toBeGreaterThan(25)
  expect(headings.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`)
})

it('links inside the runbooks lead to a section', () => {
  const anchors = [...runbooks.matchAll(/^##+ (.+)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(' ', '-'),
  )
  const linked = [...runbooks.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor!)
  expect(linked.length).toBeGreaterThan(5)
  expect(linked.filter(anchor => !anchors.includes(anchor))).toEqual([])
})

it('dashboards and alerts name metrics of the program', () => {
  const exprs = [
    ...alerts.map(({ expr }) => expr),
    ...dashboards.flatMap(({ panels }) =>
      panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ),
  ]
  expect(exprs.length).toBeGreaterThan(60)
  expect(exprs.flatMap(unknownIn)).toEqual([])
  expect(unknownIn('max(relance_misspelt) / rate(relance_sends_total[5m])')).toEqual(['relance_misspelt'])
})

it.each(['docs/operating.md', 'docs/runbooks.md', 'docs/score.md', 'docs/assistant.md'])(
  '%s names metrics of the program',
  path => {
    const text = read(path)
    expect(text).toMatch(/`relance_\w+/)
    expect(unknownIn(text)).toEqual([])
  },
)

it.each(dashboards)('the panels of $path have titles, and none covers another', ({ panels }) => {
  const overlaps = panels.flatMap((a, i) =>
    panels.slice(i + 1).filter(b => {
      const [p, q] = [a.gridPos, b.gridPos]
      return p.x < q.x + q.w && q.x < p.x + p.w && p.y < q.y + q.h && q.y < p.y + p.h
    }),
  )
  expect(overlaps).toEqual([])
  expect(panels.every(({ title, gridPos }) => title !== '' && gridPos.x + gridPos.w <= 24)).toBe(true)
})
