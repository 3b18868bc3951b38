/** One row of the specification, shortened, and the test that proves it. */
export interface Row {
  readonly id: string
  readonly says: string
  readonly provenBy: `${string} › ${string}`
}

/** One table of the specification. */
export interface Table {
  readonly title: string
  readonly rows: readonly Row[]
}

type RowTexts = Readonly<Record<string, string>>

/** Rows that one test proves. The path starts at `server/`; the test name is written as in the file, placeholders included. */
export const proven = (file: string, test: string, texts: RowTexts): Row[] =>
  Object.entries(texts).map(([id, says]) => ({ id, says, provenBy: `${file} › ${test}` }))
