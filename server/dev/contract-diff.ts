import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingChanges, breakingLines, type Contract, unannounced } from './contract-difference.ts'

/** `npm run contract-diff -- main`: breaking changes of the contract since that commit, and whether CHANGELOG.md names them. */
const [commit] = process.argv.slice(2)
if (!commit || commit.startsWith('-')) {
  console.error('contract-diff <commit>: compares server/openapi.json with the one of that commit')
  process.exit(2)
}
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readThen = (path: string) =>
  execFileSync('git', ['show', `${commit}:${path}`], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })

const contract = 'server/openapi.json'
const changes = breakingChanges(
  JSON.parse(readThen(contract)) as Contract,
  JSON.parse(read(contract)) as Contract,
)
const silent = unannounced(changes, breakingLines(readThen('CHANGELOG.md'), read('CHANGELOG.md')))
for (const change of changes)
  console.log(`${silent.includes(change) ? 'NOT SAID' : 'said    '} ${change.subject} ${change.what}`)
console.log(`${changes.length} breaking changes, ${silent.length} of them not in the changelog`)
if (silent.length > 0) {
  console.error(
    'Name each in CHANGELOG.md, under "Breaking", as `subject` in backticks, or take the change back.',
  )
  process.exitCode = 1
}
