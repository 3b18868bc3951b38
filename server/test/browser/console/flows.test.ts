import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { createDatabase, dropDatabase, newName } from '../../../dev/database.ts'
import { chromiumPath } from '../chromium.ts'
import { devices, flows, runFlow } from './flows.ts'
import { fewGroups, hostileWordsAreText } from './injection.ts'
import { othersAreNotFound, viewerHasNoActs } from './rights.ts'
import { type Stage, startStage } from './stage.ts'

/** All of them: `npm run prove -- console`. */
const chosen = process.env.ALL_FLOWS ? flows : flows.filter(({ isQuick }) => isQuick)

describe.skipIf(!chromiumPath)('the console, used for what it is for', () => {
  let browser: Browser
  let stage: Stage
  let databaseName: string

  beforeAll(async () => {
    const database = await createDatabase(inject('adminUrl'), newName('relance_test_'), inject('template'))
    databaseName = database.name
    browser = await chromium.connect(inject('chromium'))
    stage = await startStage({
      database,
      browser,
      redisUrl: inject('redisUrl') || undefined,
    })
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.stop()
    if (databaseName) await dropDatabase(inject('adminUrl'), databaseName)
  })

  for (const flow of chosen)
    it.each(devices)(`${flow.name}, by %s`, async device => {
      await runFlow(stage, flow, device)
    })

  it('as viewer the acts are absent', () => viewerHasNoActs(stage))

  it('with another company’s id nothing is found', () => othersAreNotFound(stage))

  it('hostile words are text in a list, on a debtor with a message, and in a reply', () =>
    hostileWordsAreText(stage, fewGroups(), ['invoices', 'message', 'work', 'write']))
})
