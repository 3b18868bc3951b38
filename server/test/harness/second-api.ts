import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { newWorld, type Running, startApi } from '../../src/start/api.ts'
import type { House } from './house.ts'

/** Another api beside the house's own: the same database, the same name outside, nothing else in common. */
export function useSecondApi(house: House): { url: string } {
  const second = { url: '' }
  let running: Running | undefined
  beforeAll(async () => {
    const { config, baseUrl } = house.installation
    running = await startApi(newWorld({ ...config, PORT: await freePort(), PUBLIC_URL: baseUrl }))
    second.url = running.url
  })
  afterAll(() => running?.stop())
  return second
}
