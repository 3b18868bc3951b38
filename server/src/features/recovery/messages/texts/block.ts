/**
 * What a message is made of. Words are plain text here; each rendering escapes them for its own kind of paper, so that a name
 * is never more than a name.
 */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** Labels and values; the headline is what is seen first where letters have sizes, and the last row where they have none. */
  | { kind: 'facts'; title: string | null; rows: readonly Row[]; headline?: Row }
  /** The last column holds sums and stands to the right. */
  | {
      kind: 'table'
      title: string | null
      head: readonly string[]
      rows: readonly (readonly string[])[]
      foot: readonly string[]
    }
  /** Sums apart, each with the law it rests on. */
  | {
      kind: 'statement'
      title: string
      rows: readonly { label: string; basis: string | null; value: string }[]
      total: Row
      notes: readonly string[]
    }
  /** Where the debtor pays or answers. */
  | { kind: 'action'; lead: string; label: string; link: string; orCopy: string }
  | { kind: 'small'; title: string | null; text: string }
  /** The words of the law, as the law wants them reproduced; no lint reads them. */
  | { kind: 'law'; source: string; text: string }
  | { kind: 'signature'; text: string }

export type Row = readonly [label: string, value: string]

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
