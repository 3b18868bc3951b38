import type { PostalAddress } from '../channel.ts'

/** The longest line of a French address (NF Z 10-011). */
const lineLengthMax = 38

function wrapped(text: string): string[] | null {
  const lines: string[] = []
  for (const word of text.split(/[\s\p{C}]+/u).filter(Boolean)) {
    if (word.length > lineLengthMax) return null
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= lineLengthMax)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/**
 * The six lines of an address: the name in one or two; the address lines, with the street in the fourth; postal code and city.
 * Null: the address does not fit, and a letter with a truncated address would reach another person.
 */
export function postalLines({ name, lines, postalCode, city }: PostalAddress): string[] | null {
  const nameLines = wrapped(name)
  const wrappedLines = lines.map(wrapped)
  const cityLines = wrapped(`${postalCode} ${city}`)
  if (!nameLines || !cityLines || wrappedLines.includes(null)) return null
  const streetLines = wrappedLines.flatMap(part => part ?? [])
  if (
    nameLines.length < 1 ||
    nameLines.length > 2 ||
    streetLines.length < 1 ||
    streetLines.length > 3 ||
    cityLines.length !== 1
  )
    return null
  const [third, fourth, fifth] = streetLines.length === 1 ? ['', streetLines[0]] : streetLines
  return [nameLines[0]!, nameLines[1] ?? '', third ?? '', fourth ?? '', fifth ?? '', cityLines[0]!]
}
