export interface TableLimits {
  fileBytes: number
  /** Of all parts of a workbook that are read, together. */
  unzippedBytes: number
  /** Unzipped bytes for each zipped byte of a part. */
  ratio: number
  rows: number
  columns: number
  /** With the empty ones before the last filled one of each row: they are stored too. */
  cells: number
  /** Of the whole table. A text that a workbook stores once is counted in each cell that refers to it. */
  characters: number
  /** In characters. Excel itself allows 32,767. */
  cellLength: number
  /** A workbook stores each text once, in a list that has to be kept in memory. */
  sharedStrings: number
  sharedCharacters: number
}

export const defaultTableLimits: TableLimits = {
  fileBytes: 50 * 1024 * 1024,
  unzippedBytes: 400 * 1024 * 1024,
  ratio: 200,
  rows: 200_000,
  columns: 300,
  cells: 4_000_000,
  // No file of text within the limit of bytes has more.
  characters: 50 * 1024 * 1024,
  cellLength: 32_767,
  sharedStrings: 1_000_000,
  sharedCharacters: 40_000_000,
}

export interface SheetErrorDetail {
  /** The line of the file, as Excel numbers it. */
  line?: number
  limit?: number
}

const inLine = ({ line }: SheetErrorDetail) => (line === undefined ? '' : ` in line ${line}`)

/** Every reason for which a whole file cannot be read or written, with what to do about it. The list is closed. */
const sentences = {
  file_too_large: ({ limit }) => `The file is larger than ${limit} bytes. Divide it into several files.`,
  not_a_table: () => 'The file is not a table. Send a CSV, XLSX or NDJSON file.',
  web_page: () => 'The file is a web page or an XML file. Open it in Excel and save it as .xlsx.',
  old_excel_file: () => 'The file has the old format of Excel (.xls). Save it as .xlsx.',
  encrypted_file: () => 'The file is protected by a password. Save it without one.',
  has_macros: () => 'The workbook contains macros. Save it as .xlsx, without macros.',
  not_a_workbook: () => 'The file is an archive, but not an Excel workbook. Save the table as .xlsx or CSV.',
  damaged_file: detail =>
    `The file is damaged${inLine(detail)}. Open it in Excel, save it again and send it.`,
  has_document_type: () =>
    'The workbook contains a document type definition, which Excel never writes. Open it in Excel and save it again.',
  too_many_parts: ({ limit }) => `The workbook has more than ${limit} parts. Copy the table into a new one.`,
  unzips_too_large: ({ limit }) =>
    `The workbook is larger than ${limit} bytes when unzipped. Divide it into several files.`,
  compressed_too_much: ({ limit }) =>
    `A part of the workbook is compressed by more than ${limit} to 1, which tables are not. Save it as CSV.`,
  too_many_shared_strings: () =>
    'The workbook contains too many different texts. Remove columns that are not needed, or save it as CSV.',
  too_many_rows: ({ limit }) => `The table has more than ${limit} rows. Divide it into several files.`,
  too_many_columns: detail =>
    `The table has more than ${detail.limit} columns${inLine(detail)}. Remove those that are not needed.`,
  too_many_cells: ({ limit }) =>
    `The table has more than ${limit} cells, empty ones included. Copy only the filled rows and columns into a new file.`,
  too_many_characters: ({ limit }) =>
    `The cells of the table have more than ${limit} characters together, each use of a repeated text counted. Remove columns that are not needed, or divide it into several files.`,
  cell_too_long: detail =>
    `A cell${inLine(detail)} has more than ${detail.limit} characters. Shorten it; in a CSV file, look for a quote that is not closed.`,
  quote_not_closed: detail => `A quote that begins${inLine(detail)} is not closed. Close it or remove it.`,
  bad_json_line: detail => `The text${inLine(detail)} is not a JSON object. Each line must be one.`,
  too_deep: detail =>
    `A value${inLine(detail)} is nested more than ${detail.limit} levels deep. Send flat objects, one field per column.`,
  no_data: () => 'The file contains no data.',
  memory_limit: () =>
    'Reading the file takes too much memory. Divide it into several files, or save it as CSV.',
  time_limit: () => 'Reading the file takes too long. Divide it into several files, or save it as CSV.',
  reader_failed: () => 'The file could not be read because of a fault on our side. Send it again later.',
} as const satisfies Record<string, (detail: SheetErrorDetail) => string>

export type SheetErrorCode = keyof typeof sentences
export const sheetErrorCodes = Object.keys(sentences) as SheetErrorCode[]

export class SheetError extends Error {
  readonly code: SheetErrorCode
  readonly detail: SheetErrorDetail
  constructor(code: SheetErrorCode, detail: SheetErrorDetail = {}, options?: ErrorOptions) {
    super(sentences[code](detail), options)
    this.code = code
    this.detail = detail
  }
}
