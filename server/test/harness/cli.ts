import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { inheritedEnv } from '../../dev/relance-args.ts'
import { startChild } from '../../src/kit/child-process.ts'

const program = join(import.meta.dirname, '../../../sdk/src/cli/relance.ts')

export interface RunningCli {
  /** What it has printed so far. */
  out(): string
  err(): string
  interrupt(): void
  /** Its exit code. */
  ended: Promise<number>
}

/** The command line, with a configuration folder that is empty at first and gone afterwards. */
export function useCli(env: () => Record<string, string>) {
  const home = { folder: '' }
  beforeAll(async () => {
    home.folder = await mkdtemp(join(tmpdir(), 'relance-cli-'))
  })
  afterAll(() => rm(home.folder, { recursive: true, force: true }))

  function start(args: readonly string[], more: Record<string, string> = {}, input = ''): RunningCli {
    const child = startChild(process.execPath, [program, ...args], {
      env: { ...inheritedEnv(), XDG_CONFIG_HOME: home.folder, ...env(), ...more },
      stdio: 'pipe',
    })
    let [out, err] = ['', '']
    child.stdout!.setEncoding('utf8').on('data', text => {
      out += text
    })
    child.stderr!.setEncoding('utf8').on('data', text => {
      err += text
    })
    child.stdin!.end(input)
    return {
      out: () => out,
      err: () => err,
      interrupt: () => void child.kill('SIGINT'),
      ended: new Promise(resolve => child.once('close', code => resolve(code ?? -1))),
    }
  }
  return {
    home,
    start,
    async run(args: readonly string[], more: Record<string, string> = {}, input = '') {
      const running = start(args, more, input)
      const code = await running.ended
      return { code, out: running.out(), err: running.err() }
    },
  }
}
