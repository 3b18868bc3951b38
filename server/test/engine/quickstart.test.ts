import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, vi } from 'vitest'
import { startDev } from '../../dev/dev.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { mondayMorning } from '../harness/use-installation.ts'

const page = join(import.meta.dirname, '../../../docs/quickstart.md')

/** Ids, moments, ports and codes of links differ from one run to the next. */
const withoutChance = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'MOMENT')
    .replaceAll(/localhost:\d+\/d\/[\w-]+/g, 'LINK')

it('the commands of the quickstart print what the page shows', async () => {
  vi.stubEnv('DATABASE_URL', inject('adminUrl'))
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)].map(
    ([, kind, text]) => ({ kind, text: text! }),
  )
  // The first command starts what is started here, and then come the two variables.
  expect(blocks[0]!.text).toContain('npm run dev')
  expect(blocks[1]!.text).toContain('export BASE_URL')
  const [commands, shown] = ['sh', 'text'].map(kind => blocks.slice(2).filter(block => block.kind === kind))
  const dev = await startDev({ now: mondayMorning, logLevel: 'silent' })
  const cwd = await mkdtemp(join(tmpdir(), 'relance-quickstart-'))
  try {
    const env = { ...process.env, BASE_URL: dev.installation.baseUrl, API_KEY: dev.company.sandboxKey }
    // A reader needs longer than the first email does.
    const script = commands!.map(({ text }) => text).join('sleep 3\n')
    const { stdout } = await runChild('bash', ['-ec', script], { cwd, env })
    expect(withoutChance(stdout)).toBe(withoutChance(shown!.map(({ text }) => text).join('')))
  } finally {
    await dev.stop()
    await rm(cwd, { recursive: true })
    vi.unstubAllEnvs()
  }
})
