import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runChild, startChild } from './child-process.ts'

const url = JSON.stringify(new URL('./child-process.ts', import.meta.url).href)

/** Two sleepers of a program that then ends in some way; the second one would survive a request to end. */
const program = (ending: string) => `
  import { startChild } from ${url}
  const options = { detached: true, stdio: 'ignore' }
  const quick = startChild('sleep', ['600'], options)
  const stubborn = startChild('sh', ['-c', "trap '' INT; while :; do sleep 1; done"], { ...options, lastSignal: 'INT' })
  process.stdout.write(quick.pid + ' ' + stubborn.pid + '\\n')
  setTimeout(() => { ${ending} }, 300)
`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.concurrent.each([
  ['by SIGKILL', `process.kill(process.pid, 'SIGKILL')`],
  ['by a signal it does not handle', `process.kill(process.pid, 'SIGTERM')`],
  ['by an exception', `throw new Error('broken')`],
  ['by itself', `process.exit(0)`],
])('what ends %s takes its children along', async (_, ending) => {
  const parent = startChild(process.execPath, ['--input-type=module', '--eval', program(ending)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [printed] = (await once(parent.stdout!, 'data')) as [Buffer]
  const pids = printed.toString().trim().split(' ').map(Number)
  expect(pids.map(isRunning)).toEqual([true, true])
  await once(parent, 'exit')
  const giveUpAt = performance.now() + 10_000
  while (pids.some(isRunning) && performance.now() < giveUpAt) await pause(50)
  expect(pids.map(isRunning)).toEqual([false, false])
})

it('children do not keep a program alive that has nothing else to do', async () => {
  const script = `
    import { runChild } from ${url}
    console.log((await runChild('echo', ['done'])).stdout.trim())
  `
  const { stdout } = await runChild(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout).toBe('done\n')
})
