import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { createStartContext, type RunningService, startApi } from '../../src/start/api.ts'
import type { TestInstallation } from './use-installation.ts'

/** A second api of the installation: the same database and public URL, nothing else shared. */
export function useSecondApi(installation: TestInstallation): { url: string } {
  const second = { url: '' }
  let running: RunningService | undefined
  beforeAll(async () => {
    const { config, baseUrl } = installation.server
    running = await startApi(createStartContext({ ...config, PORT: await freePort(), PUBLIC_URL: baseUrl }))
    second.url = running.url
  })
  afterAll(() => running?.stop())
  return second
}
