/**
 * A message is a list of blocks. Texts are plain here; each renderer escapes them for its own format, so that data can never
 * inject markup.
 */
export type Block =
  | { kind: 'paragraph'; text: string; isStrong?: true }
  /** Labels and values. The headline is shown first and large in HTML, and as the last row in plain text and letters. */
  | { kind: 'facts'; title: string | null; rows: readonly Row[]; headline?: Row }
  /** The last columns hold sums and are aligned to the right. An annex is long; a letter has it on pages of its own. */
  | {
      kind: 'table'
      title: string | null
      head: readonly string[]
      rows: readonly (readonly string[])[]
      /** Sums under the last column. */
      foot: readonly Row[]
      /** How many of the columns hold sums; one if left out. */
      sumColumns?: number
      isAnnex?: true
    }
  /** Separate sums, each with its legal basis. */
  | {
      kind: 'statement'
      title: string
      rows: readonly { label: string; basis: string | null; value: string }[]
      total: Row
      notes: readonly string[]
    }
  /** Where the debtor pays or answers. */
  | { kind: 'action'; lead: string; label: string; link: string }
  | { kind: 'small'; title: string | null; text: string }
  /** The text of the law, quoted as the law requires; it is not checked for forbidden words. */
  | { kind: 'law'; source: string; paragraphs: readonly string[] }
  /** The sender: the name first. */
  | { kind: 'signature'; lines: readonly string[] }

export type Row = readonly [label: string, value: string]

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

export const strongParagraph = (text: string): Block => ({ kind: 'paragraph', text, isStrong: true })
