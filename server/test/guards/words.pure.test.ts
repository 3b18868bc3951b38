import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'

const server = join(import.meta.dirname, '../..')

/** Where a slash begins a regular expression: after an operator, an opening bracket or `return`. */
const beforeRegExp = /(?:^|[=(,:[!&|?{};]|=>|\breturn)\s*$/

/** The code without comments, texts and regular expressions. The expressions inside templates stay. */
function codeOf(source: string): string {
  let code = ''
  const braces: number[] = []
  let depth = 0
  let at = 0
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    at = pattern.exec(source) ? pattern.lastIndex : source.length
    code += ' '
  }
  /** From a backtick or the end of an expression to the next expression or the closing backtick. */
  const skipTemplate = () => {
    skip(/(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y)
    if (source[at - 1] === '{') braces.push(depth++)
  }
  while (at < source.length) {
    const here = source[at]!
    if (source.startsWith('//', at)) skip(/.*/y)
    else if (source.startsWith('/*', at)) skip(/\/\*[\s\S]*?\*\//y)
    else if (here === "'") skip(/'(?:\\.|[^'\\])*'/y)
    else if (here === '"') skip(/"(?:\\.|[^"\\])*"/y)
    else if (here === '/' && beforeRegExp.test(code.slice(-20)))
      skip(/\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/\w*/y)
    else {
      at++
      if (here === '`') {
        skipTemplate()
        continue
      }
      if (here === '{') depth++
      if (here === '}') {
        depth--
        if (braces.at(-1) === depth) {
          braces.pop()
          skipTemplate()
          continue
        }
      }
      code += here
    }
  }
  return code
}

let sources: { path: string; code: string }[]
let oldNames: Set<string>
beforeAll(async () => {
  const list = await readFile(join(import.meta.dirname, 'old-names.txt'), 'utf8')
  oldNames = new Set(list.split('\n').filter(line => line && !line.startsWith('#')))
  sources = []
  for await (const path of glob('{src,test,dev,generate}/**/*.ts', { cwd: server }))
    if (!path.includes('.generated.'))
      sources.push({ path, code: codeOf(await readFile(join(server, path), 'utf8')) })
})

it('the code is found between comments, texts and regular expressions', () => {
  const source = [
    "const a = 'knock' // lane",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code
    'const b = `fate ${pump(`x ${c}`)} told` / 2',
    'm(/[`"/]/g, d)',
  ].join('\n')
  expect(codeOf(source).match(/\w+/g)).toEqual(['const', 'a', 'const', 'b', 'pump', 'c', '2', 'm', 'd'])
})

it('no identifier is one of the names that were given up', () => {
  expect(oldNames.size).toBeGreaterThan(300)
  const found = sources.flatMap(({ path, code }) =>
    [...new Set(code.match(/[\w$]+/g))].filter(name => oldNames.has(name)).map(name => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

it('nothing is called `of`', () => {
  // The keyword of a loop stands between a name or a pattern and an expression; `.of(…)` belongs to the library.
  const isName = /(?:\b(?:const|let|var)\s+of\b|[({,]\s*of\s*[,:)}=]|\bof\s+of\b|\bof\s*(?:\.|=>|\)))/
  const found = sources.filter(({ code }) => isName.test(code)).map(({ path }) => path)
  expect(found).toEqual([])
})
