import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from '../src/kit/child-process.ts'

const root = join(import.meta.dirname, '../..')
const sources = [
  'console/src',
  'console/index.html',
  'console/vite.config.ts',
  'sdk/src',
  'package-lock.json',
]

async function filesOf(path: string): Promise<string[]> {
  if (!statSync(path).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** Builds the console if a source is newer than the last build. */
export async function buildConsole(): Promise<void> {
  const page = join(root, 'console/dist/index.html')
  const files = (await Promise.all(sources.map(source => filesOf(join(root, source))))).flat()
  const newest = Math.max(...files.map(file => statSync(file).mtimeMs))
  if (existsSync(page) && statSync(page).mtimeMs > newest) return
  await runChild('npm', ['run', '--silent', 'build', '-w', 'console'], {
    cwd: root,
    // With the NODE_ENV of a test runner it would be the slow build of React.
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

/** Runs before the browser tests. */
export default buildConsole
