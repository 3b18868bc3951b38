import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild } from '../../src/kit/child-process.ts'
import { commandsIn, type DocCommand, isEndless, type Page, root } from './commands.ts'

export interface Ran extends DocCommand {
  output: string
  status: number
  seconds: number
  /** Why it is not as the page says; null if it is. */
  fault: string | null
}

/** Between two commands the shell prints the status of the first and the time, between these. */
const mark = '\u001E'
const markLine = `printf '${mark}%s %s${mark}' "$?" "$EPOCHREALTIME"`
const interrupted = 130

/** Ids, moments, amounts of milliseconds, ports and codes of links differ from one run to the next. */
const withoutChance = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'MOMENT')
    .replaceAll(/"offsetMs":\d+/g, 'OFFSET')
    .replaceAll(/(?:localhost|127\.0\.0\.1):\d+\/d\/[\w-]+/g, 'LINK')
    .trim()

function faultOf({ shown, text, status }: Omit<Ran, 'fault'>, printed: string): string | null {
  const expected = isEndless(text) ? interrupted : 0
  if (status !== expected) return `exit code ${status} instead of ${expected}`
  if (shown !== undefined && withoutChance(printed) !== withoutChance(shown))
    return 'prints something else than the page shows'
  return null
}

interface Shell {
  cwd: string
  env: Record<string, string>
  /** Further lines of curl's configuration. */
  curl?: string
  /** What stands in a page for something that is elsewhere here. */
  replaced?: readonly (readonly [string, string])[]
}

export const commandsOf = async ({ file }: Page) =>
  commandsIn(file, await readFile(join(root, file), 'utf8')).filter(({ reason }) => reason === undefined)

/** Runs the commands of pages in one shell, in order, as a reader would. */
export async function runPages(
  chosen: readonly Page[],
  { cwd, env, curl = '', replaced = [] }: Shell,
): Promise<Ran[]> {
  const home = await mkdtemp(join(tmpdir(), 'relance-docs-home-'))
  try {
    // A request that is refused is a command that failed.
    await writeFile(join(home, '.curlrc'), `fail-with-body\nmax-time = 60\n${curl}`)
    const commands: DocCommand[] = []
    const script: string[] = ['exec 2>&1', 'set -o pipefail']
    for (const page of chosen) {
      if (page.before) script.push(page.before)
      for (const command of await commandsOf(page)) {
        commands.push(command)
        const text = isEndless(command.text)
          ? `timeout --preserve-status --signal=INT 8 ${command.text}`
          : command.text
        script.push(`:; ${markLine}`, text, markLine, `sleep ${page.pause ?? 0}`)
      }
    }
    const run = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), script.join('\n'))
    const { stdout } = await runChild('bash', ['-c', `${run}\nexit 0`], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, ...env },
      maxBuffer: 64 << 20,
    })
    const parts = stdout.split(mark)
    const ran = commands.map((command, i) => {
      const [before = '', output = '', after = ''] = parts.slice(1 + i * 4)
      const [status = -1, endedAt = 0] = after.split(' ').map(Number)
      const seconds = endedAt - Number(before.split(' ')[1])
      return { ...command, output, status, seconds }
    })
    return ran.map(command => {
      const printed = ran.filter(({ file, block }) => file === command.file && block === command.block)
      return { ...command, fault: faultOf(command, printed.map(({ output }) => output).join('')) }
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
