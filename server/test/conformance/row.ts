/** One row of the specification in our own short words, and the test that proves it. */
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

type Words = Readonly<Record<string, string>>

/** Rows that one test proves. The file is named from `server/`, the test as it stands in the file, template included. */
export const proven = (file: string, test: string, words: Words): Row[] =>
  Object.entries(words).map(([id, says]) => ({ id, says, provenBy: `${file} › ${test}` }))
