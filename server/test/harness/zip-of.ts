import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'

/** A zip with these parts. */
export async function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface WorkbookParts {
  /** The content of `sheetData`, by the name of the sheet. */
  sheets: Readonly<Record<string, string>>
  hiddenSheets?: readonly string[]
  /** The content of `sst`. */
  sharedStrings?: string
  /** The format of each style, by its number. */
  formats?: readonly { id: number; code?: string }[]
  from1904?: boolean
  more?: Readonly<Record<string, string | Buffer>>
}

/** A workbook as Excel would save it, reduced to what a reader needs. */
export function workbookOf(book: WorkbookParts): Promise<Buffer> {
  const sheets = Object.entries(book.sheets)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const formats = book.formats ?? []
  const stateOf = (name: string) => (book.hiddenSheets?.includes(name) ? ' state="hidden"' : '')
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><workbookPr date1904="${book.from1904 ? 1 : 0}"/><sheets>${sheets.map(([name], at) => `<sheet name="${name}" sheetId="${at + 1}"${stateOf(name)} r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`)).join('')}${relation('t', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('f', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${book.sharedStrings ?? ''}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats.map(({ id, code }) => (code === undefined ? '' : `<numFmt numFmtId="${id}" formatCode="${code}"/>`)).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.map(({ id }) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(([, data], at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
    ...book.more,
  })
}
