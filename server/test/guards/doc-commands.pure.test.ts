import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allCommands, commandsIn, notRun, pages, root } from '../docs/commands.ts'

const commands = allCommands()
const placeOf = (file: string) => pages.find(page => page.file === file)?.place

describe('the commands of the pages', () => {
  it('each runs in a place, or is in the table of those that cannot run', () => {
    expect(commands.length).toBeGreaterThan(100)
    expect(
      commands
        .filter(({ file, reason }) => !reason && !placeOf(file))
        .map(({ file, text }) => `${file}: ${text}`),
    ).toEqual([])
  })

  it('those that run have nothing left to fill in', () => {
    const blank = /…|<[a-z][a-z -]*>/
    expect(
      commands.filter(({ text, reason }) => !reason && blank.test(text.replace(/(^|\s)#.*$/gm, ''))),
    ).toEqual([])
  })

  it('every page and every reason of the tables is used', () => {
    expect(
      pages.filter(({ file }) => !commands.some(command => command.file === file && !command.reason)),
    ).toEqual([])
    expect(notRun.filter(({ pattern }) => !commands.some(({ text }) => pattern.test(text)))).toEqual([])
  })

  it('are read with their quotes, loops and here-documents', () => {
    const block = `\`\`\`sh
one 'a
b' | # why
  two
for x in a; do
  three
done
cat > f <<END
it's
END
four "$(five "6")" \\
  # nothing
\`\`\`

\`\`\`text
shown
\`\`\`
`
    const read = commandsIn('x.md', block)
    expect(read.map(({ line, text }) => [line, text.split('\n').length])).toEqual([
      [2, 3],
      [5, 3],
      [8, 3],
      [11, 2],
    ])
    expect(read.at(-1)!.shown).toBe('shown\n')
  })
})

describe('proofs and benches that the pages name', () => {
  const read = (file: string) => readFileSync(join(root, 'server/test', file), 'utf8')
  const benches = read('bench.ts')
  const proofs = new Map(
    [...read('prove.ts').matchAll(/^ {2}'?([a-z-]+)'?: .*import\('\.\/(.+?)'\)/gm)].map(([, name, file]) => [
      name!,
      read(file!),
    ]),
  )
  const named = globSync(['*.md', 'docs/**/*.md', 'sdk/*.md'], { cwd: root }).flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/npm run (prove|bench) -- ([a-z][^`#|\n)]*)/g)].map(
      ([text, program, rest]) => ({ file, text, program, words: rest!.trim().split(/\s+/) }),
    ),
  )
  /** The program that reads the options of a bench: a few have one of their own. */
  const benchNamed = (name: string) =>
    ['lists', 'portfolio'].includes(name) ? read(`bench/${name}.ts`) : benches.includes(name) ? benches : null

  it('exist, with the options that are given', () => {
    expect(named.length).toBeGreaterThan(40)
    const wrong = named.filter(({ program, words: [name = '', ...rest] }) => {
      const source = program === 'prove' ? (proofs.get(name) ?? null) : benchNamed(name)
      const options = rest.filter(word => word.startsWith('--')).map(word => word.slice(2))
      const declares = (option: string) => new RegExp(`[{\\s]'?${option}'?: \\{ type`).test(source!)
      return source === null || !options.every(declares)
    })
    expect(wrong.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })
})
