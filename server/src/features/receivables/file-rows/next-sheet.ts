/** People put a few sheets before their table; a workbook of a hundred is no table. */
const sheetsTriedMax = 10

/** The sheet to try after one without titles; null: there is none. Hidden sheets are not tried. */
export function nextSheet(
  sheets: readonly { name: string; hidden: boolean }[],
  current: string | null,
): string | null {
  const names = [...new Set(sheets.flatMap(({ name, hidden }) => (hidden ? [] : [name])))]
  const at = names.indexOf(current ?? '')
  return at === -1 || at + 1 >= sheetsTriedMax ? null : (names[at + 1] ?? null)
}
