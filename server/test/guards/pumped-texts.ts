/** One character, or a group; `source` matches exactly this part. */
interface Part {
  kind: 'one' | 'group' | 'nothing'
  source: string
  alternatives: Part[][]
  min: number
  max: number
}

/** Splits the source of a pattern into its parts. It understands what JavaScript accepts; a pattern is valid when it comes here. */
class PatternReader {
  private at = 0
  private readonly source: string
  constructor(source: string) {
    this.source = source
  }

  alternatives(): Part[][] {
    const found: Part[][] = [[]]
    while (this.at < this.source.length && this.source[this.at] !== ')')
      if (this.source[this.at] === '|') {
        this.at++
        found.push([])
      } else found.at(-1)!.push(this.part())
    return found
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = this.at
    const match = sticky.exec(this.source)
    if (match) this.at = sticky.lastIndex
    return match
  }

  private part(): Part {
    const from = this.at
    const part = this.atom(from)
    const quantifier = this.take(/([*+?]|\{(\d+)(,?)(\d*)\})\??/)
    if (!quantifier) return part
    const [, sign, least, comma, most] = quantifier
    if (sign === '*' || sign === '?') part.min = 0
    if (sign === '*' || sign === '+') part.max = Number.POSITIVE_INFINITY
    if (least !== undefined) {
      part.min = Number(least)
      part.max = comma === '' ? part.min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    }
    return part
  }

  private atom(from: number): Part {
    const made = (kind: Part['kind'], alternatives: Part[][] = []): Part => ({
      kind,
      source: this.source.slice(from, this.at),
      alternatives,
      min: 1,
      max: 1,
    })
    if (this.take(/\^|\$|\\[bB]/)) return made('nothing')
    const group = this.take(/\((?:\?(?::|<?[=!]|<[A-Za-z]\w*>))?/)
    if (group) {
      const inner = this.alternatives()
      this.at++
      // A negative look ahead must not match, so its text is of no use in front of what follows.
      return /[=!]$/.test(group[0]) ? made('nothing', inner) : made('group', inner)
    }
    if (this.take(/\[(?:\\.|[^\]\\])*\]/)) return made('one')
    if (this.take(/\\k<\w+>|\\[1-9]/)) return made('nothing')
    if (this.take(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\c[A-Za-z]|\\./))
      return made('one')
    this.at += this.source.codePointAt(this.at)! > 0xffff ? 2 : 1
    return made('one')
  }
}

const usual = [...' a0.-/:@!"<{[(\n\t\u00a0\u0301\u0000é_=;,#']

/** Texts with one long stretch, made from the parts of the pattern itself, on which it may take more than linear time. */
export function pumpedTexts({ source, flags }: RegExp): ((length: number) => string)[] {
  const tree = new PatternReader(source).alternatives()
  const own = source.replace(/\\[a-zA-Z](?:\{[^}]*\}|[\dA-Fa-f]{2,4})?/g, '').replace(/[\\()*+?^$|]/g, '')
  const alphabet = [...new Set([...own, ...usual])]
  const known = new Map<string, string[]>()
  const membersOf = (part: Part): string[] => {
    let members = known.get(part.source)
    if (!members) {
      const test = new RegExp(`^(?:${part.source})$`, flags.replace(/[gym]/g, ''))
      members = alphabet.filter(character => test.test(character))
      if (members.length === 0)
        for (let code = 0; code < 0x3000 && members.length < 2; code++)
          if (test.test(String.fromCharCode(code))) members.push(String.fromCharCode(code))
      known.set(part.source, members)
    }
    return members
  }
  /** What a part matches once: all characters of a class, the beginning of a list of words. */
  const examplesOf = (part: Part, most: number): string[] =>
    part.kind === 'one'
      ? membersOf(part).slice(0, most)
      : part.kind === 'nothing'
        ? ['']
        : part.alternatives
            .slice(0, most)
            .flatMap(parts => [...new Set([textOf(parts, 0), textOf(parts, 1)])])
  const textOf = (parts: Part[], optional: 0 | 1): string =>
    parts
      .map(part => {
        const times = Math.min(Math.max(part.min, Math.min(part.max, optional)), 20)
        return times === 0 ? '' : (examplesOf(part, 1)[0] ?? '').repeat(times)
      })
      .join('')

  const texts = new Map<string, (length: number) => string>()
  const add = (before: string, pump: string, after: string) => {
    if (pump !== '')
      texts.set(JSON.stringify([before, pump, after]), length => {
        const times = Math.max(1, Math.floor((length - before.length - after.length) / pump.length))
        return before + pump.repeat(times) + after
      })
  }
  const ends = ['', '\u0000', 'a', '\n', own.at(-1) ?? '']
  const hasBoundaries = source.includes('\\b')
  const visit = (alternatives: Part[][], prefixes: string[]) => {
    for (const parts of alternatives)
      parts.forEach((part, at) => {
        const before = ([0, 1] as const).flatMap(optional =>
          prefixes.map(prefix => prefix + textOf(parts.slice(0, at), optional)),
        )
        if (part.alternatives.length > 0) visit(part.alternatives, [...new Set(before)].slice(0, 4))
        if (part.max <= 20) return
        const next = textOf(parts.slice(at + 1, at + 2), 1)
        const bodies = examplesOf(part, 10)
        // Word boundaries make starts inside of a stretch: `a-a-a-`.
        const pairs = hasBoundaries ? bodies.slice(1).map(body => bodies[0] + body) : []
        // A first sign that fits nothing, so that what is anchored at the start does not match the rest.
        for (const prefix of new Set(['', '\u0000', ...before]))
          for (const pump of new Set([
            ...pairs,
            ...bodies.flatMap(body => [body, prefix + body, body + next]),
          ]))
            for (const end of new Set([...ends, next])) add(prefix, pump, end)
      })
  }
  visit(tree, [''])
  return [...texts.values()]
}
