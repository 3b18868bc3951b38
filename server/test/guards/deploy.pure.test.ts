import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readCommandLine } from '../../src/start/command-line.ts'
import { readConfig, settings, variableNames } from '../../src/start/config.ts'
import { compose, variablesOf } from './compose-file.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const usual = (name: string) => settings.find(setting => setting.name === name)!.usual!

/** A process that a deployment file starts. */
interface Started {
  where: string
  args: string[]
  environment: Record<string, string>
  /** The names of the secrets that are mounted into it. */
  secrets: string[]
}

const composed = Object.entries(compose.services)
  .filter(([, { image }]) => image.startsWith('relance:'))
  .map(
    ([name, service]): Started => ({
      where: `compose ${name}`,
      args: service.command ?? [],
      environment: variablesOf(service),
      secrets: service.secrets ?? [],
    }),
  )

interface Container {
  image: string
  args: string[]
  env?: { name: string; value: string }[]
  envFrom?: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  livenessProbe?: object
  readinessProbe?: object
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean }
}
interface PodSpec {
  enableServiceLinks: boolean
  securityContext: { runAsNonRoot: boolean }
  containers: Container[]
  volumes?: { name: string; secret?: { secretName: string; items: { key: string }[] } }[]
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: {
    selector?: Record<string, unknown> & { matchLabels?: Record<string, string> }
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec }
    ports?: { name: string; port: number; targetPort: string }[]
    podSelector?: { matchLabels?: Record<string, string> }
  }
}
const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: root })
  .sort()
  .flatMap(path => parseAllDocuments(read(path)).map(document => document.toJS() as Manifest))
const pods = manifests.filter(({ spec }) => spec?.template)
const configMap = manifests.find(({ kind }) => kind === 'ConfigMap')!.data!
const secretKeys = Object.keys(manifests.find(({ kind }) => kind === 'Secret')!.stringData!)
const scheduled = pods.flatMap(({ metadata, spec }) => {
  const { containers, volumes = [] } = spec.template!.spec
  return containers.map(
    ({ args, env = [], envFrom }): Started => ({
      where: `kubernetes ${metadata.name}`,
      args,
      environment: {
        ...(envFrom && configMap),
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
      },
      secrets: volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []),
    }),
  )
})

const units = globSync('deploy/systemd/*.service', { cwd: root }).map((path): Started => {
  const lines = read(path).split('\n')
  const valuesOf = (key: string) =>
    lines.filter(line => line.startsWith(`${key}=`)).map(line => line.slice(key.length + 1))
  return {
    where: path,
    args: valuesOf('ExecStart')[0]!.split('main.ts ')[1]!.split(' '),
    environment: Object.fromEntries(valuesOf('Environment').map(text => text.split(/=(.*)/).slice(0, 2))),
    secrets: valuesOf('LoadCredential').map(text => text.split(':')[0]!),
  }
})

const image = Object.fromEntries(
  [.../^ENV ((?:.*\\\n)*.*)$/m.exec(read('Dockerfile'))![1]!.matchAll(/(\w+)=(\S+)/g)].map(
    ([, name, value]) => [name!, value!],
  ),
)

const started = [...composed, ...scheduled, ...units]

it('the deployment files were found', () => {
  expect(composed.map(({ args }) => args[0]).sort()).toEqual([
    'api',
    'bootstrap',
    'doctor',
    'migrate',
    'worker',
  ])
  expect(scheduled.map(({ args }) => args[0]).sort()).toEqual([
    'api',
    'bootstrap',
    'doctor',
    'migrate',
    'worker',
  ])
  expect(units.map(({ args }) => args[0]).sort()).toEqual(['api', 'migrate', 'worker'])
  expect(Object.keys(image)).toContain('METRICS_PORT')
})

describe.each(started)('$where', ({ args, environment, secrets }) => {
  it('runs a command that exists', () => {
    expect(readCommandLine(args)).toMatchObject({ command: args.join(' ') })
  })

  it('sets variables that exist, to values that can be used', () => {
    expect(Object.keys(environment).filter(name => !variableNames.includes(name))).toEqual([])
    const plain = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'))
    expect(() => readConfig(Object.fromEntries(plain))).not.toThrow()
  })

  it('has the secrets it names, and no other', () => {
    const named = Object.entries(environment)
      .filter(([name]) => name.endsWith('_FILE'))
      .map(([, path]) => path.split('/').at(-1))
    expect(named.sort()).toEqual([...secrets].sort())
  })
})

