import { expect, inject, it, vi } from 'vitest'
import { pages } from '../docs/commands.ts'
import { runDeveloperPages } from '../docs/prove-docs.ts'

it('the commands of the quickstart print what the page shows', async () => {
  vi.stubEnv('DATABASE_URL', inject('adminUrl'))
  try {
    const ran = await runDeveloperPages(pages.filter(({ file }) => file === 'docs/quickstart.md'))
    expect(ran.filter(({ fault }) => fault !== null)).toEqual([])
    expect(ran.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(3)
  } finally {
    vi.unstubAllEnvs()
  }
})
