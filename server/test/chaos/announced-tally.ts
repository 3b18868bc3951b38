/** Counts of what was announced and what came of it, and examples of each difference. */
export interface Tally {
  said(surface: string, daysAhead: number, outcome: 'as said' | 'apart' | 'not'): void
  differs(surface: string, cause: string, example: () => string, count?: number): void
  apart(surface: string, cause: string): void
  compared(pair: string, isEqual: boolean): void
  unannounced(surface: string, isAnnounced: boolean): void
  /** A message of a debtor to whom something happened while the notes were taken: it is judged by nobody. */
  disturbed(): void
  print(examplesMax: number): void
  shares(): Share[]
  pairs(): { pair: string; cells: number; different: number }[]
  leftUnannounced(): { surface: string; messages: number; unannounced: number }[]
}

export interface Share {
  surface: string
  /** The day itself, and the three after it. */
  when: 'today' | 'next 3 days'
  announced: number
  asSaid: number
  apart: number
}

const examplesKept = 10

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${(Math.floor((part / whole) * 10_000) / 100).toFixed(2)} %`

export function newTally(): Tally {
  const shares = new Map<string, Share>()
  const pairs = new Map<string, { pair: string; cells: number; different: number }>()
  const left = new Map<string, { surface: string; messages: number; unannounced: number }>()
  const differences = new Map<string, { surface: string; cause: string; n: number; examples: string[] }>()
  const apart = new Map<string, number>()
  let disturbed = 0
  const entry = <Value>(map: Map<string, Value>, key: string, make: () => Value): Value => {
    const known = map.get(key)
    if (known !== undefined) return known
    const made = make()
    map.set(key, made)
    return made
  }
  return {
    said(surface, daysAhead, outcome) {
      const when = daysAhead === 0 ? 'today' : 'next 3 days'
      const share = entry(shares, `${surface} ${when}`, () => ({
        surface,
        when,
        announced: 0,
        asSaid: 0,
        apart: 0,
      }))
      if (outcome === 'apart') share.apart++
      else share.announced++
      if (outcome === 'as said') share.asSaid++
    },
    differs(surface, cause, example, count = 1) {
      const found = entry(differences, `${surface}\0${cause}`, () => ({ surface, cause, n: 0, examples: [] }))
      found.n += count
      if (found.examples.length < examplesKept) found.examples.push(example())
    },
    apart: (surface, cause) => {
      const key = `${surface}: ${cause}`
      apart.set(key, (apart.get(key) ?? 0) + 1)
    },
    compared(pair, isEqual) {
      const found = entry(pairs, pair, () => ({ pair, cells: 0, different: 0 }))
      found.cells++
      if (!isEqual) found.different++
    },
    unannounced(surface, isAnnounced) {
      const found = entry(left, surface, () => ({ surface, messages: 0, unannounced: 0 }))
      found.messages++
      if (!isAnnounced) found.unannounced++
    },
    disturbed() {
      disturbed++
    },
    print(examplesMax) {
      console.log('\nannounced, and happened as said (apart: a new fact came between)')
      for (const { surface, when, announced, asSaid, apart: away } of shares.values())
        console.log(
          `  ${surface.padEnd(28)} ${when.padEnd(12)} ${percent(asSaid, announced).padStart(9)}  ${asSaid} of ${announced}, apart ${away}`,
        )
      console.log('\nmessages that left on the day, and were announced that morning')
      for (const { surface, messages, unannounced } of left.values())
        console.log(
          `  ${surface.padEnd(28)} ${messages - unannounced} of ${messages}, unannounced ${unannounced}`,
        )
      console.log(`  not judged, because of a message while the notes were taken: ${disturbed}`)
      console.log('\nsurfaces compared, cell by cell')
      for (const { pair, cells, different } of pairs.values())
        console.log(`  ${pair.padEnd(58)} ${cells} cells, ${different} different`)
      if (apart.size > 0) console.log('\nset apart, by the new fact')
      for (const [key, n] of [...apart].sort(([, a], [, b]) => b - a))
        console.log(`  ${String(n).padStart(6)}  ${key}`)
      if (differences.size > 0) console.log('\ndifferences, by surface and likely cause')
      for (const { surface, cause, n, examples } of [...differences.values()].sort((a, b) => b.n - a.n)) {
        console.log(`  ${String(n).padStart(6)}  ${surface} | ${cause}`)
        for (const example of examples.slice(0, examplesMax)) console.log(`            ${example}`)
      }
      console.log('')
    },
    shares: () => [...shares.values()],
    pairs: () => [...pairs.values()],
    leftUnannounced: () => [...left.values()],
  }
}
