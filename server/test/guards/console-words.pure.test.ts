import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const sources = join(import.meta.dirname, '../../../console/src')
/** Attributes that are shown or read out. */
const shown =
  /\b(?:aria-label|aria-description|title|placeholder|alt|label|caption|head|hint)="([^"]*\p{L}[^"]*)"/gu
/** `{'Words'}` and `{`Words`}` as the child of an element. */
const child = />\s*\{(['`])([^'`{}$]*\p{L}{2,}[^'`{}$]*)\1\}/gu

/** Between two tags words are refused by the linter (noJsxLiterals); these are the other ways to write them. */
const literalsIn = (source: string): string[] => [
  ...[...source.matchAll(shown)].map(([whole]) => whole),
  ...[...source.matchAll(child)].map(([whole]) => whole),
]

it('no component of the console has words of its own: they stand in the dictionaries', () => {
  const found = globSync('**/*.tsx', { cwd: sources }).flatMap(file =>
    literalsIn(readFileSync(join(sources, file), 'utf8')).map(literal => `${file}: ${literal}`),
  )
  expect(found).toEqual([])
})

it('words are found wherever they are written', () => {
  expect(literalsIn('<a title="Fermer" className="x">{\'Fermer\'}</a>')).toEqual([
    'title="Fermer"',
    ">{'Fermer'}",
  ])
  expect(literalsIn("<a title={text.close}>{' · '}{name}</a>")).toEqual([])
})
