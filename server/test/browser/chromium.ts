import { existsSync } from 'node:fs'
import { chromium, type LaunchOptions } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    chromium: string
  }
}

/** The shell is Chromium without its windows: a page costs it a quarter of the CPU. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Null where there is none. */
export const chromiumPath: string | null =
  places.map(name => `/usr/bin/${name}`).find(path => existsSync(path)) ?? null

/** A browser that nobody has used before and that talks to nobody by itself. */
export const launchOptions = (): LaunchOptions => ({
  ...(chromiumPath && { executablePath: chromiumPath }),
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})

/** One browser for all test files. */
export default async function setup(project: TestProject) {
  project.provide('chromium', '')
  if (!chromiumPath) {
    console.warn('Chromium is not installed: the tests in a browser are skipped')
    return
  }
  const server = await chromium.launchServer(launchOptions())
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}
