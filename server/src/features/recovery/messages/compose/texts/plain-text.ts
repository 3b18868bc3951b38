import type { Block, Row } from './block.ts'

const titled = (title: string | null, text: string) => (title === null ? text : `${title}\n\n${text}`)

const facts = (rows: readonly Row[]) => {
  const width = Math.max(12, ...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)} ${value}`).join('\n')
}

function columns(rows: readonly (readonly string[])[], sumColumns = 1): string[] {
  const firstSum = rows[0]!.length - sumColumns
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows.map(
    row =>
      `  ${row.map((cell, i) => (i < firstSum ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('   ')}`,
  )
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text
    case 'signature':
      return block.lines.join('\n')
    case 'facts':
      return titled(block.title, facts(block.headline ? [...block.rows, block.headline] : block.rows))
    case 'table':
      return titled(
        block.title,
        [
          ...columns([block.head, ...block.rows], block.sumColumns),
          ...block.foot.map(([label, sum]) => `  ${label} ${sum}`),
        ].join('\n'),
      )
    case 'statement': {
      const sums = columns([
        ...block.rows.map(({ label, basis, value }) => [
          basis === null ? label : `${label} (${basis})`,
          value,
        ]),
        block.total,
      ])
      return `${block.title}\n\n${sums.join('\n')}\n\n${block.notes.map(line => `  ${line}`).join('\n')}`
    }
    case 'action':
      return `${block.lead}\n${block.link}`
    case 'small':
      return block.title === null ? block.text : `${block.title}\n${block.text}`
    case 'law':
      return [block.source, ...block.paragraphs].join('\n')
  }
}

/** Blocks separated by blank lines; columns are aligned for a monospaced font. */
export const toPlainText = (blocks: readonly Block[]): string => `${blocks.map(renderBlock).join('\n\n')}\n`
