import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Job {
  'timeout-minutes'?: number
  strategy?: { matrix: { stage: string[] } }
  steps: { run?: string; uses?: string }[]
}
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map(path => ({
  path,
  ...(parse(read(path)) as { permissions: object; jobs: Record<string, Job> }),
}))
const jobs = workflows.flatMap(({ path, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ where: `${path} ${name}`, job })),
)
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

it('the check calls .ci/run, and nothing may write', () => {
  expect(jobs.flatMap(({ job }) => job.steps.map(({ run }) => run))).toContain('.ci/run')
  for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' })
})

describe.each(jobs)('$where', ({ job }) => {
  it('ends by itself, and runs scripts that exist', () => {
    expect(job['timeout-minutes']).toBeGreaterThan(0)
    const named = job.steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name!),
    )
    expect(named.filter(name => !(name in scripts))).toEqual([])
  })
})

it('every proof runs at night, but for those that need what a runner has not', () => {
  const proofs = [...read('server/test/prove.ts').matchAll(/^ {2}'?([\w-]+)'?: (?:async )?\(\) =>/gm)].map(
    ([, name]) => name!,
  )
  const nightly = jobs.flatMap(({ job }) => job.strategy?.matrix.stage ?? [])
  expect(nightly.filter(name => !proofs.includes(name))).toEqual([])
  // The first compares with the migrations from before the baseline, which holds until the schema changes; the second needs generators of
  // other languages; the third runs in full in every check; the fourth needs namespaces of its own.
  expect(proofs.filter(name => !nightly.includes(name))).toEqual(['baseline', 'clients', 'sdk', 'image'])
})

it('templates and Renovate can be read, and no file names a registry', () => {
  for (const path of globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }))
    expect(parse(read(path))).toBeTypeOf('object')
  expect(JSON.parse(read('renovate.json'))).toHaveProperty('extends')
  const deployed = globSync(
    ['Dockerfile', 'compose.yaml', 'renovate.json', '.github/**/*.yml', 'deploy/**/*.{yaml,yml,service,sh}'],
    { cwd: root },
  )
  expect(deployed.length).toBeGreaterThan(15)
  const hosts = /\b(registry\.|docker\.io|ghcr\.io|quay\.io|gcr\.io|npmjs|public\.ecr)/i
  expect(deployed.filter(path => hosts.test(read(path)))).toEqual([])
})
