/** A list has debtors of many zones: its moments are those of the reader's clock. */
export const readerZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
