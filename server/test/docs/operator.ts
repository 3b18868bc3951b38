import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startMailbox } from '../../dev/mailbox.ts'
import { freePort } from '../../dev/ports.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { startChild } from '../../src/kit/child-process.ts'
import type { Findings } from '../chaos/findings.ts'
import { type Page, pages, root } from './commands.ts'
import { type Ran, runPages } from './run-pages.ts'

/** Runs what a unit runs, with its settings and secrets. It hardens nothing. */
const unit = `#!/bin/bash
set -a
eval "$(sed -n 's#^Environment=##p' "UNITS/$1.service" | sed 's#%d#/etc/relance#')"
. /etc/relance/relance.env
exec $(sed -n 's#^ExecStart=##p' "UNITS/$1.service")
`

/** Stands in for systemd. What has to go on running is started by this process, and ends with it. */
const systemctl = `#!/bin/bash
case "$1" in
  daemon-reload) ;;
  start) unit "$2" ;;
  enable) for name in "\${@:3}"; do touch "WANTED/$name"; done ;;
  *) echo "systemctl $1 is not known here"; exit 1 ;;
esac
`

/** Starts each unit that `systemctl enable --now` asked for. */
function startWanted(folder: string, path: string): { stop(): Promise<void> } {
  const running = new Map<string, ChildProcess>()
  const timer = setInterval(() => {
    for (const name of readdirSync(folder).filter(wanted => !running.has(wanted)))
      running.set(name, startChild('unit', [name], { env: { PATH: path }, stdio: 'ignore' }))
  }, 200)
  return {
    async stop() {
      clearInterval(timer)
      for (const child of running.values()) {
        if (child.exitCode !== null) continue
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
    },
  }
}

/**
 * The pages of an operator, from an empty PostgreSQL on: the installation page always comes first. What would be in folders of the
 * system is in a folder; the units and `relance-server` are those of `deploy`. The mail server is an SMTP server on loopback.
 */
export async function runOperatorPages(chosen: readonly Page[], findings: Findings): Promise<Ran[]> {
  const folder = await mkdtemp(join(tmpdir(), 'relance-operator-'))
  const [bin, etc, units, wanted] = ['bin', 'etc', 'units', 'wanted'].map(name => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [bin, etc, units, wanted]) await mkdir(path)
  const cluster = await startOwnCluster({ dataDir: join(folder, 'postgres'), durable: true })
  const mailbox = await startMailbox()
  const [api, metricsApi, metricsWorker] = await Promise.all(Array.from({ length: 3 }, freePort))
  const paths = [
    ['/etc/relance', etc],
    ['/opt/relance', root],
    ['METRICS_PORT=9090', `METRICS_PORT=${metricsApi}`],
    ['METRICS_PORT=9091', `METRICS_PORT=${metricsWorker}`],
    ['127.0.0.1:9090/', `127.0.0.1:${metricsApi}/`],
    ['127.0.0.1:9091/', `127.0.0.1:${metricsWorker}/`],
    ['UNITS', units],
    ['WANTED', wanted],
  ] as const
  const place = (text: string) => paths.reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const script = async (name: string, text: string) => {
    await writeFile(join(bin, name), place(text))
    await chmod(join(bin, name), 0o755)
  }
  const path = [bin, dirname(process.execPath), process.env.PATH].join(':')
  const services = startWanted(wanted, path)
  const deployed = join(root, 'deploy/systemd')
  try {
    await script('systemctl', systemctl)
    await script('unit', unit)
    await script('relance-server', await readFile(join(deployed, 'relance-server'), 'utf8'))
    for (const name of (await readdir(deployed)).filter(file => file.endsWith('.service')))
      await writeFile(join(units, name), place(await readFile(join(deployed, name), 'utf8')))
    const ports = {
      PORT: api,
    }
    const settings = Object.entries(ports).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(
      join(etc, 'relance.env'),
      (await readFile(join(root, '.env.example'), 'utf8')) + settings.join(''),
    )
    const [install] = pages.filter(({ file }) => file === 'docs/install.md')
    const startedAt = Date.now()
    const ran = await runPages([install!, ...chosen.filter(page => page !== install)], {
      cwd: etc,
      env: {
        PATH: path,
        POSTGRES_HOST: `127.0.0.1:${cluster.port}`,
        POSTGRES_PASSWORD: 'not-asked-for-on-loopback',
      },
      // This stands where the proxy with TLS would.
      curl: 'header = "X-Forwarded-Proto: https"\n',
      replaced: [
        ...paths,
        ['smtps://user:password@smtp.example:465', mailbox.smtpUrl],
        ['BASE_URL=https://relance.example', `BASE_URL=http://127.0.0.1:${api}`],
      ],
    })
    const toDebtor = () => mailbox.messages().find(({ to }) => to === 'compta@durand.example')
    // Where the contact rules hold it back, the API says until when.
    const next = ran.find(({ text }) => text.includes('/next-action'))
    const [, heldUntil = ''] =
      /"nextAction": "email_prise_en_charge",[^}]*"scheduledAt": "([^"]+)"/.exec(next?.output ?? '') ?? []
    const isHeldBack = Date.parse(heldUntil) > Date.now() + 120_000
    for (let tries = 0; tries < 60 && !toDebtor() && !isHeldBack; tries++) await pause(1_000)
    const first = toDebtor() ?? (isHeldBack ? mailbox.messages()[0] : undefined)
    const seconds = first ? (Date.parse(first.receivedAt) - startedAt) / 1000 : Number.NaN
    findings.figure(
      'mails received',
      mailbox.messages().map(({ to, subject }) => `${to}: ${subject}`),
    )
    findings.check(
      `from an empty PostgreSQL to the first mail ${isHeldBack ? 'to the owner; a debtor may not be contacted now' : 'to a debtor'}, in less than 15 minutes`,
      seconds < 900,
      `${seconds.toFixed(0)} s`,
    )
    return ran
  } finally {
    await services.stop()
    await mailbox.stop()
    await cluster.stop()
    await rm(cluster.dataDir, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
}
