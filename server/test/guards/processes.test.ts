import { once } from 'node:events'
import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startChild } from '../../src/kit/child-process.ts'

const server = join(import.meta.dirname, '../..')

interface Running {
  pid: number
  parent: number
  command: string
}

async function runningNow(): Promise<Running[]> {
  const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry))
  const found = await Promise.all(
    pids.map(async pid => {
      const [stat, command] = await Promise.all(
        ['stat', 'cmdline'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
      )
      const [state, parent] = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ')
      const isAlive = state !== undefined && !['', 'Z', 'X'].includes(state)
      return isAlive ? [{ pid: Number(pid), parent: Number(parent), command: command! }] : []
    }),
  )
  return found.flat()
}

function descendants(all: readonly Running[], pid: number): Running[] {
  const children = all.filter(({ parent }) => parent === pid)
  return [...children, ...children.flatMap(child => descendants(all, child.pid))]
}

/** Asks again until there is an answer; the processes of a proof take some seconds to start. */
async function eventually<T>(look: () => Promise<T | null>, withinMs: number): Promise<T | null> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null || performance.now() > giveUpAt) return found
    await pause(50)
  }
}

it.runIf(process.platform === 'linux')(
  'a proof that is killed with -9 leaves no process behind',
  async () => {
    const proof = startChild(process.execPath, [join(server, 'test/prove.ts'), 'away'], { stdio: 'ignore' })
    const started = await eventually(async () => {
      const all = descendants(await runningNow(), proof.pid!)
      const hasAll = ['postgres', 'main.ts\0worker'].every(name =>
        all.some(({ command }) => command.includes(name)),
      )
      return hasAll || proof.exitCode !== null ? all : null
    }, 120_000)
    expect(proof.exitCode).toBeNull()
    proof.kill('SIGKILL')
    await once(proof, 'exit')
    const leftNow = async () => {
      const now = await runningNow()
      return started!.filter(({ pid, command }) =>
        now.some(one => one.pid === pid && one.command === command),
      )
    }
    await eventually(async () => ((await leftNow()).length === 0 ? true : null), 5_000)
    expect((await leftNow()).map(({ command }) => command.replaceAll('\0', ' '))).toEqual([])
  },
)

it('processes are started by kit/child-process.ts alone, which ends them with us', async () => {
  const others: string[] = []
  for await (const file of glob('{dev,generate,src,test}/**/*.ts', { cwd: server })) {
    if (file === 'src/kit/child-process.ts') continue
    const lines = (await readFile(join(server, file), 'utf8')).split('\n')
    const imports = lines.filter(line => / from '(node:)?child_process'$/.test(line))
    // A call that blocks us cannot be left behind, and a type starts nothing.
    const isHarmless = (line: string) => /^import (type .*|\{ (type \w+, )*\w+Sync \}) from/.test(line)
    others.push(...imports.filter(line => !isHarmless(line)).map(line => `${file}: ${line}`))
  }
  expect(others).toEqual([])
})
