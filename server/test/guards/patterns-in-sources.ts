import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'

const repository = join(import.meta.dirname, '../../..')
const folders = ['server/src', 'sdk/src', 'console/src']

export interface FoundPattern {
  readonly file: string
  readonly line: number
  readonly pattern: RegExp
  /** The longest text it is used on, where `shortText` enforces one. */
  readonly lengthMax: number
}

export interface FoundPatterns {
  readonly patterns: FoundPattern[]
  /** Patterns that are put together at run time, as `file: code`. */
  readonly unread: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** From the outside to the inside. */
function nodesIn(value: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const item of value) nodesIn(item, found)
  else if (isNode(value)) {
    found.push(value)
    for (const name in value) if (typeof value[name] === 'object') nodesIn(value[name], found)
  }
  return found
}

const nameOf = (value: unknown): string | null =>
  isNode(value) && value.type === 'Identifier' ? (value.name as string) : null

/** Reads what an expression of constants is, `undefined` if it depends on anything else. */
function constantReader(nodes: readonly Node[]): (value: unknown) => unknown {
  const constants = new Map<string, unknown>()
  for (const node of nodes)
    if (node.type === 'VariableDeclarator' && nameOf(node.id)) constants.set(nameOf(node.id)!, node.init)
  const joined = (parts: unknown[]) =>
    parts.every(part => typeof part === 'string' || typeof part === 'number') ? parts.join('') : undefined
  const read = (value: unknown): unknown => {
    if (!isNode(value)) return undefined
    if (value.type === 'Literal') {
      const regex = value.regex as { pattern: string; flags: string } | undefined
      return regex ? new RegExp(regex.pattern, regex.flags) : value.value
    }
    if (value.type === 'TemplateLiteral') {
      const quasis = value.quasis as { value: { cooked: string } }[]
      const inner = (value.expressions as unknown[]).map(read)
      return joined(quasis.flatMap(({ value: { cooked } }, at) => (at ? [inner[at - 1], cooked] : [cooked])))
    }
    if (value.type === 'BinaryExpression' && value.operator === '+')
      return joined([read(value.left), read(value.right)])
    if (value.type === 'MemberExpression' && nameOf(value.property) === 'source') {
      const pattern = read(value.object)
      return pattern instanceof RegExp ? pattern.source : undefined
    }
    const name = nameOf(value)
    return name !== null && constants.has(name) ? read(constants.get(name)) : undefined
  }
  return read
}

function patternsIn(file: string, text: string, { patterns, unread }: FoundPatterns): void {
  const nodes = nodesIn(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  const read = constantReader(nodes)
  const limits = new Map<unknown, number>()
  const lineOf = ({ start }: Node) => text.slice(0, start).split('\n').length
  for (const node of nodes) {
    const args = node.arguments as Node[] | undefined
    const callee = nameOf(node.callee)
    if (callee === 'shortText') {
      const lengthMax = read(args![0])
      if (typeof lengthMax === 'number') limits.set(args![1], lengthMax)
    }
    let pattern: unknown
    if (node.type === 'Literal' && node.regex) pattern = read(node)
    else if (callee === 'RegExp') {
      const [source, flags] = [read(args![0]), args![1] ? read(args![1]) : '']
      if (typeof source === 'string' && typeof flags === 'string') pattern = new RegExp(source, flags)
      else unread.push(`${file}: ${text.slice(node.start, node.end)}`)
    }
    if (pattern instanceof RegExp)
      patterns.push({
        file,
        line: lineOf(node),
        pattern,
        lengthMax: limits.get(node) ?? Number.POSITIVE_INFINITY,
      })
  }
}

/** Every regular expression of the server, the SDK and the console, tests excluded. */
export async function patternsInSources(root = repository): Promise<FoundPatterns> {
  const found: FoundPatterns = { patterns: [], unread: [] }
  for (const folder of folders)
    for await (const path of glob('**/*.{ts,tsx}', { cwd: join(root, folder) }))
      if (!/\.(test|conformance|generated)\.tsx?$/.test(path))
        patternsIn(join(folder, path), readFileSync(join(root, folder, path), 'utf8'), found)
  return found
}
