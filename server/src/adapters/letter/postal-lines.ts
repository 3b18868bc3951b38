import type { PostalAddress } from '../channel.ts'

/** What a line of a French address may have (NF Z 10-011). */
const lineMost = 38

function wrapped(text: string): string[] | null {
  const lines: string[] = []
  for (const word of text.split(/[\s\p{C}]+/u).filter(Boolean)) {
    if (word.length > lineMost) return null
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= lineMost)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/**
 * The six lines of an address: who, in one or two; what leads to the door, with the street in the fourth; postal code and
 * city. Null: it does not fit, and a letter to half an address reaches somebody else.
 */
export function postalLines({ name, lines, postalCode, city }: PostalAddress): string[] | null {
  const who = wrapped(name)
  const way = lines.map(wrapped)
  const place = wrapped(`${postalCode} ${city}`)
  if (!who || !place || way.includes(null)) return null
  const steps = way.flatMap(part => part ?? [])
  if (who.length < 1 || who.length > 2 || steps.length < 1 || steps.length > 3 || place.length !== 1)
    return null
  const [third, fourth, fifth] = steps.length === 1 ? ['', steps[0]] : steps
  return [who[0]!, who[1] ?? '', third ?? '', fourth ?? '', fifth ?? '', place[0]!]
}
