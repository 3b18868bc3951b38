import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const papers = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

/** Papers shorten a path to where the reader already is: `kit/db` is in server/src. */
const bases = ['', 'server', 'server/src', 'server/src/features'].map(base => join(root, base))

/** Looks like a path, and is a method of the Model Context Protocol. */
const isMethod = (name: string) => name === 'server/discover'

const isThere = (base: string, path: string) =>
  /[*{]/.test(path) ? globSync(path, { cwd: base }).length > 0 : existsSync(join(base, path))

/** Where a link leads, from the paper it stands in. */
const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))

/** What is set as code: whole blocks, and what stands between backticks on one line. */
const codeIn = (text: string) =>
  text
    .split(/^```.*$/m)
    .flatMap((part, i) => (i % 2 === 1 ? [part] : [...part.matchAll(/`([^`\n]+)`/g)].map(match => match[1]!)))

/** What begins with a folder of ours, one word at a time: a command may name a path too. */
const pathsIn = (text: string) =>
  codeIn(text)
    .flatMap(code => code.split(/\s+/))
    .filter(word => /^[\w-]+\/[\w./*{},-]+$/.test(word) && !isMethod(word))
    .filter(word => bases.some(base => existsSync(join(base, word.split('/')[0]!))))

it.each(papers)('every path that %s names is there', paper => {
  const text = readFileSync(join(root, paper), 'utf8')
  expect([
    ...linksIn(text).filter(link => !isThere(join(root, dirname(paper)), link)),
    ...pathsIn(text).filter(path => !bases.some(base => isThere(base, path))),
  ]).toEqual([])
})

/** The folders that the map in ARCHITECTURE.md lists, by their indentation. */
function foldersOfMap(): string[] {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const map = text.slice(text.indexOf('## The map')).split(/^```.*$/m)[1]!
  const trail: string[] = []
  return map.split('\n').flatMap(line => {
    const [, indent, name] = /^( *)([a-z-]+)\/(?:\s|$)/.exec(line) ?? []
    if (indent === undefined || indent.length > 10) return []
    trail.splice(indent.length / 2)
    trail.push(name!)
    return [trail.join('/')]
  })
}

it('the map lists every folder of the program, and no other', () => {
  const drawn = [
    'server',
    'server/src',
    'server/src/domain',
    'server/src/features',
    'server/src/kit',
    'server/test',
  ]
  const patterns = [...drawn, 'console/src', 'server/src/features/*'].map(folder => `${folder}/*/`)
  const isEmpty = (folder: string) => globSync('**/*.*', { cwd: join(root, folder) }).length === 0
  const folders = globSync(patterns, { cwd: root }).filter(
    folder => !/node_modules|\.stryker/.test(folder) && !isEmpty(folder),
  )
  const mapped = foldersOfMap()
  expect(folders.filter(folder => !mapped.includes(folder)).sort()).toEqual([])
  expect(mapped.filter(folder => !existsSync(join(root, folder)))).toEqual([])
})

it('the papers were found, and name paths', () => {
  expect(papers).toContain('ARCHITECTURE.md')
  expect(papers).toContain(join('docs', 'proofs.md'))
  const texts = papers.map(paper => readFileSync(join(root, paper), 'utf8'))
  expect(texts.flatMap(linksIn).length).toBeGreaterThan(100)
  expect(texts.flatMap(pathsIn).length).toBeGreaterThan(100)
})
