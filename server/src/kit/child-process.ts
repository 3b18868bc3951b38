import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { promisify } from 'node:util'

/** The signal that a child gets when its parent process is gone. */
type LastSignal = 'KILL' | 'INT'

/**
 * A shell that outlives this process by a moment. Each line it reads is the complete list of our children. Its input ends when
 * this process ends for any reason: an exit, an exception, a signal, SIGKILL. Then it ends the children.
 */
const watchdogScript = `
trap '' INT TERM HUP
while read -r line; do children=$line; done
[ -n "$children" ] || exit 0
for child in $children; do kill -s "\${child#*:}" "\${child%:*}"; done
sleep 2
for child in $children; do kill -s KILL "\${child%:*}"; done
`

const children = new Map<number, LastSignal>()
let watchdog: ChildProcess | undefined

function startWatchdog(): ChildProcess {
  // A separate session: Ctrl-C must not reach it.
  const started = spawn('sh', ['-c', watchdogScript], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  started.unref()
  // It is a socket underneath, and would keep this process alive.
  const input = started.stdin as unknown as { unref(): void }
  input.unref()
  return started
}

function tellWatchdog(): void {
  watchdog ??= startWatchdog()
  watchdog.stdin!.write(`${[...children].map(([pid, signal]) => `${pid}:${signal}`).join(' ')}\n`)
}

function endWithUs(child: ChildProcess, lastSignal: LastSignal): void {
  const { pid } = child
  // The child could not be started; it emits `error`.
  if (pid === undefined) return
  children.set(pid, lastSignal)
  tellWatchdog()
  child.once('exit', () => {
    children.delete(pid)
    tellWatchdog()
  })
}

/** `spawn` for a child that never outlives this process. `INT` is for a child that has to clean up. */
export function startChild(
  command: string,
  args: readonly string[],
  { lastSignal = 'KILL', ...options }: SpawnOptions & { lastSignal?: LastSignal },
): ChildProcess {
  const child = spawn(command, args, options)
  endWithUs(child, lastSignal)
  return child
}

const execute = promisify(execFile)

/** `execFile` for a child that never outlives this process: resolves with what it printed, rejects when it fails. */
export function runChild(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number; maxBuffer?: number } = {},
): Promise<{ stdout: string; stderr: string }> {
  const running = execute(command, args, options)
  endWithUs(running.child, 'KILL')
  return running
}
