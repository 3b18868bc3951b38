import { kebab } from './command-line.ts'
import { printable } from './errors.ts'

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
/** Notes for users go to standard error, so that programs can read standard output. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function scalarText(key: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (/Cents$/.test(key) && typeof value === 'number') return (value / 100).toFixed(2)
  return printable(String(value))
}

const titleOf = (key: string) => kebab(key.replace(/Cents$/, '')).replaceAll('-', ' ')

/** An object in a row is shown by its name. */
const cellOf = (key: string, value: unknown): string | undefined => {
  if (isObject(value)) return 'name' in value ? scalarText(key, value.name) : undefined
  if (Array.isArray(value))
    return value.every(one => typeof one === 'string') ? printable(value.join(' ')) : undefined
  return scalarText(key, value)
}

/** Shown first, in this order, where a row has them. */
const first =
  'id invoiceNumber number name event debtor status amountCents balanceCents currency dueDate'.split(' ')
const longest = 48

interface Column {
  key: string
  width: number
}

/** As many columns as fit, the useful ones first. */
function columnsOf(items: readonly object[]): Column[] {
  const keys = [
    ...new Set([...first.filter(key => items.some(item => key in item)), ...items.flatMap(Object.keys)]),
  ]
  const width = process.stdout.columns || 160
  let used = 0
  return keys.flatMap(key => {
    const cells = items.map(item => cellOf(key, (item as Record<string, unknown>)[key]))
    if (cells.every(cell => !cell)) return []
    const own = Math.min(longest, Math.max(titleOf(key).length, ...cells.map(cell => cell?.length ?? 0)))
    if (used > 0 && used + own > width) return []
    used += own + 2
    return [{ key, width: own }]
  })
}

const fit = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)

/** A table that is printed page by page; its columns are those of the first page. */
export function tablePrinter(): (items: readonly object[]) => void {
  let shown: Column[] | undefined
  return items => {
    if (items.length === 0) return
    if (!shown) {
      shown = columnsOf(items)
      print(
        shown
          .map(({ key, width }) => fit(titleOf(key).toUpperCase(), width))
          .join('  ')
          .trimEnd(),
      )
    }
    for (const item of items) {
      const cells = shown.map(({ key, width }) => {
        const value = (item as Record<string, unknown>)[key]
        const text = cellOf(key, value) ?? ''
        return typeof value === 'number' ? text.padStart(width) : fit(text, width)
      })
      print(cells.join('  ').trimEnd())
    }
  }
}

/** A record line by line, with nested values indented. */
export function recordText(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth)
  if (Array.isArray(value))
    return value
      .map(one =>
        isObject(one) ? `${indent}-\n${recordText(one, depth + 1)}` : `${indent}- ${scalarText('', one)}`,
      )
      .join('\n')
  if (!isObject(value)) return `${indent}${scalarText('', value)}`
  const entries = Object.entries(value)
  const isNested = (one: unknown) =>
    (isObject(one) && Object.keys(one).length > 0) || (Array.isArray(one) && one.length > 0)
  const width = Math.max(
    0,
    ...entries.filter(([, one]) => !isNested(one)).map(([key]) => titleOf(key).length),
  )
  return entries
    .map(([key, one]) => {
      if (isNested(one)) return `${indent}${titleOf(key)}\n${recordText(one, depth + 1)}`
      const text = Array.isArray(one) || isObject(one) ? '' : scalarText(key, one)
      return `${indent}${titleOf(key).padEnd(width)}  ${text}`.trimEnd()
    })
    .join('\n')
}

/** A progress bar that overwrites its line; only on a terminal. */
export function progressBar(): {
  show(label: string, done: number, total: number | null): void
  end(): void
} {
  const { stderr } = process
  if (!stderr.isTTY) return { show() {}, end() {} }
  return {
    show(label, done, total) {
      const share = total ? Math.min(1, done / total) : 0
      const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
      const count = total === null ? `${done}` : `${done} of ${total}`
      stderr.write(`\r\u001b[K${label}  ${bar}  ${count}`)
    },
    end: () => void stderr.write('\r\u001b[K'),
  }
}
