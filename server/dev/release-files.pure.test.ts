import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  checkPacked,
  filesOfRelease,
  isNext,
  ReleaseError,
  releasedFiles,
  unreleasedNotes,
} from './release-files.ts'

const root = join(import.meta.dirname, '../..')
const { manifests, changelog, upgrading, releases } = releasedFiles
const files = Object.fromEntries(
  [...manifests, changelog, upgrading, releases, ...globSync('deploy/kubernetes/*.yaml', { cwd: root })].map(
    path => [path, readFileSync(join(root, path), 'utf8')],
  ),
)

it('a version raises one part and sets those after it to 0', () => {
  for (const next of ['1.2.4', '1.3.0', '2.0.0']) expect(isNext('1.2.3', next), next).toBe(true)
  for (const next of ['1.2.3', '1.2.5', '1.3.1', '2.1.0', '3.0.0', '1.2', 'v1.2.4'])
    expect(isNext('1.2.3', next), next).toBe(false)
})

it('a package of the SDK without its build is refused, as npm packs it without complaint', () => {
  const { bin, exports } = JSON.parse(files['sdk/package.json']!) as {
    bin: Record<string, string>
    exports: { '.': Record<string, string> }
  }
  const entries = [...Object.values(bin), ...Object.values(exports['.'])].map(path => path.replace('./', ''))
  expect(entries.length).toBe(3)
  const printed = (paths: string[]) => JSON.stringify([{ files: paths.map(path => ({ path })) }])
  const whole = ['LICENSE', 'README.md', 'package.json', ...entries]
  checkPacked(printed(whole))
  for (const entry of entries)
    expect(() => checkPacked(printed(whole.filter(path => path !== entry)))).toThrow(entry)
})

it('a release writes its version and its sections, and changes nothing else', () => {
  const release = { version: '9.0.0', date: '2026-12-01', lastMigration: '9999_last.sql', variables: ['A'] }
  const changed = filesOfRelease(files, release)
  for (const path of manifests) {
    const before = files[path]!.split('\n')
    const after = changed[path]!.split('\n')
    expect(after.length, path).toBe(before.length)
    const lines = after.filter((line, i) => line !== before[i])
    expect(lines.length, path).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/^ +"(version|@relance\/sdk)": "9\.0\.0",?$/)
  }
  expect(changed[changelog]).toContain('## [Unreleased]\n\n## [9.0.0] - 2026-12-01\n')
  expect(changed[upgrading]).toContain('## Unreleased\n\n**Migrations** none.\n\n## 9.0.0\n')
  expect((JSON.parse(changed[releases]!) as unknown[]).at(-1)).toEqual({
    version: '9.0.0',
    lastMigration: '9999_last.sql',
    variables: ['A'],
  })
  expect(changed['deploy/kubernetes/30-api.yaml']).toContain('image: relance:9.0.0\n')
})

it('the notes are what stands under "Unreleased", and a release needs some', () => {
  expect(unreleasedNotes('# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [1.0.0]\n')).toBe(
    '### Added\n\n- A.',
  )
  expect(() => unreleasedNotes('# Changelog\n\n## [Unreleased]\n\n## [1.0.0]\n')).toThrow(ReleaseError)
})
