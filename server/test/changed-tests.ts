import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { longSeconds, readCheckTimes } from './harness/check-times.ts'

const root = join(import.meta.dirname, '../..')

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** What differs from the commit this branch left `main` at, or from HEAD where there is no `main`: committed or not. */
export function changedFiles(): string[] {
  const hasMain = git('branch', '--list', 'main').length > 0
  const [base = 'HEAD'] = hasMain ? git('merge-base', 'HEAD', 'main') : []
  return [
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/** Whoever starts the whole server or lists its operations reaches every file: each change would touch each test. */
const isWholeServer = (file: string) =>
  /^server\/(dev\/installation|src\/features\/all|src\/start\/[^/]+)\.ts$/.test(file)

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const imports = new Map<string, string[]>()
function importsOf(file: string): string[] {
  const found =
    imports.get(file) ??
    [...read(file).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)]
      .map(([, specifier]) => join(dirname(file), specifier!))
      .filter(imported => existsSync(join(root, imported)))
  imports.set(file, found)
  return found
}

/** Everything a file imports, directly or not, and itself. */
function reachOf(test: string): Set<string> {
  const reached = new Set([test])
  for (const file of reached)
    if (file.endsWith('.ts') && !isWholeServer(file)) for (const next of importsOf(file)) reached.add(next)
  return reached
}

/** The tests beside a file, and for a feature the stories of its wing. */
function foldersOf(changed: string): string[] {
  const wing = /^server\/src\/features\/([^/]+)\//.exec(changed)?.[1]
  const isKit = changed.startsWith('server/src/kit/')
  return [
    ...(changed.startsWith('server/src/') ? [`${dirname(changed)}/`] : []),
    ...(wing ? [`server/test/scenarios/${wing}/`] : []),
    ...(isKit ? ['server/test/scenarios/kit/'] : []),
  ]
}

const guards = 'server/test/guards/'
const paperGuard = `${guards}papers.pure.test.ts`

/** With these nothing is as it was. */
const isForEverybody = (changed: string) => /(^|\/)(package-lock\.json|vitest\.config\.ts)$/.test(changed)

/**
 * The tests a change touches: those that import a changed file, those beside it, the stories of its wing, and the guards when
 * the server or its schema changed; of the long ones only those that import it. A first answer in a minute or two: what
 * decides is the whole check.
 */
export function testsTouchedBy(changed: readonly string[]): string[] {
  if (changed.length === 0) return []
  const tests = globSync('server/{src,test}/**/*.test.ts', { cwd: root }).sort()
  if (changed.some(isForEverybody)) return tests
  const folders = changed.flatMap(foldersOf)
  if (changed.some(file => /^server\/(src|migrations)\//.test(file))) folders.push(guards)
  const times = readCheckTimes().files
  const isNear = (test: string) =>
    folders.some(folder => test.startsWith(folder)) && (times[test]?.wallSeconds ?? 0) < longSeconds
  const files = new Set(changed)
  // Papers name files, so whatever comes or goes may concern them.
  return tests.filter(test => test === paperGuard || isNear(test) || !reachOf(test).isDisjointFrom(files))
}
