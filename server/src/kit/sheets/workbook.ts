import { posix } from 'node:path'
import { isBuiltInDate, isDateFormat, unitOfBuiltIn, unitOfFormat } from './cell.ts'
import { readWholeXml, type XmlEvents } from './read-xml.ts'
import { SheetError, type TableLimits } from './sheet-error.ts'
import type { ZipParts } from './zip-parts.ts'

export interface SheetName {
  name: string
  hidden: boolean
}

/** What a number format makes of a number. */
export interface CellStyle {
  isDate: boolean
  /** What it shows beside the number; empty: nothing. */
  unit: string
}

export interface Workbook {
  sheets: (SheetName & { part: string })[]
  sharedStrings: readonly string[]
  /** By the number of a cell's style. */
  styles: readonly CellStyle[]
  from1904: boolean
}

interface Relation {
  type: string
  part: string
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true'

/** The relations of a part, by id. Targets outside of the file are left out: nothing is ever fetched. */
async function relationsOf(zip: ZipParts, part: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(part)
  const relations = new Map<string, Relation>()
  const place = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  if (!zip.has(place)) return relations
  await readWholeXml(zip.text(place), {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: target })
    },
  })
  return relations
}

/** `_x000D_` encodes a character that XML cannot write. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

async function readSharedStrings(zip: ZipParts, part: string, limits: TableLimits): Promise<string[]> {
  const strings: string[] = []
  let [characters, text] = [0, '']
  let [isInText, isPhonetic] = [false, false]
  await readWholeXml(zip.text(part), {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') isInText = !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(content) {
      if (!isInText) return
      text += content
      characters += content.length
      if (text.length > limits.cellLength) throw new SheetError('cell_too_long', { limit: limits.cellLength })
    },
    close(name) {
      if (name === 't') isInText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si') strings.push(decodeEscapes(text))
      if (strings.length > limits.sharedStrings || characters > limits.sharedCharacters)
        throw new SheetError('too_many_shared_strings')
    },
  })
  return strings
}

const stylesMax = 100_000

async function readStyles(zip: ZipParts, part: string): Promise<CellStyle[]> {
  const formats = new Map<number, CellStyle>()
  const styles: CellStyle[] = []
  let isInCellStyles = false
  await readWholeXml(zip.text(part), {
    open(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId)
      if (name === 'cellXfs') isInCellStyles = true
      else if (name === 'numFmt' && formatCode !== undefined)
        formats.set(id, { isDate: isDateFormat(formatCode), unit: unitOfFormat(formatCode) })
      else if (name === 'xf' && isInCellStyles)
        styles.push(formats.get(id) ?? { isDate: isBuiltInDate(id), unit: unitOfBuiltIn(id) })
      if (styles.length > stylesMax || formats.size > stylesMax)
        throw new SheetError('too_many_parts', { limit: stylesMax })
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false
    },
  })
  return styles
}

/** Reads the parts that the sheets need. Links to other files are not followed; the stored values are in the sheet itself. */
export async function openWorkbook(zip: ZipParts, limits: TableLimits): Promise<Workbook> {
  for (const name of zip.names()) if (name.endsWith('vbaproject.bin')) throw new SheetError('has_macros')
  const [main] = [...(await relationsOf(zip, '')).values()].filter(({ type }) => type === 'officeDocument')
  if (!main?.part.toLowerCase().endsWith('.xml') || !zip.has(main.part))
    throw new SheetError('not_a_workbook')
  const relations = await relationsOf(zip, main.part)
  const workbook: Workbook = { sheets: [], sharedStrings: [], styles: [], from1904: false }
  let isWorkbook = false
  const events: XmlEvents = {
    open(name, attributes) {
      if (name === 'workbook') isWorkbook = true
      if (name === 'workbookPr') workbook.from1904 = isTrue(attributes.date1904)
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      const relation = relations.get(id ?? '')
      if (relation?.type !== 'worksheet') return
      const hidden = attributes.state === 'hidden' || attributes.state === 'veryHidden'
      workbook.sheets.push({ name: attributes.name ?? '', hidden, part: relation.part })
    },
  }
  await readWholeXml(zip.text(main.part), events)
  if (!isWorkbook) throw new SheetError('not_a_workbook')
  for (const { type, part } of relations.values()) {
    if (!zip.has(part)) continue
    if (type === 'sharedStrings') workbook.sharedStrings = await readSharedStrings(zip, part, limits)
    if (type === 'styles') workbook.styles = await readStyles(zip, part)
  }
  return workbook
}
