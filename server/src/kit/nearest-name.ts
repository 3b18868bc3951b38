/** A stranger may send names of any length; a longer one is compared with nothing. */
const lengthMax = 64

const plainOf = (name: string) => name.replaceAll(/[-_. ]/g, '').toLowerCase()

/** How many letters may differ: short names differ by few letters anyway. */
const editsMax = (known: string) => (known.length <= 3 ? 0 : known.length <= 6 ? 1 : 2)

/** How many letters have to be inserted, left out, changed or swapped with their neighbour. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1]!
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** How far a text is from a name that it may mean: 0 in another spelling (`due_date`, `DueDate`). Null: it does not mean it. */
export function distanceTo(known: string, given: string): number | null {
  if (given.length > lengthMax || known.length > lengthMax) return null
  const [meant, said] = [plainOf(known), plainOf(given)]
  const most = editsMax(meant)
  // Lengths that differ too much need no comparison.
  if (Math.abs(meant.length - said.length) > most) return null
  const edits = meant === said ? 0 : editsBetween(said, meant)
  return edits <= most ? edits : null
}

/** The name that was probably meant. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of known) {
    const distance = distanceTo(name, given)
    if (distance === null || distance >= least) continue
    nearest = name
    least = distance
  }
  return nearest
}

/** For the end of a refusal: `; did you mean X?`, or nothing. */
export function meant(given: unknown, known: readonly string[]): string {
  const nearest = typeof given === 'string' ? nearestName(given, known) : undefined
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
