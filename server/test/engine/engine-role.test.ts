import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { startChild } from '../../src/kit/child-process.ts'
import { eventually } from '../harness/use-installation.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** The process that runs Restate with this data directory. */
async function engineIn(directory: string): Promise<number> {
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [program = ''] = line.split('\0')
    if (program.endsWith('restate-server') && line.includes(directory)) return pid
  }
  throw new Error('no engine runs there')
}

it('the role engine ends with one sentence and an exit code when Restate dies', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'relance-engine-'))
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()]
  const program = startChild(process.execPath, [main, 'engine'], {
    env: {
      PATH: process.env.PATH,
      ENGINE_DIR: directory,
      ENGINE_INGRESS_URL: `http://127.0.0.1:${ingress}`,
      ENGINE_ADMIN_URL: `http://127.0.0.1:${admin}`,
      ENGINE_NODE_PORT: String(node),
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, errors] = ['', '']
  program.stdout!.on('data', data => {
    out += data
  })
  program.stderr!.on('data', data => {
    errors += data
  })
  const exited = new Promise<number | null>(resolve => program.once('close', code => resolve(code)))
  try {
    await eventually(
      () => out + errors,
      seen => seen.includes('engine ready'),
      60_000,
    )
    errors = ''
    process.kill(await engineIn(directory), 'SIGKILL')
    expect(await exited).toBe(1)
    const own = errors.split('\n').filter(line => line !== '' && !line.startsWith('{'))
    expect(own).toEqual([
      'The engine (Restate) ended by itself, killed by a signal; its log above says why. Start this role again: nothing is lost.',
    ])
  } finally {
    program.kill('SIGTERM')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
})
