import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

const start = process.cpuUsage()

// The check adds them up: CHECK_FILE_CPU names its file.
const log = process.env.CHECK_FILE_CPU
if (log)
  afterAll(() => {
    const { user, system } = process.cpuUsage(start)
    appendFileSync(log, `${expect.getState().testPath} ${((user + system) / 1e6).toFixed(2)}\n`)
  })
