import { workbookOf } from '../harness/zip-of.ts'
import type { DrawnFile, DrawnRow } from './draw-file.ts'
import type { Shape } from './draw-shape.ts'
import type { DrawnCell } from './spellings.ts'
import type { DrawnField } from './titles.ts'

export interface WrittenFile {
  bytes: Buffer
  /** The line of each row, as Excel numbers it. */
  lines: number[]
}

export async function writeFile(file: DrawnFile): Promise<WrittenFile> {
  const { shape, rows } = file
  if (shape.kind === 'ndjson') {
    const text = rows.map(row => `${JSON.stringify(objectOf(shape, row))}\n`).join('')
    return { bytes: Buffer.from(text), lines: rows.map((_, at) => at + 1) }
  }
  const above: DrawnRow[] = shape.preamble.map(line => ({ cells: [line], truth: null }))
  if (above.length > 0) above.push({ cells: [], truth: null })
  const titles: DrawnRow = { cells: shape.titles.map(title => title || null), truth: null }
  const all = [...above, titles, ...rows]
  const lines = rows.map((_, at) => above.length + 2 + at)
  return { bytes: shape.kind === 'csv' ? csvOf(shape, all) : await xlsxOf(shape, all), lines }
}

function textOf(cell: DrawnCell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell
  return 'number' in cell ? cell.number : ''
}

/** The only characters beyond Latin-1 that the drawn files have. */
const windows1252: Readonly<Record<string, number>> = { '€': 0x80, '’': 0x92, œ: 0x9c, Œ: 0x8c }

function encode(text: string, encoding: Shape['encoding']): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (encoding !== 'windows-1252') return Buffer.from(encoding === 'utf-8' ? text : `\ufeff${text}`)
  // It has no narrow no-break space: programs write a no-break space.
  const codes = [...text.replaceAll('\u202f', '\u00a0')].map(character => {
    const code = windows1252[character] ?? character.charCodeAt(0)
    if (code > 255) throw new Error(`no Windows-1252: ${character}`)
    return code
  })
  return Buffer.from(codes)
}

function csvOf({ separator, encoding }: Shape, rows: readonly DrawnRow[]): Buffer {
  const quoted = (text: string) =>
    text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
  const lines = rows.map(({ cells }) => cells.map(cell => quoted(textOf(cell))).join(separator))
  return encode(`${lines.join('\r\n')}\r\n`, encoding)
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const dayFormat = 14

async function xlsxOf(shape: Shape, rows: readonly DrawnRow[]): Promise<Buffer> {
  const shared: string[] = []
  const formats: { id: number; code?: string }[] = [{ id: 0 }, { id: dayFormat }]
  const styles = new Map<number | string, number>()
  const styleOf = (format: number | string): number => {
    if (!styles.has(format)) {
      styles.set(format, formats.length)
      formats.push(
        typeof format === 'number' ? { id: format } : { id: 200 + formats.length, code: escapeXml(format) },
      )
    }
    return styles.get(format)!
  }
  const cellXml = (cell: DrawnCell, reference: string): string => {
    if (cell === null || cell === '') return ''
    if (typeof cell === 'string') {
      if (shape.workbook !== 'shared')
        return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
      shared.push(`<si><t xml:space="preserve">${escapeXml(cell)}</t></si>`)
      return `<c r="${reference}" t="s"><v>${shared.length - 1}</v></c>`
    }
    if ('error' in cell) return `<c r="${reference}" t="e"><v>${cell.error}</v></c>`
    if ('formulaWithoutValue' in cell) return `<c r="${reference}"><f>A1</f></c>`
    if ('day' in cell) {
      const serial = Date.parse(`${cell.day}T00:00:00Z`) / 86_400_000 + 25_569
      return `<c r="${reference}" s="1"><v>${shape.workbook === 'from1904' ? serial - 1_462 : serial}</v></c>`
    }
    const style = cell.format === undefined ? '' : ` s="${styleOf(cell.format)}"`
    return `<c r="${reference}"${style}><v>${cell.number}</v></c>`
  }
  const nameOf = (column: number): string =>
    column < 26 ? String.fromCharCode(65 + column) : nameOf(Math.floor(column / 26) - 1) + nameOf(column % 26)
  const sheetOf = (sheetRows: readonly DrawnRow[]) =>
    sheetRows
      .map(({ cells, isHidden }, at) => {
        const inner = cells.map((cell, column) => cellXml(cell, `${nameOf(column)}${at + 1}`)).join('')
        return `<row r="${at + 1}"${isHidden ? ' hidden="1"' : ''}>${inner}</row>`
      })
      .join('')
  const notes = sheetOf([
    { cells: ['Mode d’emploi'], truth: null },
    { cells: ['Ne pas modifier les onglets', 'Contact : compta'], truth: null },
  ])
  const data = sheetOf(rows)
  const sheets: Record<string, string> =
    shape.workbook === 'notesFirst'
      ? { Notes: notes, Factures: data }
      : shape.workbook === 'hiddenFirst'
        ? { Listes: notes, Factures: data }
        : shape.workbook === 'moreSheets'
          ? { Factures: data, Notes: notes }
          : { Factures: data }
  return workbookOf({
    sheets,
    ...(shape.workbook === 'hiddenFirst' && { hiddenSheets: ['Listes'] }),
    formats,
    sharedStrings: shared.join(''),
    from1904: shape.workbook === 'from1904',
  })
}

const debtorNames: Partial<Record<DrawnField, string>> = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  siret: 'siret',
  address: 'address',
  postalCode: 'postalCode',
  city: 'city',
  country: 'country',
}
const invoiceNames: Partial<Record<DrawnField, string>> = {
  number: 'invoiceNumber',
  issued: 'issueDate',
  due: 'dueDate',
  currency: 'currency',
  description: 'description',
}

const jsonOf = (cell: DrawnCell): unknown =>
  cell !== null && typeof cell === 'object' && 'number' in cell ? Number(cell.number) : cell

/** A line as the API takes it, as our own export writes it, or with the titles of a program. */
function objectOf({ json, fields, titles }: Shape, { cells, drawn }: DrawnRow): object {
  if (json === 'titles')
    return Object.fromEntries(
      fields.flatMap((_, at) => (cells[at] === null ? [] : [[titles[at]!, jsonOf(cells[at]!)]])),
    )
  const top: Record<string, unknown> = {}
  const debtor: Record<string, unknown> = {}
  for (const [at, field] of fields.entries()) {
    const cell = cells[at]!
    if (field === 'gross') {
      if (cell !== null) top.amountCents = drawn!.totalCents
    } else if (debtorNames[field]) debtor[debtorNames[field]] = cell
    else top[invoiceNames[field]!] = cell
  }
  if (json === 'flat')
    return {
      ...top,
      ...Object.fromEntries(Object.entries(debtor).map(([key, value]) => [`debtor.${key}`, value])),
    }
  if (json === 'ownExport' && drawn!.openCents !== null)
    Object.assign(top, {
      balanceCents: drawn!.openCents,
      paidCents: drawn!.totalCents - drawn!.openCents,
      status: drawn!.openCents === 0 ? 'paid' : 'in_recovery',
      invoiceId: '01997000-0000-7000-8000-000000000001',
      debtorId: '01997000-0000-7000-8000-000000000002',
    })
  return { ...top, debtor }
}
