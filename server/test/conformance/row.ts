/** The parts of the product that are still to come. */
export type Area = 'webhooks' | 'oauth' | 'score' | 'assistant' | 'channels' | 'operations'

/** One row of the specification in our own short words: the test that proves it, or the part of the product it waits for. */
export type Row = { readonly id: string; readonly says: string } & (
  | { readonly provenBy: `${string} › ${string}` }
  | { readonly planned: Area }
)

/** One table of the specification. */
export interface Table {
  readonly title: string
  readonly rows: readonly Row[]
}

type Words = Readonly<Record<string, string>>

/** Rows that one test proves. The file is named from `server/`, the test as it stands in the file, template included. */
export const proven = (file: string, test: string, words: Words): Row[] =>
  Object.entries(words).map(([id, says]) => ({ id, says, provenBy: `${file} › ${test}` }))

export const planned = (area: Area, words: Words): Row[] =>
  Object.entries(words).map(([id, says]) => ({ id, says, planned: area }))
