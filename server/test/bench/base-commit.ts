import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild } from '../../src/kit/child-process.ts'

export const ownRoot = join(import.meta.dirname, '../../..')

const git = async (...args: string[]) => (await runChild('git', args, { cwd: ownRoot })).stdout.trim()

/** A shallow clone has only some. */
export const hasCommit = (commit: string): Promise<boolean> =>
  git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  )

/** The first file of the baseline. Databases of commits without it cannot be upgraded. */
const baselineFile = 'server/migrations/0001_access.sql'

export const hasBaseline = (commit: string): Promise<boolean> =>
  git('cat-file', '-e', `${commit}:${baselineFile}`).then(
    () => true,
    () => false,
  )

/** The newest commit that changed the baseline. Null in a clone without history, where it cannot be found. */
export async function baselineCommit(): Promise<string | null> {
  if ((await git('rev-parse', '--is-shallow-repository')) !== 'false') return null
  return (await git('log', '-1', '--format=%h', '--', 'server/migrations/000[1-6]_*.sql')) || null
}

interface LockFile {
  packages: Record<string, { version?: string; dev?: boolean }>
}

/** Whether the packages of `ours` serve the programs of `theirs`: all they need is there, in their versions. */
const serves = (ours: LockFile, theirs: LockFile): boolean =>
  Object.entries(theirs.packages).every(
    ([path, { version, dev }]) =>
      dev || !path.startsWith('node_modules/') || ours.packages[path]?.version === version,
  )

/** The commit in a worktree of its own, with the packages it asks for. Both go when `cleanup` is disposed of. */
export async function checkOut(
  commit: string,
  cleanup: AsyncDisposableStack,
): Promise<{ root: string; id: string }> {
  const id = await git('rev-parse', '--verify', '--short', `${commit}^{commit}`)
  const dir = await mkdtemp(join(tmpdir(), `relance-${id}-`))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const root = join(dir, 'checkout')
  await git('worktree', 'add', '--detach', root, id)
  cleanup.defer(() => git('worktree', 'remove', '--force', root).then(() => {}))
  const lockFile = async (folder: string) =>
    JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as LockFile
  if (serves(await lockFile(ownRoot), await lockFile(root)))
    await symlink(join(ownRoot, 'node_modules'), join(root, 'node_modules'))
  else {
    console.log(`${id} has other packages than we have: npm ci`)
    await runChild('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  }
  return { root, id }
}
