import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { buildConsole } from '../../../dev/build-console.ts'
import { startRedis } from '../../../dev/redis.ts'
import type { Findings } from '../../chaos/findings.ts'
import { startDatabaseServer } from '../../harness/own-cluster.ts'
import { launchOptions } from '../chromium.ts'
import { devices, flows, runFlow } from './flows.ts'
import { allGroups, hostileWordsAreText } from './injection.ts'
import { othersAreNotFound, viewerHasNoActs } from './rights.ts'
import { type Stage, startStage } from './stage.ts'

async function check(findings: Findings, promise: string, work: () => Promise<unknown>): Promise<void> {
  try {
    findings.check(promise, true, await work())
  } catch (error) {
    findings.check(promise, false, error instanceof Error ? error.message : error)
  }
}

async function proveAll(stage: Stage, findings: Findings, only: RegExp): Promise<void> {
  const tasks: (readonly unknown[])[] = []
  for (const flow of flows)
    for (const device of devices) {
      const name = `${flow.name}, by ${device}`
      if (!only.test(name)) continue
      await check(findings, name, async () => {
        const start = performance.now()
        const { clicks, presses } = await runFlow(stage, flow, device)
        if (flow.task !== undefined) tasks.push([flow.task, flow.name, device, clicks, presses])
        return `${clicks} clicks, ${presses} presses, ${((performance.now() - start) / 1000).toFixed(1)} s`
      })
    }
  const head = [
    ['task', 'what is done', 'device', 'clicks', 'presses'],
    ['---', '---', '---', '---', '---'],
  ]
  if (tasks.length > 0) for (const row of [...head, ...tasks]) console.log(`| ${row.join(' | ')} |`)
  const groups = allGroups()
  const others: [string, () => Promise<unknown>][] = [
    ['as viewer the acts are absent', () => viewerHasNoActs(stage)],
    ['with another company’s id nothing is found', () => othersAreNotFound(stage)],
    [
      `${new Set(groups.flat()).size} hostile strings on every screen: nothing runs, nothing is asked of another host`,
      () => hostileWordsAreText(stage, groups),
    ],
  ]
  for (const [name, work] of others) if (only.test(name)) await check(findings, name, work)
}

/** Every flow of the console, by mouse and by keyboard, on a whole installation; then a table of the tasks for docs/proofs.md. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', default: '' } } })
  await buildConsole()
  const { database, stop } = await startDatabaseServer()
  const redis = await startRedis()
  const browser = await chromium.launch(launchOptions())
  try {
    const stage = await startStage({ database, browser, redisUrl: redis?.url })
    try {
      await proveAll(stage, findings, new RegExp(values.only, 'i'))
    } finally {
      await stage.stop()
    }
  } finally {
    await browser.close()
    await redis?.stop()
    await stop()
  }
}
