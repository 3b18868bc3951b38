export class ReleaseError extends Error {}

/** The files that contain the version, and those that get a section for each release. */
export const releasedFiles = {
  manifests: [
    'package.json',
    'server/package.json',
    'sdk/package.json',
    'console/package.json',
    'package-lock.json',
  ],
  changelog: 'CHANGELOG.md',
  upgrading: 'docs/upgrading.md',
  releases: 'docs/releases.json',
} as const

const versionPattern = /^(\d+)\.(\d+)\.(\d+)$/

/** Whether `next` is the release after `current`, by major, minor or patch. */
export function isNext(current: string, next: string): boolean {
  const [a, b] = [current, next].map(text => versionPattern.exec(text)?.slice(1).map(Number))
  if (!a || !b) return false
  const at = b.findIndex((part, i) => part !== a[i])
  return at >= 0 && b[at] === a[at]! + 1 && b.slice(at + 1).every(part => part === 0)
}

/** Takes what `npm pack --json` printed about the SDK. Without a build npm packs a package without code, and does not complain. */
export function checkPacked(printed: string): void {
  const packages = JSON.parse(printed) as { files: { path: string }[] }[]
  const packed = new Set(packages.flatMap(({ files }) => files.map(({ path }) => path)))
  const missing = ['dist/index.js', 'dist/index.d.ts', 'dist/cli/relance.js'].filter(
    path => !packed.has(path),
  )
  if (missing.length > 0) throw new ReleaseError(`The package of the SDK lacks ${missing.join(', ')}.`)
}

/** The text under "Unreleased", without the heading. */
export function unreleasedNotes(changelog: string): string {
  const section = changelog.split(/^## /m).find(part => part.startsWith('[Unreleased]'))
  const notes = section?.slice('[Unreleased]'.length).trim() ?? ''
  if (notes === '') throw new ReleaseError('CHANGELOG.md says nothing under "## [Unreleased]".')
  return notes
}

const replaceOnce = (text: string, from: string, to: string, path: string) => {
  if (!text.includes(from)) throw new ReleaseError(`${path} has no ${JSON.stringify(from)}.`)
  return text.replace(from, () => to)
}

const withVersion = (text: string, version: string, path: string) => {
  if (path !== 'package-lock.json')
    return text
      .replace(/^ {2}"version": ".*"/m, `  "version": "${version}"`)
      .replace(/"@relance\/sdk": "\d[^"]*"/, `"@relance/sdk": "${version}"`)
  const lock = JSON.parse(text) as {
    version: string
    packages: Record<string, { version?: string; devDependencies?: Record<string, string> }>
  }
  lock.version = version
  for (const name of ['', 'server', 'sdk', 'console']) {
    const own = lock.packages[name]!
    own.version = version
    if (own.devDependencies?.['@relance/sdk']) own.devDependencies['@relance/sdk'] = version
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

interface Release {
  version: string
  date: string
  lastMigration: string
  variables: readonly string[]
}

/** The content of every file that a release changes. `manifests` are Kubernetes files that contain the tag of the image. */
export function filesOfRelease(
  files: Readonly<Record<string, string>>,
  { version, date, lastMigration, variables }: Release,
): Record<string, string> {
  const { manifests, changelog, upgrading, releases } = releasedFiles
  unreleasedNotes(files[changelog]!)
  const changed: Record<string, string> = {}
  for (const path of manifests) changed[path] = withVersion(files[path]!, version, path)
  changed[changelog] = replaceOnce(
    files[changelog]!,
    '## [Unreleased]\n',
    `## [Unreleased]\n\n## [${version}] - ${date}\n`,
    changelog,
  )
  changed[upgrading] = replaceOnce(
    files[upgrading]!,
    '## Unreleased\n',
    `## Unreleased\n\n**Migrations** none.\n\n## ${version}\n`,
    upgrading,
  )
  const all = JSON.parse(files[releases]!) as unknown[]
  changed[releases] = `${JSON.stringify([...all, { version, lastMigration, variables }], null, 2)}\n`
  for (const [path, text] of Object.entries(files))
    if (path.startsWith('deploy/kubernetes/') && text.includes('image: relance:'))
      changed[path] = text.replace(/image: relance:\S+/g, `image: relance:${version}`)
  return changed
}
