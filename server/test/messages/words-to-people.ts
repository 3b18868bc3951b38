import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'

const root = join(import.meta.dirname, '../../..')

export interface WordsFile {
  /** From the root of the repository. */
  readonly path: string
  /** What it says, string by string, with `…` for what is inserted. */
  readonly strings: readonly string[]
}

type Node = Readonly<Record<string, unknown>>

function stringsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found
  const { type, value: literal, quasis } = value as Node
  if (type === 'Literal' && typeof literal === 'string') found.push(literal)
  if (type === 'TemplateLiteral')
    found.push((quasis as { value: { cooked: string } }[]).map(part => part.value.cooked).join('…'))
  for (const part of Object.values(value)) stringsIn(part, found)
  return found
}

/** One kind of space, of hyphen and of apostrophe. */
const plainly = (text: string): string =>
  text
    .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
    .replaceAll('\u2011', '-')
    .replaceAll(/['’]/g, '’')

export const codeOf = (path: string): string => readFileSync(join(root, path), 'utf8')

function read(path: string): WordsFile {
  const tree = parseAst(codeOf(path), { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  return { path, strings: stringsIn(tree).map(plainly) }
}

/** French is written for people only: what developers and programs read is in English. */
const isFrench = ({ strings }: WordsFile) =>
  strings.some(text => text.trim().includes(' ') && /[àâçéèêëîïôùûœ]/i.test(text))

/** Every source of the server, the console and the SDK. */
export const allSources = (): string[] =>
  globSync('{server,console,sdk}/src/**/*.{ts,tsx}', { cwd: root })
    // The words of the sample portfolio are those of people who do not exist.
    .filter(path => !/\.test\.|\.generated\.|\/generated\/|\/sample-portfolio\.ts$/.test(path))
    .sort()

/** Every source that holds words to people: those with French in them, and their English twins. */
export function wordsToPeople(): WordsFile[] {
  const files = allSources().map(read)
  const french = new Set(files.filter(isFrench).map(({ path }) => path))
  return files.filter(({ path }) => french.has(path) || french.has(path.replace('english', 'french')))
}

/** The sentences of a source; what is no sentence is a label. */
export const sentencesOf = ({ strings }: WordsFile): string[] => [
  ...new Set(
    strings
      .flatMap(text => text.split(/(?<=[.!?]) /))
      .map(text => text.trim())
      .filter(text => text.includes(' ')),
  ),
]
