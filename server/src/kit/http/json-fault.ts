const lineFeed = 10
const quote = 34
const backslash = 92
const spaces = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class Fault extends Error {}

/** Reads JSON up to its first fault. It is used for texts that `JSON.parse` refused, and whose nesting is limited. */
class Reader {
  at = 0
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  fail(message: string): never {
    throw new Fault(this.at >= this.text.length ? 'the text ends before it is complete' : message)
  }

  take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    this.at = pattern.lastIndex
    return true
  }

  skipSpace(): void {
    this.take(spaces)
  }

  readText(): void {
    for (this.at++; ; this.at++) {
      const sign = this.text.charCodeAt(this.at)
      if (sign === quote) break
      if (sign === backslash) {
        if (!this.take(escapeSequence))
          this.fail('a backslash begins no escape sequence; write \\\\ for a backslash')
        this.at--
      } else if (!(sign >= 32))
        this.fail('a line break, tab or control character stands in a text; write \\n or \\t')
    }
    this.at++
  }

  /** The items of a list or an object, up to its end. */
  readItems(end: string, readItem: () => void): void {
    this.at++
    this.skipSpace()
    if (this.text[this.at] === end) {
      this.at++
      return
    }
    for (;;) {
      this.skipSpace()
      readItem()
      this.skipSpace()
      const sign = this.text[this.at]
      if (sign !== ',' && sign !== end) this.fail(`a comma or ${end} is missing`)
      this.at++
      if (sign === end) return
    }
  }

  readMember(): void {
    if (this.text[this.at] !== '"')
      this.fail('a name in double quotes is missing; the last item has no comma after it')
    this.readText()
    this.skipSpace()
    if (this.text[this.at] !== ':') this.fail('a colon is missing after the name')
    this.at++
    this.skipSpace()
    this.readValue()
  }

  readValue(): void {
    const sign = this.text[this.at]
    if (sign === '{') this.readItems('}', () => this.readMember())
    else if (sign === '[') this.readItems(']', () => this.readValue())
    else if (sign === '"') this.readText()
    else if (!this.take(word) && !this.take(number))
      this.fail(
        'a value is missing: a text in double quotes, a number, true, false, null, an object or a list',
      )
  }

  readAll(): void {
    this.skipSpace()
    this.readValue()
    this.skipSpace()
    if (this.at < this.text.length) this.fail('something stands behind the end of the value')
  }
}

/** Where and why a text is not JSON, for a person to mend it. Lines and columns begin at 1. */
export function jsonFault(text: string): string {
  const reader = new Reader(text)
  try {
    reader.readAll()
    return 'it cannot be read'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { line, column } = placeOf(text, reader.at)
    return `line ${line}, column ${column}: ${error.message}`
  }
}

function placeOf(text: string, position: number): { line: number; column: number } {
  let [line, start] = [1, 0]
  for (let at = 0; at < position; at++)
    if (text.charCodeAt(at) === lineFeed) {
      line++
      start = at + 1
    }
  return { line, column: position - start + 1 }
}
