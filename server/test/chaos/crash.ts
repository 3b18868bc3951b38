import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defectMessages } from '../../src/kit/log.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import { judgeCrash } from './crash-oracle.ts'
import { drain } from './drain.ts'
import type { Findings } from './findings.ts'
import { killAtRandom } from './killer.ts'
import { randomFrom } from './random.ts'
import { runTraffic } from './traffic.ts'

const secondsPerKill = 2
const drainSeconds = 60

/** Creates, pays, stops, kills, restarts and checks. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '40' },
      creates: { type: 'string', default: '500' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      'lease-ms': { type: 'string', default: '10000' },
      'keep-logs': { type: 'boolean', default: false },
    },
  })
  await crash(findings, {
    kills: Number(values.kills),
    creates: Number(values.creates),
    seed: Number(values.seed),
    leaseMs: Number(values['lease-ms']),
    keepLogs: values['keep-logs'],
  })
}

async function crash(
  findings: Findings,
  options: {
    kills: number
    creates: number
    seed: number
    leaseMs: number
    keepLogs: boolean
  },
): Promise<void> {
  const { kills, creates, seed, leaseMs } = options
  console.log(`crash: ${kills} kills, ${creates} creates, seed ${seed}`)
  const random = randomFrom(seed)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    harmsPostgres: true,
    apis: 2,
    workers: 2,
    leaseMs,
    smtpDelayMs: () => random.between(40, 200),
  })
  try {
    let kill = 0
    const traffic = runTraffic({
      apiUrls: installation.apiUrls,
      apiKey: installation.company.productionKey,
      requests: creates,
      everyMs: (kills * secondsPerKill * 1_000) / creates,
      lockRetryMs: 30_000,
      seed,
      isTimeFor: i => i / creates <= (kill + 1) / kills,
    })
    const killed = await killAtRandom(installation, kills, random, () => kill++)
    const restartedAt = performance.now()
    const requests = await traffic
    const remaining = await drain(installation, restartedAt + drainSeconds * 1_000)
    const drained = (performance.now() - restartedAt) / 1_000
    findings.figure('kills', killed.by)
    findings.figure(
      'requests repeated',
      requests
        .flatMap(request => [request.attempts, ...request.actions.map(action => action.attempts)])
        .reduce((sum, attempts) => sum + Math.max(0, attempts - 1), 0),
    )
    findings.check(
      `everything drained within ${drainSeconds} s of the last restart`,
      remaining === null,
      remaining ?? `${drained.toFixed(1)} s`,
    )
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
    const defects = await linesIn(installation, defectMessages.request)
    findings.check('no request met a defect', defects.length === 0, defects)
    findings.figure('failed tasks, taken again', (await linesIn(installation, defectMessages.task)).length)
    await judgeCrash(findings, installation, requests, leaseMs)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed || options.keepLogs) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed || options.keepLogs)
  }
}

export async function linesIn(installation: ChaosInstallation, message: string): Promise<string[]> {
  const files = (await readdir(installation.logDir)).filter(name => /^(api|worker)-\d+\.log$/.test(name))
  const texts = await Promise.all(files.map(name => readFile(join(installation.logDir, name), 'utf8')))
  return texts.flatMap(text => text.split('\n').filter(line => line.includes(`"msg":"${message}"`)))
}
