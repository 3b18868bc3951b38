import { Readable } from 'node:stream'
import yazl from 'yazl'
import { type Cell, isPlainDecimal, serialOfDate } from './cell.ts'
import { SheetError } from './sheet-error.ts'

export const excelRowsMax = 1_048_576
const piecesOf = 64 * 1024

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const xmlNames: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const special = /[&<>"]/g
/** Characters that XML cannot write, a carriage return, which XML would change, and text that looks like such an escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is for
const escaped = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(escaped, found => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(special, found => xmlNames[found]!)

/** The order of `cellXfs` below. */
const styles = { plain: 0, bold: 1, date: 2, dateTime: 3 } as const

const stylesXml = `${declaration}<styleSheet xmlns="${main}">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="22" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
</styleSheet>`

const partsXml: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': stylesXml,
}

/** Excel refuses some characters in the name of a sheet, and names longer than 31. */
const sheetName = (name: string) =>
  escapeXml(
    name
      .replace(/[:\\/?*[\]]/g, ' ')
      .slice(0, 31)
      .trim() || 'Relance',
  )

const workbookXml = (name: string) =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheetName(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`

const textXml = (text: string, style: number = styles.plain) =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

/** More than 15 digits are written as a text: Excel would replace the last ones by zeros. */
const fitsNumber = (text: string) => isPlainDecimal(text) && text.replace(/\D/g, '').length <= 15

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'string') return textXml(cell)
  if (cell.kind === 'empty') return '<c/>'
  if (cell.kind === 'number' && fitsNumber(cell.text)) return `<c><v>${cell.text}</v></c>`
  if (cell.kind === 'boolean') return `<c t="b"><v>${cell.text === 'TRUE' ? 1 : 0}</v></c>`
  const serial = cell.kind === 'date' ? serialOfDate(cell.text) : null
  if (serial === null) return textXml(cell.text)
  return `<c s="${Number.isInteger(serial) ? styles.date : styles.dateTime}"><v>${serial}</v></c>`
}

type Rows = AsyncIterable<readonly Cell[]>

async function* sheetXml(header: readonly string[], rows: Rows): AsyncGenerator<Buffer> {
  let piece = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row>${header.map(title => textXml(title, styles.bold)).join('')}</row>`
  let line = 1
  for await (const cells of rows) {
    if (++line > excelRowsMax) throw new SheetError('too_many_rows', { limit: excelRowsMax })
    piece += '<row>'
    for (const cell of cells) piece += cellXml(cell)
    piece += '</row>'
    if (piece.length < piecesOf) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(`${piece}</sheetData></worksheet>`)
}

/** The same rows give the same bytes, whenever they are written. */
const options = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true, compressionLevel: 6 }

/** A workbook with one sheet. Texts are written into the cells themselves, so that nothing has to be kept until the end. */
export async function* writeXlsx(table: {
  header: readonly string[]
  rows: Rows
  sheet?: string
}): AsyncGenerator<Uint8Array> {
  const zip = new yazl.ZipFile()
  const parts = { ...partsXml, 'xl/workbook.xml': workbookXml(table.sheet ?? '') }
  for (const [name, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(xml), name, options)
  const sheet = Readable.from(sheetXml(table.header, table.rows), { objectMode: false })
  const output = zip.outputStream as Readable
  const stop = (error: unknown) => output.destroy(error as Error)
  sheet.on('error', stop)
  zip.on('error', stop)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', options)
  zip.end()
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    sheet.destroy()
  }
}