it('the image sets variables that exist', () => {
  const { NODE_ENV, ...ours } = image
  expect(NODE_ENV).toBe('production')
  expect(Object.keys(ours).filter(name => !variableNames.includes(name))).toEqual([])
})

it('the secrets that are mounted are declared, and made by deploy/make-secrets.sh', () => {
  const script = read('deploy/make-secrets.sh')
  for (const name of new Set(Object.values(compose.services).flatMap(({ secrets = [] }) => secrets))) {
    expect(compose.secrets[name]).toEqual({ file: `./deploy/secrets/${name}` })
    expect(script).toMatch(new RegExp(`keep "?(${name}|\\$role-database-url)\\b`))
  }
  for (const { secrets, where } of scheduled)
    expect(
      secrets.filter(key => !secretKeys.includes(key)),
      where,
    ).toEqual([])
})

it('the script of the operator sets the variables of the units', () => {
  const exported = [...read('deploy/systemd/relance-server').matchAll(/export (\w+)=/g)].map(
    ([, name]) => name!,
  )
  const named = units.flatMap(({ environment }) =>
    Object.keys(environment).filter(name => name.endsWith('_FILE')),
  )
  expect(exported.filter(name => !variableNames.includes(name))).toEqual([])
  expect(named.filter(name => !exported.includes(name))).toEqual([])
})

describe('ports', () => {
  const expected: Record<string, number> = {
    http: Number(usual('PORT')),
    metrics: Number(image.METRICS_PORT),
  }

  it('of containers and Services are the defaults', () => {
    const given = manifests.flatMap(({ spec }) => [
      ...(spec?.template?.spec.containers.flatMap(({ ports = [] }) => ports) ?? []).map(
        ({ name, containerPort }) => [name, containerPort] as const,
      ),
      ...(spec?.ports ?? []).map(({ targetPort, port }) => [targetPort, port] as const),
    ])
    expect(given.length).toBeGreaterThan(3)
    expect(given.filter(([name, port]) => expected[name] !== port)).toEqual([])
  })

  it('of the image and of compose are the defaults', () => {
    expect(/^EXPOSE (.*)$/m.exec(read('Dockerfile'))![1]!.split(' ').map(Number)).toEqual([
      expected.http,
      expected.metrics,
    ])
    expect(compose.services.api!.ports).toEqual([`127.0.0.1:${expected.http}:${expected.http}`])
  })
})

it('every long-running service of compose is checked, and waits for what it needs', () => {
  const conditions: Record<string, string[]> = {}
  for (const [name, { depends_on = {} }] of Object.entries(compose.services))
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const { restart, healthcheck } = compose.services[needed]!
      const isOneShot = restart === undefined
      expect(condition, `${name} needs ${needed}`).toBe(
        isOneShot ? 'service_completed_successfully' : 'service_healthy',
      )
      if (!isOneShot) expect(healthcheck?.test, needed).toBeDefined()
      conditions[name] = [...(conditions[name] ?? []), needed]
    }
  expect(conditions.api).toContain('migrate')
  expect(conditions.worker).toContain('migrate')
  expect(conditions.migrate).toEqual(['bootstrap'])
})

it('pods do not run as root, take no variables from Services, and long-running ones have probes', () => {
  for (const { kind, metadata, spec } of pods) {
    const pod = spec.template!.spec
    expect(pod.enableServiceLinks, metadata.name).toBe(false)
    expect(pod.securityContext.runAsNonRoot, metadata.name).toBe(true)
    for (const { securityContext, livenessProbe, readinessProbe } of pod.containers) {
      expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
      if (kind !== 'Job') expect([livenessProbe, readinessProbe], metadata.name).not.toContain(undefined)
    }
  }
})

it('every selector of a manifest finds pods', () => {
  const labels = pods.map(({ spec }) => spec.template!.metadata.labels)
  const finds = (wanted: object) =>
    labels.some(own => Object.entries(wanted).every(([name, value]) => own[name] === value))
  for (const { kind, metadata, spec } of manifests) {
    if (kind === 'Job' || !spec) continue
    const selector = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector ?? {}
    expect(finds(selector), `${kind} ${metadata.name}`).toBe(true)
  }
})

it('no file names a registry: images are a name and a tag', () => {
  const images = [
    ...Object.values(compose.services).map(({ image }) => image),
    ...pods.flatMap(({ spec }) => spec.template!.spec.containers.map(({ image }) => image)),
    /^ARG NODE_IMAGE=(.*)$/m.exec(read('Dockerfile'))![1]!,
  ]
  expect(images.filter(name => !/^[a-z][a-z-]*(\/[a-z-]+)?:[\w.-]+$/.test(name))).toEqual([])
})
