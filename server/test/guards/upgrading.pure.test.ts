import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { settings } from '../../src/start/config.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Release {
  version: string
  lastMigration: string
  variables: string[]
}
/** What each release had, written by the release script. */
const releases = JSON.parse(read('docs/releases.json')) as Release[]
const before = releases.at(-1)!

const sectionOf = (text: string, title: string) =>
  text.split(/^## /m).find(part => part.startsWith(title)) ?? ''

/** The numbers that a text names: 0010 to 0012, or 0014. */
function migrationsNamed(text: string): Set<number> {
  const ranges = [...text.matchAll(/\b(\d{4})(?: to (\d{4}))?\b/g)]
  return new Set(
    ranges.flatMap(([, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i),
    ),
  )
}

/** What the section does not mention of what is new or gone since the last release. */
function notMentioned(
  section: string,
  migrations: readonly string[],
  variables: readonly string[],
): string[] {
  const named = migrationsNamed(/\*\*Migrations\*\*(.*)/.exec(section)?.[1] ?? '')
  const changed = [
    ...variables.filter(name => !before.variables.includes(name)),
    ...before.variables.filter(name => !variables.includes(name)),
  ]
  return [
    ...migrations.filter(name => name > before.lastMigration && !named.has(Number(name.slice(0, 4)))),
    ...changed.filter(name => !section.includes(`\`${name}\``)),
  ]
}

const section = sectionOf(read('docs/upgrading.md'), 'Unreleased')
const migrations = readdirSync(join(root, 'server/migrations')).filter(name => name.endsWith('.sql'))
const variables = settings.map(({ name }) => name)

it('docs/upgrading.md mentions every migration and every variable of the next release', () => {
  expect(notMentioned(section, migrations, variables)).toEqual([])
})

it('what is not mentioned is named', () => {
  expect(notMentioned(section, [...migrations, '9990_new.sql'], [...variables, 'NEW_SETTING'])).toEqual([
    '9990_new.sql',
    'NEW_SETTING',
  ])
  expect(
    notMentioned(
      section,
      migrations,
      variables.filter(name => name !== 'PORT'),
    ),
  ).toEqual(['PORT'])
})

it('every release that was made has its section', () => {
  const page = read('docs/upgrading.md')
  // Before the first release there was nothing to upgrade from.
  for (const { version } of releases.slice(1)) expect(sectionOf(page, version), version).not.toBe('')
})
