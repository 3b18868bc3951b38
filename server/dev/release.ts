import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { settings } from '../src/start/config.ts'
import {
  checkPacked,
  filesOfRelease,
  isNext,
  ReleaseError,
  releasedFiles,
  unreleasedNotes,
} from './release-files.ts'

const usage = `release <version> [--dry-run]

  Writes the version and the sections of the changelog and of docs/upgrading.md, commits and tags, and makes the packages, the
  list of their parts (SBOM) and the image. It publishes nothing. With --dry-run it changes nothing and says what it would do.`

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

function release(version: string, isDryRun: boolean): void {
  const { version: current } = JSON.parse(read('package.json')) as { version: string }
  if (!isNext(current, version))
    throw new ReleaseError(
      `${version} is not the release after ${current}: raise one part, and set those after it to 0.`,
    )
  const tag = `v${version}`
  if (run('git', 'tag', '--list', tag) !== '') throw new ReleaseError(`The tag ${tag} is there already.`)
  if (!isDryRun && run('git', 'status', '--porcelain') !== '')
    throw new ReleaseError('The working tree has changes; commit them first.')

  const { manifests, changelog, upgrading, releases } = releasedFiles
  const paths = [
    ...manifests,
    changelog,
    upgrading,
    releases,
    ...globSync('deploy/kubernetes/*.yaml', { cwd: root }),
  ]
  const notes = unreleasedNotes(read(changelog))
  const changed = filesOfRelease(Object.fromEntries(paths.map(path => [path, read(path)])), {
    version,
    date: new Date().toISOString().slice(0, 10),
    lastMigration: readdirSync(join(root, 'server/migrations')).sort().at(-1)!,
    variables: settings.map(({ name }) => name).sort(),
  })

  const steps: [string, () => void][] = [
    ...Object.entries(changed).map(([path, text]): [string, () => void] => [
      `write ${path}`,
      () => writeFileSync(join(root, path), text),
    ]),
    [
      `commit "Release ${version}"`,
      () => void run('git', 'commit', '--all', '--message', `Release ${version}`),
    ],
    [
      `tag ${tag}, with the section of the changelog`,
      () =>
        void run(
          'git',
          'tag',
          '--annotate',
          tag,
          '--cleanup=verbatim',
          '--message',
          `${version}\n\n${notes}`,
        ),
    ],
    [
      'pack @relance/sdk into .data/release',
      () => {
        mkdirSync(join(root, '.data/release'), { recursive: true })
        // The scripts of packages are switched off in .npmrc, so `npm pack` does not build by itself.
        rmSync(join(root, 'sdk/dist'), { recursive: true, force: true })
        run('npm', 'run', 'build', '--workspace', 'sdk')
        checkPacked(run('npm', 'pack', '--json', '--workspace', 'sdk', '--pack-destination', '.data/release'))
      },
    ],
    [
      'write the SBOM into .data/release',
      () => writeFileSync(join(root, '.data/release/sbom.json'), run('npm', 'run', '--silent', 'sbom')),
    ],
    [
      `build the image relance:${version}`,
      () => void run('docker', 'build', '--tag', `relance:${version}`, '.'),
    ],
  ]
  for (const [what, act] of steps) {
    console.log(`${isDryRun ? 'would ' : ''}${what}`)
    if (!isDryRun) act()
  }
  console.log(
    `\n${isDryRun ? notes.slice(0, 600) : `Nothing was published: push main and ${tag}, the package and the image.`}`,
  )
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  const [version] = positionals
  if (values.help || positionals.length !== 1) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 2
  } else release(version!, values['dry-run'] === true)
} catch (error) {
  if (!(error instanceof ReleaseError) && !(error instanceof TypeError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
